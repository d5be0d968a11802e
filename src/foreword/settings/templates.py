"""The built-in prompt templates, read from the package once.

Above: bootstrap, which passes them on. Below: prompts, which takes texts and reads no files.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from foreword.prompts.templates import TemplateName


@cache
def builtin_templates() -> Mapping[TemplateName, str]:
    """Return the text of every built-in template."""
    folder = files("foreword.prompts") / "templates"
    texts = {name: (folder / f"{name.value}.md").read_text("utf-8") for name in TemplateName}
    return MappingProxyType(texts)
