"""How much a run measures: all of it, or what two minutes allow."""

from dataclasses import dataclass

from benchmarks.race import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The sizes of every benchmark."""

    turns: tuple[int, ...]
    """Lengths of the conversations, rising."""
    turn_samples: int
    turn_pace: Pace
    imports: tuple[int, ...]
    """Messages of the files, rising."""
    import_pace: Pace
    search_turns: int
    search_conversations: int
    """Into how many that many turns are split for the second measure."""
    search_samples: int
    operation_turns: int
    operation_samples: int
    cost_messages: int
    cost_budgets: tuple[int, ...]
    """Tokens of a prompt."""
    growth_messages: tuple[int, ...]
    """Lengths of the conversation, rising."""


FULL = Scale(
    turns=(100, 1_000, 10_000, 100_000),
    turn_samples=200,
    turn_pace=Pace(rounds=8, seconds=4.0, enough_seconds=25.0, least=10),
    imports=(10_000, 100_000),
    import_pace=Pace(rounds=3, seconds=0.0, enough_seconds=40.0, least=1),
    search_turns=500_000,
    search_conversations=500,
    search_samples=200,
    operation_turns=100_000,
    operation_samples=20,
    cost_messages=1_000,
    cost_budgets=(8_192, 32_768),
    growth_messages=(100, 1_000, 10_000, 100_000),
)

SMALL = Scale(
    turns=(100, 1_000),
    turn_samples=40,
    turn_pace=Pace(rounds=4, seconds=1.0, enough_seconds=4.0, least=4),
    imports=(1_000,),
    import_pace=Pace(rounds=2, seconds=0.0, enough_seconds=10.0, least=1),
    search_turns=1_000,
    search_conversations=5,
    search_samples=20,
    operation_turns=1_000,
    operation_samples=5,
    cost_messages=200,
    cost_budgets=(2_048, 8_192),
    growth_messages=(100, 1_000),
)

TINY = Scale(
    turns=(24,),
    turn_samples=4,
    turn_pace=Pace(rounds=2, seconds=1.0, enough_seconds=2.0, least=1),
    imports=(20,),
    import_pace=Pace(rounds=1, seconds=0.0, enough_seconds=1.0, least=1),
    search_turns=20,
    search_conversations=2,
    search_samples=2,
    operation_turns=24,
    operation_samples=1,
    cost_messages=50,
    cost_budgets=(2_048,),
    growth_messages=(40, 260),
)
"""For the tests of these programs; its numbers mean nothing."""
