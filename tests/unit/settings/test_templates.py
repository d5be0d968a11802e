"""The built-in templates are in the package."""

from foreword.prompts.templates import TemplateName
from foreword.settings.templates import builtin_templates


def test_every_template_has_a_built_in_text() -> None:
    texts = builtin_templates()
    assert set(texts) == set(TemplateName)
    assert [name for name, text in texts.items() if not text.strip()] == []


def test_the_built_in_texts_are_read_once() -> None:
    assert builtin_templates() is builtin_templates()
