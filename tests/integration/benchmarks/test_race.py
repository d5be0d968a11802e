"""Systems that take turns, each in a process of its own."""

from pathlib import Path

from benchmarks.race import Entry, Pace, race

COUNTING = "tests.integration.benchmarks.counting"
PACE = Pace(rounds=3, seconds=60.0, enough_seconds=60.0, least=1)


def entry(system: str, samples: int = 6) -> Entry:
    return Entry(system=system, turns=1, samples=samples)


def sizes(pace: Pace, *entries: Entry, work: Path) -> list[dict[str, list[int]]]:
    return [
        {lap.entry.system: [one.size for one in lap.samples] for lap in laps}
        for laps in race(COUNTING, entries, pace, work)
    ]


def test_every_system_measures_a_slice_in_every_round(tmp_path: Path) -> None:
    found = sizes(PACE, entry("a"), entry("b", samples=3), work=tmp_path)
    assert found == [
        {"a": [1, 2], "b": [1]},
        {"a": [1, 2, 3, 4], "b": [1, 2]},
        {"a": [1, 2, 3, 4, 5, 6], "b": [1, 2, 3]},
    ]


def test_a_system_that_fails_is_left_out_and_the_others_go_on(tmp_path: Path) -> None:
    *_, last = sizes(PACE, entry("a"), entry("broken"), entry("never ready"), work=tmp_path)
    assert last == {"a": [1, 2, 3, 4, 5, 6], "broken": [1, 2]}


def test_a_slow_system_is_done_when_it_has_measured_long_enough(tmp_path: Path) -> None:
    pace = Pace(rounds=3, seconds=60.0, enough_seconds=0.002, least=2)
    *_, last = sizes(pace, entry("a"), work=tmp_path)
    assert last == {"a": [1, 2]}


def test_a_race_that_is_left_leaves_no_files(tmp_path: Path) -> None:
    laps = race(COUNTING, [entry("a")], PACE, tmp_path)
    next(laps)
    assert [path.name for path in tmp_path.iterdir()] == ["00"]
    laps.close()
    assert list(tmp_path.iterdir()) == []
