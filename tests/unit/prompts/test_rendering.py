"""Templates: what is accepted, what is refused and where, and that nothing accepted can break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.errors import TemplateInvalid
from foreword.prompts.checking import FILTERS
from foreword.prompts.rendering import MAX_TEMPLATE_CHARS, compile_template
from foreword.prompts.variables import SPELLINGS, VARIABLES, TemplateValues

ANY_TEXT = st.text(st.characters(), max_size=60)
ANY_VALUES = st.builds(TemplateValues, **dict.fromkeys(VARIABLES, ANY_TEXT))


def rendered(text: str, values: TemplateValues | None = None) -> str:
    return compile_template("summary", text).render(values or TemplateValues())


def refusal(text: str) -> tuple[int, str]:
    with pytest.raises(TemplateInvalid) as refused:
        compile_template("summary", text)
    assert refused.value.name == "summary"
    return refused.value.line, refused.value.reason


@given(template=st.sampled_from(sorted(VARIABLES)), value=ANY_TEXT)
def test_a_value_stands_in_the_text_word_for_word(template: str, value: str) -> None:
    text = rendered(f"<{{{{ {template} }}}}>", TemplateValues(**{template: value}))
    assert text == ("<>" if value.isspace() else f"<{value}>")


@pytest.mark.parametrize(
    "value", ["{{ char }}", "{% if user %}", "{# gone #}", "{% raw %}", "{{", "<b>&</b>", "%}"]
)
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    assert rendered("{{ text }}", TemplateValues(text=value, char="Ada")) == value


@given(values=ANY_VALUES)
def test_the_same_values_give_the_same_text(values: TemplateValues) -> None:
    text = "".join(f"{{{{ {spelling} }}}}\n" for spelling in sorted(SPELLINGS))
    assert rendered(text, values) == rendered(text + "\n", values)


@pytest.mark.parametrize(
    ("spelling", "variable"),
    [
        ("summaryBlocks", "summary_blocks"),
        ("backgroundLore", "background_lore"),
        ("narrativePov", "narrative_pov"),
        ("narrativeTense", "narrative_tense"),
        ("sceneTime", "scene_time"),
        ("targetWords", "target_words"),
        ("summaryception_memory", "summaries"),
        ("summaries", "summaries"),
    ],
)
def test_each_variable_answers_to_the_spellings_of_other_programs(
    spelling: str, variable: str
) -> None:
    assert rendered(f"{{{{{spelling}}}}}", TemplateValues(**{variable: "here"})) == "here"


def test_a_blank_value_counts_as_none() -> None:
    text = "{% if facts %}Facts: {{ facts }}{% else %}no facts{% endif %}"
    assert rendered(text, TemplateValues(facts=" \n\t ")) == "no facts"


def test_tags_on_lines_of_their_own_leave_no_line() -> None:
    text = "one\n  {% if char %}\ntwo\n  {% endif %}\nthree\n"
    assert rendered(text, TemplateValues(char="Ada")) == "one\ntwo\nthree"
    assert rendered(text) == "one\nthree"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('{{ char or "somebody" }}', "somebody"),
        ('{{ "with" if text is defined and not char else "without" }}', "with"),
        ("{% if text | length > 3 %}long{% elif text %}short{% endif %}", "long"),
        ("{% if 1 < text | length <= 5.5 %}five{% endif %}", "five"),
        ('{% if "ell" in text and "x" not in text %}in{% endif %}', "in"),
        ('{{ text == "hello" }}{{ true }}', "TrueTrue"),
        ("{{ text | trim | upper }}{{ text|wordcount }}", "HELLO1"),
        ("{% raw %}{{ text }}{% endraw %}{# never seen #}", "{{ text }}"),
    ],
)
def test_conditions_and_filters_do_what_jinja_documents(text: str, result: str) -> None:
    assert rendered(text, TemplateValues(text="hello")) == result


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a\nb {% if text %}", 2, "Unexpected end of template"),
        ("a\n\n{{ text", 3, "unexpected end of template"),
        ("{% frobnicate %}", 1, "unknown tag 'frobnicate'"),
        ("a\n{{#if lore}}x{{/if}}", 2, "written {% if char %} … {% endif %} here"),
        ("a\n{{ summariez }}", 2, "no variable 'summariez' (did you mean {{ summaries }}?)"),
        ("{{ NarrativePOV }}", 1, "did you mean {{ narrativePov }}?"),
        ("{{ zzzzzzzzz }}", 1, "there is no variable 'zzzzzzzzz'"),
        ("{% if char %}\n{{ user if char else systemm }}{% endif %}", 2, "{{ system }}"),
        ("\n{{ text | attr('x') }}", 2, "no filter 'attr'; there are: trim,"),
        ('{{ user | default("you") }}', 1, 'write {{ user or "you" }}'),
        ("{{ text | trim('x') }}", 1, "the filter 'trim' takes nothing in brackets"),
        ("{{ text | trim(*text) }}", 1, "the filter 'trim' takes nothing in brackets"),
        ("{{ text | length | upper }}", 1, "'upper' needs a text, not a number"),
        ("{{ text > 3 }}", 1, "a comparison of sizes needs a number, not a text"),
        ("{{ 3 in text }}", 1, "'in' needs a text, not a number"),
        ("{{ (text or 3) in text }}", 1, "'in' needs a text, not a yes or no"),
        ("{{ 'a' if char }}", 1, "needs an 'else'"),
        ("{{ none }}", 1, "'none' is not available"),
        ("{{ text is odd }}", 1, "tests other than 'is defined'"),
        ("{{ text.upper() }}", 1, "calls"),
        ("{{ text.__class__ }}", 1, "attributes"),
        ("{{ text['__class__'] }}", 1, "parts of a variable"),
        ("{% include 'x' %}", 1, "other templates"),
        ("{% import 'x' as x %}", 1, "other templates"),
        ("{% from 'x' import x %}", 1, "other templates"),
        ("{% extends 'x' %}", 1, "other templates"),
        ("{% block x %}{% endblock %}", 1, "blocks"),
        ("{% set x = 'y' %}", 1, "{% set %}"),
        ("{% set x %}{% endset %}", 1, "{% set %}"),
        ("{% with x = 'y' %}{% endwith %}", 1, "{% with %}"),
        ("{% filter upper %}{% endfilter %}", 1, "{% filter %}"),
        ("{{ text ~ text }}", 1, "one {{ … }} after the other"),
        ("{{ [text] }}", 1, "lists or tables"),
        ("", 0, "it is empty"),
        (" \n ", 0, "it is empty"),
    ],
)
def test_a_template_that_would_break_is_refused_with_its_line(
    text: str, line: int, reason: str
) -> None:
    found_line, found_reason = refusal(text)
    assert found_line == line
    assert reason in found_reason


@pytest.mark.parametrize(
    ("text", "line", "column", "shown"),
    [
        ("a\nSay {{ summariez }}\nb", 2, 8, "Say {{ summariez }}"),
        ("{{ text | nope }} {{ nope }}", 1, 11, "{{ text | nope }} {{ nope }}"),
        ("{{ text | trim }} {{ trim }}", 1, 22, "{{ text | trim }} {{ trim }}"),
        ("  {%- if text -%}  {{ zy }}{% endif %}", 1, 23, "  {%- if text -%}  {{ zy }}{% endif %}"),
        ("{# one\n#}{# zy #}{% raw %}{{ zy }}{% endraw %}{{ zy }}", 2, 43, None),
        ("a\r\nb\rc {{ text x }}", 3, 11, "c {{ text x }}"),
        ("{% frobnicate %}", 1, 4, "{% frobnicate %}"),
        ("{{ char }} {{ text ! }}", 1, 20, "{{ char }} {{ text ! }}"),
        ("\n{{ 'never closed }}", 2, 4, "{{ 'never closed }}"),
        ("{{ text.upper() }}", 1, 1, "{{ text.upper() }}"),
        ("{{ char }} {{ text.upper() }}", 1, 0, "{{ char }} {{ text.upper() }}"),
        ("{{ char\n or 1 + 1 }}", 2, 0, " or 1 + 1 }}"),
        ("a\nb {% if text %}", 2, 0, "b {% if text %}"),
        ("{{ text", 1, 0, "{{ text"),
        (" \n ", 0, 0, ""),
    ],
)
def test_a_refusal_shows_the_line_and_tells_the_column_where_it_is_certain(
    text: str, line: int, column: int, shown: str | None
) -> None:
    with pytest.raises(TemplateInvalid) as refused:
        compile_template("summary", text)
    error = refused.value
    expected = text.split("\n")[line - 1] if shown is None else shown
    assert (error.line, error.column, error.shown) == (line, column, expected)


def test_an_unknown_variable_is_told_with_those_there_are() -> None:
    assert refusal("{{ txet }}")[1] == (
        "there is no variable 'txet' (did you mean {{ text }}?); there are: " + ", ".join(VARIABLES)
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{% for i in range(10**9) %}x{% endfor %}", "loops"),
        ("{% for i in range(9) %}{% for j in range(9) %}{% endfor %}{% endfor %}", "loops"),
        ("{{ range(10**9) }}", "calls"),
        ("{{ 'x' * 10**10 }}", "arithmetic"),
        ("{{ 9 ** 9 ** 9 }}", "arithmetic"),
        ("{{ -1 }}", "arithmetic"),
        ("{{ '%999999999d' % 1 }}", "arithmetic"),
        ("{{ text | center(10**9) }}", "no filter 'center'"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "macros"),
        ("{% call m() %}{% endcall %}", "macros"),
        ("{{ " + "(" * 5000 + "text" + ")" * 5000 + " }}", "nested too deeply"),
        ("{{ " + "1 + " * 20_000 + "1 }}", "nested too deeply"),
        ("{{ text" + " | upper" * 5000 + " }}", "nested too deeply"),
        ("{% if char %}" * 50 + "{% endif %}" * 50, "nested too deeply"),
        ("{{ char }}x" * 5000, "more than 4000 tags and texts"),
        ("{{ text }}" * 17, "{{ text }} is used more than 16 times"),
        ("{{ char }}" * 401, "{{ char }} is used more than 400 times"),
        ("{{ summaries }}" * 16 + "{{ summaryception_memory }}", "more than 16 times"),
        ("{{ " + "9" * 5000 + " }}", "a number with too many digits"),
        ("x" * (MAX_TEMPLATE_CHARS + 1), "longer than 100000 characters"),
    ],
)
def test_a_hostile_template_is_refused_before_it_runs(text: str, reason: str) -> None:
    assert reason in refusal(text)[1]


def test_the_largest_accepted_shapes_render() -> None:
    deep = "{% if char %}" * 38 + "x" + "{% endif %}" * 38
    wide = "{% if char %}a" + "{% elif 'u' %}b" * 900 + "{% endif %}"
    assert (rendered(deep, TemplateValues(char="Ada")), rendered(wide)) == ("x", "b")


def expressions() -> st.SearchStrategy[str]:
    leaves = st.sampled_from([*SPELLINGS, "'a'", '"{{"', "1", "2.5", "true", "none", "oops"])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds("({} | {})".format, inner, st.sampled_from([*FILTERS, "first"])),
            st.builds(
                "({} {} {})".format,
                inner,
                st.sampled_from(["==", "<", ">=", "in", "not in", "and", "or", "+", "~", "*"]),
                inner,
            ),
            st.builds("({} if {} else {})".format, inner, inner, inner),
            st.builds("(not {})".format, inner),
            st.builds("({} is defined)".format, inner),
        ),
        max_leaves=5,
    )


def templates() -> st.SearchStrategy[str]:
    texts = st.text(alphabet="ab \n{}%#-", max_size=6)
    return st.recursive(
        st.one_of(texts, st.builds("{{{{ {} }}}}".format, expressions())),
        lambda inner: st.one_of(
            st.builds(
                "{{% if {} %}}{}{{% else %}}{}{{% endif %}}".format, expressions(), inner, inner
            ),
            st.builds("{{%- if {} -%}}{}{{% endif +%}}".format, expressions(), inner),
            st.builds("{}{}".format, inner, inner),
        ),
        max_leaves=5,
    )


@given(text=templates(), values=ANY_VALUES)
def test_an_accepted_template_renders_for_all_values(text: str, values: TemplateValues) -> None:
    try:
        template = compile_template("master", text)
    except TemplateInvalid:
        return
    assert template.render(values) == template.render(values)


@given(text=templates())
def test_a_refusal_points_into_the_template(text: str) -> None:
    error, lines = refused(text), ["", *text.split("\n")]
    if error is not None:
        assert 0 <= error.column <= len(error.shown) + 1
        assert error.shown == lines[error.line]


def refused(text: str) -> TemplateInvalid | None:
    try:
        compile_template("master", text)
    except TemplateInvalid as error:
        return error
    return None


TOKENS = "{{ }} {% %} {# #} if else endif for in x text | upper ( ) . [ ] ' ' - + ~ set =".split()


@given(text=st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join))
def test_scrambled_tags_are_refused_or_render(text: str) -> None:
    try:
        template = compile_template("meta", text)
    except TemplateInvalid:
        return
    assert template.render(TemplateValues()) == template.render(TemplateValues())
