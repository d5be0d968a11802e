"""The site: built as readers get it, and complete without another host."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import PAGES, ROOT

CONFIG = ROOT / "zensical.toml"
READ_WITH_IT = ("src", "examples", "benchmarks")
OUTSIDE = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio)\b[^>]*?\b(?:src|srcset|href)=[\"']?"
    r"(?:https?:)?//[^\s>\"']+"
)
"""What a browser would fetch from elsewhere by itself; links that a reader follows are none."""

STYLE_OUTSIDE = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\"']+")


def test_the_site_builds_without_a_warning_and_asks_no_other_host(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(CONFIG, tmp_path)
    for name in READ_WITH_IT:
        (tmp_path / name).symlink_to(ROOT / name)
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(PAGES)
    asked = [found for page in pages for found in OUTSIDE.findall(page.read_text("utf-8"))]
    styles = (tmp_path / "site").rglob("*.css")
    asked += [
        found for style in styles for found in STYLE_OUTSIDE.findall(style.read_text("utf-8"))
    ]
    assert asked == []


def test_every_page_has_its_place_in_the_navigation() -> None:
    navigation = tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"]
    there = sorted(page.relative_to(ROOT / "docs").as_posix() for page in PAGES)
    assert sorted(pages_in(navigation)) == there


def pages_in(entries: list[object]) -> Iterator[str]:
    """Yield the files that a list of the navigation names, however deep."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            for below in entry.values():
                yield from pages_in(below if isinstance(below, list) else [below])
