"""Hostile policies end by their budget and not by the clock, each with one error."""

from __future__ import annotations

import pytest

from kubemerge.apiserver import stored
from kubemerge.apiserver.cel.meter import MAX_COST, Meter
from kubemerge.apiserver.cel.values import depth_of, unshared_size
from kubemerge.apiserver.errors import BadRequest
from kubemerge.apiserver.policies import evaluation

from .samples import deployment, mutating, validating

NESTED, DOUBLED = "[variables.v{0}, variables.v{0}]", "variables.v{0} + variables.v{0}"
LAST = "variables.v59"
OUT_OF_BUDGET = "out of cost budget"
TOO_EXPENSIVE = "actual cost limit exceeded"


def doubling(form: str, first: str = "[1]", levels: int = 60) -> list[dict[str, str]]:
    """Variables that double in size: each contains the one before it twice."""
    rest = [{"name": f"v{at}", "expression": form.format(at - 1)} for at in range(1, levels)]
    return [{"name": "v0", "expression": first}, *rest]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"{LAST} == {LAST}", ""),
        (f"{LAST} == dyn([{LAST}, {LAST}])", "failed expression"),
        (f"{LAST} in [{LAST}]", ""),
        (f"[{LAST}, {LAST}].distinct().size() == 1", ""),
        (f"sets.equivalent([{LAST}], [{LAST}])", ""),
        (f"optional.of({LAST}) == optional.of({LAST})", ""),
        (f"[{LAST}].indexOf({LAST}) == 0", OUT_OF_BUDGET),
        (f"'%s'.format([{LAST}]) == ''", TOO_EXPENSIVE),
        pytest.param(f"{LAST}.flatten(60).size() == 1", TOO_EXPENSIVE, marks=pytest.mark.slow),
    ],
)
def test_a_list_that_contains_itself_often_is_visited_once(expression: str, expected: str) -> None:
    found = stored(deployment(), policies=validating(expression, variables=doubling(NESTED)))
    assert expected in str(found.error or "")
    assert bool(found.error) is bool(expected)


def test_maps_of_maps_are_visited_once() -> None:
    variables = doubling("{{'a': variables.v{0}, 'b': variables.v{0}}}", "{'a': 1}")
    assert stored(deployment(), policies=validating(f"{LAST} == {LAST}", variables=variables)).error is None


@pytest.mark.parametrize("expression", [f"{LAST} == {LAST}", f"1 in {LAST}", f"{LAST}[5] == 1", f"{LAST}.sum() == 1"])
def test_a_doubled_list_ends(expression: str) -> None:
    found = stored(deployment(), policies=validating(expression, variables=doubling(DOUBLED)))
    assert TOO_EXPENSIVE in str(found.error)


@pytest.mark.parametrize(
    "expression",
    [
        f"[JSONPatch{{op: 'add', path: '/data/b', value: {LAST}}}]",
        f"[JSONPatch{{op: 'test', path: '/data/b', value: {LAST}}}]",
        f"{LAST}.map(one, JSONPatch{{op: 'add', path: '/data/b', value: one}})",
    ],
)
def test_a_patch_with_exploding_values_is_rejected(expression: str) -> None:
    patch = {"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}
    policies = mutating("", mutations=[patch], variables=doubling(NESTED))
    assert "the patch has more than 2000000 values" in str(stored(deployment(), policies=policies).error)


def test_an_apply_configuration_with_exploding_values_is_rejected() -> None:
    policies = mutating(f"Object{{data: {{'b': {LAST}}}}}", variables=doubling(NESTED))
    assert "the patch has more than 2000000 values" in str(stored(deployment(), policies=policies).error)


def test_a_deep_patch_is_rejected() -> None:
    variables = doubling("[[variables.v{0}]]", levels=400)
    patch = {"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'add', value: variables.v399}]"}}
    policies = mutating("", mutations=[patch], variables=variables)
    assert "the patch is nested deeper than" in str(stored(deployment(), policies=policies).error)


@pytest.mark.slow
def test_a_policy_of_the_highest_cost_ends_after_a_number_of_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(Meter):
        def __init__(self, limit: int) -> None:
            super().__init__(limit)
            counted.append(self)

    counted: list[Counted] = []
    monkeypatch.setattr(evaluation, "Meter", Counted)
    numbers = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
    nested = f"{numbers}.map(a, {numbers}.map(b, {numbers}.map(c, {numbers}.map(d, {numbers}.map(e, {numbers})))))"
    validations = [{"expression": f"{nested}.size() > {at}"} for at in range(100)]
    found = stored(deployment(), policies=validating("", validations=validations))
    spent = [one.spent for one in counted]
    assert OUT_OF_BUDGET in str(found.error)
    assert len(spent) == 1 + evaluation.BUDGET // spent[0]
    assert max(spent) <= MAX_COST + 1_000


def test_an_error_about_a_long_expression_is_short() -> None:
    with pytest.raises(BadRequest, match="expression recursion limit exceeded") as error:
        stored(deployment(), policies=validating("(" * 5000 + "true" + ")" * 5000))
    assert len(str(error.value)) < 1000


def test_a_param_kind_without_a_definition_is_one_error() -> None:
    policies = validating("true", paramKind={"apiVersion": "example.com/v1", "kind": "Limit"})
    said = "ValidatingAdmissionPolicy rule: spec.paramKind: failed to find resource .* Add its CustomResourceDefinition"
    with pytest.raises(BadRequest, match=said):
        stored(deployment(), policies=policies)


def test_sizes_count_what_is_shared() -> None:
    value: list[object] = [1]
    for _ in range(60):
        value = [value, value]
    assert unshared_size(value) == 3 * 2**60 - 1
    assert depth_of(value) == 62
