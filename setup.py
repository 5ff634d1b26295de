"""Builds the package; with KUBEMERGE_COMPILE=1, with the modules that merge compiled by mypyc.

    KUBEMERGE_COMPILE=1 pip install --no-binary kubemerge kubemerge

A compiled module lies beside its source and is found before it. docs/decisions.md says what is gained.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from setuptools import setup

COMPILED = (
    "engine/lossless/hazards.py",
    "engine/lossless/merge.py",
    "engine/lossless/safe.py",
    "engine/serverside/fields/locator.py",
    "engine/serverside/fields/reset_fields.py",
    "engine/serverside/fields/trees.py",
    "engine/serverside/typed/compare.py",
    "engine/serverside/typed/items.py",
    "engine/serverside/typed/merge.py",
    "engine/serverside/typed/prune.py",
    "engine/serverside/typed/remove.py",
    "engine/serverside/typed/schema.py",
    "engine/serverside/typed/to_field_set.py",
    "engine/serverside/typed/zero_value_tables.py",
    "engine/serverside/typed/zero_values.py",
    "engine/strategic/conflicts.py",
    "engine/strategic/diff.py",
    "engine/strategic/fast.py",
    "engine/strategic/merge.py",
    "engine/strategic/merge_lists.py",
    "engine/strategic/one_pass.py",
    "engine/strategic/order.py",
    "engine/values/plain.py",
)
"""Without `tables/patch_schema.py`, whose cached properties compiled classes do not support. Also without public
functions, which would lose their annotations, and without errors, which would lose the attributes for pickling."""
MYPY = "mypy==2.4.1"
"""Exactly this one, because `counted` changes the C that it writes."""

FUNCTION = re.compile(r"^(PyObject \*|char |CPyTagged |tuple_\w+ )(CPyDef_\w+)\((.*)\) \{$", re.MULTILINE)
"""How the C of a function of Python begins: what it returns, its name and its parameters."""
ANY_FUNCTION = re.compile(r"^\w.*\bCPyDef_\w+\(.*\{$", re.MULTILINE)
LETTERS = {"PyObject *": "O", "char ": "C", "CPyTagged ": "I"}
"""How a type is called in the name of a tuple that has it."""
FAILED = {"O": "NULL", "C": "2", "I": "CPY_INT_TAG"}
"""What a function returns after an error."""
DEPTH = """
#ifdef _MSC_VER
static __declspec(thread) int depth;
#elif defined(__GLIBC__)
static _Thread_local int depth __attribute__((tls_model("initial-exec")));
#else
static _Thread_local int depth;
#endif
"""
COUNTED = """
static {kind}{name}_uncounted({parameters});
{kind}{name}({parameters}) {{
    {kind}result = {{ {failed} }};
    if (depth >= 1000) {{
        PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded in compiled code");
        return result;
    }}
    depth++;
    result = {name}_uncounted({arguments});
    depth--;
    return result;
}}
static {kind}{name}_uncounted({parameters}) {{
"""


def counted(code: str) -> str:
    """The C of mypyc, where each function counts how deep functions call each other, as those of Python do.

    Without it, an object that holds itself would end the process. CPython can check calls of functions in C as well,
    but from 3.12 on it allows ten thousand and more, so this build would take documents that the other one refuses.
    """
    found, count = FUNCTION.subn(_counted, code)
    if not count or count < len(ANY_FUNCTION.findall(code)):
        sys.exit(f"mypyc writes functions otherwise than {MYPY}; build with that one")
    first = found.index("\nstatic ")
    return found[:first] + DEPTH + found[first:]


def _counted(function: re.Match[str]) -> str:
    kind, name, parameters = function.groups()
    letters = LETTERS.get(kind) or kind.strip().partition("_T")[2].lstrip("0123456789")
    return COUNTED.format(
        kind=kind,
        name=name,
        parameters=parameters,
        arguments=", ".join(re.findall(r"\bcpy_r_\w+", parameters)),
        failed=", ".join(FAILED[letter] for letter in letters),
    ).strip()


if os.environ.get("KUBEMERGE_COMPILE") != "1":
    setup()
else:
    try:
        from mypyc.build import mypycify
    except ImportError:  # what builds asks first what it needs, and goes no further then
        setup(setup_requires=[MYPY])
        sys.exit(f"KUBEMERGE_COMPILE=1 needs {MYPY}")
    modules = mypycify([*COMPILED], opt_level="3", group_name="kubemerge")
    written = Path("build/__native_kubemerge.c")
    written.write_text(counted(written.read_text(encoding="utf-8")), encoding="utf-8")
    setup(ext_modules=modules)
