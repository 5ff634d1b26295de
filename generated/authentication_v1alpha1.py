"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'SelfSubjectReview': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ObjectMeta'),
        ('status', 26, 31, 'map', 'authentication_v1alpha1.SelfSubjectReviewStatus'),
    ),
    'SelfSubjectReviewStatus': (
        ('userInfo', 26, 31, 'map', 'authentication_v1.UserInfo'),
    ),
}
