"""Builds the package; with KUBEMERGE_COMPILE=1, with the modules that take most of the time compiled by mypyc.

    KUBEMERGE_COMPILE=1 pip install --no-binary kubemerge kubemerge

The wheels of a release for Linux, macOS and Windows are built so. A compiled module lies beside its source and is found
before it. engine/DECISIONS.md has the gain in speed.
"""

from __future__ import annotations

import os
import sys

from setuptools import setup

COMPILED = (
    "codegen/documents/yaml_lines.py",
    "engine/linter/plain_check.py",
    "engine/lossless/hazards.py",
    "engine/lossless/merge.py",
    "engine/lossless/safe.py",
    "engine/serverside/fields/locator.py",
    "engine/serverside/fields/reset_fields.py",
    "engine/serverside/fields/trees.py",
    "engine/serverside/typed/compare.py",
    "engine/serverside/typed/items.py",
    "engine/serverside/typed/merge.py",
    "engine/serverside/typed/new_object.py",
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
    "kubemerge/apiserver/decoding/decoder.py",
    "kubemerge/apiserver/decoding/type_search.py",
    "kubemerge/apiserver/defaulting/fill.py",
    "kubemerge/apiserver/unchecked.py",
)
"""Not `tables/shapes.py`: what it knows is worked out when it is first read, which compiled classes cannot do. Nor what
is public, as compiled functions have no annotations, or defines errors, which would lose what they are pickled by."""
_IMPORTED = ("--follow-imports=silent", "--disable-error-code=import-untyped", "--disable-error-code=import-not-found")
"""The modules that they import are not checked, because a build has neither their libraries nor their types."""
MYPY = "mypy>=2.4,<3"

if os.environ.get("KUBEMERGE_COMPILE") != "1":
    setup()
else:
    try:
        from mypyc.build import mypycify
    except ImportError:  # what builds asks first what it needs, and goes no further then
        setup(setup_requires=[MYPY])
        sys.exit(f"KUBEMERGE_COMPILE=1 needs {MYPY}")
    setup(ext_modules=mypycify([*_IMPORTED, *COMPILED], opt_level="3", debug_level="0", group_name="kubemerge"))
