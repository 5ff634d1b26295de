"""Find every place that reports a problem or a warning.

A place is a literal sentence, or a call that builds a problem without one (`required(path)`). Its identity is the name
of the function and the words, so it does not change when a module moves.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
PACKAGES = ("kubemerge.apiserver",)
"""The packages that are searched."""
WITHOUT_WORDS = frozenset(
    {
        *(
            "controllers",
            "defaulting",
            "dumps",
            "kinds",
            "printers",
            "text",
            "omitempty",
        ),  # tables, conditions, printing
        *("storage", "identity", "used_names"),  # our messages about files and manifests, and an index
        # Requests as such, and folders of policies, are compared with recorded exchanges by separate tests.
        *("authorization", "http", "patches", "policy_params", "static_manifests", "type_checking", "webhooks"),
        *("deadlines", "go_values", "offline"),  # our messages, and the printing of values
    }
)
"""Modules and packages that are not searched, because they validate no objects."""
BUILDERS = frozenset(
    {
        *("duplicate", "forbidden", "immutable", "internal", "invalid"),
        *("not_found", "required", "too_many", "unsupported", "unsupported_text", "wrong_type"),
    }
)
"""Functions that return one problem."""
IGNORED_CALLS = frozenset(
    {"compile", "fullmatch", "search", "match", "execute", "executescript", "cast", "split", "removeprefix", "endswith"}
)
"""Functions whose texts are patterns or statements, not words."""
INTERNAL = frozenset({"AssertionError", "KeyError", "LookupError", "NotImplementedError", "RuntimeError", "TypeError"})
"""Exceptions that clients do not see."""
NOT_WORDS = frozenset(
    {
        *("ALWAYS", "AT_ROOT_IN_GO", "CHECKS", "COLUMN", "FAMILIES", "KINDS", "RULE", "SCALE", "TYPE_NAMES"),
        *("_SINGLE", "_SOURCE", "_UNITS", "Empties", "__getattr__", "_filled", "blocks", "overloads"),  # names, tables
        *("_accepted", "with_controller_status", "ALWAYS_AVAILABLE", "BLOCKED"),  # conditions
        *(
            "NoMatch",
            "_inner",
            "check_definition",
            "key_for",
            "copy_as_json",
            "_defined",
            "_wrong_field_type",
            "check_values",
            "use_authorization",
        ),  # kubemerge's messages, which no server sends
        *("_atom", "_escaped"),  # names of assertions
        "SentTypes",  # the result of a check
        *("TOO_FEW", "_min_items", "_neq", "dependent"),  # rules that no server enforces, checked with upstream's lists
        *("_with_defaults", "_container_with_defaults"),  # an annotation
    }
)
"""Constants, functions and classes without words of a response."""
_OWN = re.compile(
    "look at |leave it |[a-z ]+; (give|leave|quote|write) |invalid propagation |"
    "no value is compared with the pattern|"
    "the pattern (is too large|{} cannot be judged)|the patch (has more|is nested deeper|copies more) than {} |"
    "expression is too large once its macros are expanded|the text takes too long|rules take long|the script {}|"
    "Invalid value of a type$|{} (not)?in {}$"
)
"""Prefixes of kubemerge's hints and messages, which no server sends."""
_SENTENCE = re.compile(r"[A-Za-z'\"`)\]}:,]\S* +\S*[A-Za-z{]|^\S+ [{]")
_HOLE = "{}"


class ReportingPlace(NamedTuple):
    module: str
    line: int
    identity: str
    node: ast.expr


def modules() -> Iterator[tuple[str, Path]]:
    """The names and files of all modules that are searched."""
    for package in PACKAGES:
        for file in sorted((ROOT / package.replace(".", "/")).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            if not WITHOUT_WORDS.intersection(parts):
                yield ".".join(parts).removesuffix(".__init__"), file


def places() -> list[ReportingPlace]:
    """All places of all modules. Equal identities are numbered."""
    found = [place for name, file in modules() for place in in_module(name, ast.parse(file.read_bytes()))]
    return numbered(found)


def numbered(found: list[ReportingPlace]) -> list[ReportingPlace]:
    """The places with identities that are unique."""
    seen: Counter[str] = Counter()
    unique = []
    for place in found:
        seen[place.identity] += 1
        again = seen[place.identity]
        unique.append(place if again == 1 else place._replace(identity=f"{place.identity} #{again}"))
    return unique


def in_module(name: str, tree: ast.Module) -> list[ReportingPlace]:
    """The places of one module, in the order of the code."""
    finder = _Finder(name)
    finder.visit(tree)
    return finder.found


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str) -> None:
        self.module, self.found = module, list[ReportingPlace]()
        self.owners: list[str] = []
        self.outside = True

    def visit_Module(self, node: ast.Module) -> None:
        self._body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name not in BUILDERS or self.owners:
            self._inside(node)

    def _inside(self, node: ast.ClassDef | ast.FunctionDef) -> None:
        if node.name in NOT_WORDS:
            return
        self.owners.append(node.name)
        outside, self.outside = self.outside, self.outside and isinstance(node, ast.ClassDef)
        self._body(node)
        self.outside = outside
        self.owners.pop()

    def _body(self, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> None:
        for statement in node.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):  # a docstring
                self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets[0], node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned(node.target, node.value)

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        """A constant of a module owns its words."""
        if self.owners:
            self.visit(value)
            return
        if isinstance(target, ast.Name) and target.id in NOT_WORDS:
            return
        self.owners.append(ast.unparse(target))
        self.visit(value)
        self.owners.pop()

    def visit_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call) and called(node.exc) not in INTERNAL:
            self.visit(node.exc)

    def visit_Assert(self, node: ast.Assert) -> None:
        """A failure of the program itself."""

    def visit_Compare(self, node: ast.Compare) -> None:
        """Words that are compared are reported elsewhere."""

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "advice":  # our own words
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._literal(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        before = len(self.found)
        self._literal(node)
        for part in node.values if len(self.found) == before else ():
            if isinstance(part, ast.FormattedValue):
                self.visit(part)

    def visit_Call(self, node: ast.Call) -> None:
        name = called(node)
        if name in IGNORED_CALLS or (self.outside and name[:1].isupper() and name not in BUILDERS):
            return
        before = len(self.found)
        if name == "setdefault":  # the first argument is a key
            node.args = node.args[1:]
        self.generic_visit(node)
        if name in BUILDERS and isinstance(node.func, ast.Name) and len(self.found) == before:
            self._add(node, f"{name}({', '.join(map(_skeleton, node.args[:1]))})")

    def _literal(self, node: ast.Constant | ast.JoinedStr) -> None:
        text = _skeleton(node)
        is_table = text.startswith("\n")
        has_words = re.search("[A-Za-z]", text.replace(_HOLE, "")) and not _OWN.match(text)
        if _SENTENCE.search(text) and has_words and not is_table:
            self._add(node, text)

    def _add(self, node: ast.expr, words: str) -> None:
        owner = ".".join(self.owners) or "<module>"
        self.found.append(ReportingPlace(self.module, node.lineno, f"{owner}: {words}", node))


def called(node: ast.Call) -> str:
    """The last part of the name of the function that is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _skeleton(node: ast.expr) -> str:
    """A literal with holes instead of expressions."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_skeleton(part) for part in node.values)
    return _HOLE if isinstance(node, ast.FormattedValue) else ast.unparse(node)
