"""Commands on files, alone or with a cluster that is only read: merge, patch, overlay, conversion.

`tables` chooses the merge tables, `pairs` finds the live object of a config, `prediction` computes the object that a
server stores. Changes of a cluster are in `actions`.
"""
