"""Deprecated versions of custom resources: lint and requests have the warnings of kube-apiserver 1.37.1."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.kinds.deprecated import custom_deprecation

if TYPE_CHECKING:
    from ..shell import Shell

SCHEMA = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}


def version(name: str, *, served: bool = True, **more: Any) -> dict[str, Any]:
    return {"name": name, "served": served, "storage": name == "v1", "schema": SCHEMA, **more}


DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [
            version("v1alpha1", deprecated=True),
            version(
                "v1alpha2",
                deprecated=True,
                deprecationWarning="example.com/v1alpha2 Widget goes away; see example.com/moving",
            ),
            version("v1beta1"),
            version("v1"),
            version("v2", served=False),
            version("v3", deprecated=True),
        ],
    },
}
WARNINGS = {
    "v1alpha1": "example.com/v1alpha1 Widget is deprecated; use example.com/v1 Widget",
    "v1alpha2": "example.com/v1alpha2 Widget goes away; see example.com/moving",
    "v1beta1": "",
    "v1": "",
    "v3": "example.com/v3 Widget is deprecated",
}
"""The server's warnings when the object is applied, with the definition above."""


def widget(name: str) -> dict[str, Any]:
    return {"apiVersion": f"example.com/{name}", "kind": "Widget", "metadata": {"name": name}}


@pytest.mark.parametrize(("name", "warning"), WARNINGS.items())
def test_an_apply_prints_the_warning_of_the_server(shell: Shell, name: str, warning: str) -> None:
    shell.create(DEFINITION)
    assert shell.run("apply", "-f", shell.write("w.yaml", widget(name))) == 0
    assert shell.err == (f"Warning: {warning}\n" if warning else "")


@pytest.mark.parametrize("words", [("all.yaml",), ("widgets.yaml", "--schema", "crd.yaml")])
def test_lint_finds_it_before(shell: Shell, words: tuple[str, ...]) -> None:
    widgets = [widget(name) for name in WARNINGS]
    shell.write("all.yaml", DEFINITION, *widgets)
    shell.write("widgets.yaml", *widgets)
    shell.write("crd.yaml", DEFINITION)
    shell.run("lint", *words, "-o", "json")
    found = {one["reference"]["name"]: (one["code"], one["message"], one["advice"]) for one in json.loads(shell.out)}
    assert found == {
        "v1alpha1": ("KM201", f"The API server warns: {WARNINGS['v1alpha1']}", "Use example.com/v1."),
        "v1alpha2": ("KM201", f"The API server warns: {WARNINGS['v1alpha2']}", "Use example.com/v1."),
        "v3": ("KM201", f"The API server warns: {WARNINGS['v3']}", "Migrate to the API version that replaces it."),
    }


@pytest.mark.parametrize(
    ("others", "instead"),
    [
        ([], ""),
        (["v1alpha1"], ""),
        (["v2beta1", "v2alpha3"], "v2beta1"),
        (["v2", "v10", "v11beta1"], "v10"),
        (["odd"], ""),
    ],
)
def test_what_to_use_instead_is_the_latest_version(others: list[str], instead: str) -> None:
    spec = {
        "group": "g",
        "names": {"kind": "K"},
        "versions": [version("v1beta1", deprecated=True), *map(version, others)],
    }
    found = custom_deprecation(spec, "v1beta1")
    assert found is not None
    assert found.instead == (f"g/{instead}" if instead else "")


def test_versions_with_odd_names_are_preferred_in_their_order() -> None:
    spec = {
        "group": "g",
        "names": {"kind": "K"},
        "versions": [version("c", deprecated=True), version("b"), version("a")],
    }
    found = custom_deprecation(spec, "c")
    assert found is not None
    assert found.warning == "g/c K is deprecated; use g/a K"
