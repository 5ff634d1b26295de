"""Hostile manifests as input of commands: each ends in time, with one sentence, and without effects on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from ..conftest import ROOT
from .commands import ended, fails_well, one_sentence
from .hostile import TEXTS, changed_anywhere
from .trial import insist

if TYPE_CHECKING:
    from pathlib import Path

    from .trial import Trial, Tried

OF_EACH = 20
"""Of each kind of text, in a full attack."""
CHANGED = 250
"""Real manifests with something wrong in them."""
COMMANDS = (
    ("apply", "--cluster", ":memory:", "-f", "m.yaml"),
    ("apply", "--cluster", ":memory:", "-o", "yaml", "-f", "m.yaml"),
    ("create", "--cluster", ":memory:", "--save-config", "-f", "m.yaml"),
    ("cluster", "import", "--cluster", ":memory:", "m.yaml"),
    ("lint", "-f", "m.yaml"),
    ("lint", "-f", "m.yaml", "--live", "m.yaml", "-o", "json"),
    ("merge", "-f", "m.yaml", "--live", "m.yaml"),
    ("diff", "-f", "m.yaml", "--live", "good.yaml"),
    ("diff", "-f", "good.yaml", "--live", "m.yaml"),
    ("why", "-f", "good.yaml", "--live", "m.yaml"),
    ("merge", "-f", "good.yaml", "--live", "good.yaml", "--last-applied", "m.yaml"),
    ("overlay", "m.yaml", "good.yaml"),
    ("patch", "-f", "good.yaml", "--local", "-o", "yaml", "--patch-file", "m.yaml"),
    ("compare", "1.36..1.37", "-f", "m.yaml"),
)
GOOD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: b}\n"
PAINT = ("\x1b", "\u202e", "\u009b", "\x07")
"""Control characters that a terminal would obey, and no command may print."""


def attack(trial: Trial) -> Tried:
    """Give each document to some commands."""
    folder = trial.new_folder()
    (folder / "good.yaml").write_text(GOOD)
    for what, make in TEXTS.items():
        often = trial.often(OF_EACH)
        for _ in range(often):
            given = make(trial.random)
            read(trial, folder, given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass"))
        yield f"hostile documents: {what}", often
    often = trial.often(CHANGED)
    for _ in range(often):
        read(trial, folder, json.dumps(changed_anywhere(trial.random.choice(real()), trial.random)).encode())
    yield "real manifests with something wrong anywhere", often


def real() -> list[Any]:
    """The manifests of the examples."""
    files = [*sorted((ROOT / "examples").rglob("*.yaml")), *sorted((ROOT / "docs" / "live").glob("*.yaml"))]
    return [one for file in files for one in yaml.safe_load_all(file.read_text()) if one]


def read(trial: Trial, folder: Path, data: bytes) -> None:
    """Read a document with two commands."""
    inputs = {"m.yaml": data}
    (folder / "m.yaml").write_bytes(data)
    for words in trial.random.sample(COMMANDS, 2):
        try:
            said = ended(folder, *words)
            (fails_well if said.code > 1 else one_sentence)(said, (0, 1, 2), inputs)
        except Exception as error:
            error.args = (f"{' '.join(words)}: {error}",)
            if not getattr(error, "inputs", None):
                error.inputs = inputs  # type: ignore[attr-defined]
            raise
        painted = [sign for sign in PAINT if sign in said.out + said.err]
        insist(not painted, f"{' '.join(words)} prints {painted!r}", inputs)
        insist(not (folder / "hacked").exists(), f"{' '.join(words)} ran code", inputs)
