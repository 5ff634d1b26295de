"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'ClusterRole': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('rules', 36, None, None, 'type', '[]rbac_v1.PolicyRule'),
        ('rules', 36, None, 37, 'optional'),
    ),
    'ClusterRoleBinding': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('subjects', 35, None, None, 'type', '[]rbac_v1.Subject'),
        ('subjects', 36, None, 37, 'optional'),
        ('roleRef', 35, None, None, 'type', 'rbac_v1.RoleRef'),
        ('roleRef', 37, None, None, 'immutable'),
    ),
    'PolicyRule': (
        ('verbs', 36, None, None, 'type', '[]string'),
        ('verbs', 36, None, 37, 'required'),
    ),
    'Role': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('rules', 36, None, None, 'type', '[]rbac_v1.PolicyRule'),
        ('rules', 36, None, 37, 'optional'),
    ),
    'RoleBinding': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('subjects', 35, None, None, 'type', '[]rbac_v1.Subject'),
        ('subjects', 36, None, 37, 'optional'),
        ('roleRef', 35, None, None, 'type', 'rbac_v1.RoleRef'),
        ('roleRef', 37, None, None, 'immutable'),
    ),
    'RoleRef': (
        ('name', 35, None, None, 'type', 'string'),
        ('name', 35, None, 37, 'required'),
    ),
    'Subject': (
        ('name', 35, None, None, 'type', 'string'),
        ('name', 35, None, 37, 'required'),
    ),
}
