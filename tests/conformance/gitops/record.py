"""Scenarios on a real server: the objects before and after the tool's own code has synced them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..livediff.changes import changes
from ..livediff.drafts import refresh
from .draw import deleted, scene, written
from .requests import argocd_request, flux_request

if TYPE_CHECKING:
    from ..ownership.real.server import Server
    from .judge import Judge

Object = dict[str, Any]
RECORDED = Path(__file__).parent / "recorded"
REQUESTS = {"flux": flux_request, "argocd": argocd_request}


def case(server: Server, judge: Judge, tool: str, seed: int, only: str = "") -> Object | None:
    """One random scenario with the tool's results."""
    drawn = scene(tool, seed, only)
    ask = REQUESTS[tool]

    def sync(config: Object) -> None:
        judge.ask(ask(drawn.settings, [json.loads(json.dumps(config))], []))

    drafts = [*drawn.drafts, *drawn.stale]
    try:
        found = written(server, drawn, sync)
        if not found:
            return None
        configs = [] if drawn.stale else [one.config for one in found]
        before = [one.live if refresh(server, one) else None for one in found]
        stale = [one for one in before if one] if drawn.stale else []
        result = judge.ask(ask(drawn.settings, configs, stale))
        after = [one.live if refresh(server, one) else None for one in found]
        return {
            "id": seed,
            "kinds": [one.kind.kind for one in found],
            "manners": [[one.way, *one.manners] for one in found],
            "settings": drawn.settings,
            "configs": configs,
            "live": before,
            "after": after,
            "result": _brief(tool, result),
        }
    finally:
        for one in drafts:
            deleted(server, one)


def _brief(tool: str, result: Object) -> Object:
    """The result with the difference of Argo CD's two states, instead of the states."""
    if tool == "argocd":
        for one in result["objects"] or ():
            normalized, predicted = one.pop("normalized", None), one.pop("predicted", None)
            one["diff"] = changes(normalized, predicted)
    return result
