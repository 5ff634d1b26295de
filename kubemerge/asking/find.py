"""Finding the kind that somebody typed: `deployment`, `deploy`, `deployments.apps`, `apps/v1/Deployment`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

import engine
from engine import UnknownKind

from ..kind_names import SHORT_NAMES, plural, rank

if TYPE_CHECKING:
    from engine import Schema, Tables

_QUALIFIED = re.compile(r"(?P<api>(?:[\w.-]+/)?v\d\w*)/(?P<kind>\w+)(?:\.(?P<path>.*))?", re.DOTALL)


class NoSuchKind(UnknownKind):
    """A kind that somebody typed and these tables do not hold."""

    advice = "give its definition with --schema FILE"


def find(tables: Tables, word: str, api_version: str | None = None) -> Schema:
    """The schema of a kind as people type it; of several apiVersions the most stable one."""
    found, path = find_field(tables, word, api_version)
    if path:
        raise _unknown(tables, word)
    return found


def find_field(tables: Tables, text: str, api_version: str | None = None) -> tuple[Schema, str]:
    """A kind and the path of a field in it: `deploy.spec`, `deployments.apps.spec`, `apps/v1/Deployment.spec`."""
    qualified = _QUALIFIED.fullmatch(text)
    if qualified:
        return _best(tables, qualified["kind"], qualified["api"]), qualified["path"] or ""
    word, _, rest = text.partition(".")
    for api, _kind in sorted(_called(tables, word), key=lambda key: rank(key[0]), reverse=True):
        group, _, version = api.rpartition("/")
        for name in (f"{version}.{group}", group):
            if group and f"{rest}.".startswith(f"{name}.") and api_version in (None, api):
                return _best(tables, word, api), rest[len(name) + 1 :]
    return _best(tables, word, api_version), rest


def _best(tables: Tables, word: str, api_version: str | None) -> Schema:
    found = [key for key in _called(tables, word) if api_version in (None, key[0])]
    if found:
        return tables.schema(*max(found, key=lambda key: (rank(key[0]), key)))
    if api_version:
        try:
            return tables.schema(api_version, SHORT_NAMES.get(word.lower(), word))
        except UnknownKind as error:
            raise NoSuchKind(
                error.api_version, error.kind, release=error.release, near=error.near, served_in=error.served_in
            ) from None
    raise _unknown(tables, word)


def _called(tables: Tables, word: str) -> list[tuple[str, str]]:
    """The apiVersions and kinds that somebody may mean by a word."""
    wanted = {word.lower(), SHORT_NAMES.get(word.lower(), word).lower()}
    return [key for key in tables.kinds() if wanted & {key[1].lower(), plural(key[1])}]


def _unknown(tables: Tables, word: str) -> NoSuchKind:
    """The error that says which kinds are called nearly so, or which releases serve the kind."""
    if tables.release is not None:
        for release in reversed(engine.releases()):
            elsewhere = _called(engine.load(release), word)
            if elsewhere:
                key = max(elsewhere, key=lambda key: (rank(key[0]), key))
                served = [one for one in engine.releases() if key in engine.load(one)]
                return NoSuchKind(*key, release=tables.release, served_in=served)
    best: dict[str, tuple[str, str]] = {}
    for api, kind in sorted(tables.kinds(), key=lambda key: rank(key[0])):
        if not kind.endswith("List"):
            best.update(dict.fromkeys((kind.lower(), plural(kind)), (api, kind)))
    begun = [name for name in sorted(best) if word and name.startswith(word.lower())]
    near = dict.fromkeys(best[name] for name in [*get_close_matches(word.lower(), best, n=4), *begun])
    return NoSuchKind(None, word, release=tables.release, near=list(near)[:3])
