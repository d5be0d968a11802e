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
    rf"(?:be able to )?(?:\w+ )?{_TASK_EN}\b",
    rf"\b(?:i am|i'm) (?:\w+ )?(?:not able|unable|not comfortable|not allowed|not permitted|"
    rf"not going|not willing|unwilling)(?: to| with)? ?(?:{_TASK_EN}|summari[sz]ing|writing|"
    r"creating|providing|continuing|helping)\b",
    r"\bi (?:have to|must|need to|will have to) (?:respectfully |politely )?decline\b",
    r"\b(?:i'd|i would) rather not|\bno (?:text|content|passage) (?:was|has been) provided",
    r"\bi (?:don't|do not) feel comfortable (?:\w+ing|with)\b",
    r"^(?:sorry|unfortunately),? (?:but )?(?:i|we) (?:can(?:'t|not)|am unable|are unable)",
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
ASKS: Final = _any(
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
