"""Watches over HTTP.

    streams  the events of one watch: types, selectors, bookmarks, timeouts
    feed     the watch cache: changes with the object before and after, a deleted one with the last resourceVersion

Parameters of lists and watches are parsed in `verbs.reading`, and the Python iterator `EmbeddedCluster.watch` is in
`apiserver/watching.py`.
"""
