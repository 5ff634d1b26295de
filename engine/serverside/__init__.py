"""Server-side apply: who owns which field of an object, and what a write makes of the object and of its managedFields.

    fields/    sets of fields, as `fieldsV1` holds them
    typed/     objects by their types: checking, merging, comparing, removing
    managers   the entries of metadata.managedFields
    ...        the writes: apply, update, scale, and handing fields over

All of it does what structured-merge-diff v6 and the API server's field managers do. What the API server does besides
(default values, admission, conversion between versions with other fields) belongs to whoever stores objects.
"""
