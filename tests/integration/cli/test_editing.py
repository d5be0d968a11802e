"""`templates edit`: the user's editor, what is refused, and that no text is lost."""

import os
import pty
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.e2e.program import command, environment
from tests.integration.cli.door import Door, door, story
from typer.testing import CliRunner, Result

from foreword.cli.call import Call
from foreword.cli.main import app
from foreword.prompts.templates import TemplateName

BROKEN = "All:\n{{ sumaries }}\n"


def editor(folder: Path, *scripts: str) -> str:
    """Return the command of an editor that runs the next script at each start, on `path`."""
    for number, script in enumerate(scripts):
        (folder / f"edit{number}.py").write_text(
            f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{script}\n", encoding="utf-8"
        )
    chooser = folder / "editor.py"
    chooser.write_text(
        "import pathlib, runpy\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "count = folder / 'count'\n"
        "number = int(count.read_text()) if count.exists() else 0\n"
        "count.write_text(str(number + 1))\n"
        "runpy.run_path(str(folder / f'edit{number}.py'), run_name='__main__')\n",
        encoding="utf-8",
    )
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(chooser))}"


def writing(text: str) -> str:
    return f"path.write_text({text!r}, encoding='utf-8')"


def edit(opened: Door, folder: Path, *words: str, scripts: tuple[str, ...]) -> Result:
    """Edit the system message with an editor that runs the scripts."""
    drafts = folder / "drafts"
    drafts.mkdir(exist_ok=True)
    variables = {
        "VISUAL": editor(folder, *scripts), "TMPDIR": str(drafts), "TMP": str(drafts),
        "COLUMNS": "100",
    }  # fmt: skip
    call = Call(lambda *_: opened.engine)
    before, tempfile.tempdir = tempfile.tempdir, str(drafts)
    try:
        return CliRunner().invoke(
            app, ["templates", "edit", "master", *words], obj=call, env=variables
        )
    finally:
        tempfile.tempdir = before


def drafts(folder: Path) -> list[str]:
    return [one.read_text("utf-8") for one in sorted((folder / "drafts").iterdir())]


def master(opened: Door, *words: str) -> str:
    text: str = opened.json("templates", "show", "master", *words)["text"]
    return text


def test_what_the_editor_leaves_is_the_account_s_template(tmp_path: Path) -> None:
    opened = door()
    done = edit(opened, tmp_path, scripts=("path.write_text(path.read_text() + 'End.\\n')",))
    assert (done.exit_code, done.stdout) == (0, "master is the account's now.\n")
    builtin = opened.engine.templates[TemplateName.MASTER]
    assert master(opened) == f"{builtin}End.\n"
    assert drafts(tmp_path) == []


def test_a_template_is_edited_for_one_conversation(tmp_path: Path) -> None:
    opened = story(0)
    words = ("--conversation", "c1", "--json")
    done = edit(opened, tmp_path, *words, scripts=(writing("{{ summaries }}"),))
    assert '"changed": true' in done.stdout
    assert master(opened, "--conversation", "c1") == "{{ summaries }}"
    assert opened.json("templates", "show", "master")["scope"] == "builtin"


def test_nothing_is_saved_when_nothing_was_changed(tmp_path: Path) -> None:
    opened = door()
    done = edit(opened, tmp_path, scripts=("pass",))
    assert done.stdout == "master is what it was, the builtin's: nothing was saved.\n"
    assert opened.json("templates", "show", "master")["scope"] == "builtin"
    opened.says("templates", "set", "master", "--text", "no end {{ summaries }}")
    done = edit(opened, tmp_path, scripts=("pass", "pass"))
    assert "nothing was saved" in done.stdout
    assert master(opened) == "no end {{ summaries }}"
    assert drafts(tmp_path) == []


