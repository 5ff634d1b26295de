"""One comment on a pull request, written once and then updated in place."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

if TYPE_CHECKING:
    from collections.abc import Iterator

_TIMEOUT = 30
_MOST_PAGES = 30


class _NowhereElse(HTTPRedirectHandler):
    """Follows no redirect, because the request would send the token to its target."""

    def redirect_request(self, *_: object) -> None:
        """Follow no redirect."""


_open = build_opener(_NowhereElse).open


class Refused(Exception):
    """GitHub rejected the request. The message contains the reason."""


class Comments:
    """The comments on a pull request."""

    def __init__(self, repository: str, number: int, token: str) -> None:
        self._top = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
        self._repository, self._number, self._token = repository, number, token

    def put(self, mark: str, text: str, *, only_if_there: bool = False) -> str:
        """Write or update our comment, which starts with a mark, and return the action.

        With `only_if_there`, an existing comment is updated, but no new one is written.
        """
        found = next((one for one in self._all() if self._is_ours(one, mark)), None)
        if found is not None:
            self._ask("PATCH", f"issues/comments/{found['id']}", {"body": text})
            return "changed"
        if only_if_there:
            return "not needed"
        self._ask("POST", f"issues/{self._number}/comments", {"body": text})
        return "written"

    def _all(self) -> Iterator[dict[str, Any]]:
        for page in range(1, _MOST_PAGES + 1):
            found = self._ask("GET", f"issues/{self._number}/comments?per_page=100&page={page}")
            yield from found
            if len(found) < 100:
                return

    def _is_ours(self, one: dict[str, Any], mark: str) -> bool:
        """Whether a comment is ours. Users can write the mark too, and their comments must not be changed."""
        return str(one.get("body")).startswith(mark) and (one.get("user") or {}).get("type") == "Bot"

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "kubemerge",
        }
        url = f"{self._top}/repos/{self._repository}/{path}"
        if not url.startswith(("https://", "http://")):
            raise Refused("GITHUB_API_URL is not an address")
        data = None if body is None else json.dumps(body).encode()
        try:
            with _open(Request(url, data, headers, method=method), timeout=_TIMEOUT) as answer:  # noqa: S310 - checked
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            with error:  # it is the answer too, which has a file
                raise Refused(str(error)) from None
        except (URLError, OSError, ValueError) as error:
            raise Refused(str(error)) from None
