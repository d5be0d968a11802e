"""`summary report`: what summaries kept of the story's specifics, by summary and by layer."""

from tests.integration.cli.door import Door, door

TURNS = (
    "I met Osgood Pockett today.",
    "He paid four groats to Hesper Oake.",
    "I gave Crane a brass key.",
    "He saw Corvane Hask in Ambleford.",
)


def told() -> Door:
    opened = door()
    opened.says("new", "Lamp")
    for number, text in enumerate(TURNS):
        role = "assistant" if number % 2 else "user"
        opened.says("turn", "append", "c1", "--role", role, "--text", text)
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("summary", "edit", "c1", "S1", "--text", "I met Pockett, who paid 4 groats.")
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("summary", "edit", "c1", "S3", "--text", "I gave Crane a key.")
    return opened


def test_a_report_says_what_each_summary_kept() -> None:
    first, second = told().json("summary", "report", "c1")["summaries"]
    assert first == {
        "id": 2,
        "state": "in_use",
        "layer": 0,
        "generation_depth": 1,
        "from_order": 1,
        "order": 2,
        "had": 3,
        "kept": 2,
        "share": 0.6667,
        "since_originals": 0.6667,
        "details": [
            {"kind": "name", "text": "Hesper Oake", "weight": 1.585, "kept": False},
            {"kind": "name", "text": "Osgood Pockett", "weight": 1.585, "kept": True},
            {"kind": "number", "text": "four groats", "weight": 1.585, "kept": True},
        ],
        "stored": True,
    }
    assert (second["had"], second["kept"]) == (3, 1)


def test_a_report_sums_up_layers_and_counts_back_to_the_turns() -> None:
    opened = told()
    opened.json("summary", "merge", "c1", "S2", "S4")
    opened.json("summary", "edit", "c1", "S5", "--text", "Pockett paid 4 groats.")
    (layer,) = opened.json("summary", "report", "c1")["layers"]
    assert layer == {
        "layer": 1,
        "summaries": 1,
        "generation_depth": 2,
        "had": 3,
        "kept": 2,
        "share": 0.6667,
        "since_originals": 0.3333,
    }
    everything = opened.json("summary", "report", "c1", "--all")
    assert [one["layer"] for one in everything["layers"]] == [0, 1]
    assert [one["state"] for one in everything["summaries"]] == ["merged", "in_use", "merged"]


def test_a_report_is_of_a_layer_or_of_one_summary() -> None:
    opened = told()
    one = opened.json("summary", "report", "c1", "--id", "S4")["summaries"]
    assert [found["id"] for found in one] == [4]
    assert opened.json("summary", "report", "c1", "--layer", "3") == {"summaries": [], "layers": []}
    shown = opened.says("summary", "report", "c1", "--layer", "3")
    assert shown == "There are no such summaries on this branch.\n"
    code, error = opened.error("summary", "report", "c1", "--id", "S9")
    assert (code, error["type"]) == (3, "SummaryNotFound")


def test_people_see_what_was_lost() -> None:
    shown = told().says("summary", "report", "c1", width=120)
    row = next(line.split() for line in shown.splitlines() if line.startswith(" S2"))
    assert row == ["S2", "1-2", "0", "1", "2", "of", "3", "67%", "67%", "Hesper", "Oake"]
