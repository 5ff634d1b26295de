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
from .tools import TOOLS
from .workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        return _failed(str(error), foreign)
    except (RecursionError, MemoryError):
        return _failed(TOO_LARGE)
    except Exception as error:
        logging.getLogger(__name__).error("%s", inert(traceback.format_exc()))
        return _failed(f"this is a bug in kubemerge ({type(error).__name__}). The details are in the log of the server")


_OPTION = re.compile(r"--(schema|settings|release-secret|release-name|namespace|live|release)\b( (FILE|NAME|SOURCE))?")
_ARGUMENTS = {"schema": "crds", "settings": "tool_objects", "release-secret": "tool_objects"}
"""The arguments that stand for options of commands. Any other argument has the name of its option."""


def _as_argument(option: re.Match[str]) -> str:
    name = option[1]
    return _ARGUMENTS.get(name, name.replace("-", "_"))


def _failed(sentence: str, foreign: ForeignTexts | None = None) -> Response:
    sentence = shown(_OPTION.sub(_as_argument, sentence))[: 2 * LONGEST_SENTENCE]
    quoted = foreign.quoted_in(sentence) if foreign else sentence
    return Response(None, cut_sentence(escaped(quoted), LONGEST_SENTENCE))
