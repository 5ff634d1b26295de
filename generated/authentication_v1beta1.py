"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'SelfSubjectReview': (
        ('apiVersion', 27, 32, 'primitive', 'string'),
        ('kind', 27, 32, 'primitive', 'string'),
        ('metadata', 27, 32, 'map', 'meta_v1.ObjectMeta'),
        ('status', 27, 32, 'map', 'authentication_v1beta1.SelfSubjectReviewStatus'),
    ),
    'SelfSubjectReviewStatus': (
        ('userInfo', 27, 32, 'map', 'authentication_v1.UserInfo'),
    ),
    'TokenReview': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 21, 'map', 'authentication_v1beta1.TokenReviewSpec'),
        ('status', 7, 21, 'map', 'authentication_v1beta1.TokenReviewStatus'),
    ),
    'TokenReviewSpec': (
        ('audiences', 13, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('token', 7, 21, 'primitive', 'string'),
    ),
    'TokenReviewStatus': (
        ('audiences', 13, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('authenticated', 7, 21, 'primitive', 'boolean'),
        ('error', 7, 21, 'primitive', 'string'),
        ('user', 7, 21, 'map', 'authentication_v1beta1.UserInfo'),
    ),
    'UserInfo': (
        ('extra', 7, 21, 'map', 'authentication_v1beta1.UserInfo.extra{}', None, None, None, None, None, None, None, 1),
        ('groups', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('uid', 7, 21, 'primitive', 'string'),
        ('username', 7, 21, 'primitive', 'string'),
    ),
    'UserInfo.extra{}': (
        ('', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
}
