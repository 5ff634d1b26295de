"""One tool: its name and texts, its arguments, its output schema, and its function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine import MergeError

from .results import DEFAULT_LIMIT, LARGEST_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .shapes import Schema
    from .workspace import Workspace

SERVER_SIDE = "server-side"
METHODS = ("client-side", SERVER_SIDE)
"""The values of the argument method."""
LONGEST_ARGUMENT = 1000
"""Maximum characters of a text argument that is not a document."""
MOST_PATHS = 50
_KINDS = {"text": "text", "document": "text", "paths": "a list of texts", "flag": "true or false"}
_TYPES: dict[str, Schema] = {
    "text": {"type": "string", "maxLength": LONGEST_ARGUMENT},
    "document": {"type": "string"},
    "paths": {"type": "array", "items": {"type": "string"}, "maxItems": MOST_PATHS},
    "flag": {"type": "boolean"},
    "number": {"type": "integer"},
}


@dataclass(frozen=True)
class Argument:
    """An argument of a tool. `kind` is text, document, paths, flag or number."""

    name: str
    text: str
    kind: str = "text"
    required: bool = False
    choices: tuple[str, ...] = ()
    most: int = 0
    """The maximum of a number; the minimum is 1."""

    @property
    def schema(self) -> Schema:
        """The argument in an input schema."""
        more: Schema = {"enum": [*self.choices]} if self.choices else {}
        more |= {"minimum": 1, "maximum": self.most} if self.most else {}
        return {**_TYPES[self.kind], **more, "description": self.text}

    def checked(self, value: Any) -> Any:
        """The value. A value of another type is an error."""
        problem = self._problem(value)
        if problem:
            raise MergeError(f"the argument {self.name} {problem}")
        return value

    def _problem(self, value: Any) -> str:
        if self.kind == "number":
            is_number = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= self.most
            return "" if is_number else f"is not a number from 1 to {self.most}"
        if not self._fits(value):
            return f"is not {_KINDS[self.kind]}"
        if self.choices and value not in self.choices:
            return f"is not one of {', '.join(self.choices)}"
        if self.kind == "text" and len(value) > LONGEST_ARGUMENT:
            return f"has more than {LONGEST_ARGUMENT} characters"
        if self.kind == "paths" and len(value) > MOST_PATHS:
            return f"has more than {MOST_PATHS} paths. Pass a folder instead"
        return ""

    def _fits(self, value: Any) -> bool:
        if self.kind == "flag":
            return isinstance(value, bool)
        if self.kind == "paths":
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        return isinstance(value, str)


@dataclass(frozen=True)
class Tool:
    """A tool. `text` describes its result, and when to use it instead of another one."""

    name: str
    title: str
    text: str
    arguments: tuple[Argument, ...]
    output: Schema
    run: Callable[[Workspace], dict[str, Any]] = field(repr=False)

    @property
    def input_schema(self) -> Schema:
        """The schema of the arguments."""
        found: Schema = {
            "type": "object",
            "properties": {one.name: one.schema for one in self.arguments},
            "additionalProperties": False,
        }
        required = [one.name for one in self.arguments if one.required]
        return {**found, "required": required} if required else found

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments without nulls. An unknown, missing or unsuitable one is an error."""
        known = {one.name: one for one in self.arguments}
        given = {name: value for name, value in arguments.items() if value is not None}
        for name in given:
            if name not in known:
                raise MergeError(f"{self.name} has no argument {name!r}. It has {', '.join(known)}")
        for one in self.arguments:
            if one.required and one.name not in given:
                raise MergeError(f"{self.name} requires the argument {one.name}")
        return {name: known[name].checked(value) for name, value in given.items()}


# ---- arguments that several tools share -----------------------------------------------------------------------------


def files_of(name: str) -> Argument:
    """The argument with the files of a document argument."""
    return Argument(f"{name}_files", f"Instead of `{name}`: paths of files or folders, relative to the root.", "paths")


CONFIG = (
    Argument("config", "The manifests to apply: YAML or JSON, one or several documents.", "document"),
    files_of("config"),
)
_LIVE = (
    "The live objects: YAML or JSON of `kubectl get -o yaml --show-managed-fields`. Without managedFields, owners are "
    "unknown. Default:"
)
LIVE = (
    Argument(
        "live",
        f"{_LIVE} the cluster that the server was started with; without one, every object counts as new.",
        "document",
    ),
    files_of("live"),
)
PASSED_LIVE = (
    Argument("live", f"{_LIVE} every object counts as new, because this tool reads no cluster.", "document"),
    files_of("live"),
)
CRDS = (
    Argument("crds", "CustomResourceDefinitions of the custom resources: YAML or JSON.", "document"),
    files_of("crds"),
)
_DEFAULT_RELEASE = "Default: the release of the server's option --release, else the newest."
RELEASE = Argument("release", f"The Kubernetes release, such as 1.34. {_DEFAULT_RELEASE}")
RELEASES = Argument("release", f"The release, such as 1.34, or a range, such as 1.33..1.37. {_DEFAULT_RELEASE}")
NAMESPACE = Argument("namespace", "The namespace of objects that name none.")
MANAGER = Argument("manager", "The field manager of the apply. Default: that of kubectl.")
LIMIT = Argument("limit", f"Maximum elements of each list. Default: {DEFAULT_LIMIT}.", "number", most=LARGEST_LIMIT)
PAIRS = (*CONFIG, *LIVE, *CRDS, NAMESPACE)
OBJECTS = (*PAIRS, RELEASE)
