"""Fuzzer: compares the engine with the reference on random cases, shrinks differing cases and prints them.

`python -m tests.conformance.fuzz --count 20000 --seed 1 --schemas MergeItem "v1 Pod"`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import engine
from engine import texts
from engine.clientside.method import method_of, patch_by
from engine.values.go_json import encode

from .generate import case
from .inputs import DOCUMENTS_OF, Case, line_of, question
from .oracle import Oracle
from .random_inputs import SCHEMAS
from .schemas import engine_schema, lookups
from .shrink import shrunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Schema

BATCH = 500
REPEAT = 400
"""Repetitions of a question whose response differed: the reference may not be stable."""

FAILED = "an error"
CONFLICT = "a conflict"
CONFLICTS = frozenset({CONFLICT, "true"})
"""The responses that take precedence over errors, because the reference gives them in nearly all of its runs."""


def sent_by_kubectl(
    last_applied: Any, config: Any, live: Any, schema: Schema, overwrite: bool = True
) -> dict[str, Any]:
    """The patch that `kubectl apply` sends, and its type."""
    method = method_of(schema, overwrite, False, "kubectl")
    method, patch, _ = patch_by(method, last_applied, config, live)
    return {"type": method.patch_type, "patch": patch}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "two_way": engine.two_way_patch,
    "three_way": engine.three_way_patch,
    "apply": engine.apply_patch,
    "merge_patches": engine.merge_patches,
    "conflicts": lambda left, right, schema: bool(engine.conflicts(left, right, schema)),
    "json_three_way": lambda last_applied, config, live, _: engine.json_three_way_patch(last_applied, config, live),
    "json_apply": lambda target, patch, _: engine.json_apply_patch(target, patch),
    "kubectl": sent_by_kubectl,
}


FROM_TEXT: dict[str, Callable[..., str]] = {
    "two_way": texts.two_way_patch,
    "three_way": texts.three_way_patch,
    "apply": texts.apply_patch,
}


def from_text(one: Case, schema: Schema) -> str:
    """The engine's response to the texts of the documents."""
    documents = [json.dumps(one.get(name)).encode() for name in DOCUMENTS_OF[one["op"]]]
    settings = {"overwrite": one["overwrite"]} if "overwrite" in one else {}
    try:
        return FROM_TEXT[one["op"]](*documents, schema, **settings)
    except engine.ConflictError:
        return CONFLICT
    except engine.MergeError:
        return FAILED


def answered(one: Case, schema: Schema) -> Any:
    """The engine's result, or its error. Fails if an input was changed."""
    documents = [one.get(name) for name in DOCUMENTS_OF[one["op"]]]
    settings = {"overwrite": one["overwrite"]} if "overwrite" in one else {}
    before = repr(documents)
    try:
        return FUNCTIONS[one["op"]](*documents, schema, **settings)
    except engine.MergeError as error:
        return error
    finally:
        if repr(documents) != before:
            raise AssertionError(f"an input was changed: {line_of(one)}")


def ours(one: Case, schema: Schema) -> str:
    """The engine's response: the text of a result, or a marker for none. It is the same from dicts and from text."""
    result = answered(one, schema)
    if isinstance(result, engine.ConflictError):
        said = CONFLICT
    else:
        said = FAILED if isinstance(result, engine.MergeError) else encode(result)
    if one["op"] in FROM_TEXT and from_text(one, schema) != said:
        raise AssertionError(f"the response to text is another one: {line_of(one)}")
    return said


def theirs(answer: dict[str, Any]) -> set[str]:
    """The reference's responses; several where they depend on Go's map order."""
    if "varies" in answer:
        return {text for one in answer["varies"] for text in theirs(one)}
    if "refused" in answer:
        raise ValueError(f"the oracle refused a question: {answer['refused']}")
    if "conflicts with changes made from original to current" in answer.get("error", ""):
        return {CONFLICT}
    return {encode(answer["result"])} if "result" in answer else {FAILED}


def listed(one: Case, schema: Schema) -> str | None:
    """The place in docs/semantics.md that allows another response, if the case is at one."""
    if one["op"] == "merge_patches" and any(_repeats(inner) for inner in _lists(one["first"])):
        return "repeated scalars in a patch that others are laid on"
    if any(isinstance(answered(similar, schema), engine.UnexpectedList) for similar in _without_other_errors(one)):
        return "a list in the field of a scalar"
    return None


def _without_other_errors(one: Case) -> Iterator[Case]:
    """The case, and cases in which no other error and no JSON merge patch of kubectl hides the error of such a list."""
    yield one
    if one["op"] == "kubectl":
        yield {**one, "op": "three_way"}
    if one["op"] == "conflicts":
        left, right = _without_empty_lists(_without_orders(one["left"]), _without_orders(one["right"]))
        yield {**one, "left": left, "right": right}


def _without_orders(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_orders(inner) for key, inner in value.items() if not key.startswith("$setElementOrder/")}
    return [_without_orders(inner) for inner in value] if isinstance(value, list) else value


def _without_empty_lists(left: Any, right: Any) -> tuple[Any, Any]:
    """Two patches without the lists that are empty in both, because merging two empty lists is an error of its own."""
    if not (isinstance(left, dict) and isinstance(right, dict)):
        return left, right
    both = {key: _without_empty_lists(left[key], right[key]) for key in left.keys() & right.keys()}
    gone = {key for key, pair in both.items() if pair == ([], [])}

    def kept(one: dict[str, Any], side: int) -> dict[str, Any]:
        return {key: both[key][side] if key in both else value for key, value in one.items() if key not in gone}

    return kept(left, 0), kept(right, 1)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists(inner)


