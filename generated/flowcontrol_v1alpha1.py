"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'FlowDistinguisherMethod': (
        ('type', 17, 20, 'primitive', 'string'),
    ),
    'FlowSchema': (
        ('apiVersion', 17, 20, 'primitive', 'string'),
        ('kind', 17, 20, 'primitive', 'string'),
        ('metadata', 17, 20, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 17, 20, 'map', 'flowcontrol_v1alpha1.FlowSchemaSpec'),
        ('status', 17, 20, 'map', 'flowcontrol_v1alpha1.FlowSchemaStatus'),
    ),
    'FlowSchemaCondition': (
        ('lastTransitionTime', 17, 20, 'primitive', 'string'),
        ('message', 17, 20, 'primitive', 'string'),
        ('reason', 17, 20, 'primitive', 'string'),
        ('status', 17, 20, 'primitive', 'string'),
        ('type', 17, 20, 'primitive', 'string'),
    ),
    'FlowSchemaList': (
        ('apiVersion', 17, 20, 'primitive', 'string'),
        ('items', 17, 17, 'list', 'flowcontrol_v1alpha1.FlowSchema', None, None, 'set'),
        ('items', 18, 18, 'list', 'flowcontrol_v1alpha1.FlowSchema', None, None, 'atomic'),
        ('items', 19, 20, 'list', 'flowcontrol_v1alpha1.FlowSchema', None, None, 'atomic', None, 1),
        ('kind', 17, 20, 'primitive', 'string'),
        ('metadata', 17, 20, 'map', 'meta_v1.ListMeta'),
    ),
    'FlowSchemaSpec': (
        ('distinguisherMethod', 17, 20, 'map', 'flowcontrol_v1alpha1.FlowDistinguisherMethod'),
        ('matchingPrecedence', 17, 20, 'primitive', 'integer'),
        ('priorityLevelConfiguration', 17, 20, 'map', 'flowcontrol_v1alpha1.PriorityLevelConfigurationReference'),
        ('rules', 17, 17, 'list', 'flowcontrol_v1alpha1.PolicyRulesWithSubjects', None, None, 'set'),
        ('rules', 18, 20, 'list', 'flowcontrol_v1alpha1.PolicyRulesWithSubjects', None, None, 'atomic'),
    ),
    'FlowSchemaStatus': (
        ('conditions', 17, 20, 'list', 'flowcontrol_v1alpha1.FlowSchemaCondition', None, None, 'map', ('type',)),
    ),
    'GroupSubject': (
        ('name', 17, 20, 'primitive', 'string'),
    ),
    'LimitResponse': (
        ('queuing', 17, 20, 'map', 'flowcontrol_v1alpha1.QueuingConfiguration'),
        ('type', 17, 20, 'primitive', 'string'),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('assuredConcurrencyShares', 17, 20, 'primitive', 'integer'),
        ('limitResponse', 17, 20, 'map', 'flowcontrol_v1alpha1.LimitResponse'),
    ),
    'NonResourcePolicyRule': (
        ('nonResourceURLs', 17, 20, 'list', 'string', None, None, 'set'),
        ('verbs', 17, 20, 'list', 'string', None, None, 'set'),
    ),
    'PolicyRulesWithSubjects': (
        ('nonResourceRules', 17, 17, 'list', 'flowcontrol_v1alpha1.NonResourcePolicyRule', None, None, 'set'),
        ('nonResourceRules', 18, 20, 'list', 'flowcontrol_v1alpha1.NonResourcePolicyRule', None, None, 'atomic'),
        ('resourceRules', 17, 17, 'list', 'flowcontrol_v1alpha1.ResourcePolicyRule', None, None, 'set'),
        ('resourceRules', 18, 20, 'list', 'flowcontrol_v1alpha1.ResourcePolicyRule', None, None, 'atomic'),
        ('subjects', 17, 17, 'list', 'flowcontrol_v1alpha1.Subject', None, None, 'set'),
        ('subjects', 18, 20, 'list', 'flowcontrol_v1alpha1.Subject', None, None, 'atomic'),
    ),
    'PriorityLevelConfiguration': (
        ('apiVersion', 17, 20, 'primitive', 'string'),
        ('kind', 17, 20, 'primitive', 'string'),
        ('metadata', 17, 20, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 17, 20, 'map', 'flowcontrol_v1alpha1.PriorityLevelConfigurationSpec'),
        ('status', 17, 20, 'map', 'flowcontrol_v1alpha1.PriorityLevelConfigurationStatus'),
    ),
    'PriorityLevelConfigurationCondition': (
        ('lastTransitionTime', 17, 20, 'primitive', 'string'),
        ('message', 17, 20, 'primitive', 'string'),
        ('reason', 17, 20, 'primitive', 'string'),
        ('status', 17, 20, 'primitive', 'string'),
        ('type', 17, 20, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationList': (
        ('apiVersion', 17, 20, 'primitive', 'string'),
        ('items', 17, 17, 'list', 'flowcontrol_v1alpha1.PriorityLevelConfiguration', None, None, 'set'),
        ('items', 18, 18, 'list', 'flowcontrol_v1alpha1.PriorityLevelConfiguration', None, None, 'atomic'),
        ('items', 19, 20, 'list', 'flowcontrol_v1alpha1.PriorityLevelConfiguration', None, None, 'atomic', None, 1),
        ('kind', 17, 20, 'primitive', 'string'),
        ('metadata', 17, 20, 'map', 'meta_v1.ListMeta'),
    ),
    'PriorityLevelConfigurationReference': (
        ('name', 17, 20, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('limited', 17, 20, 'map', 'flowcontrol_v1alpha1.LimitedPriorityLevelConfiguration'),
        ('type', 17, 20, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationStatus': (
        ('conditions', 17, 20, 'list', 'flowcontrol_v1alpha1.PriorityLevelConfigurationCondition', None, None, 'map', ('type',)),
    ),
    'QueuingConfiguration': (
        ('handSize', 17, 20, 'primitive', 'integer'),
        ('queueLengthLimit', 17, 20, 'primitive', 'integer'),
        ('queues', 17, 20, 'primitive', 'integer'),
    ),
    'ResourcePolicyRule': (
        ('apiGroups', 17, 20, 'list', 'string', None, None, 'set'),
        ('clusterScope', 17, 20, 'primitive', 'boolean'),
        ('namespaces', 17, 20, 'list', 'string', None, None, 'set'),
        ('resources', 17, 20, 'list', 'string', None, None, 'set'),
        ('verbs', 17, 20, 'list', 'string', None, None, 'set'),
    ),
    'ServiceAccountSubject': (
        ('name', 17, 20, 'primitive', 'string'),
        ('namespace', 17, 20, 'primitive', 'string'),
    ),
    'Subject': (
        ('group', 17, 20, 'map', 'flowcontrol_v1alpha1.GroupSubject'),
        ('kind', 17, 20, 'primitive', 'string'),
        ('serviceAccount', 17, 20, 'map', 'flowcontrol_v1alpha1.ServiceAccountSubject'),
        ('user', 17, 20, 'map', 'flowcontrol_v1alpha1.UserSubject'),
    ),
    'UserSubject': (
        ('name', 17, 20, 'primitive', 'string'),
    ),
}
