"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ExemptPriorityLevelConfiguration': (
        ('lendablePercent', 28, 31, 'primitive', 'integer'),
        ('nominalConcurrencyShares', 28, 31, 'primitive', 'integer'),
    ),
    'FlowDistinguisherMethod': (
        ('type', 26, 31, 'primitive', 'string'),
    ),
    'FlowSchema': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 31, 'map', 'flowcontrol_v1beta3.FlowSchemaSpec'),
        ('status', 26, 31, 'map', 'flowcontrol_v1beta3.FlowSchemaStatus'),
    ),
    'FlowSchemaCondition': (
        ('lastTransitionTime', 26, 31, 'primitive', 'string'),
        ('message', 26, 31, 'primitive', 'string'),
        ('reason', 26, 31, 'primitive', 'string'),
        ('status', 26, 31, 'primitive', 'string'),
        ('type', 26, 31, 'primitive', 'string'),
    ),
    'FlowSchemaList': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('items', 26, 31, 'list', 'flowcontrol_v1beta3.FlowSchema', None, None, 'atomic', None, 1),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ListMeta'),
    ),
    'FlowSchemaSpec': (
        ('distinguisherMethod', 26, 31, 'map', 'flowcontrol_v1beta3.FlowDistinguisherMethod'),
        ('matchingPrecedence', 26, 31, 'primitive', 'integer'),
        ('priorityLevelConfiguration', 26, 31, 'map', 'flowcontrol_v1beta3.PriorityLevelConfigurationReference'),
        ('rules', 26, 31, 'list', 'flowcontrol_v1beta3.PolicyRulesWithSubjects', None, None, 'atomic'),
    ),
    'FlowSchemaStatus': (
        ('conditions', 26, 31, 'list', 'flowcontrol_v1beta3.FlowSchemaCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'GroupSubject': (
        ('name', 26, 31, 'primitive', 'string'),
    ),
    'LimitResponse': (
        ('queuing', 26, 31, 'map', 'flowcontrol_v1beta3.QueuingConfiguration'),
        ('type', 26, 31, 'primitive', 'string'),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('borrowingLimitPercent', 26, 31, 'primitive', 'integer'),
        ('lendablePercent', 26, 31, 'primitive', 'integer'),
        ('limitResponse', 26, 31, 'map', 'flowcontrol_v1beta3.LimitResponse'),
        ('nominalConcurrencyShares', 26, 31, 'primitive', 'integer'),
    ),
    'NonResourcePolicyRule': (
        ('nonResourceURLs', 26, 31, 'list', 'string', None, None, 'set'),
        ('verbs', 26, 31, 'list', 'string', None, None, 'set'),
    ),
    'PolicyRulesWithSubjects': (
        ('nonResourceRules', 26, 31, 'list', 'flowcontrol_v1beta3.NonResourcePolicyRule', None, None, 'atomic'),
        ('resourceRules', 26, 31, 'list', 'flowcontrol_v1beta3.ResourcePolicyRule', None, None, 'atomic'),
        ('subjects', 26, 31, 'list', 'flowcontrol_v1beta3.Subject', None, None, 'atomic'),
    ),
    'PriorityLevelConfiguration': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 26, 31, 'map', 'flowcontrol_v1beta3.PriorityLevelConfigurationSpec'),
        ('status', 26, 31, 'map', 'flowcontrol_v1beta3.PriorityLevelConfigurationStatus'),
    ),
    'PriorityLevelConfigurationCondition': (
        ('lastTransitionTime', 26, 31, 'primitive', 'string'),
        ('message', 26, 31, 'primitive', 'string'),
        ('reason', 26, 31, 'primitive', 'string'),
        ('status', 26, 31, 'primitive', 'string'),
        ('type', 26, 31, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationList': (
        ('apiVersion', 26, 31, 'primitive', 'string'),
        ('items', 26, 31, 'list', 'flowcontrol_v1beta3.PriorityLevelConfiguration', None, None, 'atomic', None, 1),
        ('kind', 26, 31, 'primitive', 'string'),
        ('metadata', 26, 31, 'map', 'meta_v1.ListMeta'),
    ),
    'PriorityLevelConfigurationReference': (
        ('name', 26, 31, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('exempt', 28, 31, 'map', 'flowcontrol_v1beta3.ExemptPriorityLevelConfiguration'),
        ('limited', 26, 31, 'map', 'flowcontrol_v1beta3.LimitedPriorityLevelConfiguration'),
        ('type', 26, 31, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationStatus': (
        ('conditions', 26, 31, 'list', 'flowcontrol_v1beta3.PriorityLevelConfigurationCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'QueuingConfiguration': (
        ('handSize', 26, 31, 'primitive', 'integer'),
        ('queueLengthLimit', 26, 31, 'primitive', 'integer'),
        ('queues', 26, 31, 'primitive', 'integer'),
    ),
    'ResourcePolicyRule': (
        ('apiGroups', 26, 31, 'list', 'string', None, None, 'set'),
        ('clusterScope', 26, 31, 'primitive', 'boolean'),
        ('namespaces', 26, 31, 'list', 'string', None, None, 'set'),
        ('resources', 26, 31, 'list', 'string', None, None, 'set'),
        ('verbs', 26, 31, 'list', 'string', None, None, 'set'),
    ),
    'ServiceAccountSubject': (
        ('name', 26, 31, 'primitive', 'string'),
        ('namespace', 26, 31, 'primitive', 'string'),
    ),
    'Subject': (
        ('group', 26, 31, 'map', 'flowcontrol_v1beta3.GroupSubject'),
        ('kind', 26, 31, 'primitive', 'string'),
        ('serviceAccount', 26, 31, 'map', 'flowcontrol_v1beta3.ServiceAccountSubject'),
        ('user', 26, 31, 'map', 'flowcontrol_v1beta3.UserSubject'),
    ),
    'UserSubject': (
        ('name', 26, 31, 'primitive', 'string'),
    ),
}
