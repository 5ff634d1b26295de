"""The tools and the example of docs/how-to/agent.md, printed from the code and from the recorded conversation."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kubemerge.mcpserver.tools import TOOLS
from tests.kubemerge.mcpserver.recorded import CONVERSATION

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "how-to/agent.md"
TABLE = "| tool | use |\n|---|---|\n"
EXAMPLE = "\n## Example\n\n"


def page_with_tools(page: str) -> str:
    """The page with its current tools and conversation."""
    before, _, rest = page.partition(TABLE)
    rest = rest[re.match(r"(\|.*\n)*", rest).end() :]  # type: ignore[union-attr]
    page = before + TABLE + "".join(_rows()) + rest
    before, _, rest = page.partition(EXAMPLE)
    return before + EXAMPLE + "\n\n".join(_conversation()) + "\n\n## " + rest.partition("## ")[2]


def _rows() -> Iterator[str]:
    for tool in TOOLS.values():
        yield f"| `{tool.name}` | {' '.join(tool.text.split())} |\n"


def _conversation() -> Iterator[str]:
    yield f"The user: {CONVERSATION['user'].strip()}"
    for step in CONVERSATION["steps"]:
        arguments = json.dumps(step["arguments"])
        for name in (*CONVERSATION["files"], "changed"):
            arguments = arguments.replace(f'"${name}"', f"<{name}>")
        yield f"The agent calls `{step['tool']}` with `{arguments}`. {step['says']} The main parts of the result:"
        yield f"```json\n{_shown(step['result'])}\n```"
    yield f"The agent: {CONVERSATION['answer'].strip()}"
    yield (
        "`<config>` is the user's manifest, `<live>` the live object, and `<changed>` the manifest in the first "
        "result. A test runs this conversation, and applies the changed manifest to a served cluster without force."
    )


def _shown(result: Any) -> str:
    """A result with one line for each conflict, edit and change."""
    text = json.dumps(result, indent=2)
    return re.sub(r"\{\n\s+(\"(?:path|manager)\"[^{}]*?)\n\s+\}", lambda found: "{" + _one_line(found[1]) + "}", text)


def _one_line(text: str) -> str:
    return re.sub(r"\n\s+", " ", text)
