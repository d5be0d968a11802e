"""Held-out drafts for the gates on languages and names: written before the patterns were read."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Final

from tests.unit.quality.heldout import HARBOUR, INN
from tests.unit.quality.lexical import BOT, CHINESE, GERMAN, USER, source

from foreword.quality.findings import Source

GERMAN_LORE: Final = source(
    *((passage.role, passage.speaker, passage.text) for passage in GERMAN.passages),
    context="The bridge of the old city was built by the guild. The guard keeps the key of the gate, and nobody may pass it after dark.",
)
RUSSIAN: Final = source(
    (USER, "Наташа", "Я иду к Григорию и спрашиваю, где Сергей спрятал карту Новгорода."),
    (
        BOT,
        "Рассказчик",
        "Григорий молчит, потом говорит, что Сергей уехал с картой ещё утром. Наташа садится у окна и ждёт, пока не стемнеет.",
    ),
)
POLISH: Final = source(
    (USER, "Kasia", "Idę z Tomaszem do Krakowa i pytam go, czy Wojtek ma jeszcze klucz od bramy."),
    (
        BOT,
        "Narrator",
        "Tomasz kręci głową. Mówi, że Wojtek zgubił klucz przy moście, a brama jest zamknięta. Kasia czeka na niego do nocy.",
    ),
)
JAPANESE: Final = source(
    (USER, "ユキ", "私は駅の前でハルトに会って、古い地図を渡した。"),
    (
        BOT,
        "語り手",
        "ハルトは地図を見て黙っていた。ホテルのエレベーターは壊れていて、二人は階段を上った。",
    ),
)
FRENCH: Final = source(
    (
        USER,
        "Claire",
        "Je monte dans la tour avec Étienne et je lui demande où est la clef du vieux phare.",
    ),
    (
        BOT,
        "Narrateur",
        "Étienne ne répond pas tout de suite. Il dit que la clef est chez le gardien, et que le phare n'est plus allumé depuis la tempête.",
    ),
)

FOREIGN: Final[tuple[tuple[Source, str], ...]] = (
    (
        GERMAN,
        "Lena asks Falk whether the gate is still open, but the guard has lost the key and it has been closed since the morning.",
    ),
    (
        GERMAN_LORE,
        "Lena asks Falk whether the gate is still open, but the guard has lost the key and it has been closed since the morning.",
    ),
    (GERMAN, "Lena goes to Falk with the key. The gate is shut. She waits on the bridge."),
    (
        GERMAN,
        "Lena demande à Falk si la porte est encore ouverte, mais elle est fermée depuis le matin.",
    ),
    (GERMAN, "Lena pregunta a Falk si la puerta sigue abierta, pero está cerrada desde la mañana."),
    (GERMAN, "Лена спрашивает Фалька, открыты ли ворота, но они закрыты с утра."),
    (GERMAN, "莱娜问法尔克大门是否还开着,但是大门从早上就关了。"),
    (GERMAN_LORE, "Lena waits on the bridge until it is dark because the gate is closed."),
    (
        INN,
        "Rosa bittet Halvard um ein Zimmer, aber er weist sie ab, und Sunniva lässt sie in den Stall.",
    ),
    (
        INN,
        "Rosa demande une chambre à Halvard, mais il refuse, et Sunniva la laisse entrer dans l'écurie.",
    ),
    (
        INN,
        "Rosa pide una habitación a Halvard, pero él se niega y Sunniva la deja entrar en el establo.",
    ),
    (
        INN,
        "Rosa chiede una stanza a Halvard, ma lui rifiuta e Sunniva la lascia entrare nella stalla.",
    ),
    (
        INN,
        "Rosa pede um quarto a Halvard, mas ele recusa e Sunniva deixa que ela entre no estábulo.",
    ),
    (INN, "Rosa vraagt Halvard om een kamer, maar hij weigert en Sunniva laat haar in de stal."),
    (INN, "Роза просит у Халварда комнату, но он отказывает, и Суннива пускает её в конюшню."),
    (INN, "罗莎向哈尔瓦德要一个房间,但他拒绝了,苏尼娃让她进了马厩。"),
    (INN, "ローザはハルヴァルドに部屋を頼むが断られ、スンニヴァが馬小屋に入れてくれる。"),
    (INN, "로사는 할바르에게 방을 부탁하지만 그는 거절하고 수니바가 마구간에 들여보낸다."),
    (INN, "روزا تطلب غرفة من هالفارد لكنه يرفض، وسونيفا تدخلها الإسطبل."),
    (INN, "Rosa asks Halvard for a room. 但是他拒绝了她的请求。 Sunniva helps her."),
    (INN, "Rosa asks Halvard for a room, but he отказал ей и закрыл дверь."),
    (
        CHINESE,
        "Xiaomei gives the brass key to Old Chen and asks him why the lamp was not lit last night.",
    ),
    (
        CHINESE,
        "Xiaomei gibt dem alten Chen den Schlüssel und fragt ihn, warum das Licht nicht brannte.",
    ),
    (CHINESE, "小梅は灯台に入り、真鍮の鍵を老陳に渡して、なぜ灯りをつけなかったのかと尋ねた。"),
    (
        RUSSIAN,
        "Natasha asks Grigori where Sergei has hidden the map, but he has left with it in the morning.",
    ),
    (
        RUSSIAN,
        "Наташа запитала Григорія, де Сергій сховав мапу, але він поїхав із нею ще вранці. Вона чекає біля вікна, доки не стемніє.",
    ),
    (
        POLISH,
        "Kasia asks Tomasz whether Wojtek still has the key, but he has lost it at the bridge.",
    ),
    (JAPANESE, "Yuki meets Haruto in front of the station and gives him the old map."),
    (
        FRENCH,
        "Claire climbs the tower with Étienne and asks him where the key of the lighthouse is.",
    ),
    (FRENCH, "Claire steigt mit Étienne auf den Turm und fragt ihn, wo der Schlüssel ist."),
)

NATIVE: Final[tuple[tuple[Source, str], ...]] = (
    (
        GERMAN,
        "Lena fragt Falk nach dem Tor. Es ist seit dem Morgen geschlossen; sie wartet bis zur Dunkelheit auf der Brücke.",
    ),
    (
        GERMAN_LORE,
        "Lena fragt Falk nach dem Tor, doch es ist seit dem Morgen geschlossen, und sie wartet bis zur Nacht.",
    ),
    (
        GERMAN,
        "Lenas Frage an Falk blieb ohne Erfolg. Der Schlüssel der Wache fehlt, die Wartezeit dauert bis zur Nacht.",
    ),
    (GERMAN, "Vergebliche Suche: Lena, Falk, kein Schlüssel, Tor zu."),
    (GERMAN, "Falk schüttelt den Kopf. Die Erzählung endet mit Lenas Warten am Flussübergang."),
    (
        INN,
        "Turned away by Halvard, Rosa and her feverish brother shelter in the stable thanks to Sunniva.",
    ),
    (
        INN,
        "The innkeeper's daughter, Sunniva, hides the siblings and names the wheelwright Bertram.",
    ),
    (INN, "A Frenchman's market opens on Friday, after which Bertram may mend the wagon."),
    (INN, "On Thursday night it rains; the French come the next day, a Friday."),
    (INN, "Mr. Bertram, by the mill, repairs wagons. Miss Sunniva vouches for Rosa."),
    (INN, "Rosie, as Sunniva might call her, carries Piotr to the straw."),
    (INN, "Rosa's plea fails. Halvard's daughter relents. Piotr's fever persists."),
    (INN, "The Crown refuses guests at night. Rosa and Piotr end up in its stable."),
    (INN, "Night. Rain. Straw. Rosa waits with Piotr; Bertram is the next hope."),
    (INN, "ROSA: sheltered in stable. PIOTR: fever. BERTRAM: wheelwright, mill."),
    (
        INN,
        "Characters:\n- Rosa: traveller\n- Piotr: her brother\n- Halvard: innkeeper\n\nOpen Threads:\n- Wagon Repair",
    ),
    (
        HARBOUR,
        "The billing service runs on Postgres 16 now. PR 214 is on GitHub and its tests pass.",
    ),
    (
        HARBOUR,
        "Ines wanted a PostgreSQL migration; the invoice dates in UTC broke two tests, since fixed. The README mentions Docker.",
    ),
    (
        HARBOUR,
        "SQL schema moved. Linter clean. GitHub PR open. In December or later, production may follow if Ines agrees.",
    ),
    (CHINESE, "小梅把铜钥匙交给老陈。老陈因为风大没有点灯,小梅沉默不语。"),
    (CHINESE, "小梅到灯塔找老陈,得知昨夜因大风未点灯。"),
    (
        RUSSIAN,
        "Наташа расспрашивает Григория о Сергее; тот увёз карту. Она ждёт Сергея до темноты.",
    ),
    (
        RUSSIAN,
        "Наташе не удалось найти карту: Сергей уехал, а Григорий ничего не знает о Новгороде.",
    ),
    (
        POLISH,
        "Kasia pyta Tomasza o Wojtka. Klucz zginął przy moście w Krakowie, brama pozostaje zamknięta.",
    ),
    (POLISH, "Tomaszowi i Kasi nie udało się otworzyć bramy, bo Wojtkowi zginął klucz."),
    (JAPANESE, "ユキはハルトに古い地図を渡した。二人はホテルの階段を上った。"),
    (
        JAPANESE,
        "駅前でユキがハルトに地図を渡す。エレベーターが故障し、二人はロビーから階段で上へ向かった。",
    ),
    (
        FRENCH,
        "Claire interroge Étienne sur la clef du phare; le gardien la garde, et le phare reste éteint depuis la tempête.",
    ),
    (FRENCH, "Montée de la tour, question à Étienne, clef chez le gardien."),
    (
        INN,
        "Halvard, strict and afraid of the magistrate, is opposed by Sunniva, whose kindness saves the travellers from the cold.",
    ),
)

INVENTED: Final[tuple[tuple[Source, str], ...]] = (
    (INN, "Rosa asks Gunther for a room, and he refuses her."),
    (INN, "Rosa and her brother Pavel hide in the stable."),
    (INN, "Sunniva sends Rosa to Old Dietrich, the wheelwright by the mill."),
    (INN, "At the Golden Lion, Halvard turns Rosa away."),
    (INN, "Rosa thanks Sunnila for letting them into the stable."),
    (INN, "Roza carries Piotr to the straw and thanks Sunniva."),
    (INN, "Halvar refuses, but Sunniva lets Rosa in."),
    (INN, "Rosa asks Halward for a room and is refused."),
    (INN, "Rosa arrives in Brightwater with Piotr and asks Halvard for a room."),
    (INN, "Halvard works for Magistrate Corvin, who forbids strangers."),
    (INN, "Rosa and Piotr are fleeing from Duke Almaric of Vess."),
    (INN, "Marcus, the wheelwright, lives by the mill."),
    (INN, "Elena lets Rosa into the stable anyway."),
    (INN, "Rosa's horse Thunder is lame, and Piotr is ill."),
    (INN, "Sunniva tells Rosa about Bertrand, the wheelwright."),
    (HARBOUR, "The assistant migrated the billing service to MongoDB and ran the linter."),
    (HARBOUR, "The assistant opened a pull request on GitLab for Ines."),
    (HARBOUR, "The service now runs on Kubernetes after the migration."),
    (HARBOUR, "Inez asked for short answers and no deletion of old tables."),
    (HARBOUR, "The user wants the dates parsed by Moment and shown in Grafana."),
    (GERMAN, "Lena fragt Ulrich, ob das Tor noch offen ist."),
    (GERMAN, "Lina geht zu Falk und fragt nach dem Tor."),
    (GERMAN, "Lena geht mit Falk nach Hamburg, weil das Tor zu ist."),
    (RUSSIAN, "Наташа спрашивает Дмитрия, где карта."),
    (RUSSIAN, "Григорий говорит, что Сергей уехал в Москву."),
    (POLISH, "Kasia pyta Andrzeja, czy Wojtek ma klucz."),
    (POLISH, "Kasia i Tomasz jadą do Gdańska po klucz."),
    (FRENCH, "Claire monte dans la tour avec Gaston et demande la clef."),
    (FRENCH, "Clara monte dans la tour avec Étienne et demande la clef."),
    (JAPANESE, "ユキはケンジに古い地図を渡した。"),
)
