"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'Condition': (
        ('type', 37, None, None, 'type', 'string'),
        ('type', 37, None, None, 'required'),
        ('status', 37, None, None, 'type', 'meta_v1.ConditionStatus~string'),
        ('status', 37, None, None, 'required'),
        ('observedGeneration', 37, None, None, 'type', 'int64'),
        ('observedGeneration', 37, None, None, 'optional'),
        ('observedGeneration', 37, None, None, 'minimum', 0),
        ('lastTransitionTime', 37, None, None, 'type', 'meta_v1.Time'),
        ('lastTransitionTime', 37, None, None, 'customValidation'),
        ('reason', 37, None, None, 'type', 'string'),
        ('reason', 37, None, None, 'required'),
        ('reason', 37, None, None, 'maxBytes', 1024),
    ),
    'ConditionStatus': (
        ('', 37, None, None, 'enum', 'False', 'True', 'Unknown'),
    ),
    'ManagedFieldsEntry': (
        ('operation', 37, None, None, 'type', 'meta_v1.ManagedFieldsOperationType~string'),
        ('operation', 37, None, None, 'required'),
    ),
    'ManagedFieldsOperationType': (
        ('', 37, None, None, 'enum', 'Apply', 'Update'),
    ),
    'ObjectMeta': (
        ('uid', 37, None, None, 'type', '~string'),
        ('uid', 37, None, None, 'optional'),
        ('uid', 37, None, None, 'immutable'),
        ('generation', 37, None, None, 'type', 'int64'),
        ('generation', 37, None, None, 'optional'),
        ('generation', 37, None, None, 'minimum', 0),
        ('creationTimestamp', 37, None, None, 'type', 'meta_v1.Time'),
        ('creationTimestamp', 37, None, None, 'immutable'),
        ('deletionTimestamp', 37, None, None, 'type', '*meta_v1.Time'),
        ('deletionTimestamp', 37, None, None, 'optional'),
        ('deletionTimestamp', 37, None, None, 'immutable'),
        ('deletionGracePeriodSeconds', 37, None, None, 'type', '*int64'),
        ('deletionGracePeriodSeconds', 37, None, None, 'optional'),
        ('deletionGracePeriodSeconds', 37, None, None, 'immutable'),
        ('ownerReferences', 37, None, None, 'type', '[]meta_v1.OwnerReference'),
        ('ownerReferences', 37, None, None, 'optional'),
        ('managedFields', 37, None, None, 'type', '[]meta_v1.ManagedFieldsEntry'),
        ('managedFields', 37, None, None, 'optional'),
    ),
    'OwnerReference': (
        ('apiVersion', 37, None, None, 'type', 'string'),
        ('apiVersion', 37, None, None, 'required'),
        ('kind', 37, None, None, 'type', 'string'),
        ('kind', 37, None, None, 'required'),
        ('name', 37, None, None, 'type', 'string'),
        ('name', 37, None, None, 'required'),
        ('uid', 37, None, None, 'type', '~string'),
        ('uid', 37, None, None, 'required'),
    ),
}
