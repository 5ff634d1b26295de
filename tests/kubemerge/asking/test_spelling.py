"""Words that nobody can mean: empty ones, unless kubectl takes them for nothing given, and addresses of other sorts."""

from __future__ import annotations

import pytest

from ...codegen.documents import kubemerge
from ...conftest import ROOT

CONFIG = str(ROOT / "examples" / "nginx")

EMPTY: dict[str, tuple[tuple[str, ...], str]] = {
    "a file": (("merge", "-f", ""), "the name behind -f is empty"),
    "a blank": (("merge", "-f", " "), "the name behind -f is empty"),
    "with its option in one word": (("merge", "--filename="), "the name behind --filename is empty"),
    "a page": (("merge", "-f", CONFIG, "--html", ""), "the name behind --html is empty"),
    "a specification": (("kinds", "--schema", ""), "the name behind --schema is empty"),
    "a word": (("kinds", ""), "a name among the words is empty"),
    "a word behind a flag": (("kinds", "--history", ""), "a name among the words is empty"),
    "a word of a command in a command": (("cluster", "import", ""), "a name among the words is empty"),
    "codes": (("lint", CONFIG, "--select", ","), "there is no code ''"),
}


@pytest.mark.parametrize(("words", "said"), EMPTY.values(), ids=EMPTY)
def test_an_empty_word_is_told(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge(*words) == 2
    assert capsys.readouterr().err.startswith(f"kubemerge: {said}")


OTHERS = {
    "a config": ("merge", "-f", "ftp://example.test/x"),
    "in one word": ("merge", "--filename=ftp://example.test/x"),
    "a specification": ("kinds", "--schema", "ftp://example.test/x"),
    "a side": ("compare", "1.12", "ftp://example.test/x"),
    "a word": ("lint", "ftp://example.test/x"),
}


@pytest.mark.parametrize("words", OTHERS.values(), ids=OTHERS)
def test_an_address_that_nobody_fetches(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge(*words) == 2
    assert "ftp://example.test/x: only http and https are fetched" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-n", "--namespace"])
def test_no_namespace_is_the_one_of_the_object(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", CONFIG, option, "", "-o", "name") == 0
    assert capsys.readouterr().out == "deployment.apps/nginx-deployment\n"
