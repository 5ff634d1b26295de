"""JSON that is printed, byte for byte as kubectl 1.32.4 printed it (measured by `kubectl patch --local -o json`)."""

from __future__ import annotations

import random
from typing import Any

from engine.values.go_json import decode
from kubemerge.output.object_text import DONE, as_list, json_text, laid_out

from .test_yaml_out import normal, some_value

VALUE = {
    "numbers": [1.0, 1e21, 0.00001, 1e-7, 1.2345678901234567e19, 1e20, 1234567.5, -0.5],
    "text": '<&>é😀\u2028\x7f\t\x01"\\',
    "empty": [[], {}, [[], [{}]], ""],
    "<": [1.5, True, None],
}
PRINTED = r"""{
    "\u003c": [
        1.5,
        true,
        null
    ],
    "empty": [
        [],
        {},
        [
            [],
            [
                {}
            ]
        ],
        ""
    ],
    "numbers": [
        1,
        1e+21,
        0.00001,
        1e-7,
        12345678901234567000,
        100000000000000000000,
        1234567.5,
        -0.5
    ],
    "text": "\u003c\u0026\u003eé😀\u2028DEL\t\u0001\"\\"
}
""".replace("DEL", r"\u007f")  # kubectl prints the sign itself, which terminals obey


def test_it_prints_as_kubectl_does() -> None:
    assert json_text(VALUE) + "\n" == PRINTED


def test_random_values_are_read_as_they_were() -> None:
    luck = random.Random(3)
    for _ in range(500):
        value: Any = normal(some_value(luck))
        text = json_text(value)
        assert decode(text) == value
        assert "<" not in text


def test_a_text_that_is_laid_out_keeps_its_numbers_and_escapes() -> None:
    """As kubectl 1.37 does with an annotation of another author."""
    text = r'{"x":1.0, "y":1e3,"k":"\u00e9<é\u003c: [1, {}]>", "e":{},' + ' "l":[ ] }\n'
    assert laid_out(text, 2) == (
        "{\n"
        + r"""  "x": 1.0,
  "y": 1e3,
  "k": "\u00e9<é\u003c: [1, {}]>",
  "e": {},
  "l": []"""
        + "\n}"
    )


def test_a_list_of_what_was_found_has_its_fields_in_another_order() -> None:
    objects: list[dict[str, Any]] = [{"a": "<", "b": []}, {"c": {}}]
    found = "".join(as_list(objects, "json"))
    assert found == json_text({**DONE, "items": objects, "metadata": {"resourceVersion": ""}}) + "\n"
    assert "".join(as_list([], "json")) == EMPTY


EMPTY = """{
    "apiVersion": "v1",
    "items": [],
    "kind": "List",
    "metadata": {
        "resourceVersion": ""
    }
}
"""
