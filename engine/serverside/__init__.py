"""Server-side apply: field ownership, and the effect of a write on an object and its managedFields.

    fields/    field sets in the form of `fieldsV1`, as in fieldpath of structured-merge-diff
    typed/     typed values: validate, merge, compare and remove, as in its package typed
    managers   the entries of metadata.managedFields
    updater    apply and update on typed values, as in its package merge
    ...        the writes: apply, update, scale, and handing fields over

Everything follows structured-merge-diff v6 and the API server's field managers. Other parts of the API server (default
values, admission, conversion between versions with different fields) belong to the code that stores objects.
"""
