"""Import modules in a traced form that records reporting places and their words.

`install()` has to run before the modules are imported, so this needs a separate process.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from .masks import masked
from .places import places

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    from .places import ReportingPlace

LONG = 30
"""The least length of the words beside a single hole, so that no other sentence has them."""
_NOTE = "__note_the_words__"


class Tracer(importlib.abc.MetaPathFinder):
    """Collect the words that each place reports, by the identity of the place."""

    def __init__(self) -> None:
        self.words: dict[str, set[str]] = {}
        self.constants: dict[str, set[str]] = {}
        """The words of constants, which are evaluated once, at import."""
        self.importing = 0

    @cached_property
    def by_module(self) -> dict[str, list[ReportingPlace]]:
        found: dict[str, list[ReportingPlace]] = {}
        for place in places():
            found.setdefault(place.module, []).append(place)
        return found

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module with another loader if it has places."""
        if fullname not in self.by_module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self)
        return spec

    def note(self, identity: str, value: Any) -> Any:
        """Record the words of a value, and return it."""
        text = words_of(value)
        if text:
            kept = self.constants if self.importing else self.words
            kept.setdefault(identity, set()).add(text)
        return value

    def covered(self, answer: str) -> set[str]:
        """The places whose words are in the server's response, and which have been reached."""
        answer = f"{answer}\n{masked(answer)}"
        return {
            identity
            for kept in (self.words, self.constants)
            for identity, texts in kept.items()
            if any(said_in(text, answer) or said_in(_masked(text), answer) for text in texts)
        }


_masked = lru_cache(maxsize=10_000)(masked)


def words_of(value: Any) -> str:
    """The text of a problem; empty for anything else."""
    if isinstance(value, str) or hasattr(value, "supported"):  # a Problem, whose module is imported later
        return str(value)
    detail = getattr(value, "detail", None) or getattr(value, "body", None)
    if isinstance(detail, str):
        return detail
    return str(value) if isinstance(value, Exception) or hasattr(value, "kind") else ""


def said_in(text: str, answer: str) -> bool:
    """True if the words are in a response. Parts in braces are filled in later, and a path may be completed."""
    if text in answer:
        return True
    path, _, rest = text.partition(": ")
    if rest.startswith("Too long: ") and " " not in path and rest in answer:
        return True
    every = _split(text)
    parts = [part for part in every if part.strip()]
    is_long = len(parts) > 1 or (len(every) > 1 and len("".join(parts)) >= LONG)
    return is_long and all(part in answer for part in parts)


def _split(text: str) -> list[str]:
    return text.replace("%s", "{}").replace("{0}", "{}").split("{}")


def install() -> Tracer:
    """Trace all modules that are imported from now on."""
    tracer = Tracer()
    early = [name for name in tracer.by_module if name in sys.modules]
    if early:
        raise RuntimeError(f"imported before the tracer: {', '.join(early)}")
    sys.meta_path.insert(0, tracer)
    return tracer


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, tracer: Tracer) -> None:
        super().__init__(fullname, path)
        self.tracer = tracer

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path)
        tree = ast.parse(source)
        known = {_span(place.node): place.identity for place in self.tracer.by_module[fullname]}
        tree = ast.fix_missing_locations(_Rewriter(known).visit(tree))
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, _NOTE, self.tracer.note)
        self.tracer.importing += 1
        try:
            super().exec_module(module)
        finally:
            self.tracer.importing -= 1


def _span(node: ast.expr) -> tuple[Any, ...]:
    return type(node).__name__, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


class _Rewriter(ast.NodeTransformer):
    """Wrap each place in a call that notes its value."""

    def __init__(self, known: dict[tuple[Any, ...], str]) -> None:
        self.known = known

    def visit(self, node: ast.AST) -> Any:
        visited = self.generic_visit(node)
        identity = self.known.get(_span(node)) if isinstance(node, ast.expr) else None
        if identity is None or not isinstance(visited, ast.expr):
            return visited
        name = ast.Name(_NOTE, ast.Load())
        return ast.copy_location(ast.Call(name, [ast.Constant(identity), visited], []), node)
