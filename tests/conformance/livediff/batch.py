"""Batches of pairs: drawn, written to the server, and compared by kubectl in few commands."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .drafts import created, deleted, draft, next_config, refresh, written_by_others
from .kubectl import KubectlFailed, key_of, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ..ownership.real.server import Server
    from .drafts import Draft
    from .kubectl import DiffSides, Key, Kubectl

    Object = dict[str, Any]

Case = dict[str, Any]
"""id, apiVersion, kind, manners, config, live; `refused` (the error), or before and merged (both sides of the diff)
and stored (the object after a real apply, null if kubectl apply is rejected)."""
MANAGED = 0.3
"""The share of batches whose live objects are printed with managedFields."""


class Batch:
    """Some pairs on a server, in a folder."""

    def __init__(self, server: Server, kubectl: Kubectl, folder: Path, only: str = "") -> None:
        self.server, self.kubectl, self.folder, self.only = server, kubectl, folder, only
        self.drafts: list[Draft] = []
        self.texts: dict[int, tuple[str, str]] = {}
        """Both sides of each difference, as kubectl prints them, by the seed."""

    def cases(self, seeds: Iterable[int], *, apart: bool) -> list[Case]:
        """The pairs of these seeds with kubectl's responses; the objects are deleted afterwards."""
        try:
            self._draw(seeds, apart=apart)
            self._write()
            return self._answered()
        finally:
            for one in self.drafts:
                deleted(self.server, one)

    def _draw(self, seeds: Iterable[int], *, apart: bool) -> None:
        taken = set()
        for seed in seeds:
            found = draft(seed, apart=apart, only=self.only)
            if (found.kind.kind, found.name) not in taken:
                taken.add((found.kind.kind, found.name))
                self.drafts.append(found)

    def _write(self) -> None:
        """Write the objects in their ways, then as other clients."""
        applied = [one for one in self.drafts if one.way.startswith("applied")]
        if applied:
            self.kubectl.accepted(self._files("start", applied))
        for one in self.drafts:
            if not refresh(self.server, one):
                one.way = "created" if one.way.startswith("applied") else one.way
                if not created(self.server, one) or not refresh(self.server, one):
                    one.way = ""
        self.drafts = [one for one in self.drafts if one.way]
        twice = [one for one in self.drafts if one.way == "applied twice"]
        for one in twice:
            written_by_others(self.server, one)
            next_config(one)
        if twice:
            accepted = self.kubectl.accepted(self._files("second", twice, "config"))
            for one in twice:
                if key_of(one.config) in accepted:
                    one.start = one.config
                refresh(self.server, one)
        for one in self.drafts:
            written_by_others(self.server, one)

    def _files(self, name: str, drafts: Iterable[Draft], which: str = "start") -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for one in drafts:
            (folder / one.file).write_text(json.dumps(getattr(one, which)), encoding="utf-8")
        return folder

    def _answered(self) -> list[Case]:
        for one in self.drafts:
            next_config(one)
        configs = self._files("config", self.drafts, "config")
        accepted = self.kubectl.accepted(configs, "--dry-run=server")
        by_key = {key_of(one.config): one for one in self.drafts}
        more = ["--show-managed-fields"] if self.drafts and self.drafts[0].random.random() < MANAGED else []
        live = self.kubectl.get(configs, *more)
        both: dict[Key, DiffSides] = {}
        said: dict[int, str] = {}
        for key, one in by_key.items():
            if key not in accepted:
                alone, said[one.seed] = self._alone(configs / one.file)
                both |= alone
        stored: dict[Key, Object] = {}
        if any(configs.iterdir()):
            both |= self.kubectl.diff(configs, self.folder / "theirs")
            stored = self._stored(configs)
        found = []
        for key, one in by_key.items():
            case: Case = {"id": one.seed, "apiVersion": one.version, "kind": one.kind.kind}
            case |= {"manners": [one.way, *one.manners], "config": one.config, "live": live.get(key) or one.live}
            if key in both:
                self.texts[one.seed] = both[key].texts
                case |= {"before": both[key].live, "merged": both[key].merged, "stored": stored.get(key)}
            else:
                case["refused"] = said[one.seed]
            found.append(case)
        return found

    def _stored(self, configs: Path) -> dict[Key, Object]:
        """The objects after a real apply. An object that another one of the batch prevents is left out."""
        try:
            return self.kubectl.apply(configs)
        except KubectlFailed:
            found: dict[Key, Object] = {}
            for file in sorted(configs.iterdir()):
                with suppress(KubectlFailed):
                    found |= self.kubectl.apply(file)
            return found

    def _alone(self, file: Path) -> tuple[dict[Key, DiffSides], str]:
        """The diff of a config that an apply rejects, or the error. The file is removed.

        kubectl diff sends the resourceVersion, so it may succeed where kubectl apply is rejected.
        """
        try:
            return self.kubectl.diff(file, self.folder / "theirs"), ""
        except KubectlFailed as error:
            return {}, refusal(str(error)).replace(str(file), file.name)
        finally:
            file.unlink()
