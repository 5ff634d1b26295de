"""JSON text as Go writes and reads it. Every text here was printed or rejected by Go."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import engine
from engine.values import go_json as gojson
from engine.values.floats import json_form, text_form
from engine.values.guard import is_deep

FLOATS = [
    (0.0, "0", "0"),
    (-0.0, "-0", "-0"),
    (1.0, "1", "1"),
    (1.5, "1.5", "1.5"),
    (-0.5, "-0.5", "-0.5"),
    (123.456, "123.456", "123.456"),
    (100000.0, "100000", "100000"),
    (999999.0, "999999", "999999"),
    (1000000.0, "1000000", "1e+06"),
    (1234567.0, "1234567", "1.234567e+06"),
    (123456789.0, "123456789", "1.23456789e+08"),
    (1e16, "10000000000000000", "1e+16"),
    (1e20, "100000000000000000000", "1e+20"),
    (1e21, "1e+21", "1e+21"),
    (2.5e30, "2.5e+30", "2.5e+30"),
    (0.0001, "0.0001", "0.0001"),
    (0.00001, "0.00001", "1e-05"),
    (0.000001, "0.000001", "1e-06"),
    (1e-7, "1e-7", "1e-07"),
    (1.5e-7, "1.5e-7", "1.5e-07"),
    (5e-324, "5e-324", "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
]


@pytest.fixture(autouse=True)
def _with_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gojson, "_quick", gojson._Accelerated())


@pytest.mark.parametrize(("value", "in_json", "as_text"), FLOATS)
def test_floats(value: float, in_json: str, as_text: str) -> None:
    assert json_form(value) == gojson.encode(value) == in_json
    assert gojson.encode({"a": [value]}) == f'{{"a":[{in_json}]}}'
    assert text_form(value) == as_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, False, None]}, '{"a":[true,false,null],"b":1}'),
        ("a<b>&\u2028\u2029é", '"a\\u003cb\\u003e\\u0026\\u2028\\u2029é"'),
        ('"\\\b\f\n\r\t\x01\x7f', '"\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f"'),
        ({"é": "😀", "z": ""}, '{"z":"","é":"😀"}'),
        ({"tag": "nginx:1.25", "port": "e-9"}, '{"port":"e-9","tag":"nginx:1.25"}'),
        (["1.5, 2"], '["1.5, 2"]'),
        ({"a": 1.0, "b": "<", "c": 2**62}, '{"a":1,"b":"\\u003c","c":4611686018427387904}'),
    ],
)
def test_text(value: Any, text: str) -> None:
    assert gojson.encode(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-0", 0),
        ("1.0", 1.0),
        ("1e2", 100.0),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775808", 9223372036854775808.0),
        (" \n{}\t", {}),
        ('{"a":1,"a":2}', {"a": 2}),
        ('"\\ud83d\\ude00"', "😀"),
        ('["\\ud800", {"\\udc00": "\\ud800x"}]', ["\ufffd", {"\ufffd": "\ufffdx"}]),
        (b'"\xff\xe2\x82"', "\ufffd\ufffd\ufffd"),
        (bytearray(b'"\xc3\xa9"'), "é"),
    ],
)
def test_decoding(text: str | bytes | bytearray, value: Any) -> None:
    found = gojson.decode(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "NaN", "-Infinity", "1e400", "1" * 5000, "01", "{} x", "nul", "\ufeff{}", "\x0c{}", '"\x01"'],
)
def test_values_that_are_not_json(text: str) -> None:
    with pytest.raises(engine.BadText):
        gojson.decode(text)


@pytest.mark.parametrize("value", [{"a": {1, 2}}, {1: 2, "a": 1}, [float("nan")], ["\ud800"], {"a": object()}])
def test_values_without_json(value: Any) -> None:
    with pytest.raises(engine.NotJson):
        gojson.encode(value)


COUNTED = gojson._UNBOUNDED
"""True if levels are counted here, because Python's parser accepts thousands; older parsers stop themselves."""


def test_depth() -> None:
    if sys.version_info[:2] != (3, 12):  # the first patch releases of 3.12 stop at 1,500
        assert COUNTED is (sys.version_info >= (3, 13))
    text = "[" * 300 + "]" * 300
    assert gojson.encode(gojson.decode(text)) == text
    assert gojson.decode_all(text, text)[0] == [gojson.decode(text)] * 2
    deep = gojson.decode(text)
    for levels in (301, 302, 900, 5_000, 100_000) if COUNTED else (100_000,):
        for wrong in ("", "}", "NaN"):
            with pytest.raises(engine.TooDeep):
                gojson.decode("[" * levels + wrong + "]" * levels)
        with pytest.raises(engine.TooDeep):
            gojson.decode_all("{}", "[" * levels + "]" * levels)
    for levels in range(301, 5_301):
        deep = [deep]
        if COUNTED or levels == 5_300:
            with pytest.raises(engine.TooDeep):
                gojson.encode(deep)


