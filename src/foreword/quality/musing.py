"""Does the draft begin by thinking aloud about the task instead of doing it?

Above: gates. Below: wording. Invariant: what the source says itself, whoever thinks
aloud in it, is never taken for the model's own thoughts.

Source: research, failure → guard → test.
"""

import re
from typing import Final

from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import plain, shortened, told_folded, unquoted

_HEAD: Final = 500
"""Characters; who thinks longer than this also names the task within it."""
_NAMED: Final = (
    r"(?:thinking(?: process)?|my thoughts|thought process|reasoning(?: process)?|scratch ?pad"
    r"|chain of thought|internal (?:monologue|reasoning)|gedankengang|denkprozess|réflexion"
    r"|raisonnement|razonamiento|raciocínio|ragionamento|рассуждени[ея]|ход мыслей"
    r"|思考(?:过程|過程)?|推理(?:过程|過程)?)"
)
_LABELLED: Final = re.compile(
    rf"[*_\[(<]{{0,4}}{_NAMED}[*_\])>]{{0,4}} ?:|[*_\[(<]{{1,4}}{_NAMED}[*_\])>]{{1,4}}[ \t]*\n"
    rf"|#{{1,4}} ?{_NAMED}[ \t]*\n",
    re.IGNORECASE,
)
_TIMED: Final = re.compile(
    r"[(\[*_]{0,3}\bthought for (?:about )?(?:a few|a couple of|\d{1,4}(?:\.\d)?) ?"
    r"(?:s|sec|seconds?|minutes?|min)\b",
    re.IGNORECASE,
)
_DOING: Final = (
    r"(?:summari[sz](?:e|ing)|condens(?:e|ing)|recap(?:ping)?"
    r"|(?:identify|analy[sz]e|outline|compress|look at|read|go through|go over|list|extract|note"
    r"|capture|pick out|determine|figure out) (?:\w+ ){0,3}(?:key (?:events|points|facts|details)"
    r"|main (?:events|points|facts)|turns|conversation|transcript|passages|story so far)"
    r"|(?:write|create|produce|draft|provide|craft|generate) (?:an? |the |my |this )?(?:\w+ ){0,2}"
    r"(?:summary|recap|overview))"
)
_TASK: Final = re.compile(
    rf"\b(?:i|we)(?: (?:need|have|want|am going|are going|plan|ought) to| must| should| will| can"
    rf"| shall|'ll|'(?:m|re) (?:going|asked) to)?(?: (?:first|now|also|just|carefully|then)){{0,2}}"
    rf" {_DOING}\b"
    rf"|\b(?:let me|let's|let us) (?:(?:first|now|just|carefully|start by|begin by) ){{0,2}}"
    r"(?:think (?:this through|about (?:this|what|how)|step by step|it through|through)"
    rf"|break (?:this|it) down|work through|listing what|{_DOING})\b"
    r"|\bthe (?:user|prompt|task|request|instructions?) (?:wants?|asks?|is asking|requires?)"
    r" (?:me|us|that i) (?:[^\s.!?]+ ){0,5}(?:summar|recap|condens)"
    r"|\A(?:okay|ok|alright|so|hmm+|well)\b[^.!?\n]{0,60}\bthe (?:user|prompt|task)\b"
    r"[^.!?\n]{0,40}\bsummar"
    r"|\bich (?:muss|soll|sollte|werde|will|möchte) (?:[^\s.!?]+ ){0,8}"
    r"(?:zusammenfassen|zusammenfassung (?:schreiben|erstellen|verfassen))"
    r"|\blass mich (?:[^\s.!?]+ ){0,4}(?:zusammenfassen|schritt für schritt)"
    r"|\bje (?:dois|vais|devrais) (?:[^\s.!?]+ ){0,3}(?:résumer|rédiger un résumé)"
    r"|\b(?:debo|necesito|voy a|tengo que|preciso|devo|vou) (?:[^\s.!?]+ ){0,2}resumir"
    r"|\b(?:devo|dovrei) (?:[^\s.!?]+ ){0,2}riassumere"
    r"|\bмне (?:нужно|надо|следует) (?:[^\s.!?]+ ){0,2}(?:обобщить|резюмировать|пересказать)"
    r"|我(?:需要|应该|應該|要|得)(?:先|首先)?(?:总结|總結|概括|归纳|歸納)"
    r"|(?:要約する必要があ|まとめる必要があ)",
    re.IGNORECASE,
)
_PONDERING: Final = re.compile(
    r"\s*(?:(?:okay|ok|alright|hmm+|so|well|right|first|now)\b[,.!…]* *){0,3}"
    r"let me (?:think|see)\b(?!,? (?:said|says|he|she|they|i)\b)",
    re.IGNORECASE,
)


def check(draft: Draft, source: Source) -> Finding | None:
    """Find a head that talks about the task in the first person."""
    head = plain(draft.text[:_HEAD]).lstrip()
    told = (*source.texts, *source.context)
    label = _LABELLED.match(head)
    found = label or _TIMED.match(head)
    if found is None:
        bare = unquoted(head)
        found = _PONDERING.match(bare) or _TASK.search(bare)
    if found is None:
        return None
    # The word alone is a label; a source that has it so may be summarised under it.
    if found[0].strip().casefold() in told_folded(told):
        return None
    return Finding(
        gate=Gate.REASONING,
        detail=f"the draft thinks about the task: “{shortened(found[0], 60)}”",
        direction="Write the summary alone, without your thoughts about it.",
    )
