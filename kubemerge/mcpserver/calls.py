"""One call of a tool: its result as JSON data, or its error as one sentence."""

from __future__ import annotations

import json
import logging
import re
import traceback
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ..apiserver.text.text import inert, shown
from .foreign import ForeignTexts, cut_sentence, escaped
from .results import LONGEST_SENTENCE, fitted
from .tool import LONGEST_ARGUMENT
from .tools import TOOLS
from .workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .workspace import Settings

TOO_LARGE = "the documents are nested too deeply or are too large. Pass a smaller part"


class Response(NamedTuple):
    """The response to a call: the result, or the error sentence."""

    result: dict[str, Any] | None
    error: str = ""

    @property
    def text(self) -> str:
        """The response as JSON text. In an error, too, texts of objects are within a JSON string."""
        return json.dumps({"error": self.error} if self.result is None else self.result, ensure_ascii=False)


def call(settings: Settings, name: str, arguments: Mapping[str, Any]) -> Response:
    """Call a tool. Nothing is written, and no exception is raised."""
    tool = TOOLS.get(name)
    if tool is None:
        return _failed(f"unknown tool {name!r}. Use one of {', '.join(TOOLS)}")
    foreign = ForeignTexts()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Workspace(settings, tool.checked(arguments)) as workspace:
                foreign = workspace.foreign
                return Response(fitted(tool.run(workspace), workspace.limit, foreign))
    except MergeError as error:
        return _failed(str(error), foreign, arguments)
    except (RecursionError, MemoryError):
        return _failed(TOO_LARGE)
    except Exception as error:
        logging.getLogger(__name__).error("%s", inert(traceback.format_exc()))
        return _failed(f"this is a bug in kubemerge ({type(error).__name__}). The details are in the log of the server")


_ARGUMENTS = {
    "--schema": "crds",
    "--settings": "tool_objects",
    "--release-secret": "tool_objects",
    "--as": "tool",
    "-n": "namespace",
    "-f": "config",
}
"""The arguments that stand for options of commands. Any other argument has the name of its option."""
_SAME = ("server-side", "force-conflicts", "release-name", "namespace", "live", "release", "severity")
_NAMES = "|".join([*_ARGUMENTS, *[f"--{one}" for one in _SAME]])
_OPTION = re.compile(rf"(?<![^\s(])({_NAMES})(?![\w-])( (FILE|NAME|SOURCE)\b)?")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|(?<!\w)'[^']*'|`[^`]*`")


def _with_arguments(sentence: str, foreign: Iterable[str]) -> str:
    """The sentence with arguments instead of options. Quotes, commands and foreign texts stay as they are."""
    kept = "|".join([_QUOTED.pattern, *[re.escape(one) for one in sorted(foreign, key=len, reverse=True) if one]])
    option = re.compile(rf"(?P<kept>{kept})|(?P<option>{_OPTION.pattern})")
    return option.sub(lambda found: found["kept"] or _as_argument(found["option"]), sentence)


def _with_hyphens(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Short arguments that may look like options, such as paths."""
    for value in arguments.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and "-" in one and len(one) <= LONGEST_ARGUMENT:
                yield one


def _as_argument(option: str) -> str:
    name = option.partition(" ")[0]
    return _ARGUMENTS.get(name, name[2:].replace("-", "_"))


def _failed(sentence: str, foreign: ForeignTexts | None = None, arguments: Mapping[str, Any] | None = None) -> Response:
    sentence = shown(sentence)[: 2 * LONGEST_SENTENCE]
    if foreign is not None and arguments is not None:
        sentence = _with_arguments(foreign.quoted_in(sentence), _with_hyphens(arguments))
    return Response(None, cut_sentence(escaped(sentence), LONGEST_SENTENCE))
