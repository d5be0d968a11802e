"""How models refuse, by family and language: data only.

Above: `refusal`. Below: nothing. Patterns run over plain, case-folded text without quotations.
"""

import re
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_TASK_EN: Final = (
    r"(?:help(?! but| \w+ing)|assist|summari[sz]e|fulfil|complete|comply|continue|process|"
    r"provide|produce|create|"
    r"generate|write|engage|respond|do that|do this|proceed|offer|discuss|condense|recap|retell)"
)
DECLINES: Final = _any(
    r"\bi(?: am|'m)? (?:sorry,? (?:but )?i )?(?:really |simply |just |unfortunately )?"
    rf"(?:can(?:'t|not| not)|could not|couldn't|won't|will not|must decline to) "
    rf"(?:and (?:will not|won't) |or won't )?(?:be able to )?(?:\w+ )?{_TASK_EN}\b",
    r"\bi (?:won't|will not|can't|cannot) be (?:\w+ )?(?:summari[sz]|writ|continu|creat|help|"
    r"produc)"
    r"ing\b",
    rf"\b(?:i am|i'm) (?:\w+ )?(?:not able|unable|not comfortable|not allowed|not permitted|"
    rf"not going|not willing|unwilling)(?: to| with)? ?(?:{_TASK_EN}|summari[sz]ing|writing|"
    r"creating|providing|continuing|helping|describ(?:e|ing)|depict(?:ing)?|repeat(?:ing)?)\b",
    r"\bi (?:have to|must|need to|will have to) (?:respectfully |politely )?decline\b(?! \w+'s\b)",
    r"\bi refuse to (?:write|summari[sz]e|continue|engage|produce|generate|discuss)\b",
    r"\bi (?:do not|don't|will not|won't) (?:provide|write|produce|create|offer|summari[sz]e|"
    r"engage)\b",
    r"\b(?:my|our) (?:\w+ )?(?:guidelines|polic\w+|programming|training|rules|developers|values) "
    r"(?:do not|don't|prevents?|forbids?|prohibits?|keeps?|stops?|bars?)",
    r"\bi(?:'m| am| was) (?:designed|programmed|trained|built|instructed) (?:to|not to) (?:be|"
    r"avoid|"
    r"decline|refuse|not)\b",
    r"\b(?:beyond|outside|outside of) (?:my|what i(?:'m| am)) (?:\w+ )?(?:capabilit\w+|abilit\w+|"
    r"scope|limits|able to|allowed to)",
    r"^sorry,? (?:but )?(?:no|not (?:this|that))\b[^\w]*$",
    r"\bi(?:'m| am) afraid (?:that )?(?:i|this|that) (?:can't|cannot|won't|is not|isn't)",
    r"^(?:sorry|apologies|my apologies),? (?:but )?(?:this|that|it) (?:is|isn't|is not|goes|"
    r"falls)\b",
    r"\bals (?:eine? )?(?:ki|sprachmodell)\S*[^.!?]{0,20}\b(?:kann|darf|habe|bin) ich\b",
    r"\bcomo (?:una? |um )?(?:ia|modelo de (?:lenguaje|linguagem))\b[^.!?]{0,30}\b(?:no|não) p",
    r"\b(?:não|no) me (?:sinto|siento) (?:confortável|à vontade|cómod[oa])",
    r"как (?:ии|искусственный интеллект|языковая модель)\b[^.!?]{0,30}\bне (?:могу|имею|умею)",
    r"^(?:es )?tut mir leid, (?:aber )?(?:das|dabei|dies|hier)\b[^.!?]{0,40}\bnicht\b",
    r"\b(?:i'd|i would) prefer not to (?:summari[sz]e|continue|write|discuss|engage|describe)",
    r"^(?:no, )?(?:that|this)(?:'s| is) (?:not )?something (?:that )?i (?:can|won't|will not|am|"
    r"'m)",
    r"^let(?:'s| us) (?:talk about something|change the (?:subject|topic)|discuss something|move "
    r"on)",
    r"^(?:please )?(?:if you or someone you (?:know|love)|reach out to a (?:crisis|suicide))\b",
    r"\b(?:i'd|i would) rather not|\bno (?:text|content|passage) (?:was|has been) provided",
    r"\bi (?:don't|do not) feel comfortable (?:\w+ing|with)\b",
    r"^(?:sorry|unfortunately),? (?:but )?(?:i|we) (?:can(?:'t|not)|am unable|are unable)",
    r"^(?:i'm |i am )?(?:sorry|apologies|unfortunately|regrettably)\b[^.!?]{0,20}\b(?:that|this|it)"
    r"(?:'s| is) (?:not|beyond|outside|against|something i)\b",
    r"\b(?:not|isn't|aren't) something (?:that )?(?:i|we)(?:'m|'d| am| can| could| will| would| "
    r"feel|"
    r" want| wish|'ll)\b",
    r"\bi(?:'m| am) (?:going to|gonna) (?:have to )?(?:pass|decline|sit this|skip|stop here|"
    r"leave it)\b|"
    r"\bi(?:'ll| will) (?:have to )?(?:pass on|sit this|skip this|leave this|give this)\b",
    r"\b(?:i|we) would rather (?:not\b|leave (?:\w+ )?alone)|\bi'd (?:rather|sooner) (?:leave|skip|"
    r"avoid|steer)",
    r"^(?:the |this |your )?(?:(?:rest|remainder)(?! of (?!(?:the |this )?(?:text|story|passage|"
    r"content|scene)\b))|"
    r"remaining (?:\w+ )?(?:part|parts|scenes?|text|"
    r"content|"
    r"passages?)|some (?:of the )?(?:content|text|parts|passages|details|material)|"
    r"(?:certain|several|some|explicit|violent|graphic|sexual|sensitive|following|next|final) "
    r"(?:content|text|parts|passages?|details|material|scenes?|story)|(?:parts?|portions?|"
    r"sections?|"
    r"elements) of (?:the|this) (?:text|story|passage|content|conversation|scene))\b[^.!?]{0,30}"
    r"(?:\b(?:is|are|was|were|has been|have been) (?:\w+ )?| )(?:omitted|left out|removed|"
    r"redacted|withheld|skipped|censored|"
    r"excluded|not (?:included|shown|summari[sz]ed|described))\b[^.!?]{0,40}\b(?:polic\w+|"
    r"guidelines?|"
    r"safety|rules|inappropriate|sensitiv\w+|explicit|standards|terms)\b",
    r"\b(?:not|in)[ -]?appropriate (?:for me )?to (?:describe|summari[sz]e|recount|retell|depict|"
    r"include|repeat|continue|reproduce)\b",
    r"^(?:as|being) an? (?:\w+ )?(?:language model|ai(?: model| assistant)?|"
    r"assistant)\b[^.!?]{0,10},? i "
    r"(?:only |must |have to |will |would |should |am |need )?(?:only )?(?:summari[sz]e|omit|"
    r"skip|limit|avoid|refrain)\b",
    r"\bi(?:'ve| have) (?:\w+ )?(?:left out|omitted|skipped|removed|toned down|chosen not to "
    r"(?:describe|"
    r"include|summari[sz]e)|decided not to (?:describe|include|"
    r"summari[sz]e))\b[^.!?]{0,20}\b(?:content|"
    r"parts?|details?|violen\w+|graphic|explicit|sensitive|scenes?|passages?|rest|text)\b",
    r"\bi (?:cannot|can't|won't|will not) (?:share|include|describe|repeat|recount|go (?:into|"
    r"further))\b"
    r"[^.!?]{0,20}\b(?:rest of (?:this|the text|the story)|text|passage|scene|content|graphic|"
    r"explicit)\b",
    r"\b(?:rest|remainder|scene|parts?|passage|content|text)\b[^.!?]{0,20}\b(?:cannot|can't|"
    r"could not|"
    r"will not|won't|must not|may not) be (?:summari[sz]ed|described here|shown here|recounted|"
    r"retold)\b",
    r"\bas far as i (?:can|may|will) go with\b|^i (?:must|have to|need to|will|'ll) stop here\W*\Z",
    r"\bich (?:möchte|will|werde|kann|darf) (?:das|dies|hier|darauf)\b[^.!?]{0,20}\bnicht "
    r"(?:weiter |näher )?"
    r"(?:ausführen|beschreiben|eingehen|zusammenfassen|wiedergeben)\b",
    rf"\bi (?:don't|do not) (?:think|believe|feel) (?:that )?i (?:should|can|could) {_TASK_EN}\b",
    # Held back by a filter: "This request goes against my guidelines"
    r"\b(?:request|message|content|prompt|input|output|text|story|material|conversation|response)s?"
    r"\b[^.!?]{0,30}\b(?:moderation|goes? against|violat\w+|breach\w*|conflicts? with|flagged|"
    r"blocked|"
    r"filtered|rejected|not allowed under|in violation of)\b[^.!?]{0,30}\b(?:my|our|openai'?s?|"
    r"content|usage|safety|community|platform)\b[^.!?]{0,30}\b(?:polic\w+|guideline\w*|"
    r"filter\w*|systems?|rules|standards|values|terms|moderation)",
    r"\bverst(?:ößt|oßen|össt) gegen (?:meine|unsere|die) \w*(?:richtlinie|regel|bedingung)",
    r"\b(?:enfrein\w+|viol\w+|contrevien\w+ à|va à l'encontre de) (?:mes|nos) \w+",
    r"\b(?:infring\w+|viola\w*|incumple\w*|va en contra de|vai contra|viola\w*) (?:mis|nuestr[ao]s|"
    r"minhas|nossas|as nossas|le nostre|le mie) \w+",
    r"(?:违反|違反)[^。！？]{0,10}(?:我们|我們|我的|使用|内容|內容)[^。！？]{0,6}(?:政策|规定|規定|准则|指南)",
    # "As an AI, I cannot …"
    r"\b(?:as|i am|i'm) (?:just |only |merely )?(?:an? )?(?:ai|artificial intelligence|(?:large )?"
    r"language model|ai assistant|chatbot)\b[^.!?]{0,50}\b(?:i |and )(?:can(?:not|'t)|am not|don't|"
    r"do not|won't|will not|must not|am unable)",
    r"作为[^。！？]{0,8}(?:ai|人工智能|语言模型|模型|助手)[，,]?我?(?:不能|无法|不会|没有)",
    # More languages
    r"\b(?:ik kan|kan ik)\b[^.!?]{0,50}\b(?:niet|geen)\b[^.!?]{0,40}\b(?:helpen|samenvat\w*|"
    r"schrijven|voldoen|doorgaan)",
    r"\b(?:ik|wij) (?:wil|kan|mag|zal|ga|moet)\b[^.!?]{0,30}\b(?:hier|hieraan|dit|"
    r"deze)\b[^.!?]{0,30}"
    r"\b(?:niet|weigeren|afwijzen)\b|\bhier (?:kan|wil|mag) ik (?:\w+ ){0,2}?niet\b|"
    r"\bdaar (?:kan|wil|mag) ik (?:\w+ ){0,2}?niet (?:aan|bij|mee)\w*",
    r"\b(?:jag (?:kan|vill|får|måste)|kan jag|måste jag)\b[^.!?]{0,20}\b(?:inte|avböja|"
    r"avstå)\b[^.!?]{0,40}"
    r"\b(?:hjälpa|sammanfatta|skriva|fortsätta|det här|detta|innehåll\w*|begäran)\b",
    r"\b(?:jeg (?:kan|vil|må)|kan jeg|må jeg)\b[^.!?]{0,20}\b(?:ikke|avslå|afslå|"
    r"avstå)\b[^.!?]{0,40}"
    r"\b(?:hjelpe|hjælpe|oppsummere|opsummere|skrive|fortsette|fortsætte|innhold\w*|indhold\w*|"
    r"forespørsel\w*)\b",
    r"\byardım(?:cı)? (?:edem\w+|olam\w+)|\b(?:özetle|yaz|devam ed|yanıtla|sürdür)(?:e|a)m(?:em|"
    r"am|iyorum|"
    r"ıyorum)\b|\b(?:bunu|bu isteği) (?:yapam\w+|yerine getirem\w+)",
    r"\bjag kan (?:tyvärr )?inte (?:hjälpa|sammanfatta|skriva|fortsätta)",
    r"\bjeg kan (?:dessverre |desværre )?ikk?e (?:hjelpe|hjælpe|oppsummere|opsummere|skrive)",
    r"\ben (?:valitettavasti )?(?:voi|pysty) (?:auttaa|tiivistä\w*|kirjoittaa|jatkaa)",
    r"\b(?:yardımcı olamam|yardımcı olamıyorum|özetleyemem|yerine getiremem)",
    r"\b(?:nemohu|nemůžu|nejsem schopen)\b[^.!?]{0,40}\b(?:pomoci|pomoct|shrnout|pokračovat|"
    r"napsat)",
    r"\bnem tudok\b[^.!?]{0,30}\b(?:segíteni|összefoglal\w*)|\bnu pot\b[^.!?]{0,20}\b(?:ajut\w*|"
    r"rezum\w*|continu\w*)|\btôi không thể (?:giúp|hỗ trợ|tóm tắt|tiếp tục)",
    r"\bsaya tidak (?:bisa|dapat) (?:membantu|meringkas|memenuhi|melanjutkan)",
    r"не можу (?:допомогти|підсумувати|виконати|продовжити)|δεν μπορώ να (?:βοηθήσω|συνοψίσω)",
    r"لا (?:يمكنني|أستطيع)[^.!?]{0,30}(?:مساعد|المساعدة|تلخيص|الاستمرار)|मदद नहीं कर सक|सारांश "
    r"नहीं",
    # German
    r"\b(?:ich kann|kann ich|ich darf|darf ich|ich werde)\b[^.!?]{0,80}\b(?:nicht|kein\w*)\b"
    r"[^.!?]{0,80}\b(?:helfen|zusammenfass\w*|erstellen|bearbeiten|weiterhelfen|behilflich|"
    r"schreiben|fortsetzen|fortfahren|verarbeiten|wiedergeben|anbieten|unterstützen|dienen)",
    r"\bich bin nicht in der lage\b",
    r"\b(?:muss ich|ich muss) (?:diese anfrage |das |leider )*ablehnen",
    # French
    r"\bje (?:ne peux|ne suis|ne pourrai|ne saurais|refuse)\b[^.!?]{0,40}\b(?:pas|en mesure|de)\b"
    r"[^.!?]{0,50}\b(?:aider|résumer|répondre|fournir|continuer|traiter|créer|générer|écrire|"
    r"produire|accéder|assister|rédiger)",
    # Spanish
    r"\bno (?:puedo|podré|me es posible|estoy en condiciones de)\b[^.!?]{0,30}\b(?:ayudar\w*|"
    r"resumir\w*|proporcionar|continuar|ofrecer|generar|crear|escribir|cumplir|procesar|asistir)",
    # Portuguese
    r"\bnão (?:posso|consigo|poderei|me é possível)\b[^.!?]{0,30}\b(?:ajud\w*|resumir|"
    r"fornecer|continuar|oferecer|gerar|criar|escrever|cumprir|processar|atender)",
    # Italian
    r"\bnon (?:posso|riesco|sono in grado|mi è possibile)\b[^.!?]{0,30}\b(?:aiutar\w*|"
    r"riassumer\w*|fornir\w*|continuare|offrire|generare|creare|scrivere|soddisfare|elaborare)",
    # Russian
    r"\bя? ?не (?:могу|смогу|в состоянии|имею возможности)\b[^.!?]{0,40}(?:помочь|помогать|"
    r"обобщить|пересказать|резюмировать|кратко|продолжить|предоставить|создать|написать|выполнить|"
    r"обработать|составить|подвести)",
    r"\bвынужден[ао]? отказать",
    # Polish
    r"\bnie (?:mogę|jestem w stanie|będę mógł|będę mogła)\b[^.!?]{0,40}(?:pomóc|pomagać|"
    r"stre[śs]ci\w*|"
    r"podsumowa\w*|kontynuowa\w*|dostarczy\w*|stworzy\w*|wygenerowa\w*|napisa\w*|spełni\w*)",
    # Chinese
    r"(?:我|很?抱歉[，,]?我?|对不起[，,]?我?|對不起[，,]?我?)[^。！？]{0,8}"
    r"(?:无法|不能|無法|不可以|没办法|沒辦法)[^。！？]{0,20}"
    r"(?:帮助|協助|协助|幫助|总结|總結|概括|摘要|提供|满足|滿足|继续|繼續|处理|處理|生成|创作|回答|完成)",
    # Japanese
    r"(?:申し訳|すみません|恐れ入り|残念ながら)[^。！？]{0,60}(?:できません|できかねます|お手伝い|"
    r"お応え|対応し|いたしかね)",
    r"(?:要約|お手伝い|対応|提供|お応え|お答え|作成|続ける|支援)[^。！？]{0,14}"
    r"(?:できません|できかねます|出来ません|いたしかねます)",
    # Korean
    r"(?:죄송|미안|유감)[^.!?]{0,60}(?:수 없|없습니다|어렵습니다|드리기 어렵|못합니다)",
    r"(?:요약|도와|제공|도움|작성|계속|처리)[^.!?]{0,12}수 없습니다",
)
ASIDE: Final = re.compile(
    r"\bthe (?:assistant|model|summari[sz]er|ai|author of this summary|writer of this summary) "
    r"(?:\w+ )?(?:declines?|refuses?|will not|won't|cannot|can't|chooses? not|prefers? not|omits?|"
    r"skips?|does not want) (?:to )?(?:\w+ )?(?:recount|describe|summari[sz]e|retell|include|"
    r"depict|"
    r"repeat|reproduce|continue|tell|write|the|this|that|some|it)\b"
)
"""Told in the third person and the present, where no assistant is at work."""
CHATTER: Final = _any(
    r"\b(?:would|do) you (?:like|want|prefer)(?: for)? me to (?:continue|go on|expand|"
    r"summari[sz]e|add|"
    r"write|keep|proceed|elaborate|include|shorten|do)\b",
    r"^(?:do you )?(?:want me to|shall i|should i) (?:continue|go on|keep|proceed|expand|add|"
    r"summari[sz]e|"
    r"include|elaborate)\b|^(?:happy|glad) to help\b|^ask (?:me )?(?:again|for more|if)\b|"
    r"^(?:this|the above|my) summary (?:covers|captures|includes|highlights|provides|is|keeps|"
    r"focuses|"
    r"contains|should)\b",
    r"^(?:please )?(?:let me know|feel free to|just tell me|tell me) (?:if|how|what|whether|"
    r"when|ask|reach|"
    r"let)\b",
    r"^(?:i )?(?:really )?(?:hope|trust) (?:that )?(?:this|it|that|the summary|you)(?: \w+)? "
    r"(?:helps?|"
    r"helpful|is (?:useful|helpful|what|ok|okay|clear)|works|find|found|enjoy\w*|like|meets)\b",
    r"^(?:the )?summary (?:is )?(?:complete|completed|done|finished|ends here)\b|"
    r"^(?:end of (?:the )?summary)\b|\b(?:word|token|character) count:? ?\d|"
    r"\A\W*(?:total )?(?:words?|tokens?|length): ?~?\d+\W*(?:words|tokens)?\W*\Z|"
    r"\A\W*\(?~?\d+ (?:words|tokens)\)?\W*\Z",
    r"^(?:sure|certainly|of course|absolutely|okay|ok|gladly|happy to help)[,!.:]? "
    r"?(?:here(?:'s| is|"
    r" are)|i(?:'ll| will| can))\b|^here(?:'s| is) (?:a|the|your|my) (?:\w+ ){0,3}summary\b",
    r"^(?:if you(?:'d| would)? (?:like|want|need|prefer|wish)|should you (?:need|want|"
    r"wish))\b[^.!?]{0,60}"
    r"\b(?:i can|i could|i'd|i will|i'll|let me know|tell me|just ask)\b",
    r"^(?:is there )?anything else (?:i can|you(?:'d| would)|that)\b|^you'?re welcome\b|"
    r"^thank(?:s| you) for (?:sharing|the|your|providing)\b",
    r"^(?:ich hoffe, (?:das|dies|die zusammenfassung) hilft|lass(?:en sie)? (?:es )?mich wissen|"
    r"soll ich "
    r"(?:fortfahren|weitermachen))\b|^(?:j'espère que (?:cela|ça)|n'hésitez pas|faites-moi savoir|"
    r"souhaitez-vous que je)\b|^(?:espero que (?:esto|isso|ayude|ajude)|avísame si|avise-me|"
    r"¿?quieres que)\b|"
    r"^(?:spero che (?:questo|sia)|fammi sapere)\b|^(?:laat (?:het )?me weten|hopelijk helpt)\b|"
    r"^(?:надеюсь, это|дайте знать|хотите, чтобы я)|^(?:mam nadzieję, że to|daj mi znać)|"
    r"^(?:希望这|希望對|如果您?(?:需要|想)|需要我继续)|^(?:お役に立て|続けましょうか)",
)
"""Remarks to the reader beside the summary."""
ASKS: Final = _any(
    r"^before i (?:summari[sz]e|begin|start|proceed|continue|write)\b[^.!?]{0,20}\b(?:could|can|"
    r"would|please|i (?:need|have))",
    r"\bwhat (?:would|do) you (?:like|want|need) (?:me to|summari[sz])|\bwhich (?:part|passage|"
    r"text) "
    r"(?:would|should|do) (?:you|i)\b",
    r"\bi (?:don't|do not|didn't|cannot|can't|was unable to|could not|couldn't) (?:see|find|"
    r"detect|locate) "
    r"(?:any|a|the|an) (?:\w+ )?(?:text|conversation|story|passage|content|transcript|message)",
    r"\bthere (?:is|was|are) no (?:\w+ )?(?:text|conversation|story|passage|content|messages?)\b"
    r"[^.!?]{0,20}\b(?:to summari|here|provided|given|in your)",
    r"^(?:hello[,!]? |hi[,!]? )?how (?:can|may) i (?:help|assist) you",
    r"^please (?:let me know|tell me|clarify|specify)\b",
    r"^i can[^.!?]{0,20}\b(?:offer|provide) (?:an?|some) [^.!?]{0,30}\bif you(?:'d)? (?:like|"
    r"prefer|want)",
    r"^i(?:'d| would|'m| am) (?:be )?(?:more than )?(?:happy|glad) to (?:help|assist|summari[sz]e)",
    r"^(?:wie kann ich (?:dir|ihnen) helfen|comment puis-je vous aider|cómo puedo ayudarte)",
    r"^(?:please|kindly|could you(?: please)?|can you(?: please)?|if you(?: could| can)?)"
    r"[^.!?]{0,20} ?(?:provide|paste|share|send|supply|upload|include)\b[^.!?]{0,60}\b(?:text|"
    r"passage|story|"
    r"content|conversation|transcript|message|excerpt|details?|scene|chapter)",
    r"\b(?:you haven't|you have not|you didn't|it (?:seems|looks like) (?:you|there|that|the))"
    r"[^.!?]{0,30}\b(?:provided?|included?|shared?|pasted?|no (?:text|passage|content))\b",
    r"^(?:bitte )?(?:gib|geben sie|stell\w*(?: sie)?|füge?n?(?: sie)?|send\w*(?: sie)?|"
    r"teil\w*(?: sie)?)"
    r"[^.!?]{0,50}\b(?:text|abschnitt|inhalt|geschichte|gespräch)\b",
    r"^(?:veuillez|merci de|pouvez-vous)[^.!?]{0,30}(?:fournir|coller|partager|envoyer)"
    r"[^.!?]{0,40}(?:texte|passage|contenu|histoire|conversation)",
    r"^(?:por favor,? )?(?:proporcion\w+|comparte|envíe|envía|pegue|pega|facilite)[^.!?]{0,40}"
    r"\b(?:texto|pasaje|contenido|historia|conversación)",
    r"^(?:por favor,? )?(?:forneça|envie|cole|compartilhe|partilhe)[^.!?]{0,40}"
    r"(?:texto|trecho|conteúdo|história|conversa)",
    r"^(?:per favore,? )?(?:fornisc\w+|incoll\w+|condivid\w+|invi\w+)[^.!?]{0,40}"
    r"(?:testo|brano|contenuto|storia|conversazione)",
    r"^пожалуйста,? (?:предоставьте|пришлите|вставьте|отправьте|поделитесь)[^.!?]{0,40}"
    r"(?:текст|отрывок|содержани|истори|разговор)",
    r"^prosz[ęe] (?:o )?(?:poda\w*|wklei\w*|przes\w+|udost\w+|dostarcz\w*)[^.!?]{0,40}"
    r"(?:tekst|fragment|treś|histori|rozmow)",
    r"请(?:您)?(?:提供|粘贴|发送|分享)[^。！？]{0,20}(?:文本|内容|原文|段落|故事|对话)",
    r"請(?:您)?(?:提供|貼上|傳送|分享)[^。！？]{0,20}(?:文本|內容|原文|段落|故事|對話)",
    r"(?:テキスト|本文|文章|内容|物語|会話)[^。！？]{0,16}(?:提供して|貼り付けて|お送り|共有して|ご提供)",
    r"(?:텍스트|본문|내용|이야기|대화)[^.!?]{0,16}(?:제공해|붙여넣|보내|공유해)",
)
POLICY: Final = _any(
    r"\b(?:content|usage|safety|openai|anthropic|community) (?:polic(?:y|ies)|guidelines?)\b",
    r"\b(?:against|violates?|goes against|within) (?:my|our) (?:\w+ )?(?:polic|guideline|"
    r"programming|principles|values)",
    r"\bmy (?:\w+ )?guidelines\b",
    r"\b(?:nutzungs|inhalts|sicherheits)?richtlinien\b",
    r"\b(?:politique|règles|directives) (?:d'utilisation|de contenu|de sécurité)",
    r"\b(?:políticas?|directrices|normas|diretrizes) (?:de (?:uso|contenido|conteúdo|seguridad|"
    r"segurança))",
    r"\b(?:linee guida|norme) (?:sui contenuti|di sicurezza|sull'uso)",
    r"политик\w+ (?:контента|использования|безопасности)|правила\w* использования",
    r"(?:zasad\w*|polityk\w*) (?:dotycząc\w+ treści|bezpieczeństwa|użytkowania)",
    r"(?:内容|使用|安全)(?:政策|准则|規範|规范)|ポリシー|ガイドライン|정책|가이드라인",
)
AS_AN_AI: Final = _any(
    r"\b(?:as|i am|i'm) (?:an? )?(?:ai|artificial intelligence|(?:large )?language model)\b",
    r"\bals (?:eine? )?(?:ki|künstliche intelligenz|sprachmodell)\b",
    r"\ben tant qu['e ]+(?:ia\b|intelligence artificielle|modèle)",
    r"\bcomo (?:una? |um )?(?:ia\b|inteligencia artificial|inteligência artificial|modelo de ling)",
    r"\bcome (?:un'?)? ?(?:ia\b|intelligenza artificiale)|\bin quanto (?:ia\b|modello)",
    r"как (?:ии\b|искусственный интеллект|языковая модель)|jako (?:ai\b|sztuczna inteligencja|"
    r"model językowy)",
    r"作为(?:一个|一名)?(?:ai|人工智能|语言模型)|身為(?:ai|人工智慧)|aiとして|ai로서|인공지능으로서",
)
OFFERS: Final = _any(
    r"\b(?:i(?:'d| would| can| could|'m| am) (?:be )?(?:happy|glad|willing) to|"
    r"if you(?:'d| would)? (?:like|prefer|want)|let me know (?:if|how|what)|"
    r"i can (?:instead )?offer|feel free to|would you like me to)\b",
    r"\b(?:gerne (?:kann|helfe)|stattdessen kann ich|wenn (?:du|sie) (?:möchte|willst|wollen)|"
    r"lass mich wissen)",
    r"\b(?:je peux (?:plutôt|en revanche)|n'hésitez pas|si vous (?:le )?(?:souhaitez|voulez)|"
    r"je serais ravi)",
    r"\b(?:si (?:lo )?(?:deseas|desea|quieres|prefieres)|puedo ofrecer\w*|con gusto)\b",
    r"\b(?:se (?:você )?(?:quiser|preferir|desejar)|posso oferecer|fico feliz em)\b",
    r"\b(?:se (?:vuoi|desidera|preferisci)|posso (?:invece )?offrir\w*|fammi sapere)\b",
    r"если (?:хотите|вы хотите|желаете)|дайте знать|с радостью помогу|могу предложить",
    r"jeśli (?:chcesz|wolisz)|chętnie pomogę|mogę zaproponować|daj mi znać",
    r"如果您?(?:愿意|需要|想)|我可以(?:为您|帮您|提供)|よろしければ|代わりに|원하시면|대신",
)
META: Final = frozenset(
    "passage passages text content summary summaries request summarize summarise material excerpt "
    "zusammenfassung inhalt inhalte anfrage texte contenu résumé demande passaje contenido resumen "
    "solicitud texto conteúdo resumo pedido trecho testo contenuto riassunto richiesta brano текст "
    "содержание содержимое запрос отрывок пересказ tekst treść treści streszczenie prośba".split()
)
SPEAKS: Final = frozenset(
    "i i'm i'd i'll me my you your ich mir mein sie ihnen ihre du dir je j'ai vous votre yo te "
    "usted su tu eu você seu io ti lei я мне вы вас вам ваш ja mi ty ci pan pani".split()
)
