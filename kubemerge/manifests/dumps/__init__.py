"""Dumps of a cluster as trees of files: must-gather, `oc adm inspect`, Velero backups and `kubectl cluster-info dump`.

`layouts` is the table of the layouts. `containers` reads folders and archives without extracting them. `reading` finds
a dump at a path, and returns its objects one after the other.
"""
