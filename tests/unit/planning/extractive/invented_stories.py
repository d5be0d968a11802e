"""Three short invented stories in other styles and languages, with details planted in each."""

from dataclasses import dataclass

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Passages and the exact details that a good summary keeps."""

    passages: tuple[Passage, ...]
    details: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(passage.text for passage in self.passages)


def narrated(*texts: str, details: tuple[str, ...]) -> Story:
    passages = (Passage(speaker="", role=Role.ASSISTANT, text=text) for text in texts)
    return Story(passages=tuple(passages), details=details)


NOVEL = narrated(
    "I slept badly, as one does in other people's beds, and for a while I lay listening to the "
    "rain and thinking of nothing. It was still dark. After some time I got up, because there "
    "seemed to be no reason not to, and went down to the kitchen. My aunt Philippa was already "
    "at the stove. She had put out two cups, although nobody had said that I would be down. "
    "“You look dreadful,” she said, and I said that I felt dreadful, and she seemed satisfied.",
    "We talked of this and that. It was the sort of talk that people have when they are waiting "
    "for something else. Then she wiped her hands and took an envelope from behind the clock. "
    "Inside were eleven hundred francs and a pawn ticket from a shop in Rue Cassette. “He left "
    "it with me in March,” she said. “He said that you would know.” I did not know. I turned the "
    "ticket over. Somebody had written the number 4471 on the back of it in green pencil.",
    "I drank my coffee and looked out at the yard, where nothing was going on. The morning came "
    "up grey. Nobody spoke for a long time. I remember that the tap was dripping, and that I "
    "counted the drops, and lost count, and began again, as I used to do when I was small and "
    "could not sleep. In the end I asked her what he had pawned. “A cello,” said my aunt. “What "
    "else did he ever have?” It had been made by Tomaso Brandini, and it was worth more than the "
    "house. I laughed. She did not.",
    "That afternoon I walked to the shop. It was further than I had thought, and my shoes let in "
    "the water. The pawnbroker was a small sad man with a magnifying glass on a string, and he "
    "read the ticket for so long that I began to feel like a thief. He told me that the ticket "
    "ran out on the 9th of May. After that he could sell. He was sorry about it, he said, but a "
    "rule was a rule, and he had a family, and so on. I said that I understood. I did not "
    "understand at all.",
    "When I came home my aunt had gone out. There was a note under the sugar bowl: Madame "
    "Orlova has the other key. I sat down with my wet feet on the fender and read it several "
    "times over. It is curious how one goes on doing quite ordinary things. I made toast. I "
    "washed a plate. I thought that I would go and see her in the morning, or perhaps the "
    "morning after that, when I had slept.",
    details=(
        "eleven hundred francs",
        "Rue Cassette",
        "4471",
        "cello",
        "Tomaso Brandini",
        "9th of May",
        "Madame Orlova",
        "pawn ticket",
    ),
)

GERMAN = narrated(
    "Es regnete den ganzen Morgen, und niemand hatte Lust, das Haus zu verlassen. Wir saßen in "
    "der Stube und redeten über dies und das. Irgendwann klopfte es. Vor der Tür stand ein "
    "Briefträger, der so nass war, dass es uns leidtat. Er gab mir ein Päckchen aus Greifswald "
    "und wollte nicht hereinkommen. Dann ging er wieder, und wir sahen ihm noch lange nach.",
    "In dem Päckchen lag eine silberne Taschenuhr. Mein Großvater Albrecht Wenzlau hatte sie am "
    "14. Mai 1931 verloren, und seither hatte niemand mehr von ihr gesprochen. Auf dem Deckel "
    "stand „Für treue Dienste“. Ich drehte sie hin und her. Sie ging nicht mehr. Meine "
    "Schwester wollte sie auch einmal halten, also gab ich sie ihr, und sie hielt sie ans Ohr, "
    "wie man es eben so macht.",
    "Später kam noch ein Brief zum Vorschein. Er war kurz. Der Absender verlangte "
    "dreihundertzwanzig Mark für die Uhr, und er schrieb, wir sollten das Geld im Gasthaus Zum "
    "Blauen Hecht abgeben. Wir lachten darüber. Dann lachten wir nicht mehr, denn so viel Geld "
    "hatten wir nicht, und keiner von uns wusste, was nun werden sollte. Meine Schwester machte "
    "Tee. Das tat sie immer, wenn ihr nichts anderes einfiel.",
    "Am Abend hörte der Regen auf. Wir gingen ein Stück am Wasser entlang und sagten nicht viel. "
    "Es war schön und ein wenig traurig, wie es am Abend oft ist. Auf der Brücke trafen wir "
    "Doktor Ilse Rautenberg. Sie kannte die Uhr. Sie sagte, es gebe siebzehn davon, und jede "
    "habe ein Zeichen im Deckel, eine kleine Möwe. Wir sahen nach, und da war sie.",
    details=(
        "Greifswald",
        "silberne Taschenuhr",
        "Albrecht Wenzlau",
        "14. Mai 1931",
        "Für treue Dienste",
        "dreihundertzwanzig Mark",
        "Blauen Hecht",
        "Ilse Rautenberg",
        "siebzehn",
    ),
)

CHINESE = narrated(
    "雨下了一整天，谁也不想出门。我们坐在屋里，说些有的没的。后来有人敲门。门外站着一个老人，"
    "他的衣服都湿透了。他说他叫顾长河，从白鹭镇走了三天才走到这里。我们请他进来，他不肯，"
    "只是站在那里看着我们，好像有什么话要说，又说不出来。",
    "过了很久，他从怀里拿出一只铜匣子。匣子上刻着《归潮记》三个字。他说这是我父亲留下的，"
    "里面有二百四十两银票。我不知道该说什么。他叹了一口气，又看了看外面的雨。大家都不说话，"
    "屋里很安静，只听见雨的声音。我想起小时候的一些事情，又觉得没有什么可想的。",
    "他临走的时候告诉我，匣子的钥匙在望江楼的掌柜手里。五月初九以前一定要去拿，"
    "过了那一天，掌柜就要离开了。我问他为什么不早一点来。他笑了笑，没有回答，就走了。"
    "我们站在门口看着他走远，心里都有一点难过，可是谁也没有说出来。",
    details=("顾长河", "白鹭镇", "铜匣子", "归潮记", "二百四十两", "望江楼", "五月初九"),
)
