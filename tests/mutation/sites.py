"""Places in a module that can be damaged: each site is one small change of its text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Change = tuple[tuple[int, int], str]
    """The beginning and the end of the text, and its replacement."""

SWAPPED: dict[type[ast.AST], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.Pow: "*",
    ast.LShift: ">>",
    ast.BitOr: "&",
    ast.BitAnd: "|",
    ast.And: "or",
    ast.Or: "and",
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SKIPPED = {"__repr__", "__slots__", "__all__", "TYPE_CHECKING"}
"""Functions and names whose content no behaviour depends on."""
MESSAGES = ("engine/errors.py",)
"""Modules whose texts are sentences for people."""


@dataclass(frozen=True)
class Site:
    """One change: the text from `start` to `end` becomes `after`."""

    file: str
    function: str
    lines: tuple[int, int]
    start: int
    end: int
    line: str
    before: str
    after: str
    inside: tuple[int, ...]
    """The lines of the functions around the place, the outermost first. Code outside of them is run at import."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The parts that stay the same when lines move: the function, the line, and the change."""
        return self.function, self.line, self.change

    @property
    def change(self) -> str:
        """The change, for people."""
        return f"{one_line(self.before)} -> {one_line(self.after)}"

    def applied(self, source: str) -> str:
        """The module with the change."""
        data = source.encode()
        return (data[: self.start] + self.after.encode() + data[self.end :]).decode()


def one_line(text: str) -> str:
    """A text without line breaks and indentation."""
    return " ".join(text.split())


def sites(file: str, source: str) -> list[Site]:
    """Every site of a module."""
    return list(_Finder(file, source).below(ast.parse(source), None, (), ()))


class _Finder:
    def __init__(self, file: str, source: str) -> None:
        self.file, self.data = file, source.encode()
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def below(
        self, node: ast.AST, statement: ast.stmt | None, names: tuple[str, ...], inside: tuple[int, ...]
    ) -> Iterator[Site]:
        """The sites of a node and of its children. `names` are the function and the classes around it."""
        if is_left_out(node):
            return
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            names = (*names, node.name)
        if statement is not None:
            for place, after in self.changes(node):
                yield self.site(place, after, statement, names, inside)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            within = (*inside, node.lineno) if isinstance(node, FUNCTIONS) and name == "body" else inside
            around = names[:-1] if isinstance(node, FUNCTIONS) and name == "args" else names
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not self.is_message(node, child):
                    yield from self.below(child, statement, around, within)

    def is_message(self, holder: ast.AST, node: ast.AST) -> bool:
        """Whether a text is a sentence of an error, or a docstring."""
        if isinstance(holder, (ast.JoinedStr, ast.Expr)):
            return isinstance(node, ast.Constant)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            raising = isinstance(holder, ast.Call) and ast.unparse(holder.func).endswith(("Error", "__init__"))
            return raising or self.file in MESSAGES
        return False

    def site(
        self,
        place: tuple[int, int],
        after: str,
        statement: ast.stmt,
        names: tuple[str, ...],
        inside: tuple[int, ...],
    ) -> Site:
        start, end = place
        first = max(at for at, begin in enumerate(self.starts) if begin <= start)
        last = max(at for at, begin in enumerate(self.starts) if begin <= end)
        line = self.data[self.starts[first] : self.starts[first + 1]].decode().strip()
        before = self.data[start:end].decode()
        lines = (statement.lineno, last + 1)
        return Site(self.file, ".".join(names), lines, start, end, line, before, after, inside)

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
        """Where the text of a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def changes(self, node: ast.AST) -> Iterator[Change]:
        """The possible changes to this node."""
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield self.span(node.test), f"(not ({ast.unparse(node.test)}))"
        elif isinstance(node, ast.comprehension):
            yield from ((self.span(test), f"(not ({ast.unparse(test)}))") for test in node.ifs)
        elif isinstance(node, ast.Constant):
            yield from ((self.span(node), after) for after in _other_constants(node.value))
        elif isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp)):
            yield from self._operation(node)
        elif isinstance(node, ast.expr):
            yield from self._members(node)
        elif isinstance(node, ast.stmt):
            yield from self._statement(node)

    def _operation(self, node: ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp) -> Iterator[Change]:
        if isinstance(node, ast.Compare):
            yield from self._compared(node)
        elif isinstance(node, ast.BoolOp):
            parts = [f"({ast.unparse(one)})" for one in node.values]
            yield self.span(node), f"({f' {SWAPPED[type(node.op)]} '.join(parts)})"
            yield from self._left_out(node, parts, f" {SIGNS[type(node.op)]} ", "()")
        elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
            yield self.span(node), f"(({ast.unparse(node.left)}) {SWAPPED[type(node.op)]} ({ast.unparse(node.right)}))"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            yield self.span(node), f"({ast.unparse(node.operand)})"

    def _members(self, node: ast.expr) -> Iterator[Change]:
        """A set, list, dict or tuple of constants without one of its members."""
        if isinstance(node, (ast.Set, ast.List)) and len(node.elts) > 1:
            brackets = "{}" if isinstance(node, ast.Set) else "[]"
            yield from self._left_out(node, [*map(ast.unparse, node.elts)], ", ", brackets)
        elif isinstance(node, ast.Tuple) and len(node.elts) > 2:
            if all(isinstance(one, ast.Constant) for one in node.elts):
                yield from self._left_out(node, [*map(ast.unparse, node.elts)], ", ", "()")
        elif isinstance(node, ast.Dict) and len(node.keys) > 1:
            pairs = zip(node.keys, node.values, strict=True)
            parts = [f"{ast.unparse(key) + ': ' if key else '**'}({ast.unparse(value)})" for key, value in pairs]
            yield from self._left_out(node, parts, ", ", "{}")

    def _compared(self, node: ast.Compare) -> Iterator[Change]:
        for at in range(len(node.ops)):
            parts = [f"({ast.unparse(node.left)})"]
            for number, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
                parts += [(SWAPPED if number == at else SIGNS)[type(operator)], f"({ast.unparse(right)})"]
            yield self.span(node), f"({' '.join(parts)})"

    def _left_out(self, node: ast.expr, parts: list[str], between: str, brackets: str) -> Iterator[Change]:
        for gone in range(len(parts)):
            yield self.span(node), f"{brackets[0]}{between.join(parts[:gone] + parts[gone + 1 :])}{brackets[1]}"

    def _statement(self, node: ast.stmt) -> Iterator[Change]:
        if isinstance(node, ast.Return) and node.value and ast.unparse(node.value) not in ("None", "False"):
            yield self.span(node), "return None"
        elif isinstance(node, ast.Break):
            yield self.span(node), "continue"
        elif isinstance(node, ast.Continue):
            yield self.span(node), "break"
        elif isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete, ast.Raise)):
            yield self.span(node), "pass"


def is_python(source: str) -> bool:
    """Whether a module can be parsed. Before Python 3.12, the tree has wrong positions for parts of f-strings."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def is_left_out(node: ast.AST) -> bool:
    """Whether no behaviour depends on this node: types, docstrings, and the text of an object for people."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.keyword):
        return node.arg == "strict"  # of zip: it only states a fact
    if isinstance(node, ast.FunctionDef):
        return node.name in SKIPPED
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in SKIPPED


def _other_constants(value: object) -> list[str]:
    if isinstance(value, bool):
        return [str(not value)]
    if isinstance(value, (int, float)):
        return [str(value + 1)]
    if isinstance(value, str):
        return ["''"] if value else ["'x'"]
    return []
