"""Differences in merging between releases, versions and specifications: changes, severities and replays.

`aspects` has the severity of a change, `upgrade` the effects of an upgrade on an object. `reports` prints text,
Markdown and JSON. `kubemerge.html` renders HTML pages.
"""
