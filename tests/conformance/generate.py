"""Random cases, reproducible by seed.

`python -m tests.conformance.generate "apps/v1 Deployment" --seed 7 --count 3` prints lines for inputs/*.jsonl.
"""

from __future__ import annotations

import argparse
import zlib
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from engine.clientside.method import NOT_COMPILED_IN

from .draw import Draw
from .inputs import Case, line_of
from .mutate import edited, grown
from .patching import patch_for
from .schemas import engine_schema
from .spoil import spoiled

if TYPE_CHECKING:
    from engine import Schema

OPS = {
    "three_way": 45,
    "two_way": 15,
    "apply": 25,
    "merge_patches": 5,
    "conflicts": 5,
    "json_three_way": 3,
    "json_apply": 2,
}
"""The weight of each op."""

MISHAPS = (0, 0, 1, 1, 2, 3, 4)
"""The number of mutations in one document."""


def case(schema_name: str, seed: int, size: int = 3, schema: Schema | None = None) -> Case:
    """One case of a schema, which is looked up by its name unless it is given."""
    random = Random(zlib.crc32(f"{schema_name} {size} {seed}".encode()))
    draw = Draw(schema or engine_schema(schema_name), random, size)
    op = random.choices(list(OPS), list(OPS.values()))[0]
    made: Case = {
        "name": f"random {schema_name} {seed}",
        "source": f"generate seed {seed} size {size}",
        "op": op,
        "schema": schema_name,
        **DOCUMENTS[op](draw),
    }
    if op == "three_way" and random.random() < 0.2:
        made["overwrite"] = False
    if op == "three_way" and schema_name.partition("/")[0] in NOT_COMPILED_IN:
        made["op"] = "kubectl"  # kubectl falls back where the strategic patch fails
    return deepcopy(made)


def triple(draw: Draw) -> Case:
    """Last applied, the new config, and the live object that a server made from the former."""
    rule = draw.schema.type.rule
    last_applied = draw.document()
    mishap = draw.one(MISHAPS) if draw.chance(0.5) else 0
    spoiled(draw, last_applied, mishap)
    config = spoiled(draw, edited(draw, last_applied, rule), draw.one(MISHAPS))
    seen = config if draw.chance(0.3) else last_applied
    live = grown(draw, edited(draw, seen, rule, 0.1) if draw.chance(0.6) else seen, rule)
    if draw.chance(0.2):
        spoiled(draw, live, draw.one(MISHAPS))
    if draw.chance(0.05):
        last_applied = {}
    return {"last_applied": last_applied, "config": config, "live": live}


def before_and_after(draw: Draw) -> Case:
    """Two states of one object."""
    original = spoiled(draw, draw.document(), draw.one(MISHAPS))
    modified = spoiled(draw, edited(draw, original, draw.schema.type.rule), draw.one(MISHAPS))
    return {"original": original, "modified": modified}


def target_and_patch(draw: Draw) -> Case:
    """An object and a patch that was made for it, or nearly."""
    target = spoiled(draw, draw.document(), draw.one(MISHAPS) if draw.chance(0.3) else 0)
    patch = spoiled(draw, patch_for(draw, target, draw.schema.type.rule), draw.one(MISHAPS))
    return {"target": target, "patch": patch}


def two_patches(draw: Draw, names: tuple[str, str]) -> Case:
    rule = draw.schema.type.rule
    target = draw.document()
    first, second = patch_for(draw, target, rule), patch_for(draw, target, rule)
    if draw.chance(0.4):
        second = edited(draw, first, rule)
    return {names[0]: spoiled(draw, first, draw.one(MISHAPS)), names[1]: spoiled(draw, second, 0)}


DOCUMENTS: dict[str, Any] = {
    "three_way": triple,
    "two_way": before_and_after,
    "apply": target_and_patch,
    "merge_patches": lambda draw: two_patches(draw, ("first", "second")),
    "conflicts": lambda draw: two_patches(draw, ("left", "right")),
    "json_three_way": triple,
    "json_apply": target_and_patch,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("schema", help='as "MergeItem" or "apps/v1 Deployment 1.20"')
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--size", type=int, default=3)
    given = parser.parse_args()
    for seed in range(given.seed, given.seed + given.count):
        print(line_of(case(given.schema, seed, given.size)))


if __name__ == "__main__":
    main()