LEVELS: list[tuple[str, int]] = [
    ('{"a":' * 300 + "{}" + "}" * 300, 301),
    ('{"a": [' * 150 + "1" + "] } " * 150, 300),
    ("[" + "[[],{}]," * 500 + "1]", 3),
    ('[{"[[{":"]"}' + ',{"\\\\":"{\\""}' * 500 + "]", 2),
    ('["' + "[" * 500 + '"]', 1),
    ('{"]}":[' * 200 + "1" + "]}" * 200, 400),
    ('[{"\\"]":' * 200 + "1" + "}]" * 200, 400),
    ("[[" * 200, 400),
    ("]}" * 400, 0),
]
"""Texts, some of them broken, and their number of levels."""


@pytest.mark.parametrize(("text", "levels"), LEVELS)
def test_levels_are_counted_without_brackets_in_strings(text: str, levels: int) -> None:
    for form in (text, text.encode(), bytearray(text.encode())):
        assert not is_deep(form, levels)
        assert not levels or is_deep(form, levels - 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"a":1 ,\n }',
            "Expecting property name enclosed in double quotes: line 2 column 2 (char 10)",
        ),
        ("[1, ]", "a value was expected at character 5"),
        ("[1,", "a value was expected at character 4"),
        ('{"b":"\\u12', "Invalid \\uXXXX escape: line 1 column 8 (char 7)"),
        ('{"b":"x\\"\\u1201', "Unterminated string starting at: line 1 column 6 (char 5)"),
    ],
)
def test_messages_are_the_same_in_all_python_versions(text: str, said: str) -> None:
    with pytest.raises(engine.BadText) as caught:
        gojson.decode(text)
    assert str(caught.value) == f"this is not JSON: {said}"


@pytest.mark.parametrize(("text", "floats"), [("[1]", False), ("[1.0]", True), ("[1e2]", True), ('["1.5"]', False)])
def test_floats_are_noted(text: str, floats: bool) -> None:
    assert gojson.decode_all(text)[1] is floats


def test_floats_are_noted_wherever_the_text_is_read() -> None:
    """A text that is too deep for this stack is read on another one."""
    text = "[" * 290 + "1.5" + "]" * 290

    def below(levels: int) -> bool:
        return below(levels - 1) if levels else gojson.decode_all(text)[1]

    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    assert below(sys.getrecursionlimit() - depth - 60)


@pytest.mark.parametrize(
    "texts",
    [
        ('{"a": [1', "2]}"),
        ('{"x": "', '"}, -987654321987654321, {}'),
        ("1, -987654321987654321, 2", "3"),
        ('{"a": 1', '"b": 2}, {}'),
        ("{}", "{}]"),
        ("", "{}"),
    ],
)
def test_broken_texts_do_not_complete_each_other(texts: tuple[str, ...]) -> None:
    with pytest.raises(engine.BadText):
        gojson.decode_all(*texts)


def test_texts_decoded_as_one_list() -> None:
    texts = ('{"a": 1}', b'\n{"a": -987654321987654321}', '{"\\ud800": 1.5}')
    assert gojson.decode_all(*texts) == ([{"a": 1}, {"a": -987654321987654321}, {"\ufffd": 1.5}], True)
    assert gojson.decode_all("{}", "[1]") == ([{}, [1]], False)


def test_valid_texts_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scan, scanned = gojson._scan, list[str]()

    def noted(text: str, at: int) -> tuple[Any, int]:
        scanned.append(text)
        return scan(text, at)

    monkeypatch.setattr(gojson, "_scan", noted)
    assert gojson.decode_all("{}", "[1]", "2") == ([{}, [1], 2], False)
    assert scanned == ["{}", "[1]", "2"]


def test_text_is_the_same_without_the_c_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [{"b": [1, True, None], "a": {"é": "\u2028<&>"}}, [], {}, [{"a": 1.5}], "x"]
    fast = [gojson._compact(value) for value in values]
    monkeypatch.setattr("json.encoder.c_make_encoder", None)
    assert [gojson._compact_writer()(value) for value in values] == fast
    for unfit in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON compliant"):
            gojson._compact_writer()(unfit)


def test_without_threads_too_deep_documents_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("engine.values.guard._thread.start_new_thread", none_left)
    with pytest.raises(engine.TooDeep):
        gojson.decode("[" * 100_000 + "]" * 100_000)
