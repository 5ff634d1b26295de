"""Version conversion of a definition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ...problems import Printed, Problem, forbidden, required
from ...schemas.problems import invalid, unsupported
from ...text.go_text import without_first_byte
from ...unchecked import as_map, as_text
from ...validation.names import subdomain
from ...validation.values.formats import required_explained
from ...validation.values.urls import webhook_url
from .names import label_1035

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
STRATEGIES = ["None", "Webhook"]
REVIEWS = ("v1", "v1beta1")


def problems(conversion: Raw, at: str, *, old_reviews: bool = False) -> Iterator[Problem]:
    """Validate `spec.conversion`. `old_reviews`: its review versions were unknown before, and may stay so."""
    strategy = as_text(conversion.get("strategy"))
    if not strategy:
        yield required(f"{at}.strategy")
    elif strategy not in STRATEGIES:
        yield unsupported(f"{at}.strategy", strategy, STRATEGIES)
    client, reviews = _parts(conversion)
    if strategy == "Webhook":
        yield from _client(client, f"{at}.webhookClientConfig")
        yield from _reviews(reviews, f"{at}.conversionReviewVersions", old=old_reviews)
        return
    why = "should not be set when strategy is not set to Webhook"
    if client is not None:
        yield forbidden(f"{at}.webhookClientConfig", why)
    if reviews:
        yield forbidden(f"{at}.conversionReviewVersions", why)


def _parts(conversion: Raw) -> tuple[Raw | None, list[Any]]:
    """The webhook and its review versions, which v1beta1 has in other fields."""
    webhook = as_map(conversion.get("webhook"))
    client = webhook.get("clientConfig", conversion.get("webhookClientConfig"))
    reviews = webhook.get("conversionReviewVersions") or conversion.get("conversionReviewVersions")
    return client if isinstance(client, dict) else None, reviews if isinstance(reviews, list) else []


def _client(client: Raw | None, at: str) -> Iterator[Problem]:
    if client is None:
        yield required(at, "required when strategy is set to Webhook")
        return
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield required(at, "exactly one of url or service is required")
    elif url is not None:
        yield from webhook_url(f"{at}.url", as_text(url))
    else:
        yield from _service(as_map(service), f"{at}.service")


def _service(service: Raw, at: str) -> Iterator[Problem]:
    # the server swaps these two
    if not service.get("namespace"):
        yield from required_explained(f"{at}.name", "service name is required")
    if not service.get("name"):
        yield from required_explained(f"{at}.namespace", "service namespace is required")
    port = service.get("port")
    if not isinstance(port, int) or not 0 < port < 65536:
        yield invalid(f"{at}.port", port or 0, "port is not valid: must be between 1 and 65535, inclusive")
    yield from _path(as_text(service.get("path")), f"{at}.path")


def _path(path: str, at: str) -> Iterator[Problem]:
    if path in ("", "/"):
        return
    if path == "//":
        yield invalid(at, path, "segment[0] may not be empty")
        return
    if not path.startswith("/"):
        yield invalid(at, path, "must start with a '/'")
    for index, step in enumerate(re.sub("/$", "", without_first_byte(path)).split("/")):
        if not step:
            yield invalid(at, path, f"segment[{index}] may not be empty")
            continue
        yield from (invalid(at, path, f"segment[{index}]: {why}") for why in subdomain(step))


def _reviews(listed: list[Any], at: str, *, old: bool) -> Iterator[Problem]:
    if not listed:
        yield required(at)
        return
    seen: set[str] = set()
    for index, one in enumerate(map(as_text, listed)):
        if one in seen:
            yield invalid(f"{at}[{index}]", one, "duplicate version")
            continue
        seen.add(one)
        yield from (invalid(f"{at}[{index}]", one, why) for why in label_1035(one))
    if not seen & {*REVIEWS} and not old:
        yield invalid(at, Printed(encode(listed)), f"must include at least one of {', '.join(REVIEWS)}")
