"""orjson decodes and encodes with our results."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import TooDeep
from engine.values import go_json, orjson_codec
from engine.values.go_json import decode, decode_all, decode_with_traits, encode
from engine.values.guard import MAX_DEPTH
from engine.values.plain import DEEP

pytest.importorskip("orjson", reason="orjson is not installed")

NUMBERS = (
    *("0", "-0", "-0.0", "1.0", "1e5", "1E-5", "1.5e300", "1e400", "0.1", "123456789012345678", "9007199254740993"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *(
        "18446744073709551615",
        "18446744073709551616",
        "1234567890123456789012",
        "01",
        "1.",
        ".5",
        "+1",
        "NaN",
        "Infinity",
    ),
)
STRINGS = (
    *(
        '"a"',
        '"\\u0000"',
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '"é\u2028"',
        '"<&>"',
        '"\\/"',
        '"\x7f"',
        '"\t"',
        '"\\b\\f\\n"',
    ),
    *('"1.16.1"', '"a.5,"', '"x1e5}"', '"1234567890123456789"', '"\ufeff"', '""', '"\\x"'),
)
ODD = ("[1,]", "{", "", " ", "[1] 2", '{"a":1,"a":{"b":2}}', '{"a" : [ ] }\n', "\ufeff{}", "nul", "[" * 400 + "]" * 400)


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    found = orjson_codec.load_orjson()
    assert found is not None
    monkeypatch.setattr(go_json._quick, "read", found[0])
    monkeypatch.setattr(go_json._quick, "write", found[1])
    monkeypatch.setattr(go_json._quick, "read_all", found[2])


def tried(function: Any, *arguments: Any, **words: Any) -> str:
    """The result of a call with the types of all numbers, or its error."""
    try:
        return repr(function(*arguments, **words))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def both(function: Any, *arguments: Any, **words: Any) -> tuple[str, str]:
    """The result of a call without orjson and with it."""
    quick, go_json._quick = go_json._quick, go_json._Accelerated()
    try:
        usual = tried(function, *arguments, **words)
    finally:
        go_json._quick = quick
    return usual, tried(function, *arguments, **words)


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("text", [*NUMBERS, *STRINGS, *ODD])
def test_text_is_decoded_alike(text: str) -> None:
    for one in (text, f'{{"a":[{text}]}}', f" {text}\n"):
        for given_as in (one, one.encode(), bytearray(one.encode())):
            usual, quick = both(decode, given_as)
            assert quick == usual
        usual, quick = both(lambda *texts: decode_all(*texts)[0], one, '{"b":1}')
        assert quick == usual


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("before", range(8))
@pytest.mark.parametrize("number", ["9223372036854775808", "18446744073709551615"])
def test_large_number_is_found_at_any_position(number: str, before: int) -> None:
    text = f'{{"{"a" * before}":{number}}}'
    usual, quick = both(decode, text)
    assert quick == usual
    usual, quick = both(lambda *texts: decode_all(*texts)[0], b"{}", text.encode(), b"[1]")
    assert quick == usual


@pytest.mark.usefixtures("_quick")
def test_invalid_bytes_are_decoded_alike() -> None:
    usual, quick = both(decode, b'{"a":"\xff\xfe"}')
    assert quick == usual


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-5, 70000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.usefixtures("_quick")
@given(JSON)
@settings(max_examples=150, deadline=None)
def test_decoded_values_are_encoded_alike(value: Any) -> None:
    text = json.dumps(value)
    usual, quick = both(decode, text)
    assert quick == usual
    read = decode(text)
    usual, quick = both(encode, read, read=True)
    assert quick == usual
    assert tried(encode, read) == usual


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("number", ["1.5", "1e-5", "-2.5e-6", "1e100", "1.5E+20", "2.0"])
@pytest.mark.parametrize("before", ['{"e-":"1.5.1",', '{"e+":"e-1",', "{"])
def test_floats_are_found_behind_texts_that_resemble_them(before: str, number: str) -> None:
    read = decode(f'{before}"x":[{number}]}}')
    usual, quick = both(encode, read, read=True)
    assert quick == usual


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("levels", [299, 300, 301, 400])
def test_deep_texts_are_reported(levels: int) -> None:
    texts = ("{}", "[" * levels + "]" * levels)
    try:
        _, traits = decode_with_traits(*(text.encode() for text in texts))
    except TooDeep:
        assert levels > MAX_DEPTH
    else:
        assert traits & DEEP or levels <= MAX_DEPTH


@pytest.mark.usefixtures("_quick")
def test_other_values_are_encoded_alike() -> None:
    from uuid import UUID

    usual, quick = both(encode, {"a": UUID(int=1)})
    assert quick == usual
    assert "is not a JSON value" in quick


def test_orjson_is_used_on_request() -> None:
    told = "import engine, sys; from engine.values.go_json import accelerate; before = 'orjson' in sys.modules; "
    told += "print(before, accelerate(), 'orjson' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_missing_orjson_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert orjson_codec.load_orjson() is None
    assert go_json.accelerate() is False
