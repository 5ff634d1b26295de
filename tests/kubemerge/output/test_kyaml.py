"""KYAML as kubectl 1.37 prints it."""

from __future__ import annotations

from kubemerge.output.kyaml import kyaml

TEXT = """\
---
{
  "": "",
  list: [{
    a: 1,
  }, {}],
  numbers: [
    1,
    1.5,
    null,
    "x",
  ],
  "on": true,
  text: "\\
     one\\n\\
    \\  two\\n\\
     three\\
    ",
  "with space": "\\"q\\"",
}
"""


def test_kyaml() -> None:
    value = {
        "with space": '"q"',
        "on": True,
        "": "",
        "numbers": [1, 1.5, None, "x"],
        "list": [{"a": 1}, {}],
        "text": "one\n  two\nthree",
    }
    assert kyaml(value) == TEXT