def _repeats(items: list[Any]) -> bool:
    scalars = [repr(item) for item in items if not isinstance(item, (dict, list))]
    return len(set(scalars)) < len(scalars)


def respelled(value: Any, names: dict[str, str]) -> Any:
    """The value with the schema's case of its fields, also in the names of directives."""
    if isinstance(value, dict):
        parts = {key: key.rpartition("/") for key in value}
        right = {key: f"{above}{slash}{names.get(name.lower(), name)}" for key, (above, slash, name) in parts.items()}
        return {right[key]: respelled(inner, names) for key, inner in value.items()}
    return [respelled(inner, names) for inner in value] if isinstance(value, list) else value


def without_points(value: Any) -> Any:
    """The value with 1 for 1.0."""
    if isinstance(value, dict):
        return {key: without_points(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_points(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Fuzz:
    """One run: comparisons and outcomes."""

    def __init__(self, oracle: Oracle, schemas: Sequence[str]) -> None:
        self.oracle = oracle
        self.schemas = {name: engine_schema(name) for name in schemas}
        self.lookups = {name: lookups(name) for name in schemas}
        self.seen: Counter[str] = Counter()

    def differences(self, cases: Iterator[Case]) -> Iterator[Case]:
        """The differing cases, one by one."""
        while batch := list(islice(cases, BATCH)):
            questions = [question(one, self._first(one)) for one in batch]
            for one, answer in zip(batch, self.oracle.ask_many(questions), strict=True):
                said = ours(one, self.schemas[one["schema"]])
                self.seen[one["op"]] += 1
                self.seen["errors" if said in (FAILED, CONFLICT) else "results"] += 1
                if theirs(answer) != {said} and self.differs(one):
                    yield one

    def differs(self, one: Case) -> bool:
        """True if the engine's response is not a response of any lookup of the reference."""
        said = ours(one, self.schemas[one["schema"]])
        answers = [self._asked(one, selector, REPEAT) for selector in self.lookups[one["schema"]].values()]
        hides_a_conflict = said == FAILED and all(answer & CONFLICTS for answer in answers)
        if any(said in answer for answer in answers) and not hides_a_conflict:
            alike = all(said in answer for answer in answers)
            self.seen["the reference varies" if alike else "the lookups of the reference differ"] += 1
            return False
        schema = self.schemas[one["schema"]]
        place = listed(one, schema) or self._rare(one, said) or self._by_case(one) or self._by_form_of_numbers(one)
        if place:
            self.seen[place] += 1
        return not place

    def _rare(self, one: Case, said: str) -> str | None:
        """The rare response of the reference, if it eventually gives the same conflict."""
        if said not in CONFLICTS:
            return None
        answers = [self._asked(one, selector, 100 * REPEAT) for selector in self.lookups[one["schema"]].values()]
        return "a conflict and an error in one map" if any(said in answer for answer in answers) else None

    def _by_case(self, one: Case) -> str | None:
        """The reason, if the responses agree once fields have their right case: OpenAPI has no other one."""
        names = {
            path.rpartition(".")[2].lower(): path.rpartition(".")[2] for path, _ in self.schemas[one["schema"]].walk()
        }
        other = {**one, **{name: respelled(one[name], names) for name in DOCUMENTS_OF[one["op"]] if name in one}}
        return "fields in another case" if other != one and not self.differs(other) else None

    def _by_form_of_numbers(self, one: Case) -> str | None:
        """The reason, if the responses agree with 1 for 1.0, whose point is ignored in an unknown field."""
        other = {**one, **{name: without_points(one[name]) for name in DOCUMENTS_OF[one["op"]] if name in one}}
        return "1.0 beside 1" if repr(other) != repr(one) and not self.differs(other) else None

    def _first(self, one: Case) -> dict[str, Any] | None:
        """Go types decide where available: the API server merges by them."""
        found = self.lookups[one["schema"]]
        return None if one["op"].startswith("json_") else found.get("go", next(iter(found.values())))

    def _asked(self, one: Case, selector: dict[str, Any], repeat: int) -> set[str]:
        return theirs(self.oracle.ask({**question(one, selector), "repeat": repeat}))

    def report(self, one: Case) -> str:
        """The smallest case that still differs, as a line for inputs/, and both responses."""
        small = shrunk({**one, "name": f"fuzz {one['name']}"}, self.differs)
        lines = [line_of(small), f"  engine:    {ours(small, self.schemas[small['schema']])}"]
        for name, selector in self.lookups[one["schema"]].items():
            lines.append(f"  {name:10} {self.oracle.ask({**question(small, selector), 'repeat': REPEAT})}")
        return "\n".join(lines)


def drawn(schemas: Sequence[str], count: int, seed: int) -> Iterator[Case]:
    """The cases of a run: the schemas in turn."""
    known = {name: engine_schema(name) for name in schemas}
    for number in range(seed * 10_000_000, seed * 10_000_000 + count):
        name = schemas[number % len(schemas)]
        yield case(name, number, 1 + number % 4, known[name])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print the differences, and return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--schemas", nargs="+", default=list(SCHEMAS))
    parser.add_argument("--stop-after", type=int, default=10, help="differences to print before giving up")
    chosen = parser.parse_args(arguments)
    found = 0
    with Oracle() as oracle:
        fuzz = Fuzz(oracle, chosen.schemas)
        for one in fuzz.differences(drawn(chosen.schemas, chosen.count, chosen.seed)):
            found += 1
            print(fuzz.report(one), flush=True)
            if found >= chosen.stop_after:
                break
    print(f"{found} differences; {dict(fuzz.seen)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
