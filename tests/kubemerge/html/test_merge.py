"""The pages of merged objects: inputs, result and reasons, and no value of a Secret."""

from __future__ import annotations

import base64

import pytest

from kubemerge.html import diff_page, merge_page
from kubemerge.html.values import Value, shown

from .reading import Page
from .samples import VALUES, changed_secret, configured, created, merged, secret, unchanged, with_last_applied


def test_every_reason_stands_in_the_page() -> None:
    one = configured()
    page = Page(merge_page([one]))
    assert len(page.all("tr", data_action=None)) == len(one.outcome.changes)
    for change in one.outcome.changes:
        assert change.path in page.text
        assert change.reason in page.text
    assert "cleared: in last-applied, not in config" in page.text
    assert "elements" not in page.one("h1").text


def test_the_inputs_and_the_result_stand_next_to_each_other() -> None:
    page = Page(merge_page([configured()]))
    heads = [one.text.strip() for one in page.all("th", scope="col")][:4]
    assert heads == ["last applied", "config", "live", "result"]
    assert "strategic patch" in page.text
    assert "config.yaml:1" in page.text
    assert "namespace shop" in page.text


def test_results_are_counted() -> None:
    totals = Page(merge_page([configured(), created(), unchanged(), changed_secret()])).one("dl", id="totals")
    found = {name: totals.attributes[f"data-{name}"] for name in ("created", "configured", "unchanged")}
    assert found == {"created": "1", "configured": "2", "unchanged": "1"}


def test_a_created_object_has_no_live_one() -> None:
    page = Page(merge_page([created()]))
    assert [one.text.strip() for one in page.all("th", scope="col")][:2] == ["config", "result"]
    assert "create request with the whole object" in page.text


def test_warnings_are_reported() -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    assert "fields to clear are unknown" in Page(merge_page([merged(config, {**config, "data": {}})])).text


def test_a_diff_puts_what_differs_first_and_folds_the_rest() -> None:
    page = Page(diff_page([unchanged(), configured()]))
    objects = page.all(data_object=None)
    assert [(one.tag, one.attributes["data-result"]) for one in objects] == [
        ("section", "configured"),
        ("details", "unchanged"),
    ]
    assert "open" not in objects[1].attributes
    totals = page.one("dl", id="totals").attributes
    assert (totals["data-differing"], totals["data-alike"]) == ("1", "1")
    assert "Changes" in page.text
    assert "equal lines" in page.text


def test_a_diff_ticks_what_changes() -> None:
    boxes = Page(diff_page([configured()])).all("input", type="checkbox")
    ticked = {one.attributes["value"] for one in boxes if "checked" in one.attributes}
    assert ticked == {"changed", "cleared"}
    assert {one.attributes["value"] for one in boxes} > ticked


@pytest.mark.parametrize("page", [merge_page, diff_page])
def test_no_value_of_a_secret_is_shown(page: object) -> None:
    text = page([changed_secret()])  # type: ignore[operator]
    assert not [value for value in VALUES if value in text]
    assert "*** (before)" in Page(text).text
    assert "*** (after)" in Page(text).text
    assert "password" in text


@pytest.mark.parametrize("page", [merge_page, diff_page])
def test_no_value_of_a_new_secret_is_shown(page: object) -> None:
    text = page([merged({**secret(one=VALUES[0]), "stringData": {"two": VALUES[4]}})])  # type: ignore[operator]
    assert not [value for value in VALUES if value in text]


def test_no_value_of_a_secret_is_shown_whatever_happens_to_it() -> None:
    old, new, same, gone, _ = VALUES
    live = with_last_applied(secret(a=old, b=same), secret(a=old, b=same, c=gone))
    dropped = {key: value for key, value in secret().items() if key != "data"}
    for config in (secret(a=new), secret(), dropped, {**secret(), "data": None}):
        text = merge_page([merged(config, live)]) + diff_page([merged(config, live)])
        assert not [value for value in VALUES if value in text]


def test_no_value_is_shown_where_a_secret_has_another_shape() -> None:
    """A custom resource may have this kind, and the last-applied config may lack its kind."""
    old, new, last, *_ = VALUES
    one = {"apiVersion": "test/v1", "kind": "Secret", "metadata": {"name": "keys"}}
    live = with_last_applied({**one, "data": [{"a": old}]}, {"data": {"a": last}})
    text = merge_page([merged({**one, "data": [{"a": new}]}, live)])
    assert "data" in text
    assert not [value for value in VALUES if value in text]


def test_secrets_are_shown_to_those_who_ask() -> None:
    for page in (merge_page, diff_page):
        text = page([changed_secret()], show_secrets=True)
        assert all(value in text for value in VALUES)
        assert "***" not in text


def test_what_a_patch_clears_in_a_secret_is_not_a_value() -> None:
    text = Page(merge_page([changed_secret()])).text
    assert "gone: null" in text


def test_other_kinds_are_not_masked() -> None:
    value = base64.b64encode(b"no secret").decode()
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": value}}
    assert value in merge_page([merged(config)])


def test_long_values_are_folded() -> None:
    assert shown(None) is None
    assert shown("3") == Value('"3"')
    assert shown(3) == Value("3")
    assert shown({"a": 1}) == Value("a: 1")
    assert shown("x" * 200) == Value("x" * 200, "x" * 60 + "…")
    assert shown({"a": 1, "b": 2, "c": 3}) == Value("a: 1\nb: 2\nc: 3", "map of 3: a, b, c")
    assert shown([1, 2, 3]) == Value("- 1\n- 2\n- 3", "list of 3")
    assert shown("a\nb\nc") == Value("a\nb\nc", "text of 3 lines")
