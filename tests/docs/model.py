"""The models that pages talk to: one that works, and one that refuses everything."""

from __future__ import annotations

from foreword.domain.calls import ModelRequest
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.testing.model_server import ModelServer, Say
from foreword.testing.models import plausible_summary
from foreword.testing.server_answers import JSON

REPLY = "The keeper looks at the water. “Ask me at low tide,” he says."
FENCE = "<<<"
"""What a request for a summary has before the text that is data."""


REFUSAL = "I'm sorry, but I can't help with that request."


def working_model() -> ModelServer:
    """Return a model that replies with one sentence and summarises what it is given."""
    return ModelServer(_answer, context=16_384)


def refusing_model() -> ModelServer:
    """Return a model that writes nothing but refusals."""
    return ModelServer([Say(REFUSAL)], context=16_384)


def _answer(body: JSON) -> Say:
    messages = tuple(
        Message(role=Role(one["role"]), content=one["content"]) for one in body["messages"]
    )
    if FENCE in messages[-1].content:
        return Say(plausible_summary(ModelRequest(messages=messages)))
    return Say(REPLY)
