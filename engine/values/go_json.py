"""JSON text as Go reads and writes it, for annotations and byte-exact comparisons."""

from __future__ import annotations

import json
import re
from _thread import _local  # `threading.local`, without importing all of `threading`

from ..errors import BadText, MergeError, NotJson, TooDeep
from . import orjson_codec
from .floats import json_form
from .guard import MAX_DEPTH, canonical, is_deep, run_on_fresh_stack
from .plain import DEEP, FLOATS, INT64, kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    Result = TypeVar("Result")


def accelerate() -> bool:
    """Encode and decode JSON with orjson from now on, in this process. Return True if orjson is installed.

    Results stay the same to the byte. It is not the default, because the standard library needs no installation and no
    import.
    """
    found = orjson_codec.load_orjson()
    if found:
        _quick.read, _quick.write, _quick.read_all = found
    return found is not None


class _Accelerated:
    """The accelerated functions, once `accelerate` was called."""

    read: orjson_codec.Reader | None = None
    write: orjson_codec.Writer | None = None
    read_all: orjson_codec.ReaderOfAll | None = None


_quick = _Accelerated()


def is_accelerated() -> bool:
    """True if `accelerate` was called and found orjson."""
    return _quick.read is not None


def encode(value: Any, *, floats: bool = True, read: bool = False, constants: bool = False) -> str:
    """The text of `encoding/json`: keys sorted, no spaces, `<`, `>` and `&` escaped, numbers in Go's form.

    `floats=False` promises that no number is a float, which saves the search for them. `read=True` promises that
    everything in the value was decoded from JSON, and has no other type. With `constants`, `NaN` is no error.
    """
    try:
        if read and _quick.write:
            text = _encode_accelerated(_quick.write, value, floats)
        else:
            text = _encode(value, floats, constants)
    except RecursionError:
        text = run_on_fresh_stack(lambda: _encode(value, floats, constants))
    if _UNBOUNDED and _is_too_deep(text):
        raise TooDeep(MAX_DEPTH)
    return text


def decode(text: str | bytes | bytearray) -> Any:
    """The value of a JSON text: integers of up to 64 bits are integers, all other numbers are floats."""
    if _UNBOUNDED and _is_too_deep(text):
        raise TooDeep(MAX_DEPTH)
    try:
        if _quick.read:
            try:
                return _quick.read(text)
            except ValueError:
                pass
        return _decode(text)
    except RecursionError:
        _found.floats = True
        return run_on_fresh_stack(lambda: _decode(text))


def decode_all(*texts: str | bytes | bytearray) -> tuple[list[Any], bool]:
    """The values of JSON texts, and True if there may be floats in them."""
    values, traits = decode_with_traits(*texts)
    return values, bool(traits & FLOATS)


def decode_with_traits(*texts: str | bytes | bytearray) -> tuple[list[Any], int]:
    """The values of JSON texts, and the traits that they may have: FLOATS and DEEP."""
    if _quick.read_all and not (_UNBOUNDED and any(map(_is_too_deep, texts))):
        try:
            return _quick.read_all(texts)
        except (ValueError, TypeError):
            pass
    _found.floats = _quick.read is not None
    try:
        values = [*map(decode if _UNBOUNDED or _quick.read else _decode, texts)]
    except RecursionError:
        values = [*map(decode, texts)]
    return values, FLOATS | DEEP if _found.floats else DEEP


def decode_with_constants(constants: list[Any], *texts: str | bytes | bytearray) -> tuple[list[Any], int]:
    """The same, where each `NaN` becomes the next of the constants; any more of them are an error."""
    _found.constants = constants[::-1]
    try:
        return decode_with_traits(*texts)
    finally:
        _found.constants = None


def _reads_any_depth() -> bool:
    """True if Python's parser accepts thousands of levels, as from Python 3.12 on; older ones stop at 1000."""
    try:
        json.loads("[" * 1500 + "]" * 1500)
    except RecursionError:
        return False
    return True


_UNBOUNDED = _reads_any_depth()
"""True if levels have to be counted, which takes up to a quarter of the decoding time."""


def _is_too_deep(text: str | bytes | bytearray) -> bool:
    """True if a text has more levels than are allowed; each level has at least two characters."""
    return len(text) > 2 * MAX_DEPTH and is_deep(text)


class _Found(_local):
    """Per thread, True if a float has been decoded, and the values of constants."""

    floats = False
    constants: list[Any] | None = None
    """The last one is next."""


_found = _Found()


# ---- encoding -----------------------------------------------------------------------------------------------------

# Floats in Python's text; a few strings match too.
_fraction = re.compile(r"\.[0-9]+(?:e[+-][0-9]+)?[,}\]]").search
_large = re.compile(r"e\+[0-9]+[,}\]]").search
_small = re.compile(r"e-[0-9]+[,}\]]").search


def _refuse(value: object) -> NoReturn:
    raise NotJson(value, f"{kind_name(value)} is not a JSON value")