def test_a_broken_template_is_not_saved_and_not_lost(tmp_path: Path) -> None:
    opened = door()
    done = edit(opened, tmp_path, scripts=(writing(BROKEN),))
    assert done.exit_code == 4
    assert "line 2, column 4: there is no variable 'sumaries'" in done.stderr
    assert "  2 | {{ sumaries }}\n    |    ^\n" in done.stderr
    assert "did you mean {{ summaries }}?" in done.stderr
    (path,) = (tmp_path / "drafts").iterdir()
    assert f"What you wrote is kept in {path}; `foreword templates edit" in done.stderr
    assert path.read_text("utf-8") == BROKEN
    assert path.stat().st_mode & 0o077 == 0
    assert opened.json("templates", "show", "master")["scope"] == "builtin"
    path.write_text(BROKEN.replace("sum", "summ"), encoding="utf-8")
    opened.says("templates", "edit", "master", "--file", str(path))
    assert master(opened) == "All:\n{{ summaries }}\n"


def test_programs_are_told_where_the_text_is_kept(tmp_path: Path) -> None:
    done = edit(door(), tmp_path, "--json", scripts=(writing(BROKEN),))
    assert done.stdout == ""
    (path,) = (tmp_path / "drafts").iterdir()
    assert f'"kept": "What you wrote is kept in {path};' in done.stderr


@pytest.mark.parametrize(
    ("script", "said", "kept"),
    [
        (writing("half") + "\nsys.exit(3)", "it ended with code 3", ["half"]),
        ("sys.exit(1)", "it ended with code 1", []),
        ("path.unlink()", "it cannot be read", []),
    ],
)
def test_an_editor_that_fails_saves_nothing(
    tmp_path: Path, script: str, said: str, kept: list[str]
) -> None:
    opened = door()
    done = edit(opened, tmp_path, scripts=(script,))
    assert (done.exit_code, said in done.stderr) == (4, True)
    assert ("is kept in" in done.stderr) == bool(kept)
    assert drafts(tmp_path) == kept
    assert opened.json("templates", "show", "master")["scope"] == "builtin"


def test_ctrl_c_belongs_to_the_editor(tmp_path: Path) -> None:
    script = "import os, signal\nos.kill(os.getppid(), signal.SIGINT)\n"
    opened = door()
    done = edit(opened, tmp_path, scripts=(script + writing("{{ summaries }}"),))
    assert (done.exit_code, master(opened)) == (0, "{{ summaries }}")


def test_where_no_file_can_be_written_the_reason_is_told() -> None:
    before, tempfile.tempdir = tempfile.tempdir, "/no/such/folder"
    try:
        done = door().run("templates", "edit", "meta")
    finally:
        tempfile.tempdir = before
    assert done.exit_code == 4
    assert "no file can be written for it (No such file or directory)" in done.stderr


def test_an_editor_that_is_not_there_is_named() -> None:
    call = Call(lambda *_: door().engine)
    done = CliRunner().invoke(
        app, ["templates", "edit", "meta"], obj=call, env={"VISUAL": "", "EDITOR": "no-such-editor"}
    )
    assert done.exit_code == 4
    assert "The editor 'no-such-editor' cannot be used" in done.stderr


def test_an_editor_that_cannot_be_read_as_a_command_is_named() -> None:
    call = Call(lambda *_: door().engine)
    variables = {"VISUAL": "vi 'x", "EDITOR": ""}
    done = CliRunner().invoke(app, ["templates", "edit", "meta"], obj=call, env=variables)
    assert done.exit_code == 4
    assert "VISUAL has a quote that does not close" in done.stderr


def test_without_any_editor_the_file_option_is_named() -> None:
    call = Call(lambda *_: door().engine)
    variables = {"VISUAL": "", "EDITOR": "", "PATH": ""}
    done = CliRunner().invoke(app, ["templates", "edit", "meta"], obj=call, env=variables)
    assert done.exit_code == 4
    assert "none is there" in done.stderr
    assert "--file" in done.stderr


