"""Hypothesis strategies for valid Kubernetes objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .drawing import Drawing
from .structural import StructuralDrawing
from .validator import Validator
from .values import Values, hypothesis_strategies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import SearchStrategy

    from .validator import Definition


def objects(
    api_version: str, kind: str, release: str | None = None, definitions: Iterable[Definition] = ()
) -> SearchStrategy[dict[str, Any]]:
    """Return a Hypothesis strategy for objects that the API server of a release accepts.

    `objects("apps/v1", "Deployment", release="1.30")` draws Deployments from the schema of the release (default: the
    newest). `definitions` are CustomResourceDefinitions, as objects or files. Each object is validated, and has a name,
    but no namespace and no status. Strategies need `pip install 'kubemerge[testing]'`.
    """
    strategies = hypothesis_strategies()
    validator, values = Validator(api_version, kind, release, definitions), Values()
    if validator.structural is not None:
        from hypothesis import reject

        custom = validator.structural

        def drawn(draw: Any) -> dict[str, Any]:
            content = StructuralDrawing(validator, values, draw).object(custom)
            return content if content is not None else reject()
    else:
        validator.bases  # noqa: B018 - fail now, and not in the first test

        def drawn(draw: Any) -> dict[str, Any]:
            return Drawing(validator, values, draw).object()

    found: SearchStrategy[dict[str, Any]] = strategies.composite(drawn)()
    return found