def _compact_writer(constants: bool = False) -> Callable[[Any], str]:
    """`json.JSONEncoder.encode`, without the setup that it repeats for each text."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(ensure_ascii=False, allow_nan=constants, sort_keys=True, separators=(",", ":")).encode
    chunks = make(None, _refuse, json.encoder.encode_basestring, None, ":", ",", True, False, constants)
    return lambda value: "".join(chunks(value, 0))


_compact = _compact_writer()
_compact_with_constants = _compact_writer(constants=True)


def _encode_accelerated(write: orjson_codec.Writer, value: Any, floats: bool) -> str:
    try:
        return _for_go(write(value, floats))
    except (ValueError, TypeError):
        return _encode(value, floats)


def _encode(value: Any, floats: bool, constants: bool = False) -> str:
    try:
        text = _compact_with_constants(value) if constants else _compact(value)
        ascii_only = text.isascii()
        if not ascii_only:
            text.encode()
        if floats and (_fraction(text) or _large(text) or _small(text) or type(value) is float):
            text = _with_go_numbers(value)
    except (MergeError, TypeError, ValueError):
        text = _encode_or_raise(value)
        ascii_only = False
    return _for_go(text, ascii_only)


def _for_go(text: str, ascii_only: bool = False) -> str:
    """The text with Go's escapes."""
    if "<" in text:
        text = text.replace("<", "\\u003c")
    if ">" in text:
        text = text.replace(">", "\\u003e")
    if "&" in text:
        text = text.replace("&", "\\u0026")
    return text if ascii_only else text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _encode_or_raise(value: Any) -> str:
    """The same, with an error that has the value that is not JSON and its path."""
    text = _with_go_numbers(canonical(value))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise NotJson(letter, f"half of a surrogate pair, {letter!r}, is not a character") from None
    return text


def _with_go_numbers(value: Any) -> str:
    """The text of a value with the numbers that Go prints differently from Python."""
    kind = type(value)
    if kind is dict:
        return "{" + ",".join([f"{_compact(key)}:{_with_go_numbers(value[key])}" for key in sorted(value)]) + "}"
    if kind is list:
        return "[" + ",".join([_with_go_numbers(item) for item in value]) + "]"
    if kind is float and value - value == 0:
        return json_form(value)
    if kind is int and not -INT64 <= value < INT64:
        return json_form(float(value))
    return _compact(value)


# ---- decoding -----------------------------------------------------------------------------------------------------


class _Integers(dict[str, int]):
    """Integers by their text: known ones are looked up, as long as there is space; others are parsed."""

    room = 4096

    def __missing__(self, text: str) -> int | float:
        if len(text) < 19:
            value = int(text)
            if len(self) < self.room:
                self[text] = value
            return value
        return int(text) if len(text) <= 20 and -INT64 <= int(text) < INT64 else _float(text)


def _float(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise BadText(f"the number {text[:30]} is too large")
    _found.floats = True
    return value


def _constant(text: str) -> Any:
    if _found.constants:
        return _found.constants.pop()
    raise BadText(f"{text} is not a JSON number")


_integers = _Integers()
_scan: Callable[[str, int], tuple[Any, int]] = vars(
    json.JSONDecoder(parse_int=_integers.__getitem__, parse_float=_float, parse_constant=_constant)
)["scan_once"]
_SPACE = " \t\n\r"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def _decode(text: str | bytes | bytearray) -> Any:
    if not isinstance(text, str):
        data = text
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = _with_replacements(data)
    try:
        value, end = _scan(text, 0)
    except (StopIteration, ValueError):
        end = -1
    if end < len(text):
        value = _decode_stripped(text.strip(_SPACE))
    start = text.find("\\u") if "\\" in text else -1
    return _replace_surrogates(value) if start >= 0 and _may_have_half(text, start) else value


def _decode_stripped(text: str) -> Any:
    """The value of a text, or its error."""
    try:
        value, end = _scan(text, 0)
    except StopIteration as error:
        raise BadText(f"a value was expected at character {error.value + 1}") from None
    except json.JSONDecodeError as error:
        raise _bad_text(error) from None
    except ValueError as error:
        raise BadText(str(error)) from None
    if end < len(text):
        raise BadText(f"there is more text after the document, at character {end + 1}")
    return value


def _bad_text(error: json.JSONDecodeError) -> BadText:
    said, at = stable_message(error)
    if said == _NO_VALUE:
        return BadText(f"a value was expected at character {at + 1}")
    return BadText(str(json.JSONDecodeError(said, error.doc, at)))


_NO_VALUE = "Expecting value"
_TRAILING = {
    "Illegal trailing comma before end of object": "Expecting property name enclosed in double quotes",
    "Illegal trailing comma before end of array": _NO_VALUE,
}

_ESCAPE = "Invalid \\uXXXX escape"
_OPEN_TEXT = re.compile(r'"(?:[^"\\]|\\.)*\\u[0-9a-fA-F]{4}\Z').search


def stable_message(error: json.JSONDecodeError) -> tuple[str, int]:
    """The message and the position of an error, the same in all Python versions.

    Python 3.13 and later report a comma if something is missing after it. Versions before 3.14 report a character code
    where the text ends after it.
    """
    doc, at = error.doc, error.pos
    if error.msg in _TRAILING:
        return _TRAILING[error.msg], len(doc) - len(doc[at + 1 :].lstrip(_SPACE))
    if error.msg.startswith(_ESCAPE) and at + 5 == len(doc) and (open_text := _OPEN_TEXT(doc)):
        return "Unterminated string starting at", open_text.start()
    return error.msg, at


_may_have_half = re.compile(r"\\u[dD][89a-fA-F]").search


def _with_replacements(data: bytes | bytearray) -> str:
    """The text of bytes that are not UTF-8; invalid ones become the replacement character, as in Go."""
    return _HALF_PAIR.sub("\ufffd", data.decode(errors="surrogateescape"))


def _replace_surrogates(value: Any) -> Any:
    """A copy with the replacement character for each lone surrogate."""
    if isinstance(value, str):
        return _HALF_PAIR.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    return value