def test_somebody_else_s_change_is_not_written_over(tmp_path: Path) -> None:
    home = tmp_path / "home"
    words = ("templates", "set", "master", "--text", "{{ summaries }}!", "--data-dir", str(home))
    other = f"import subprocess\nsubprocess.run({command(*words)!r}, check=True, stdout=2)\n"
    script = other + writing("Mine: {{ summaries }}")
    drafts_in = tmp_path / "drafts"
    drafts_in.mkdir()
    more = {"EDITOR": editor(tmp_path, script), "VISUAL": "", "TMPDIR": str(drafts_in)}
    done = subprocess.run(
        command("templates", "edit", "master"),
        capture_output=True, env=environment(home, more), timeout=100, check=False,
    )  # fmt: skip
    said = done.stderr.decode()
    assert (done.returncode, "template 'master' changed meanwhile" in said) == (5, True)
    assert drafts(tmp_path) == ["Mine: {{ summaries }}"]
    shown = subprocess.run(
        command("templates", "show", "master"),
        capture_output=True, env=environment(home), timeout=100, check=True,
    )  # fmt: skip
    assert shown.stdout == b"{{ summaries }}!\n"


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 4)])
def test_somebody_at_a_terminal_is_asked_whether_to_edit_again(
    tmp_path: Path, answer: str, code: int
) -> None:
    home, drafts_in = tmp_path / "home", tmp_path / "drafts"
    drafts_in.mkdir()
    again = "path.write_text(path.read_text().replace('sum', 'summ'))"
    more = {"EDITOR": editor(tmp_path, writing(BROKEN), again), "TMPDIR": str(drafts_in)}
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        command("templates", "edit", "master"),
        stdin=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(home, {**more, "VISUAL": ""}),
    ) as running:  # fmt: skip
        os.write(terminal, f"perhaps\n{answer}\n".encode())
        _, said = running.communicate(timeout=100)
    os.close(terminal)
    os.close(inside)
    assert (running.returncode, said.decode().count("Edit it again? [y/n]")) == (code, 2)
    assert drafts(tmp_path) == ([] if code == 0 else [BROKEN])


def test_a_text_from_standard_input_is_saved_or_kept(tmp_path: Path) -> None:
    opened = door()
    document = opened.json("templates", "edit", "master", "--file", "-", text="{{ summaries }}\n")
    assert document == {
        "name": "master", "scope": "account", "text": "{{ summaries }}\n", "changed": True,
    }  # fmt: skip
    again = opened.json("templates", "edit", "master", "--file", "-", text="{{ summaries }}\n")
    assert again == {**document, "changed": False}
    code, error = opened.error("templates", "edit", "master", "--file", "-", text=BROKEN)
    assert (code, error["type"], error["line"], error["column"]) == (4, "TemplateInvalid", 2, 4)
    kept = Path(error["kept"].split(" is kept in ")[1].split(";")[0])
    assert kept.read_text("utf-8") == BROKEN
    kept.unlink()


def test_a_file_is_saved_as_a_template_and_stays(tmp_path: Path) -> None:
    opened = door()
    path = tmp_path / "mine.md"
    path.write_text("{{ text }}", encoding="utf-8")
    opened.says("templates", "edit", "summary", "--file", str(path))
    assert opened.json("templates", "show", "summary")["text"] == "{{ text }}"
    path.write_text("{{ text ", encoding="utf-8")
    code, error = opened.error("templates", "edit", "summary", "--file", str(path))
    assert (code, "kept" in error) == (4, False)
    assert path.read_text("utf-8") == "{{ text "
    assert opened.error("templates", "edit", "meta", "--file", "none.md")[1]["type"] == (
        "FileUnreadable"
    )


def test_check_does_not_speak_of_saving_what_it_never_saves() -> None:
    done = door().run("templates", "check", "master", "--text", "{{ nope }}")
    assert "Correct it: only a template that passes this check can be saved." in done.stderr
    assert "not saved" not in done.stderr
