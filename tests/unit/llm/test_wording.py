from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foreword.llm.wording import MOST_CHARS, excerpt, html_words, is_html

KEY = "Zm9v/YmFy+key=="


@given(st.text(), st.text())
def test_an_excerpt_is_one_short_line_without_the_key(before: str, after: str) -> None:
    shown = excerpt(f"{before}{KEY}{after}", (KEY,))
    assert KEY not in shown
    assert len(shown) <= MOST_CHARS
    assert len(shown.splitlines()) <= 1


def test_keys_in_addresses_and_headers_are_left_out() -> None:
    assert excerpt("at https://me:pw@host/v1") == "at https://…host/v1"
    assert excerpt("Bearer abc.def and more") == "Bearer … and more"
    assert excerpt('{"x-api-key": "abcdef"}') == '{"x-api-key": "…"}'
    assert excerpt("key Zm9v%2FYmFy%2Bkey%3D%3D!", (KEY,)) == "key …!"


def test_plain_words_stay_as_they_are() -> None:
    said = "The risk-averse author asked: is 'task-oriented' prose a key to success?"
    assert excerpt(said, ("",)) == said


def test_a_page_is_named_by_its_title() -> None:
    assert html_words("<html><title> Sign\n in &lt;now&gt; </title>") == (
        "an HTML page titled 'Sign in <now>'"
    )
    assert html_words("<html><h1>502 <b>Bad</b></h1>") == "an HTML page titled '502 Bad'"
    assert html_words("<html></html>") == "an HTML page"
    assert is_html("\n<!doctype html>")
    assert is_html("<!-- x --><HTML>")
    assert not is_html("<think>")
    assert not is_html('{"html": "<html>"}')
