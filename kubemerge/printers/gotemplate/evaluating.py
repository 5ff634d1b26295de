"""Evaluate a template on an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.text.go_text import quoted
from .functions import AT_LEAST, FUNCTIONS, MISSING, TAKES, BadCall, printed, truth
from .lexing import BadTemplate, line_of
from .nodes import Action, Branch, Command, Dot, FieldNode, Function, Jump, Literal, Pipeline, Text, Variable
from .parsing import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST = 20
"""Maximum number of characters shown of a failing part."""


class _Jumped(Exception):
    def __init__(self, word: str) -> None:
        self.word = word


def template(text: str, *, missing_is_empty: bool = True) -> Callable[[Any], str]:
    """A function that prints an object by this template. Raise BadTemplate for an invalid template."""
    try:
        nodes = parse(text)
    except BadTemplate as error:
        raise BadTemplate(f"error parsing template {text}, {error}") from None

    def print_(value: Any) -> str:
        run = _Run(text, missing_is_empty)
        try:
            run.walk(nodes, run.variables[0][1], first=value)
        except BadTemplate as error:
            raise BadTemplate(f"error executing template {quoted(text)}: {error}") from None
        return "".join(run.out)

    return print_


class _Run:
    """One execution: the output so far, and the variables in order of declaration."""

    def __init__(self, text: str, missing_is_empty: bool) -> None:
        self._text, self._missing_is_empty = text, missing_is_empty
        self.out: list[str] = []
        self.variables: list[tuple[str, Any]] = [("$", None)]

    def walk(self, nodes: list[Any], dot: Any, first: Any = None) -> None:
        """Print these nodes."""
        if first is not None:
            dot, self.variables[0] = first, ("$", first)
        for node in nodes:
            if isinstance(node, Text):
                self.out.append(node.text)
            elif isinstance(node, Action):
                value = self._pipeline(node.pipeline, dot)
                if not node.pipeline.variables:
                    self.out.append(printed(value))
            elif isinstance(node, Jump):
                raise _Jumped(node.word)
            else:
                self._branch(node, dot)

    def _branch(self, node: Branch, dot: Any) -> None:
        depth = len(self.variables)
        if node.word == "range":
            self._range(node, dot)
        else:
            value = self._pipeline(node.pipeline, dot)
            taken = node.body if truth(value) else node.otherwise
            self.walk(taken, value if node.word == "with" and taken is node.body else dot)
        del self.variables[depth:]

    def _range(self, node: Branch, dot: Any) -> None:
        value = self._pipeline(node.pipeline, dot, bind=False)
        some = False
        for key, inner in self._elements(value, node):
            some = True
            depth = len(self.variables)
            names = node.pipeline.variables
            for name, bound in zip(names, (inner,) if len(names) == 1 else (key, inner), strict=False):
                self._bind(name, bound, declares=node.pipeline.declares)
            try:
                self.walk(node.body, inner)
            except _Jumped as jump:
                if jump.word == "break":
                    break
            finally:
                del self.variables[depth:]
        if not some:
            self.walk(node.otherwise, dot)

    def _elements(self, value: Any, node: Branch) -> Iterator[tuple[Any, Any]]:
        if isinstance(value, dict):
            yield from ((key, value[key]) for key in sorted(value))
        elif isinstance(value, list):
            yield from enumerate(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield from ((at, at) for at in range(value))
        elif value is not None and value is not MISSING:
            why = f"range can't iterate over {printed(value)}"
            raise self._failure(node.pipeline.commands[-1].parts[0], node.pipeline, why)

    # ---- values

    def _pipeline(self, pipeline: Pipeline, dot: Any, *, bind: bool = True) -> Any:
        value: Any = _NOTHING
        for command in pipeline.commands:
            value = self._command(command, dot, value)
        for name in pipeline.variables if bind else ():
            self._bind(name, value, declares=pipeline.declares)
        return value

    def _bind(self, name: str, value: Any, *, declares: bool) -> None:
        if declares:
            self.variables.append((name, value))
            return
        at = max(at for at, (known, _) in enumerate(self.variables) if known == name)
        self.variables[at] = (name, value)

    def _command(self, command: Command, dot: Any, last: Any) -> Any:
        first, *arguments = command.parts
        if isinstance(first, Function):
            return self._call(first, arguments, command, dot, last)
        if arguments or last is not _NOTHING:
            said = command.said.split()[0]
            raise self._failure(first, said, f"can't give argument to non-function {said}")
        if isinstance(first, Literal) and first.value is None:
            raise self._failure(first, command.said, "nil is not a command")
        return self._value(first, dot)

    def _call(self, function: Function, arguments: list[Any], command: Command, dot: Any, last: Any) -> Any:
        name = function.name
        if name in ("and", "or"):
            return self._lazily(name, arguments, dot, last)
        values = [self._value(one, dot) for one in arguments]
        values += [] if last is _NOTHING else [last]
        wanted, least = TAKES.get(name), AT_LEAST.get(name, 0)
        if (wanted is not None and len(values) != wanted) or len(values) < least:
            many = f"at least {least}" if wanted is None else str(wanted)
            raise self._failure(function, name, f"wrong number of args for {name}: want {many} got {len(values)}")
        try:
            return FUNCTIONS[name](*values)
        except BadCall as error:
            raise self._failure(function, command.said, f"error calling {name}: {error}") from None

    def _lazily(self, name: str, arguments: list[Any], dot: Any, last: Any) -> Any:
        """`and` and `or` stop at the first value that decides."""
        value: Any = MISSING
        for one in arguments:
            value = self._value(one, dot)
            if truth(value) == (name == "or"):
                return value
        return value if last is _NOTHING else last

    def _value(self, node: Any, dot: Any) -> Any:
        if isinstance(node, FieldNode):
            return self._fields(node, dot)
        if isinstance(node, Variable):
            return next(value for name, value in reversed(self.variables) if name == node.name)
        if isinstance(node, Dot):
            return dot
        if isinstance(node, Pipeline):
            return self._pipeline(node, dot)
        if isinstance(node, Function):
            return self._call(node, [], Command((node,), node.name), dot, _NOTHING)
        return node.value

    def _fields(self, node: FieldNode, dot: Any) -> Any:
        value = dot if node.of is None else self._value(node.of, dot)
        for name in node.names:
            if value is MISSING:
                if not self._missing_is_empty:
                    raise self._failure(node, node.said, f'nil data; no entry for key "{name}"')
                return MISSING
            if value is None:
                raise self._failure(node, node.said, f"nil pointer evaluating interface {{}}.{name}")
            if not isinstance(value, dict):
                raise self._failure(node, node.said, f"can't evaluate field {name} in type interface {{}}")
            value = value.get(name, MISSING)
            if value is MISSING and not self._missing_is_empty:
                raise self._failure(node, node.said, f'map has no entry for key "{name}"')
        return value

    def _failure(self, node: Any, said: Any, why: str) -> BadTemplate:
        at = _place(node)
        if isinstance(node, FieldNode) and len(node.names) > 1:
            at += len(node.names[0]) + 1
        column = at - self._text.rfind("\n", 0, at) - 1
        shown = said if isinstance(said, str) else said.commands[-1].said
        shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
        return BadTemplate(
            f'template: output:{line_of(self._text, at)}:{column}: executing "output" at <{shown}>: {why}'
        )


_NOTHING = object()
"""The marker for no value from the previous command."""


def _place(node: Any) -> int:
    if isinstance(node, Pipeline):
        return _place(node.commands[0].parts[0])
    at: int = node.at
    return at
