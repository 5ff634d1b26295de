"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ExemptPriorityLevelConfiguration': (
        ('lendablePercent', 29, None, 'primitive', 'integer'),
        ('nominalConcurrencyShares', 29, None, 'primitive', 'integer'),
    ),
    'FlowDistinguisherMethod': (
        ('type', 29, None, 'primitive', 'string'),
    ),
    'FlowSchema': (
        ('apiVersion', 29, None, 'primitive', 'string'),
        ('kind', 29, None, 'primitive', 'string'),
        ('metadata', 29, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 29, None, 'map', 'flowcontrol_v1.FlowSchemaSpec'),
        ('status', 29, None, 'map', 'flowcontrol_v1.FlowSchemaStatus'),
    ),
    'FlowSchemaCondition': (
        ('lastTransitionTime', 29, None, 'primitive', 'string'),
        ('message', 29, None, 'primitive', 'string'),
        ('reason', 29, None, 'primitive', 'string'),
        ('status', 29, None, 'primitive', 'string'),
        ('type', 29, None, 'primitive', 'string'),
    ),
    'FlowSchemaList': (
        ('apiVersion', 29, None, 'primitive', 'string'),
        ('items', 29, None, 'list', 'flowcontrol_v1.FlowSchema', None, None, 'atomic', None, 1),
        ('kind', 29, None, 'primitive', 'string'),
        ('metadata', 29, None, 'map', 'meta_v1.ListMeta'),
    ),
    'FlowSchemaSpec': (
        ('distinguisherMethod', 29, None, 'map', 'flowcontrol_v1.FlowDistinguisherMethod'),
        ('matchingPrecedence', 29, None, 'primitive', 'integer'),
        ('priorityLevelConfiguration', 29, None, 'map', 'flowcontrol_v1.PriorityLevelConfigurationReference'),
        ('rules', 29, None, 'list', 'flowcontrol_v1.PolicyRulesWithSubjects', None, None, 'atomic'),
    ),
    'FlowSchemaStatus': (
        ('conditions', 29, None, 'list', 'flowcontrol_v1.FlowSchemaCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'GroupSubject': (
        ('name', 29, None, 'primitive', 'string'),
    ),
    'LimitResponse': (
        ('queuing', 29, None, 'map', 'flowcontrol_v1.QueuingConfiguration'),
        ('type', 29, None, 'primitive', 'string'),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('borrowingLimitPercent', 29, None, 'primitive', 'integer'),
        ('lendablePercent', 29, None, 'primitive', 'integer'),
        ('limitResponse', 29, None, 'map', 'flowcontrol_v1.LimitResponse'),
        ('nominalConcurrencyShares', 29, None, 'primitive', 'integer'),
    ),
    'NonResourcePolicyRule': (
        ('nonResourceURLs', 29, None, 'list', 'string', None, None, 'set'),
        ('verbs', 29, None, 'list', 'string', None, None, 'set'),
    ),
    'PolicyRulesWithSubjects': (
        ('nonResourceRules', 29, None, 'list', 'flowcontrol_v1.NonResourcePolicyRule', None, None, 'atomic'),
        ('resourceRules', 29, None, 'list', 'flowcontrol_v1.ResourcePolicyRule', None, None, 'atomic'),
        ('subjects', 29, None, 'list', 'flowcontrol_v1.Subject', None, None, 'atomic'),
    ),
    'PriorityLevelConfiguration': (
        ('apiVersion', 29, None, 'primitive', 'string'),
        ('kind', 29, None, 'primitive', 'string'),
        ('metadata', 29, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 29, None, 'map', 'flowcontrol_v1.PriorityLevelConfigurationSpec'),
        ('status', 29, None, 'map', 'flowcontrol_v1.PriorityLevelConfigurationStatus'),
    ),
    'PriorityLevelConfigurationCondition': (
        ('lastTransitionTime', 29, None, 'primitive', 'string'),
        ('message', 29, None, 'primitive', 'string'),
        ('reason', 29, None, 'primitive', 'string'),
        ('status', 29, None, 'primitive', 'string'),
        ('type', 29, None, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationList': (
        ('apiVersion', 29, None, 'primitive', 'string'),
        ('items', 29, None, 'list', 'flowcontrol_v1.PriorityLevelConfiguration', None, None, 'atomic', None, 1),
        ('kind', 29, None, 'primitive', 'string'),
        ('metadata', 29, None, 'map', 'meta_v1.ListMeta'),
    ),
    'PriorityLevelConfigurationReference': (
        ('name', 29, None, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('exempt', 29, None, 'map', 'flowcontrol_v1.ExemptPriorityLevelConfiguration'),
        ('limited', 29, None, 'map', 'flowcontrol_v1.LimitedPriorityLevelConfiguration'),
        ('type', 29, None, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationStatus': (
        ('conditions', 29, None, 'list', 'flowcontrol_v1.PriorityLevelConfigurationCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'QueuingConfiguration': (
        ('handSize', 29, None, 'primitive', 'integer'),
        ('queueLengthLimit', 29, None, 'primitive', 'integer'),
        ('queues', 29, None, 'primitive', 'integer'),
    ),
    'ResourcePolicyRule': (
        ('apiGroups', 29, None, 'list', 'string', None, None, 'set'),
        ('clusterScope', 29, None, 'primitive', 'boolean'),
        ('namespaces', 29, None, 'list', 'string', None, None, 'set'),
        ('resources', 29, None, 'list', 'string', None, None, 'set'),
        ('verbs', 29, None, 'list', 'string', None, None, 'set'),
    ),
    'ServiceAccountSubject': (
        ('name', 29, None, 'primitive', 'string'),
        ('namespace', 29, None, 'primitive', 'string'),
    ),
    'Subject': (
        ('group', 29, None, 'map', 'flowcontrol_v1.GroupSubject'),
        ('kind', 29, None, 'primitive', 'string'),
        ('serviceAccount', 29, None, 'map', 'flowcontrol_v1.ServiceAccountSubject'),
        ('user', 29, None, 'map', 'flowcontrol_v1.UserSubject'),
    ),
    'UserSubject': (
        ('name', 29, None, 'primitive', 'string'),
    ),
}
