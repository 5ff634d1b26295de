"""Signers of certificates: their names, the names of their bundles, and annotations for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, invalid, required, too_long
from ..text.go_text import quoted
from . import names
from .metadata import annotations_size
from .object_names import as_a_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..unchecked import Object

LONGEST_DOMAIN, LONGEST = 253, 571
NO_SLASH = "must be a fully qualified domain and path of the form 'example.com/signer-name'"


def signer_name(at: str, name: str) -> Iterator[Problem]:
    """Validate a signer name."""
    if not name:
        yield required(at)
        return
    parts = name.split("/")
    if len(parts) != 2:
        yield invalid(at, name, NO_SLASH)
        return
    if len(parts[0].encode()) > LONGEST_DOMAIN:
        yield too_long(at, LONGEST_DOMAIN)
    yield from _labels(at, parts[0], names.label)
    if "." not in parts[0]:
        yield invalid(at, parts[0], "should be a domain with at least two segments separated by dots")
    yield from _labels(at, parts[1], names.subdomain)
    if len(name.encode()) > LONGEST:
        yield too_long(at, LONGEST)


def bundle_name(signer: str, name: str, *, is_prefix: bool = False) -> Iterator[str]:
    """Validate the name of a ClusterTrustBundle, which begins with the name of its signer, if it has one."""
    prefix = signer.replace("/", ":") + ":" if signer else ""
    if not signer and ":" in name:
        yield 'ClusterTrustBundle without signer name must not have ":" in its name'
    elif not name.startswith(prefix):
        yield f"ClusterTrustBundle for signerName {signer} must be named with prefix {prefix}"
    else:
        rest = name.removeprefix(prefix)
        yield from names.subdomain(as_a_name(rest) if is_prefix else rest)


def user_annotations(at: str, annotations: Object) -> Iterator[Problem]:
    """Validate the annotations that a signer gets."""
    for key in annotations:
        whys = list(names.key(key.lower()))
        yield from (invalid(at, key.lower(), why) for why in whys) if key else iter((required(at),))
        if key and not whys and "/" not in key:
            yield invalid(at, key.lower(), 'must be a domain-prefixed key (such as "acme.io/foo")')
    yield from annotations_size(at, annotations)


def _labels(at: str, part: str, rule: Callable[[str], Iterator[str]]) -> Iterator[Problem]:
    """The problems of the first invalid label."""
    for label in part.split("."):
        whys = list(rule(label))
        yield from (invalid(at, part, f"validating label {quoted(label)}: {why}") for why in whys)
        if whys:
            return
