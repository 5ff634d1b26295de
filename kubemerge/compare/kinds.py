"""Which kinds are compared: those that somebody asked for, as people type them, and those that people apply."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine.tables.served import is_of_kubernetes

from ..kinds.find import NoSuchKind, elsewhere
from ..kinds.names import Word, names_of, plural, rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from engine import Tables

    Key = tuple[str, str]


def asked_for(words: Iterable[str], keys: Collection[Key]) -> set[Key]:
    """The kinds among `keys` that these words mean; a kind without an apiVersion is meant in all of them.

    A word is `Deployment`, `deployments`, `deploy`, `deployments.apps`, `deployments.v1.apps` or `apps/v1/Deployment`,
    or several of these with commas between.
    """
    single = [word.strip() for text in words for word in text.split(",") if word.strip()]
    return {key for word in single for key in _meant(word, keys)}


def _meant(text: str, keys: Collection[Key]) -> set[Key]:
    word = Word.read(text)
    found = {key for key in keys if word.means(key[0], names_of(key[1]))}
    if not found:
        gone = elsewhere(word, lambda api: not word.path(api))
        if gone:
            raise NoSuchKind(*gone[0], served_in=gone[1])
        raise NoSuchKind(word.api_version or None, text.rpartition("/")[2], near=_near(word.name.lower(), keys))
    return found


def _near(name: str, keys: Collection[Key]) -> list[Key]:
    """The kinds that may have been meant: of this name elsewhere, or spelled like it; the most stable of each."""
    same = [key for key in keys if name in (key[1].lower(), plural(key[1]))]
    if same:
        return sorted(same, key=lambda key: rank(key[0]), reverse=True)[:3]
    close = get_close_matches(name, {key[1].lower() for key in keys}, n=3, cutoff=0.75)
    return [max((key for key in keys if key[1].lower() == one), key=lambda key: rank(key[0])) for one in close]


# ---- what people apply ----------------------------------------------------------------------------------------------

LIST_META = "meta_v1.ListMeta"
OBJECT_META = "meta_v1.ObjectMeta"


def is_applied(key: tuple[str, str], tables: Tables) -> bool:
    """Whether objects of a kind are kept, so that somebody may apply them.

    What Kubernetes keeps has the metadata of objects, and a list beside it: no `WatchEvent`, `Scale` or `TokenReview`.
    Of other groups only lists are known to be none, for a definition of a custom resource says nothing of its list.
    """
    api_version, kind = key
    metadata = tables.schema(*key).rule("metadata")
    of = metadata.of if metadata else None
    if of == LIST_META or not is_of_kubernetes(api_version):
        return of != LIST_META
    return of == OBJECT_META and (api_version, f"{kind}List") in tables
