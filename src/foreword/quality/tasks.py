"""Does the draft hand on a dangerous task that only a tool or the assistant worded?

Above: `authority`. Below: wording. Invariant: an address, a command, a secret or a destructive act
in what is to be done next stands in a turn of the user.
"""

import re
from collections.abc import Iterator
from typing import Final

from foreword.domain.turn import Role
from foreword.quality.findings import Source
from foreword.quality.wording import sentences, unmasked

_LEAD: Final = re.compile(
    r"\A[\W_]{0,8}(?:\[ ?\] )?(?:(?:the |her |his |their |my |your |our |open |user'?s? |\w+'s )"
    r"{0,3}"
    r"(?:next(?: steps?| up| actions?| tasks?)?|to[- ]?dos?|action items?|instructions?|orders?|"
    r"(?:remaining|outstanding|open|pending)(?: \w+)?|tasks?|still to do|to be done|follow-?ups?|"
    r"requests?|wishes)"
    r"(?: (?:for|of|from) [^:]{1,30})?)[*_ ]{0,4}[:–—-][*_]{0,2}(?P<rest>.*)\Z",
    re.DOTALL,
)
_BULLET: Final = re.compile(r"\A(?:[-*•+]|\d{1,2}[.)])\s|\A[-*•+]\Z")
_DANGER: Final = re.compile(
    r"https?://[^\s)>\]\"'`]{3,}|\b(?:[a-z0-9-]{2,40}\.){1,3}(?:example|com|net|org|io|dev|ru|xyz|"
    r"sh)\b(?:/[^\s)>\]\"'`]*)?|\b(?:curl|wget|netrc|chmod|sudo|eval|rm -\w+)\b|\| ?(?:ba|z)?sh\b|"
    r"\binto (?:a |the )?(?:shell|bash|sh)\b|\bforce-push\w*|"
    r"\b(?:id_rsa|\.ssh|\.env|api[ _-]?keys?|passwords?|credentials?|private keys?|"
    r"secret keys?|access tokens?)\b|"
    r"\b(?:delete|wipe|erase|destroy|drop) (?:[\w-]+ ){0,4}(?:database|tables?|backups?|"
    r"repository|repo|branch|disk|volume|everything|production|cluster|home)\b"
)
_CLIPPED: Final = " .,;:"
_SMALL: Final = 3
"""Letters of the words that say nothing, such as "the"."""


def injected(text: str, source: Source) -> Iterator[str]:
    """Yield each task of `text` with a danger that no turn of the user names."""
    asked: str | None = None
    under = False
    for sentence in sentences(text):
        led = _LEAD.match(sentence.casefold())
        under = bool(led and not led["rest"].strip(" *_")) or (
            under and not led and bool(_BULLET.match(sentence))
        )
        if not (led or under):
            continue
        if dangers := _DANGER.findall(sentence.casefold()):
            asked = _asked(source) if asked is None else asked
            named = [word.strip(_CLIPPED) for danger in dangers for word in danger.split()]
            if any(word not in asked for word in named if len(word) > _SMALL):
                yield sentence


def _asked(source: Source) -> str:
    """All that the user said, or what the merged blocks record."""
    turns = [passage.text for passage in source.passages if passage.role is Role.USER]
    return unmasked("\n".join((*source.blocks, *turns))).casefold()
