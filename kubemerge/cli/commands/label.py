"""`kubemerge label`: change the labels of live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...actions.labels import LABELS
from ..runs.labels import change, labelling_options

if TYPE_CHECKING:
    from ..options.clusters import ClusterLocation
    from ..options.objects import Selection
    from ..runs.labels import LabelOptions


@click.command()
@labelling_options(LABELS)
def label(where: ClusterLocation, selection: Selection, how: LabelOptions, show: bool) -> int:
    """Update the labels of live objects.

    KEY=VALUE sets a label, KEY- removes it. Changing an existing value requires --overwrite. If an object is rejected,
    the error is printed, the other objects are still changed, and the exit code is 1.
    """
    return change(where, selection, how, LABELS, show=show)
