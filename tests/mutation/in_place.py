"""Replace the code of an imported function by its code with a changed site."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .sites import Site


class Unfit(Exception):
    """A site that is not inside of a function, or whose function cannot be changed like that."""


def change(site: Site) -> None:
    """Change the function that contains the site, so that every reference to it runs the new code."""
    module = import_module(site.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    path = Path(str(module.__file__))
    code = compile(site.applied(path.read_text(encoding="utf-8")), str(path), "exec")
    holder: Any = module
    for name in site.function.split(".") if site.function else ():
        if name not in vars(holder):
            raise Unfit
        holder = vars(holder)[name]
        code = _inner(code, name, site)
        for function in _functions(holder):
            if function.__code__.co_firstlineno == code.co_firstlineno:
                if function.__code__.co_freevars != code.co_freevars:
                    raise Unfit
                function.__code__ = code
                return
    raise Unfit


def _inner(code: CodeType, name: str, site: Site) -> CodeType:
    """The code of a function or class by its name: of a property's two functions, the one around the site."""
    found = [const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name]
    before = [one for one in found if one.co_firstlineno <= site.lines[0]]
    if not before:
        raise Unfit
    return max(before, key=lambda one: one.co_firstlineno)


def _functions(holder: Any) -> Iterator[FunctionType]:
    """The functions behind an attribute of a class or a module: plain, bound, wrapped, or those of a property."""
    for found in (
        holder,
        getattr(holder, "__func__", None),
        getattr(holder, "__wrapped__", None),
        getattr(holder, "fget", None),
        getattr(holder, "fset", None),
    ):
        if isinstance(found, FunctionType):
            yield found
