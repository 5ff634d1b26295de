"""Invalid words: empty ones, unless kubectl treats them as not given, and addresses of other sorts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.cli import group
from kubemerge.cli.main import main

from ...codegen.sample_specs import kubemerge
from ...conftest import ROOT
from ..objects import config_map

if TYPE_CHECKING:
    from ..shell import Shell

CONFIG = str(ROOT / "examples" / "nginx")

EMPTY: dict[str, tuple[tuple[str, ...], str]] = {
    "a file": (("merge", "-f", ""), "the name after -f is empty"),
    "a blank": (("merge", "-f", " "), "the name after -f is empty"),
    "with its option in one word": (("merge", "--filename="), "the name after --filename is empty"),
    "a page": (("merge", "-f", CONFIG, "--html", ""), "the name after --html is empty"),
    "a specification": (("kinds", "--schema", ""), "the name after --schema is empty"),
    "a word": (("kinds", ""), "a command line argument is empty"),
    "a word after a flag": (("kinds", "--history", ""), "a command line argument is empty"),
    "a word of a command in a command": (("cluster", "import", ""), "a command line argument is empty"),
    "codes": (("lint", CONFIG, "--select", ","), "unknown code ''"),
}


@pytest.mark.parametrize(("words", "said"), EMPTY.values(), ids=EMPTY)
def test_an_empty_word_is_reported(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "ftp://example.test/x: only http and https addresses are supported" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-n", "--namespace"])
def test_no_namespace_is_the_one_of_the_object(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", CONFIG, option, "", "-o", "name") == 0
    assert capsys.readouterr().out == "deployment.apps/nginx-deployment\n"


@pytest.mark.parametrize("option", [("-n=",), ("-l", ""), ("-l=",)], ids=" ".join)
def test_what_may_be_empty_is_not_given(option: tuple[str, ...], shell: Shell) -> None:
    shell.write("a.yaml", config_map("a"))
    shell.done("apply", "-f", "a.yaml")
    assert shell.done("get", "cm", *option, "-o", "name") == "configmap/a\n"


def test_a_patch_in_yaml_is_not_an_option(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a", data={"p": "1"}))
    shell.done("apply", "-f", "a.yaml")
    shell.done("patch", "cm/a", "--type", "json", "-p", "- op: replace\n  path: /data/p\n  value: VE9QU0VDUkU=")
    assert shell.done("get", "cm/a", "-o", "jsonpath={.data.p}") == "VE9QU0VDUkU="


def test_selectors_and_what_stands_after_two_dashes_may_end_in_a_sign(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a", labels={"tier": ""}))
    shell.done("apply", "-f", "a.yaml")
    assert shell.done("get", "cm", "-ltier=", "-o", "name") == "configmap/a\n"
    assert shell.done("get", "-o", "name", "--", "cm") == "configmap/a\n"


BARE = {
    "--wait": ("delete", "--wait", "cm/a"),
    "--cascade": ("delete", "--cascade", "cm/a"),
    "--dry-run": ("label", "--dry-run", "cm/a", "x=y"),
    "--validate": ("replace", "--validate", "-f", "a.yaml"),
}


@pytest.mark.parametrize("words", BARE.values(), ids=BARE)
def test_an_option_that_may_stand_alone_takes_no_other_word(words: tuple[str, ...], shell: Shell) -> None:
    shell.write("a.yaml", config_map("a"))
    shell.done("apply", "-f", "a.yaml")
    shell.done(*words)


KUBECTL_ONLY = {
    ("rollout", "restart", "deploy/web"): "kubemerge has no `rollout`. Run kubectl against `kubemerge serve`\n",
    ("set", "image", "--help"): "kubemerge has no `set`. Run kubectl against `kubemerge serve`\n",
    ("drain", "node-1"): "kubemerge has no `drain`. Run kubectl against `kubemerge serve`\n",
    ("logs", "pod/web"): "kubemerge has no `logs`: the embedded cluster runs no containers\n",
    ("kustomize", "overlays/test"): "kubemerge has no `kustomize`. Run `kubectl kustomize DIR`, "
    "or apply the result with `kubemerge apply -k DIR`\n",
    ("config", "use-context", "x"): "kubemerge has no `config`. Select a cluster with --cluster, "
    "KUBEMERGE_CLUSTER or --context\n",
}


@pytest.mark.parametrize(("words", "message"), KUBECTL_ONLY.items(), ids=lambda one: " ".join(one)[:30])
def test_a_kubectl_command_that_is_missing_is_reported_with_the_fix(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert (end.value.code, *capsys.readouterr()) == (2, "", message)


def test_no_command_is_listed_as_missing() -> None:
    assert not set(group.COMMANDS) & set(group.KUBECTL_ONLY)
