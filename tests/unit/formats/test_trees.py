"""Trees of turns as paths."""

from foreword.domain.interchange import ChatText, ChatTurn, Loss
from foreword.domain.turn import Role, TextPart
from foreword.formats.trees import Node, Path, paths_of


def node(text: str, *children: Node, role: Role = Role.ASSISTANT, main: bool = False) -> Node:
    said = ChatText(parts=(TextPart(text=text),))
    turn = ChatTurn(role=role, speaker=role.value, texts=(said,))
    return Node(turn, main, list(children))


def told(paths: tuple[Path, ...]) -> list[tuple[int, str]]:
    return [
        (path.root, " ".join("/".join(map(shown, turn.texts)) for turn in path.turns))
        for path in paths
    ]


def shown(text: ChatText) -> str:
    (part,) = text.parts
    assert isinstance(part, TextPart)
    return part.text


def test_no_roots_are_no_paths() -> None:
    assert paths_of([], []) == ()


def test_branches_of_branches_begin_as_a_path_before_them_does() -> None:
    inner = node("b", node("c", node("d")), node("e", node("f")))
    tree = node("a", inner, node("g", node("h"), main=True))
    assert told(paths_of([tree], [])) == [(0, "a g h"), (0, "a b e f"), (0, "a b c d")]


def test_an_answer_of_another_speaker_is_no_alternative() -> None:
    tree = node("a", node("t", role=Role.TOOL), node("b"), node("c"))
    assert told(paths_of([tree], [])) == [(0, "a b/c"), (0, "a t")]


def test_roots_that_go_on_have_numbers_of_their_own() -> None:
    roots = [node("a", node("b")), node("c", node("d")), node("e", node("f"), main=True), node("g")]
    assert told(paths_of(roots, [])) == [(0, "e/g f"), (1, "a b"), (2, "c d")]


def test_branches_that_would_fill_the_memory_are_left_out_and_counted() -> None:
    losses: list[Loss] = []
    tree = node("a", node("b", node("c")), node("d", node("e")), node("f", node("g")))
    assert told(paths_of([tree], losses, most=1)) == [(0, "a f g"), (0, "a b c")]
    assert [loss.what for loss in losses] == ["1 branch"]
