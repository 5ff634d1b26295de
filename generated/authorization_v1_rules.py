"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'LocalSubjectAccessReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
        ('spec', 37, None, None, 'type', 'authorization_v1.SubjectAccessReviewSpec'),
    ),
    'SelfSubjectAccessReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
        ('spec', 37, None, None, 'type', 'authorization_v1.SelfSubjectAccessReviewSpec'),
    ),
    'SelfSubjectAccessReviewSpec': (
        ('resourceAttributes', 37, None, None, 'type', '*authorization_v1.ResourceAttributes'),
        ('resourceAttributes', 37, None, None, 'optional'),
        ('resourceAttributes', 37, None, None, 'unionMember'),
        ('nonResourceAttributes', 37, None, None, 'type', '*authorization_v1.NonResourceAttributes'),
        ('nonResourceAttributes', 37, None, None, 'optional'),
        ('nonResourceAttributes', 37, None, None, 'unionMember'),
    ),
    'SelfSubjectRulesReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
    ),
    'SubjectAccessReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
        ('spec', 37, None, None, 'type', 'authorization_v1.SubjectAccessReviewSpec'),
    ),
    'SubjectAccessReviewSpec': (
        ('resourceAttributes', 37, None, None, 'type', '*authorization_v1.ResourceAttributes'),
        ('resourceAttributes', 37, None, None, 'optional'),
        ('resourceAttributes', 37, None, None, 'unionMember'),
        ('nonResourceAttributes', 37, None, None, 'type', '*authorization_v1.NonResourceAttributes'),
        ('nonResourceAttributes', 37, None, None, 'optional'),
        ('nonResourceAttributes', 37, None, None, 'unionMember'),
    ),
}
