"""A page for each lint code, to which lint output links, and the table of all codes."""

from __future__ import annotations

import re

from kubemerge.linting.gate.rules import ALL as RULES
from tests.docs.lint_page import lint_page

from .kind_pages import ORPHAN

SEE = "See [all codes](../lint.md), and [how to lint a repository](../how-to/lint-a-repository.md).\n"
YAML = "```yaml"
EXAMPLE = """\
An example, without `apiVersion`, `kind` and the name; `result` is the object after the apply:

"""
_SECTION = re.compile(r"^## (KM\d+) ([\w-]+)\n", re.MULTILINE)


def pages() -> dict[str, str]:
    """The pages by name: sections of docs/lint.md, which stays one page in the repository."""
    head, *rest = _SECTION.split(lint_page())
    sections = list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
    made = {"lint.md": _without_examples(head)}
    for code, slug, text in sections:
        body = text.strip().replace(YAML, EXAMPLE + YAML, 1)
        made[f"lint/{code}.md"] = f"{ORPHAN}# {code} {slug}\n\nSeverity: {RULES[code].severity}\n\n{body}\n\n{SEE}"
    return made


def _without_examples(head: str) -> str:
    """The head of the page without the sentence about the examples of its sections."""
    before, found, _ = head.partition("\nEach section has an example")
    return before.replace("The section of a rule describes", "The page of a rule describes") + ("\n" if found else "")
