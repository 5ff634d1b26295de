"""`kubemerge annotate`: change the annotations of live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...actions.labels import ANNOTATIONS
from ..runs.labels import change, labelling_options

if TYPE_CHECKING:
    from ..options.clusters import ClusterLocation
    from ..options.objects import Selection
    from ..runs.labels import LabelOptions


@click.command()
@labelling_options(ANNOTATIONS)
def annotate(where: ClusterLocation, selection: Selection, how: LabelOptions, show: bool) -> int:
    """Update the annotations of live objects.

    KEY=VALUE sets an annotation, KEY- removes it. Changing an existing value requires --overwrite. If an object is
    rejected, the error is printed, the other objects are still changed, and the exit code is 1.
    """
    return change(where, selection, how, ANNOTATIONS, show=show)
