"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ExemptPriorityLevelConfiguration': (
        ('lendablePercent', 28, 28, 'primitive', 'integer'),
        ('nominalConcurrencyShares', 28, 28, 'primitive', 'integer'),
    ),
    'FlowDistinguisherMethod': (
        ('type', 23, 28, 'primitive', 'string'),
    ),
    'FlowSchema': (
        ('apiVersion', 23, 28, 'primitive', 'string'),
        ('kind', 23, 28, 'primitive', 'string'),
        ('metadata', 23, 28, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 23, 28, 'map', 'flowcontrol_v1beta2.FlowSchemaSpec'),
        ('status', 23, 28, 'map', 'flowcontrol_v1beta2.FlowSchemaStatus'),
    ),
    'FlowSchemaCondition': (
        ('lastTransitionTime', 23, 28, 'primitive', 'string'),
        ('message', 23, 28, 'primitive', 'string'),
        ('reason', 23, 28, 'primitive', 'string'),
        ('status', 23, 28, 'primitive', 'string'),
        ('type', 23, 28, 'primitive', 'string'),
    ),
    'FlowSchemaList': (
        ('apiVersion', 23, 28, 'primitive', 'string'),
        ('items', 23, 28, 'list', 'flowcontrol_v1beta2.FlowSchema', None, None, 'atomic', None, 1),
        ('kind', 23, 28, 'primitive', 'string'),
        ('metadata', 23, 28, 'map', 'meta_v1.ListMeta'),
    ),
    'FlowSchemaSpec': (
        ('distinguisherMethod', 23, 28, 'map', 'flowcontrol_v1beta2.FlowDistinguisherMethod'),
        ('matchingPrecedence', 23, 28, 'primitive', 'integer'),
        ('priorityLevelConfiguration', 23, 28, 'map', 'flowcontrol_v1beta2.PriorityLevelConfigurationReference'),
        ('rules', 23, 28, 'list', 'flowcontrol_v1beta2.PolicyRulesWithSubjects', None, None, 'atomic'),
    ),
    'FlowSchemaStatus': (
        ('conditions', 23, 28, 'list', 'flowcontrol_v1beta2.FlowSchemaCondition', None, None, 'map', ('type',)),
    ),
    'GroupSubject': (
        ('name', 23, 28, 'primitive', 'string'),
    ),
    'LimitResponse': (
        ('queuing', 23, 28, 'map', 'flowcontrol_v1beta2.QueuingConfiguration'),
        ('type', 23, 28, 'primitive', 'string'),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('assuredConcurrencyShares', 23, 28, 'primitive', 'integer'),
        ('borrowingLimitPercent', 26, 28, 'primitive', 'integer'),
        ('lendablePercent', 26, 28, 'primitive', 'integer'),
        ('limitResponse', 23, 28, 'map', 'flowcontrol_v1beta2.LimitResponse'),
    ),
    'NonResourcePolicyRule': (
        ('nonResourceURLs', 23, 28, 'list', 'string', None, None, 'set'),
        ('verbs', 23, 28, 'list', 'string', None, None, 'set'),
    ),
    'PolicyRulesWithSubjects': (
        ('nonResourceRules', 23, 28, 'list', 'flowcontrol_v1beta2.NonResourcePolicyRule', None, None, 'atomic'),
        ('resourceRules', 23, 28, 'list', 'flowcontrol_v1beta2.ResourcePolicyRule', None, None, 'atomic'),
        ('subjects', 23, 28, 'list', 'flowcontrol_v1beta2.Subject', None, None, 'atomic'),
    ),
    'PriorityLevelConfiguration': (
        ('apiVersion', 23, 28, 'primitive', 'string'),
        ('kind', 23, 28, 'primitive', 'string'),
        ('metadata', 23, 28, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 23, 28, 'map', 'flowcontrol_v1beta2.PriorityLevelConfigurationSpec'),
        ('status', 23, 28, 'map', 'flowcontrol_v1beta2.PriorityLevelConfigurationStatus'),
    ),
    'PriorityLevelConfigurationCondition': (
        ('lastTransitionTime', 23, 28, 'primitive', 'string'),
        ('message', 23, 28, 'primitive', 'string'),
        ('reason', 23, 28, 'primitive', 'string'),
        ('status', 23, 28, 'primitive', 'string'),
        ('type', 23, 28, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationList': (
        ('apiVersion', 23, 28, 'primitive', 'string'),
        ('items', 23, 28, 'list', 'flowcontrol_v1beta2.PriorityLevelConfiguration', None, None, 'atomic', None, 1),
        ('kind', 23, 28, 'primitive', 'string'),
        ('metadata', 23, 28, 'map', 'meta_v1.ListMeta'),
    ),
    'PriorityLevelConfigurationReference': (
        ('name', 23, 28, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('exempt', 28, 28, 'map', 'flowcontrol_v1beta2.ExemptPriorityLevelConfiguration'),
        ('limited', 23, 28, 'map', 'flowcontrol_v1beta2.LimitedPriorityLevelConfiguration'),
        ('type', 23, 28, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationStatus': (
        ('conditions', 23, 28, 'list', 'flowcontrol_v1beta2.PriorityLevelConfigurationCondition', None, None, 'map', ('type',)),
    ),
    'QueuingConfiguration': (
        ('handSize', 23, 28, 'primitive', 'integer'),
        ('queueLengthLimit', 23, 28, 'primitive', 'integer'),
        ('queues', 23, 28, 'primitive', 'integer'),
    ),
    'ResourcePolicyRule': (
        ('apiGroups', 23, 28, 'list', 'string', None, None, 'set'),
        ('clusterScope', 23, 28, 'primitive', 'boolean'),
        ('namespaces', 23, 28, 'list', 'string', None, None, 'set'),
        ('resources', 23, 28, 'list', 'string', None, None, 'set'),
        ('verbs', 23, 28, 'list', 'string', None, None, 'set'),
    ),
    'ServiceAccountSubject': (
        ('name', 23, 28, 'primitive', 'string'),
        ('namespace', 23, 28, 'primitive', 'string'),
    ),
    'Subject': (
        ('group', 23, 28, 'map', 'flowcontrol_v1beta2.GroupSubject'),
        ('kind', 23, 28, 'primitive', 'string'),
        ('serviceAccount', 23, 28, 'map', 'flowcontrol_v1beta2.ServiceAccountSubject'),
        ('user', 23, 28, 'map', 'flowcontrol_v1beta2.UserSubject'),
    ),
    'UserSubject': (
        ('name', 23, 28, 'primitive', 'string'),
    ),
}
