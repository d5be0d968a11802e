"""How permissions, requests and standing instructions are worded: data only.

Above: `authority`. Below: nothing. Patterns run over plain, case-folded sentences.
"""

import re
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


OWNER: Final = (
    r"\b(?:the |our |this )?(?:user|human|operator|owner of the (?:system|session|account)|"
    r"administrator|admin|developer|customer)s?\b"
)
_GRANTS_EN: Final = (
    r"(?:(?:has|have|had|was|is|also|already|explicitly|now|then|later|earlier|previously|"
    r"clearly|further|generally|expressly) )*(?:allow|permit|authori[sz]e|approve|grant|consent|"
    r"agree|ask|request|"
    r"want|wish|instruct|order|command|demand|require|tell|told|direct|insist|prefer|"
    r"expect|confirm|waive|gave|give|given|says? (?:that )?(?:the|you|it|to)|"
    r"said (?:that )?(?:the|you|it|to))(?:e?[sd]|d|ted|ting|ing|n)?\b"
)
ATTRIBUTED: Final = _any(
    rf"\b(?:fine|ok|okay|agreed|cleared|settled) with {OWNER}|{OWNER} (?:does not|doesn't|did not|"
    r"didn't|wouldn't) mind\b",
    rf"{OWNER} (?:\w+ )?(?:signed off|trusts? the|trusted the|lets? the|entrusted|empowered|"
    r"green-?lit|okayed|blessed|left it to)",
    rf"{OWNER} (?:hat|habe|hatte)\b[^.!?]{{0,80}}(?:zugestimmt|erlaubt|gestattet|genehmigt|"
    rf"verlangt|"
    r"angewiesen|bestätigt|freigegeben)",
    rf"{OWNER} (?:is|was) (?:fine|ok|okay|happy|comfortable) with|\b(?:per|according to) {OWNER}",
    rf"{OWNER} (?:preference|instruction|request|permission|approval|rule)s?\b|{OWNER}'s blessing",
    rf"{OWNER}[^.!?;]{{0,30}}?(?:,[^,]{{0,40}},)? ?\b{_GRANTS_EN}",
    rf"\b(?:permission|approval|consent|authori[sz]ation|instructions?|request|orders?|wish|"
    rf"go-ahead)(?: \w+){{0,3}} (?:of|from|by) {OWNER}",
    rf"{OWNER}'s? (?:\w+ )?(?:permission|approval|consent|authori[sz]ation|instructions?|request|"
    rf"orders?|"
    r"wish|go-ahead|standing)",
    rf"\b(?:allowed|permitted|authori[sz]ed|approved|requested|instructed|granted|asked|told|"
    rf"ordered|required|demanded)\b[^.!?;]{{0,60}} by {OWNER}",
    r"\bder? (?:be)?nutzer(?:in)?\b[^.!?]{0,120}(?:erlaub\w*|gestatte\w*|genehmig\w*|\bbat\b|"
    r"bittet|"
    r"gebeten|verlang\w*|angewiesen|wünscht\w*|möchte|\bwill\b|zugestimmt|stimmt\w* zu|"
    r"autorisier\w*|"
    r"forder\w*|gefordert|befahl|befohlen)",
    r"l'utilisat(?:eur|rice)\b[^.!?]{0,80}(?:autoris\w*|perm[ie]\w*|demand\w*|approuv\w*|exig\w*|"
    r"ordonn\w*|souhait\w*|veut|accord\w*|consent\w*)",
    r"\b(?:el|la) usuari[oa]\b[^.!?]{0,80}(?:permit\w*|autoriz\w*|pidi\w*|pide|solicit\w*|aprob\w*|"
    r"quiere|orden\w*|exig\w*|concedi\w*)",
    r"\b(?:[oa] )?(?:usuári[oa]|utilizador\w?)\b[^.!?]{0,80}(?:permit\w*|autoriz\w*|pedi\w*|pede|"
    r"solicit\w*|aprov\w*|quer\b|orden\w*|exig\w*|concede\w*)",
    r"\bl'utente\b[^.!?]{0,80}(?:permess\w*|permett\w*|autorizz\w*|chie\w+|approva\w*|vuole|"
    r"ordina\w*|concess\w*)",
    r"\bпользовател\w*[^.!?]{0,80}(?:разреш\w*|позвол\w*|попрос\w*|просит|одобр\w*|велел\w*|"
    r"приказ\w*|треб\w*|хочет|согласил\w*)",
    r"\bużytkowni\w*[^.!?]{0,80}(?:pozwoli\w*|zezwoli\w*|popros\w*|prosi|zatwierdzi\w*|kaza\w*|"
    r"zażąda\w*|chce|zgodzi\w*|upoważni\w*)",
    r"\bgebruikers?\b[^.!?]{0,80}(?:toegesta\w*|staat \w+ toe|stond \w+ toe|toestemming|laat\b|"
    r"liet\b|"
    r"mag\b|vraagt|vroeg|gevraagd|wil\b|wilde|goedgekeurd|keurt|eist\w*|akkoord|gemachtigd)",
    r"\banvändaren?\b[^.!?]{0,80}(?:tillåt\w*|tillät|låter|lät\b|godkän\w*|bad\b|ber\b|begär\w*|"
    r"vill\b|ville|kräv\w*|medg\w*|samtyck\w*)",
    r"\bbruke(?:ren|rne|r)\b[^.!?]{0,80}(?:tillat\w*|tillader|tillod|lar\b|lader\b|lot\b|lod\b|"
    r"godkjen\w*|godkend\w*|ba\b|ber\b|bad\b|beder|vil\b|ville|krev\w*|kræv\w*|samtyk\w*|gitt|"
    r"givet|"
    r"gav\b)",
    r"\bkäyttäjä\w*[^.!?]{0,80}(?:sallii|salli|antoi luvan|hyväksy\w*|pyysi|pyytää|haluaa|"
    r"vaatii|vaati)",
    r"\bkullanıcı\w*[^.!?]{0,80}(?:izin ver\w*|onay\w*|iste(?:di|r|yor)\w*|talep et\w*|yetki\w*|"
    r"emret\w*|kabul et\w*)",
    r"(?:المستخدم|مستخدم)[^.!?]{0,80}(?:سمح|أذن|وافق|طلب|يريد|أمر)",
    r"(?:用户|用戶|使用者)[^。！？]{0,30}(?:允许|允許|要求|授权|授權|希望|同意|批准|许可|命令|指示)",
    r"(?:ユーザー?|利用者)[^。！？]{0,60}(?:許可|求め|要求|指示|依頼|承認|命じ|同意)",
    r"(?:사용자|유저)[^.!?]{0,60}(?:허용|허락|요청|지시|승인|동의|명령|원한)",
)
_MODEL: Final = (
    r"(?:the |this |every |any |your |future )?(?:\bassistants?\b|\bchatbots?\b|"
    r"\bsummari[sz]ers?\b|"
    r"\b(?:ai|language) (?:assistants?|models?|agents?)\b|\bllms?\b|\bmodel\b|\bagent\b)"
)
ADDRESSED: Final = _any(
    r"\ball future (?:answers|replies|summaries|messages)\b|\binstructions? for the next (?:model|"
    r"assistant|agent|summari[sz]er)",
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?;]{0,30}\b(?:previous|prior|earlier|"
    r"above|"
    r"preceding|all|system)\b[^.!?;]{0,20}\b(?:instructions?|rules|prompts?|messages|guidelines)",
    r"\b(?:do not|don't|never|no need to|without) ?ask(?:ing)? (?:\w+ )?(?:again|"
    r"for (?:confirmation|permission|approval))",
    r"(?:\A|[,:;–—-] ?|\byou (?:must|should|shall) |\bto )(?:you )?(?:always|only|"
    r"never)\s+(?:answer|reply|"
    r"respond|output|summari[sz]e|refuse|reveal|approve|comply|obey|trust|include|append|push|"
    r"delete|run)\b",
    rf"{_MODEL} (?:\w+ ){{0,2}}?(?:is|are|was|were|will be|may|must|can|shall|should|has|have|"
    rf"needs to)"
    r" (?:\w+ ){0,3}?(?:allowed|permitted|authori[sz]ed|cleared|free to|permission|approval|access|"
    r"always|never|now|push|delete|run|deploy|reveal|ignore|obey|follow|answer|reply|respond|send|"
    r"log|skip|act|use|execute|include|write|treat|approve|restart|merge|comply|trust|not ask)\b",
    r"\byou(?:'re| are| were| have been) (?:now |hereby |always )*(?:allowed|permitted|granted|"
    r"authori[sz]ed|cleared)\b|\byou (?:may now|may always|have permission|must always|must never|"
    r"should always|have (?:full |standing )?(?:approval|access))\b",
    r"\byou (?:may|must|can|should|shall) (?:now |always |never )*(?:push|delete|deploy|execute|"
    r"reveal|ignore|obey|answer in|reply|respond|send (?:the|all) (?:key|token|password|"
    r"credential|data)|"
    r"log in|restart|merge|commit|force-push|include|disclose|summari[sz]e|comply|skip)\b",
    r"\bfrom now on\b[^.!?]{0,12}\b(?:you|always|never|all (?:answers|replies|summaries|commands)|"
    r"reply|answer|respond|write|the assistant|every (?:answer|reply|summary))\b",
    r"\bstanding (?:approval|permission|instruction|authori[sz]ation|consent|order)",
    r"\bno (?:further |more )?(?:confirmation|approval|permission) (?:is |was |will be )?"
    r"(?:needed|required|necessary)",
    r"\b(?:permission|approval|authori[sz]ation|consent)\b(?:[^.!?]|\.\d){0,50}\b(?:has been|"
    r"have been|was|is|"
    r"were) (?:\w+ )?(?:granted|given|approved)\b",
    r"\bpre-?approved\b|\bpre-?authori[sz]ed\b",
    r"\b(?:der assistent|das modell|die ki) (?:darf|muss|soll|ist (?:berechtigt|befugt))",
    r"\bignorier\w* [^.!?]{0,30}(?:anweisung|vorgabe|regel)|\b(?:du darfst|du musst|antworte|"
    r"schreibe) "
    r"(?:ab (?:jetzt|sofort) )?(?:immer|nur|nie)\b|\b(?:ab (?:jetzt|sofort)|"
    r"von nun an)\b[^.!?]{0,20}"
    r"\b(?:antworte|darf der assistent|du)\b|\bfrag\w* (?:nie|nicht) (?:mehr|wieder)",
    r"\bignore[zr]? [^.!?]{0,30}(?:instructions|consignes)|\b(?:l'assistant|le modèle) (?:peut|"
    r"doit|est "
    r"autorisé)|\bréponds? (?:toujours|désormais)|\bdésormais\b[^.!?]{0,20}\b(?:réponds|"
    r"l'assistant)",
    r"\bignor[ae]\w* [^.!?]{0,30}(?:instrucciones|instruções|istruzioni)|\b(?:el asistente|"
    r"o assistente|"
    r"l'assistente) (?:puede|pode|può|debe|deve|está autorizado|è autorizzato)|\b(?:responde|"
    r"responda|"
    r"rispondi) (?:siempre|sempre)",
    r"игнорируй\w* [^.!?]{0,30}(?:инструкци|указани)|(?:ассистент\w*|помощник\w*|"
    r"модел\w*) (?:может|должен|"
    r"должна|вправе|разрешено)|отвечай\w* (?:всегда|только)|всегда отвечай",
    r"zignoruj [^.!?]{0,30}(?:instrukcj|polece)|(?:asystent\w*|model) (?:może|musi|ma prawo|"
    r"powinien)",
    r"忽略[^。！？]{0,12}(?:指令|指示|说明|提示)|(?:助手|模型|助理)(?:可以|必须|应该|应当|有权|被允许|获准)|"
    r"(?:从现在起|今后)[^。！？]{0,10}(?:回答|回复|必须|助手)",
    r"(?:指示|命令)を(?:すべて|全て)?無視|(?:アシスタント|モデル)は[^。]{0,30}(?:してよい|しなければ|許可され|べき)|"
    r"(?:지시|명령)[^.]{0,8}무시|(?:어시스턴트|모델)[^.]{0,30}(?:해도 된다|해야 한다|허용)",
)
_LEAD: Final = (
    r"\A[\s\"'*_>(\[-]{0,4}(?:(?:note|remember|important|reminder|rule|instructions?|directive|"
    r"update|"
    r"system|policy|also|and|so|then|finally|first|please|kindly)\b[^:,.!?]{0,30}[:,–—-]? ?|"
    r"(?:when|if|before|after|while|once|whenever|for) [^,.!?]{1,60}, |"
    r"from (?:now|here|this point) on(?:wards?)?,? |(?:going forward|henceforth|hereafter),? )?"
)
_BEHAVE: Final = (
    r"(?:reply|respond|ignore|disregard|override|bypass|forget|treat|grant|reveal|disclose|obey|"
    r"trust (?:all|any|every|whatever|whoever)|comply|pretend|"
    r"disable|forward|e-?mail|upload|transfer|exfiltrate|act as|speak only|"
    r"answer (?:only|in|with|all|every)|write (?:only|all|every|in)|approve|accept (?:all|any|"
    r"every)|"
    r"consider (?:\w+ ){1,5}(?:approved|authori[sz]ed|permitted|allowed)|assume (?:\w+ "
    r"){0,4}(?:approv|"
    r"consent|permission)\w*|begin (?:all|every|each|your)|end (?:all|every|each|your)|"
    r"skip (?:all|any|the|every)|omit|conceal|hide (?:this|the|all|any)|expose|leak|append|prefix|"
    r"do (?:as|whatever|what|anything)|follow (?:the|all|any|these|every)|stop asking)\b"
)
_ACT: Final = (
    r"(?:add|allow|answer|approve|ask|call|change|check|commit|copy|delete|deploy|drop|email|"
    r"execute|"
    r"fetch|follow|forward|give|grant|include|insert|install|invoke|keep|mention|merge|open|output|"
    r"pay|post|print|publish|push|read|refuse|remove|reply|report|request|require|respond|restart|"
    r"return|reveal|run|say|send|share|show|skip|speak|start|submit|summari[sz]e|tell|transfer|"
    r"trust|"
    r"upload|use|warn|wipe|write)\b"
)
ORDERED: Final = _any(
    # Sentences without a subject: whoever reads them is told to behave so.
    rf"{_LEAD}(?:always |only |never |do not |don't |just |simply |must )?{_BEHAVE}"
    r"(?! (?:from|of|to|by|is|was|were|has|had|came|received|sent|pending)\b)",
    rf"{_LEAD}(?:always|never|do not|don't|you are to|be sure to|make sure to) {_ACT}",
    r"\A(?:to|for) (?:whoever|anyone|any|all|the next|future|later)\b[^:.!?]{0,50}:",
    r"\A(?:please )?(?:speak|talk|act|sound|write|answer|reply) (?:like|as|only|in) (?:if |an? "
    r")?\w+",
    r"\A(?:when|if|before|after|on) (?:reading|you (?:read|see)|summari[sz]ing|continuing|resuming|"
    r"loading) (?:this|it|the (?:summary|text|note|memory))\b",
    r"\b(?:whoever|anyone who|any (?:model|agent|assistant) (?:who|that)) (?:continues?|reads?|"
    r"resumes?|"
    r"takes over|summari[sz]es?|picks)\b[^.!?]{0,60}\b(?:must|should|shall|may|can|has to|is to|"
    r"needs to)",
    r"\b(?:future|next|later|subsequent|following|other) (?:assistants?|models?|agents?|sessions?|"
    r"readers?|ais?|summari[sz]ers?|instances?|turns)\b[^.!?;]{0,40}(?:\b(?:must|should|shall|may|"
    r"can|"
    r"will|are to|is to|need to|needs to|have to|has to)\b|:)",
    r"\b(?:note|message|instructions?|reminder|order|memo)s? (?:to|for) (?:\w+ ){0,2}?(?:future|"
    r"next|later|"
    r"assistants?|models?|agents?|sessions?|summari[sz]ers?|ais?)\b",
)
"""Wherever it stands: an order to whoever reads the summary."""
_FREED: Final = (
    r"(?:without|no need|not need|no longer needs?|need not|needn't|doesn't need|no reason) "
    r"(?:(?:to|any|the|further|more|first|prior|his|her|their|its|extra|for|"
    r"user|human|manual|a|an|be) ){0,4}"
    r"(?:ask\w*|confirm\w*|approv\w*|permission|review\w*|consent|check\w* (?:back|in)|sign-?off|"
    r"consult\w*|authori[sz]ation|tell\w*)"
)
FREES: Final = _any(
    rf"\b{_FREED}",
    r"\b(?:confirmations?|approvals?|permissions?|reviews?|consent|sign-?off|checks?|safeguards?|"
    r"authori[sz]ation|asking)\b[^.!?;]{0,40}\b(?:is|are|was|were|has been|have been) "
    r"(?:now |hereby |therefore )?(?:no longer|not|un|waived|lifted|dropped|optional|unnecessary|"
    r"disabled|skipped|off\b|suspended)",
    r"\bwaiv(?:e[sd]?|ing)\b",
)
"""Somebody is freed of asking: only such words of the user give that."""
IN_FORCE: Final = _any(
    rf"\b(?:may|can|could|should|must|shall|to|allowed|permission|free|will|does|"
    rf"now)\b[^.!?;]{{0,80}}"
    rf"\b{_FREED}",
    r"\b(?:delet|push|deploy|run|send|merg|access|touch|remov|restart|execut|shar|upload|writ|"
    rf"chang)(?:e?s|ing|e?d)?\b[^.!?;]{{0,60}}\b{_FREED}",
    r"\bas (?:agreed|authori[sz]ed|permitted|approved|confirmed|allowed)\b",
    r"\b(?:ha(?:s|ve|d)|gets?|got|holds?|with|under|received|enjoys?) (?:\w+ ){0,4}?(?:the |a |"
    r"full |"
    r"blanket |explicit |standing |user |prior )*(?:authority to|power to|mandate|go-ahead|green "
    r"light|clearance|permission|blessing|"
    r"sign-?off|approval|authori[sz]ation|consent|carte blanche|free (?:hand|rein)|leave to|"
    r"(?:full|admin|root|unrestricted) (?:access|rights|privileges))\b",
    r"\b(?:is|are|was|were|been|stands?|being|counts? as|considered|deemed) (?:\w+ "
    r"){0,2}?(?:cleared (?:to|for)|"
    r"(?:pre-?)?approved|authori[sz]ed|permitted|allowed|sanctioned|green-?lit|whitelisted|"
    r"entitled|free to|at liberty|trusted with|exempt)\b",
    r"\b(?:it|this) (?:was|is|has been) (?:\w+ )?(?:agreed|decided|approved|confirmed|"
    r"authori[sz]ed|"
    r"settled)\b|\bthere is (?:\w+ ){0,2}(?:permission|approval|consent|agreement)",
    r"\b(?:restrictions?|safety (?:checks?|rules?|filters?)|safeguards?|limits|guardrails|rules?|"
    r"confirmations?|guidelines)\b[^.!?;]{0,30}\b(?:is|are|were|was|have been|has been) (?:\w+ )?"
    r"(?:disabled|lifted|off|suspended|removed|void|obsolete|cancell?ed|no longer|waived|not in "
    r"force|bypassed)\b",
    r"\bno longer (?:needs?|has|have) to be (?:asked|told|consulted|informed|notified)\b",
    r"\b(?:confirmations?|approvals?|permissions?|consent|review|sign-?off) (?:\w+ ){0,3}?(?:is|"
    r"are) "
    r"(?:now )?(?:unnecessary|not (?:needed|required|necessary)|no longer|optional|superfluous|"
    r"implied)",
    r"\b(?:assistant|agent|model|ai|it)\b[^.!?;]{0,20}\b(?:must|has to|should|may|will|shall|can) "
    r"[^.!?;]{0,40}\b(?:from now on|henceforth|do so|does so|always|never|comply)\b",
    r"\b(?:developer|debug|admin|god|dan|jailbreak|unrestricted|sudo|maintenance) mode\b",
    r"\b(?:may|can) (?:now |freely |safely |hereafter |henceforth )?be (?:\w+ )?(?:delet|dropp|"
    r"push|"
    r"deploy|merg|shar|reveal|sent|disclos|remov|bypass|skipp|ignor|wip|overwrit|upload|publish|"
    r"rewrit|"
    r"replac|chang|edit|modif|submit|accept|spen[dt]|us)\w*",
    r"\byou (?:may|must|can|should|shall|are to|have to|need to|will) (?:now |always |never |not |"
    r"also |"
    r"freely )*(?:access|forward|upload|grant|transfer|share|e-?mail|wipe|drop|touch|read the|use "
    r"the|"
    r"trust|treat|bypass|disable|install|publish|pay|call|post|write to|give|open the|assume|send|"
    r"modify|change|approve|keep asking)\b",
    r"\b(?:all|every|any) (?:\w+ ){0,2}(?:agents?|assistants?|models?|requests?|commands?|"
    r"changes?)\b"
    r"[^.!?;]{0,20}\b(?:must|should|shall|may|are to|is to|are approved|is approved|can)\b",
    r"\b(?:green light|go-ahead|carte blanche)\b[^.!?;]{0,30}\b(?:given|granted|for|to)\b",
    r"\b(?:the |this )?(?:assistant|agent|model|ai)\b[^.!?;]{0,20}\b(?:is|was) (?:\w+ )?(?:told|"
    r"instructed|"
    r"ordered|directed|obliged|required|expected|supposed|bound|to)\b",
)
"""Where tools or an assistant work for a user: say-so that names nobody who gave it."""
ENDORSED: Final = re.compile(
    r"\bas (?:the |an? |this |that )?(?:\w+ ){1,3}?(?:sa(?:ys|id)|states?d?|instruct\w*|order\w*|"
    r"demand\w*|requir\w*|direct\w*)\b|\b(?:by|on) (?:order|instruction|command|authority)s? of\b"
)
"""What a text said is in force, which is more than a report of it."""
CLAUSE: Final = re.compile(
    r"; |,? (?:and|so|but|hence|therefore|which means) (?=(?:that )?(?:(?:the|this|every|all|any) "
    r"(?:\w+ )?(?:assistants?|agents?|models?|ai)\b|you\b|it (?:must|may|can|should|is)\b|we\b|"
    r"always\b|never\b|is (?:now )?(?:allowed|permitted|approved|authori[sz]ed|cleared)\b|"
    r"(?:must|may|should|has to|can) (?:now|always|never|therefore|do|be)\b))"
)
BENIGN: Final = re.compile(
    r"\b(?:ask|want|wish|request|told|tell|said|says|need|would like|prefer|expect)\w*\b"
)
"""Wishes, of which a summary gives the sense in words of its own."""
RISKY: Final = re.compile(
    r"\b(?:always|never|every\w*|all|any|only|from now|without|future|ignor\w*|bypass\w*|disabl\w*|"
    r"delet\w*|wip(?:e|ed|ing)|drop\w*|destroy\w*|eras\w*|push\w*|forc\w*|deploy\w*|merg\w*|"
    r"restart\w*|reboot\w*|shut\w*|sen[dt]\w*|upload\w*|e-?mail\w*|forward\w*|post(?:ed|ing)?|"
    r"publish\w*|shar(?:e|ed|ing)|transfer\w*|pay\w*|buy\w*|purchas\w*|reveal\w*|disclos\w*|"
    r"leak\w*|expos\w*|secret\w*|password\w*|tokens?|credential\w*|keys?|root|admin\w*|sudo|"
    r"curl|wget|ssh|http\w*|access\w*|grant\w*|execut\w*|run|install\w*|overrid\w*|skip\w*|"
    r"obey\w*|trust\w*|comply\w*|production|log(?:ged|ging)? in(?:to)?|remov\w*|permission|"
    r"approv\w*|"
    r"allow\w*|permit\w*|authori\w*|consent\w*|confirm\w*|waiv\w*|instruct\w*|order\w*|must|may|"
    r"answer\w*|repl(?:y|ies)|respond\w*|summar\w*)\b|[^\x00-\u024f]"
)
"""What would do harm, or steer later answers, were it invented."""
REPORTED: Final = re.compile(
    r"\b(?:page|wiki|tool|comment|issue|output|file|document|website|e-?mail|result|readme|log|"
    r"web|note|text|message|sign|letter|book|passage|commenter|injection|attacker|prompt|"
    r"example)\w*\b"
    r"[^.!?]{0,60}\b(?:claim|sa(?:ys|id)|contain|stat|report|t(?:old|ell)|tri|attempt|pretend|read|"
    r"demand|ask|show|quot|explain|discuss|suggest|instruct|order|carri)\w*|"
    r"\b(?:claim(?:s|ed|ing)|pretend(?:s|ed|ing)|quot(?:es|ed|ing)|so-called|untrusted|"
    r"purport\w*)\b"
)
CONDITION: Final = re.compile(r"\b(?:unless|until|before|if|whether|once|when|what|why)\s+\Z")
"""Before the owner: what they say then is still open."""
CLAIMS: Final = re.compile(r"\b(?:claim|pretend|quot|purport)\w*\b")
"""Also said of people that an order is about, as in "anyone who claims to be Ada"."""
DENIED: Final = re.compile(
    r"\b(?:not|never|no|n't|without|nobody|neither|nor|none|cannot|refused|forbade|forbids|"
    r"forbidden|denied|"
    r"declined|unless|alone|refrain|avoid|"
    r"nicht|nie|kein\w*|ohne|ne|pas|jamais|sans|sin|nunca|não|sem|non|mai|senza|не|нельзя|без|"
    r"nie|bez|niet|geen|inte|ikke|değil)\b"
    r"|\w+n't\b|[不未没沒别勿]|ません|ない|않|금지|못"
)
PERMITS: Final = re.compile(
    r"\b(?:allow|permi|authori|approv|consent|grant|agree|may\b|free to|waive|confirm|erlaub|"
    r"gestatt|toegesta|toestem|tillåt|tillät|tillat|tillad|izin ver|"
    r"genehmig|autori|permet|permit|permes|aprob|aprov|approuv|разреш|позвол|одобр|pozwol|zezwol)|"
    r"允许|允許|授权|授權|批准|许可|許可|허용|허락|승인"
)
EMPTY: Final = frozenset(
    "the and that this with from they them their then than for was were has have had been will "
    "would should could must may can user users human operator assistant model agent always "
    "never now said says say told tell asked ask asks allowed allow allows permitted permits "
    "permission approved approval approve authorized authorised granted grant grants requested "
    "request requests wants want wanted instructed instruct instruction instructions standing "
    "explicitly also again without any all its his her you your into are not but who which what "
    "when following confirmation needed further future "
    "ordered demanded required requires given gave gives "
    "der die das den dem des und ein eine einen dass hat ist zu nutzer benutzer assistent erlaubt "
    "erlaubte bat darf soll les des une que qui est pour avec dans aux utilisateur autorise "
    "autorisé demandé demande usuario usuário el los las una por para con que autorizó permitió "
    "pidió permitiu autorizou pediu utente che per una gli ha пользователь разрешил попросил что "
    "для это ассистент ассистенту всегда użytkownik pozwolił poprosił żeby jest".split()
)
