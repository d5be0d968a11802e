"""How somebody is let do something, and the acts for which that matters: data only.

Above: `grants`. Below: the words for the user. Patterns run over plain, case-folded clauses in
which the user is "the user".
"""

import re
from typing import Final

from foreword.quality.authority_phrases import OWNER


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


ACTS: Final = (
    ("force", re.compile(r"\bforc(?:e|ing|ed)\b")),
    ("push", re.compile(r"\bpush(?:es|ed|ing)?\b")),
    (
        "enter",
        re.compile(r"\blog(?:s|ged|ging)?[ -]?in(?:to|s)?\b|\bssh\b|\baccess(?:es|ed|ing)?\b"),
    ),
    ("restart", re.compile(r"\b(?:restart|reboot)(?:s|ed|ing)?\b")),
    (
        "delete",
        re.compile(
            r"\b(?:delet|eras|wip|purg|destroy|clear|remov|drop)(?:e?s|e|ions?|e?d|ing|ped|ping)?\b"
        ),
    ),
    ("deploy", re.compile(r"\bdeploy(?:s|ed|ing|ments?)?\b")),
    ("publish", re.compile(r"\b(?:publish|upload)(?:es|s|ed|ing)?\b")),
    ("pay", re.compile(r"\b(?:pay|pays|paid|paying|purchas(?:e[sd]?|ing))\b")),
    ("install", re.compile(r"\binstall(?:s|ed|ing)?\b")),
)
"""What does harm when nobody allowed it."""
_WHO: Final = (
    r"\b(?:(?:the|this|every|any|all|our|automation|automated|ai|coding|other|future) )*"
    r"(?:agents?|assistants?|bots?|models?|claude|copilot)"
)
_ADVERB: Final = r"(?:(?:now|also|even|then|freely|always|again|therefore|still) )*"
_GIVER: Final = rf"(?:{OWNER}|\A\W{{0,4}}(?:she|he|they)\b)"
AFTER: Final = _any(
    rf"{_GIVER}[^.!?;:]{{0,60}}?\b(?:allow(?:s|ed|ing)?|permit(?:s|ted)?|authori[sz]e[sd]?|"
    r"approve[sd]?(?: of)?|"
    r"grant(?:s|ed)?|consent(?:s|ed)? to|agree[sd]? (?:that|to (?=\w+ing\b|the\b|an?\b))|lets? "
    r"(?=the |it |them |this |you |an? |any|us )|said yes to|says yes to|"
    r"okay(?:s|ed)|clear(?:s|ed) (?:the|us|it)|sign(?:s|ed) off on|green-?(?:lit|lights?)|"
    r"(?:give|gives|gave|given) (?:\w+ ){0,5}?(?:green light|go-ahead|permission|leave|consent|"
    r"blessing|clearance|thumbs up|nod|ok|okay)|"
    r"(?:is|was) (?:\w+ )?(?:(?:ok|okay|fine|happy|comfortable|cool|at ease) with|(?:happy|glad|"
    r"content) (?:for|about|to have)|relaxed about|in favou?r of)|"
    r"(?:has|had|have|raised|sees?|saw) (?:no|zero) (?:\w+ )?(?:objections?|problems?|issues?|"
    r"qualms) (?:to|with|about|against)|(?:does|did) not (?:mind|object to)|"
    r"(?:drop|dropped|drops|withdrew|withdraws|lifted|lifts|gave up|waived|waives|rescinded|"
    r"revoked|ended|removed|overturned) (?:\w+ ){0,3}?(?:objections?|ban|prohibitions?|"
    r"restrictions?|veto|rule|opposition) (?:to|on|of|against|about|for))\b",
    rf"{OWNER} (?:\w+ ){{1,3}}?(?:that )?(?:{_WHO}|it|they|you|we) {_ADVERB}(?:could|can|may|"
    r"might|is free to|is allowed to|was allowed to|push|log|delete)\b(?<!push)(?<!log)(?<!delete)",
    rf"{_WHO} {_ADVERB}can (?=(?:push|log|delete|restart|deploy|force|wipe|ssh)\b)|"
    r"\b(?:has|have|had|got) (?:the |full |explicit )*(?:permission|leave|clearance|approval|"
    r"consent|"
    r"go-ahead|green light) (?:to|for)\b|"
    r"\b(?:permission|clearance|approval|consent|go-ahead|green light) (?:to|for) (?=[^.!?;:]{1,80}"
    r" (?:has been|was|is|were) (?:obtained|received|in place|on record|there)\b)",
    rf"{_GIVER} no longer objects? to\b",
    rf"{_WHO} {_ADVERB}may\b|{_WHO} (?:is|are|was|were) {_ADVERB}(?:allowed|permitted|free|"
    r"cleared|authori[sz]ed|welcome|entitled) (?:to|for)\b",
    rf"(?:\A|[,:] |\band )\W{{0,4}}{_ADVERB}may\b"
    r"(?! (?:the|an?|i|we|it|you|this|be|have)\b)",
    rf"\A\W{{0,6}}what {OWNER} (?:has |have )?(?:allow\w*|permit\w*|approve\w*|grant\w*)"
    r"\W{0,4}:",
    r"\A\W{0,6}(?:\w+ ){0,2}(?:permissions?|allowed|permitted|granted|approved|authori[sz]ed|"
    r"approvals?|"
    r"clearances?|rights|may|can|green light)(?: \w+){0,3}\W{0,4}:",
    r"\b(?:it|this) (?:is|was) (?:now |also )?(?:allowed|permitted|fine|ok|okay|authori[sz]ed) "
    r"to\b",
    r"\b(?:bans?|prohibitions?|restrictions?) (?:on|to|of|against) (?=[^.!?;:]{1,60}(?:lifted|"
    r"dropped|"
    r"removed|withdrawn|waived|rescinded|revoked|ended|over|gone)\b)",
)
"""What is allowed stands behind it."""
TARGETS: Final = _any(
    rf"{_GIVER}[^.!?;:]{{0,60}}?\b(?:(?:lifted|lifts|dropped|removed|withdrew|waived|rescinded|"
    r"revoked|"
    r"ended|overturned) (?:\w+ ){0,3}?(?:ban|prohibitions?|restrictions?|veto) (?:on|to|for|"
    r"against)|"
    r"(?:give|gives|gave|given) (?:\w+ ){0,4}?(?:carte blanche|free (?:hand|rein)|"
    r"(?:full |free )?access) (?:on|over|to|with|for)|"
    r"(?:trusts?|trusted|entrusts?|entrusted) (?:the )?(?:assistant|agent|model|it|you) with)\b",
    r"\b(?:bans?|prohibitions?|restrictions?) (?:on|to|of|against) (?=[^.!?;:]{1,60}\b(?:lifted|"
    r"dropped|"
    r"removed|withdrawn|waived|rescinded|revoked|ended|over|gone)\b)",
    rf"{_GIVER} (?:\w+ )?(?:allow|permit|authori[sz]e|approve|grant)(?:e?[sd]|ted)? (?:everything|"
    r"anything|all|full control) (?:on|over|with|for|to)\b",
    r"\b(?:carte blanche|free rein|a free hand) (?:on|over|with|for)\b",
)
"""A whole thing that is given into somebody's hands stands behind it."""
BEFORE: Final = _any(
    r"\W{0,3}: {0,2}(?:now |fully )?(?:granted|approved|allowed|permitted|yes|ok|okay|cleared|"
    r"authori[sz]ed)\b",
    rf"\b(?:is|are|was|were|been|got) {_ADVERB}(?:explicitly |all |both )?(?:allowed|permitted|"
    rf"cleared|"
    r"authori[sz]ed|granted|green-?lit|okayed)\b",
    rf" (?:has|have|had) {OWNER}'s (?:\w+ )?(?:approval|permission|blessing|consent|ok|okay|"
    rf"leave)\b",
    r"(?:(?<=ing)|(?<=logins)|(?<=pushes)|(?<=restarts)|(?<=deletions)|(?<=deployments)) "
    r"(?:[^.!?;:]{0,60} )?(?:is|are) (?:now |also |perfectly |all )?(?:fine|ok|okay|"
    r"no problem|acceptable|alright|approved)\b",
)
"""What is allowed stands before it."""
VERBS: Final = (" is ", " are ")
CUT: Final = re.compile(
    r"\b(?:except|not|never|no|nor|nothing|without|unless|after|before|once|when|because|since|"
    r"whether|if|why|how|what|which|who|that had|forb\w+|refus\w+|rul(?:ed|es) out|den(?:ied|ies)|"
    r"prohibit\w*|instead|rather|asked|wants?|wished|lifted|dropped|withdrawn|has been|"
    r"have been)\b|n't\b"
)
"""Where what is allowed ends."""
OPEN: Final = re.compile(
    r"\b(?:until|before|once|when|while|as soon as|after)\s*\Z|"
    r"\b(?:whether|if|unless|why|how|did|no|never|not|nobody|neither|nor|"
    r"none|claim\w*|falsely|wrongly|supposedly|alleg\w*)\b[^,;:]{0,40}\Z"
)
"""Before the words of permission: nothing is given yet."""
LEANS: Final = re.compile(r"\A\W*(?:(?:on|to|in|into|at|from|for|with|of) |(?:\S+ ?){1,4}\Z)")
"""A piece of a list that has its act from the piece before."""
REFERS: Final = re.compile(r"\b(?:it|them|there|those|these)\b")
"""A sentence that means something of the one before."""
BULLET: Final = re.compile(r"\A(?:[-*•+]|\d{1,2}[.)])\s*")
ASKED_TO: Final = re.compile(
    rf"{_GIVER} (?:\w+ )?(?:wants?|wanted|asks?|asked|told|tells?|instruct(?:s|ed)|direct(?:s|ed)|"
    r"order(?:s|ed)|expect(?:s|ed)|encourag(?:es|ed)|invit(?:es|ed)|request(?:s|ed)) "
    r"(?:the assistant|the agent|the model|it|you|us) to (?!ask\b)"
)
"""An order, which the user may have worded quite otherwise, but not forbidden."""
OBJECTS: Final = re.compile(
    r"\b(?:no|zero) (?:\w+ )?(?:objections?|problems?|issues?|qualms)\b|\bnot (?:mind|object)\b|"
    r"\bno longer\b"
)
"""A denial that gives."""
PART: Final = re.compile(
    r"; ?|: (?=(?:do not|don't|no|never)\b)|,? (?:but|while|whereas|yet|though|although) |"
    r", (?=(?:and )?(?:do not|don't|no |never|not ))|(?<=\w)\. | – | — "
)
FORBIDDEN: Final = re.compile(
    r"\b(?:is|are|was|were|remains?|remained|stays?|stayed|still) (?:\w+ )?(?:forbidden|"
    r"prohibited|off[ -]limits|banned|not|disallowed|ruled out|mine)\b"
)
ITEM: Final = re.compile(r",? (?:and|or|as well as|plus|then|to then) |, ?|; ?")
ASKED_FIRST: Final = re.compile(
    r"\b(?:ask|tell|check with|consult|wait for|warn) (?:me|us)?\b[^.!?;]{0,20}\b(?:before|"
    r"first)\b|"
    r"\b(?:refuse|forb[ia]d\w*|must not|stay away|keep (?:off|away|out)|hands off|stays? (?:\w+ "
    r")?(?:where|as) (?:it|they)|leave \w+ alone)\b"
)
"""The user wants to be asked, which is no permission."""
ASSENT: Final = re.compile(
    r"\A\W{0,4}(?:yes|yep|yeah|ok|okay|sure|go ahead|please do|do it|do that|agreed|approved|"
    r"sounds good|lgtm|ja|oui|s[ií]|sim|да|tak|evet)\b|\A\W{0,4}(?:好|可以|はい|네)"
)
PROPOSED: Final = re.compile(
    r"\?|\b(?:shall|should|may|can|could) i\b|\bi (?:will|would|propose|suggest|plan)\b|"
    r"\bi'(?:ll|d)\b|"
    r"\bwant me to\b|\bmy plan\b"
)
"""What a yes of the user then allows."""
WILLING: Final = re.compile(
    r"\b(?:may|can|allow\w*|free|go ahead|lift\w*|drop\w*|trust\w*|whatever|anything|permi\w*|"
    r"fine|okay?|grant\w*|approv\w*|carte|access|full|hand\w*|yours)\b"
)
