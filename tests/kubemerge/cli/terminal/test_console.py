"""The colours of what a command prints."""

from __future__ import annotations

from kubemerge.cli.terminal.console import difference_in_colours
from kubemerge.diff.unified import unified


def test_colours() -> None:
    assert difference_in_colours(list(unified("a\nb\n", "a\nc\n", "x")))[2:] == [
        "\x1b[1m+++ MERGED/x\x1b[0m",
        "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m",
        " a",
        "\x1b[31m-b\x1b[0m",
        "\x1b[32m+c\x1b[0m",
    ]
