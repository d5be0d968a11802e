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
    r"(?:\A|[,:;–—-] ?|\bmust |\bshould |\bshall |\bto )(?:you )?(?:always|only|"
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
REPORTED: Final = re.compile(
    r"\b(?:page|wiki|tool|comment|issue|output|file|document|website|e-?mail|result|readme|log|"
    r"web|note|text|message|sign|letter|book|passage|commenter|injection|attacker|prompt|"
    r"example)\w*\b"
    r"[^.!?]{0,60}\b(?:claim|sa(?:ys|id)|contain|stat|report|t(?:old|ell)|tri|attempt|pretend|read|"
    r"demand|ask|show|quot|explain|discuss|suggest|instruct|order|carri)\w*|"
    r"\b(?:claim(?:s|ed|ing)|pretend(?:s|ed|ing)|quot(?:es|ed|ing)|so-called|untrusted|"
    r"purport\w*)\b"
)
DENIED: Final = re.compile(
    r"\b(?:not|never|no|n't|without|nobody|cannot|refused|forbade|forbids|forbidden|denied|"
    r"declined|"
    r"nicht|nie|kein\w*|ohne|ne|pas|jamais|sans|sin|nunca|não|sem|non|mai|senza|не|нельзя|без|"
    r"nie|bez)\b"
    r"|\w+n't\b|[不未没沒别勿]|ません|ない|않|금지|못"
)
PERMITS: Final = re.compile(
    r"\b(?:allow|permi|authori|approv|consent|grant|agree|may\b|free to|waive|confirm|erlaub|"
    r"gestatt|"
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
    "when confirmation needed further future ordered demanded required requires given gave gives "
    "der die das den dem des und ein eine einen dass hat ist zu nutzer benutzer assistent erlaubt "
    "erlaubte bat darf soll les des une que qui est pour avec dans aux utilisateur autorise "
    "autorisé demandé demande usuario usuário el los las una por para con que autorizó permitió "
    "pidió permitiu autorizou pediu utente che per una gli ha пользователь разрешил попросил что "
    "для это ассистент ассистенту всегда użytkownik pozwolił poprosił żeby jest".split()
)
