"""What ruff cannot enforce: sizes, module docstrings, names, and what the lock files may hold."""

import ast
import re
import socket
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import foreword

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
DRAWER_NAMES = {"base", "common", "core", "helper", "helpers", "manager", "misc", "util", "utils"}
PINNED = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def nodes_of(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text("utf-8")))


def long_functions(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{name_of(path)}:{node.lineno} {node.name}: {lines} lines"


def patched_attributes(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and node.attr == "setattr":
            yield f"{name_of(path)}:{node.lineno}"


def pinned_in(lock: str) -> dict[str, str]:
    return dict(PINNED.findall((ROOT / lock).read_text("utf-8")))


def test_no_source_file_is_longer_than_400_lines() -> None:
    sizes = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: size for name, size in sizes.items() if size > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    assert [found for path in SOURCES for found in long_functions(path)] == []


def test_every_module_says_what_it_is() -> None:
    trees = {name_of(path): ast.parse(path.read_text("utf-8")) for path in SOURCES}
    assert [name for name, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_no_module_is_a_drawer_for_everything() -> None:
    parts = {name_of(path): {*path.relative_to(ROOT).parts[:-1], path.stem} for path in SOURCES}
    assert [name for name, names in parts.items() if names & DRAWER_NAMES] == []


def test_no_test_patches_attributes() -> None:
    assert [found for path in TESTS for found in patched_attributes(path)] == []


@pytest.mark.parametrize("lock", ["", "-dev", "-model", "-bench"])
def test_a_lock_file_names_no_host(lock: str) -> None:
    text = (ROOT / f"requirements{lock}.lock").read_text("utf-8")
    assert [line for line in text.splitlines() if "://" in line or line.startswith("-")] == []


def test_what_the_product_needs_is_the_same_in_development() -> None:
    product, development = pinned_in("requirements.lock"), pinned_in("requirements-dev.lock")
    assert product
    assert {name: development.get(name) for name in product} == product


def test_the_package_says_the_version_it_was_installed_as() -> None:
    assert foreword.__version__ == version("foreword")


def test_a_test_cannot_leave_this_machine() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection,
        pytest.raises(RuntimeError, match=r"tests may not reach '192\.0\.2\.1'"),
    ):
        connection.connect(("192.0.2.1", 80))
