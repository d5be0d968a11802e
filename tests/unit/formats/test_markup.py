"""Markup to text: what readers see of a page, whatever its tags are like."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.formats.chapters import Kind, parts_of
from foreword.formats.markup import tags_of
from foreword.formats.markup_text import DEEPEST, page_of


def told(markup: str) -> str:
    """Return what a page says, its blocks joined as in one turn."""
    return "\n\n".join(parts_of(page_of(markup).blocks))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a\n  b</p><p>c</p>", "a b\n\nc"),
        ("<p>a<br/>b<br/><br/>c</p>", "a\nb\n\nc"),
        ("<p>He <em>really </em>ran, <b>no</b>.</p>", "He *really* ran, **no**."),
        ("<p><i>re</i>done <i>—</i> <b><i>both</i></b></p>", "*re*done — ***both***"),
        ("<i><p>one<br/>two</p><p>three</p></i>", "*one*\n*two*\n\n*three*"),
        ("<h2>Two <b>b</b><br/>c</h2><p>word</p>", "## Two b c\n\nword"),
        ("<p>a word</p><hr/><p>b word</p>", "a word\n\n* * *\n\nb word"),
        ("<p><span>A</span>corn</p>", "Acorn"),
        ("<p><img alt='A'/>corn <img alt='a map'/></p>", "Acorn"),
        ("<h2><img alt='Chapter One'/></h2><p>a b</p>", "## Chapter One\n\na b"),
        ("<ul><li>a</li><li>b c</li></ul><p>d e</p>", "- a\n- b c\n\nd e"),
        ("<ul><li><p>a b</p></li><li><p>c d</p></li></ul>", "- a b\n\n- c d"),
        ("<ol start='3'><li>a b<ul><li>c</li></ul></li><li value='9'>d</li></ol>",
         "3. a b\n  - c\n9. d"),
        ("<ul><li></li></ul><p>a b</p>", "a b"),
        ("<ul><li>a b<p>c d</p></li></ul>", "- a b\n\n  c d"),
        ("<blockquote><p>a b<br>c</p></blockquote>", "> a b\n> c"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"),
        ("<table><tr><td><p>a b</p><p>c d</p></td></tr></table>", "a b\n\nc d"),
        ("<pre>\na\n\n  b \n</pre>", "a\n\n  b"),
        ("<dl><dt>a b</dt><dd>c d</dd></dl>", "a b\n\nc d"),
        ("<p>a<a epub:type='noteref' href='#n'>1</a>b<sup><a href='#n'> [2] </a></sup></p>",
         "a[1]b [2]"),
        ("<p>1<sup>st</sup></p><aside>note <a role='doc-backlink'>x</a></aside>", "1st\n\nnote"),
        ("<p>x<span epub:type='pagebreak'>12</span>y z</p>", "xy z"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢字"),
        ("<math alttext='x^2'><mi>x</mi></math> <math><mi>y</mi></math>", "x^2 y"),
        ("<p>soft\N{SOFT HYPHEN}ly</p><p>&nbsp;</p><p>a&amp;b &lt; c</p>", "softly\n\na&b < c"),
        ("<![CDATA[a < b]]> <!-- no <p>no</p> --><?php no ?>c", "a < b c"),
        ("<svg><text>no</text><image/></svg><video>no</video><p>a b</p>", "a b"),
        ("<title/><script/><style/><p/>a b", "a b"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_readers_see_comes_out(markup: str, text: str) -> None:
    assert told(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a b<p><i>c d<p>e f", "a b\n\n*c d*\n\ne f"),
        ("<li>a b<li>c d", "a b\n\nc d"),
        ("<ul><li>a b<li>c d<p>e f</ul>g h", "- a b\n- c d\n\n  e f\n\ng h"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a | b\nc"),
        ("</p></div>a b</i></p>", "a b"),
        ("<p>a < b && c > d <3</p>", "a < b && c > d <3"),
        ('<p class="x>a b</p>', "a b"),
        ("<p title='a > b'>c d</p>", "c d"),
        ("<P CLASS=x>a <EM>b</EM></P>", "a *b*"),
        ("a b <!-- not closed <p>c d</p>", "a b not closed\n\nc d"),
        ("<!DOCTYPE a [ <p>a b</p>", "a b"),
        ("a b<", "a b<"),
    ],
)
def test_broken_markup_is_read_as_far_as_it_goes(markup: str, text: str) -> None:
    assert told(markup) == text


def test_what_is_left_out_is_counted() -> None:
    page = page_of(
        "<nav>x</nav><video/><ruby>a<rt>b</rt></ruby><i epub:type='pagebreak'/><img alt='a map'/>"
        "<img/><body epub:type='Cover x'>c</body>"
    )
    assert dict(page.left) == {
        "lists of contents": 1,
        "sounds, films or other things to play": 1,
        "readings beside signs (ruby)": 1,
    }
    assert (page.pictures, page.kinds) == (["a map", ""], {"cover", "x"})


def test_lines_that_stand_for_a_break_or_a_chapter_are_that() -> None:
    found = page_of("<p>* * *</p><p>⁂</p><p>Chapter One</p><p>IV</p><li>IV</li><p>“…”</p>")
    kinds = [Kind.BREAK, Kind.BREAK, Kind.HEADING, Kind.HEADING, Kind.HEADING, Kind.PROSE]
    assert [block.kind for block in found.blocks] == kinds


def test_elements_nested_without_end_are_read() -> None:
    depth = DEEPEST * 50
    text = told("<div>" * depth + "a b" + "</div>" * depth + "<p><i>c d</i></p>")
    assert text == "a b\n\n*c d*"
    assert told("<blockquote><ul><li>" * 9 + "a b") == "> > > >       - a b"


@pytest.mark.parametrize(
    "markup",
    [
        "<a " * 50_000,
        "<a b='" * 50_000,
        '<a b="' * 50_000,
        "<" * 100_000,
        "<!" * 50_000,
        "<!--" * 50_000,
        "<!doctype a" * 30_000,
        "<!doctype a[" * 30_000,
        "<![CDATA[" * 30_000,
        "<a" + "a" * 100_000,
        "<a " + "a" * 100_000,
        "<a" + " " * 100_000,
        "&" * 100_000,
        "&#" * 50_000,
        "<i>" * 50_000,
        "<p>" * 30_000,
        "</p>" * 50_000,
        "<p><b>" * 30_000,
        "<a b" + " c" * 50_000 + ">",
        "<a b=" + "=" * 100_000 + ">",
    ],
    ids=lambda markup: markup[:12],
)
def test_markup_made_to_keep_a_parser_busy_is_read(markup: str) -> None:
    assert "end of it" in told(f"{markup} <p>end of it</p>")


@given(
    st.lists(
        st.sampled_from(
            ["<", ">", "/", "p", "i", "!", "--", "[", "]", "'", '"', "=", " ", "&", ";", "é"]
        )
    )
)
def test_any_signs_give_tags_and_texts(signs: list[str]) -> None:
    text = "".join(signs)
    assert all(isinstance(block.text, str) for block in page_of(text).blocks)
    plain = text.replace("<", "").replace("&", "")
    assert "".join(one for one in tags_of(plain) if isinstance(one, str)) == plain


@given(
    st.lists(
        st.sampled_from(
            "<p> </p> <i> </i> <ul> </ul> <li> </li> <table> <tr> <td> </td> </table> <h1> </h1> "
            "<pre> </pre> <blockquote> </blockquote> <div> </div> <br/> <sup> <a> </a> word".split()
        )
    )
)
def test_no_word_is_lost_between_any_tags(pieces: list[str]) -> None:
    markup = " ".join(f"w{place}" if one == "word" else one for place, one in enumerate(pieces))
    assert re.findall(r"w\d+", told(markup)) == re.findall(r"w\d+", markup)
