from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.llm.dialects import (
    NEW_LIMIT,
    OLD_LIMIT,
    Dialect,
    Roles,
    adapted,
    first_dialect,
    rewritten,
    shaped,
)


def test_only_openais_own_hosts_get_the_new_name_of_the_limit() -> None:
    assert first_dialect("https://api.openai.com/v1").limit == NEW_LIMIT
    assert first_dialect("https://mine.openai.azure.com/v1").limit == NEW_LIMIT
    assert first_dialect("http://localhost:8080/v1").limit == OLD_LIMIT
    assert first_dialect("https://api.openai.com.evil.example/v1").limit == OLD_LIMIT


def test_a_refused_word_is_replaced_once() -> None:
    first = Dialect()
    other = adapted(first, "'max_tokens' is not supported, use 'max_completion_tokens'")
    assert other == replace(first, limit=NEW_LIMIT, limit_refused=True)
    assert adapted(other, "'max_completion_tokens' is too large") is None
    assert adapted(first, "Unrecognized: stream_options") == replace(first, usage_option=False)
    assert adapted(first, "no such thing") is None


@given(st.text() | st.sampled_from(["stream_options max_tokens system role", "max_tokens"]))
def test_adapting_ends(said: str) -> None:
    dialect: Dialect | None = Dialect()
    for _ in range(5):
        assert dialect is not None
        dialect = adapted(dialect, said)
        if dialect is None:
            return
    raise AssertionError("it goes on")


def test_a_request_is_rewritten_in_the_dialect() -> None:
    asked = {"max_completion_tokens": 5, "stream_options": {"include_usage": True, "x": 1}}
    sent = json.loads(rewritten(json.dumps(asked).encode(), Dialect()))
    assert sent == {"max_tokens": 5, "stream_options": {"include_usage": True}}
    plain = json.loads(rewritten(json.dumps(asked).encode(), Dialect(usage_option=False)))
    assert plain == {"max_tokens": 5}
    assert rewritten(b"no JSON", Dialect()) == b"no JSON"
    assert rewritten(b"[]", Dialect()) == b"[]"


messages = st.lists(
    st.builds(
        Message,
        role=st.sampled_from([Role.SYSTEM, Role.USER, Role.ASSISTANT]),
        content=st.sampled_from(["a", "b\nc", "é", " "]),
    )
)


@given(messages, st.sampled_from(list(Roles)))
def test_strict_shapes_keep_every_text_and_alternate(said: list[Message], roles: Roles) -> None:
    made = shaped(said, roles)
    if roles is Roles.FREE:
        assert made == tuple(said)
        return
    joined = "\n".join(message.content for message in made)
    assert all(message.content in joined for message in said if message.content.strip())
    order = [message.role for message in made]
    systems = [role for role in order if role is Role.SYSTEM]
    assert len(systems) <= (roles is Roles.LEADING)
    rest = order[len(systems) :]
    assert rest[0] is Role.USER
    assert all(a is not b for a, b in pairwise(rest))
