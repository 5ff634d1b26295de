"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'LocalSubjectAccessReview': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewSpec'),
        ('status', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewStatus'),
    ),
    'NonResourceAttributes': (
        ('path', 7, 21, 'primitive', 'string'),
        ('verb', 7, 21, 'primitive', 'string'),
    ),
    'NonResourceRule': (
        ('nonResourceURLs', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'ResourceAttributes': (
        ('group', 7, 21, 'primitive', 'string'),
        ('name', 7, 21, 'primitive', 'string'),
        ('namespace', 7, 21, 'primitive', 'string'),
        ('resource', 7, 21, 'primitive', 'string'),
        ('subresource', 7, 21, 'primitive', 'string'),
        ('verb', 7, 21, 'primitive', 'string'),
        ('version', 7, 21, 'primitive', 'string'),
    ),
    'ResourceRule': (
        ('apiGroups', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('resourceNames', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 8, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'SelfSubjectAccessReview': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 21, 'map', 'authorization_v1beta1.SelfSubjectAccessReviewSpec'),
        ('status', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewStatus'),
    ),
    'SelfSubjectAccessReviewSpec': (
        ('nonResourceAttributes', 7, 21, 'map', 'authorization_v1beta1.NonResourceAttributes'),
        ('resourceAttributes', 7, 21, 'map', 'authorization_v1beta1.ResourceAttributes'),
    ),
    'SelfSubjectRulesReview': (
        ('apiVersion', 8, 21, 'primitive', 'string'),
        ('kind', 8, 21, 'primitive', 'string'),
        ('metadata', 8, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 8, 21, 'map', 'authorization_v1beta1.SelfSubjectRulesReviewSpec'),
        ('status', 8, 21, 'map', 'authorization_v1beta1.SubjectRulesReviewStatus'),
    ),
    'SelfSubjectRulesReviewSpec': (
        ('namespace', 8, 21, 'primitive', 'string'),
    ),
    'SubjectAccessReview': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewSpec'),
        ('status', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewStatus'),
    ),
    'SubjectAccessReviewSpec': (
        ('extra', 7, 21, 'map', 'authorization_v1beta1.SubjectAccessReviewSpec.extra{}', None, None, None, None, None, None, None, 1),
        ('group', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('nonResourceAttributes', 7, 21, 'map', 'authorization_v1beta1.NonResourceAttributes'),
        ('resourceAttributes', 7, 21, 'map', 'authorization_v1beta1.ResourceAttributes'),
        ('uid', 8, 21, 'primitive', 'string'),
        ('user', 7, 21, 'primitive', 'string'),
    ),
    'SubjectAccessReviewSpec.extra{}': (
        ('', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'SubjectAccessReviewStatus': (
        ('allowed', 7, 21, 'primitive', 'boolean'),
        ('denied', 9, 21, 'primitive', 'boolean'),
        ('evaluationError', 7, 21, 'primitive', 'string'),
        ('reason', 7, 21, 'primitive', 'string'),
    ),
    'SubjectRulesReviewStatus': (
        ('evaluationError', 8, 21, 'primitive', 'string'),
        ('incomplete', 8, 21, 'primitive', 'boolean'),
        ('nonResourceRules', 8, 21, 'list', 'authorization_v1beta1.NonResourceRule', None, None, 'atomic', None, 1),
        ('resourceRules', 8, 21, 'list', 'authorization_v1beta1.ResourceRule', None, None, 'atomic', None, 1),
    ),
}
