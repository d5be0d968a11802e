"""`duplicate`: an answer like that of an import."""

from tests.integration.cli.door import story


def test_a_conversation_is_duplicated() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    assert opened.json("duplicate", "c1") == {
        "conversation": "c2",
        "branch": 1,
        "turns": 6,
        "summaries": 1,
        "losses": [],
        "title": "Lamp (copy)",
        "created": True,
        "forked": False,
        "scene_time": None,
        "copy_of": "c1",
    }
    said = opened.says("duplicate", "c1", "--title", "Other")
    assert said == "Other (c3): 6 turns and 1 summary on the current branch.\n"
    texts = [one["text"] for one in opened.json("turn", "list", "c3")]
    assert texts == ["t1", "t2", "t3", "t4", "t5", "t6"]
    assert opened.error("duplicate", "c1", "--title", " ")[1]["type"] == "EmptyText"
