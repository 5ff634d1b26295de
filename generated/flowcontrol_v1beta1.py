"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'FlowDistinguisherMethod': (
        ('type', 20, 25, 'primitive', 'string'),
    ),
    'FlowSchema': (
        ('apiVersion', 20, 25, 'primitive', 'string'),
        ('kind', 20, 25, 'primitive', 'string'),
        ('metadata', 20, 25, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 20, 25, 'map', 'flowcontrol_v1beta1.FlowSchemaSpec'),
        ('status', 20, 25, 'map', 'flowcontrol_v1beta1.FlowSchemaStatus'),
    ),
    'FlowSchemaCondition': (
        ('lastTransitionTime', 20, 25, 'primitive', 'string'),
        ('message', 20, 25, 'primitive', 'string'),
        ('reason', 20, 25, 'primitive', 'string'),
        ('status', 20, 25, 'primitive', 'string'),
        ('type', 20, 25, 'primitive', 'string'),
    ),
    'FlowSchemaList': (
        ('apiVersion', 20, 25, 'primitive', 'string'),
        ('items', 20, 25, 'list', 'flowcontrol_v1beta1.FlowSchema', None, None, 'atomic', None, 1),
        ('kind', 20, 25, 'primitive', 'string'),
        ('metadata', 20, 25, 'map', 'meta_v1.ListMeta'),
    ),
    'FlowSchemaSpec': (
        ('distinguisherMethod', 20, 25, 'map', 'flowcontrol_v1beta1.FlowDistinguisherMethod'),
        ('matchingPrecedence', 20, 25, 'primitive', 'integer'),
        ('priorityLevelConfiguration', 20, 25, 'map', 'flowcontrol_v1beta1.PriorityLevelConfigurationReference'),
        ('rules', 20, 25, 'list', 'flowcontrol_v1beta1.PolicyRulesWithSubjects', None, None, 'atomic'),
    ),
    'FlowSchemaStatus': (
        ('conditions', 20, 25, 'list', 'flowcontrol_v1beta1.FlowSchemaCondition', None, None, 'map', ('type',)),
    ),
    'GroupSubject': (
        ('name', 20, 25, 'primitive', 'string'),
    ),
    'LimitResponse': (
        ('queuing', 20, 25, 'map', 'flowcontrol_v1beta1.QueuingConfiguration'),
        ('type', 20, 25, 'primitive', 'string'),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('assuredConcurrencyShares', 20, 25, 'primitive', 'integer'),
        ('limitResponse', 20, 25, 'map', 'flowcontrol_v1beta1.LimitResponse'),
    ),
    'NonResourcePolicyRule': (
        ('nonResourceURLs', 20, 25, 'list', 'string', None, None, 'set'),
        ('verbs', 20, 25, 'list', 'string', None, None, 'set'),
    ),
    'PolicyRulesWithSubjects': (
        ('nonResourceRules', 20, 25, 'list', 'flowcontrol_v1beta1.NonResourcePolicyRule', None, None, 'atomic'),
        ('resourceRules', 20, 25, 'list', 'flowcontrol_v1beta1.ResourcePolicyRule', None, None, 'atomic'),
        ('subjects', 20, 25, 'list', 'flowcontrol_v1beta1.Subject', None, None, 'atomic'),
    ),
    'PriorityLevelConfiguration': (
        ('apiVersion', 20, 25, 'primitive', 'string'),
        ('kind', 20, 25, 'primitive', 'string'),
        ('metadata', 20, 25, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 20, 25, 'map', 'flowcontrol_v1beta1.PriorityLevelConfigurationSpec'),
        ('status', 20, 25, 'map', 'flowcontrol_v1beta1.PriorityLevelConfigurationStatus'),
    ),
    'PriorityLevelConfigurationCondition': (
        ('lastTransitionTime', 20, 25, 'primitive', 'string'),
        ('message', 20, 25, 'primitive', 'string'),
        ('reason', 20, 25, 'primitive', 'string'),
        ('status', 20, 25, 'primitive', 'string'),
        ('type', 20, 25, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationList': (
        ('apiVersion', 20, 25, 'primitive', 'string'),
        ('items', 20, 25, 'list', 'flowcontrol_v1beta1.PriorityLevelConfiguration', None, None, 'atomic', None, 1),
        ('kind', 20, 25, 'primitive', 'string'),
        ('metadata', 20, 25, 'map', 'meta_v1.ListMeta'),
    ),
    'PriorityLevelConfigurationReference': (
        ('name', 20, 25, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('limited', 20, 25, 'map', 'flowcontrol_v1beta1.LimitedPriorityLevelConfiguration'),
        ('type', 20, 25, 'primitive', 'string'),
    ),
    'PriorityLevelConfigurationStatus': (
        ('conditions', 20, 25, 'list', 'flowcontrol_v1beta1.PriorityLevelConfigurationCondition', None, None, 'map', ('type',)),
    ),
    'QueuingConfiguration': (
        ('handSize', 20, 25, 'primitive', 'integer'),
        ('queueLengthLimit', 20, 25, 'primitive', 'integer'),
        ('queues', 20, 25, 'primitive', 'integer'),
    ),
    'ResourcePolicyRule': (
        ('apiGroups', 20, 25, 'list', 'string', None, None, 'set'),
        ('clusterScope', 20, 25, 'primitive', 'boolean'),
        ('namespaces', 20, 25, 'list', 'string', None, None, 'set'),
        ('resources', 20, 25, 'list', 'string', None, None, 'set'),
        ('verbs', 20, 25, 'list', 'string', None, None, 'set'),
    ),
    'ServiceAccountSubject': (
        ('name', 20, 25, 'primitive', 'string'),
        ('namespace', 20, 25, 'primitive', 'string'),
    ),
    'Subject': (
        ('group', 20, 25, 'map', 'flowcontrol_v1beta1.GroupSubject'),
        ('kind', 20, 25, 'primitive', 'string'),
        ('serviceAccount', 20, 25, 'map', 'flowcontrol_v1beta1.ServiceAccountSubject'),
        ('user', 20, 25, 'map', 'flowcontrol_v1beta1.UserSubject'),
    ),
    'UserSubject': (
        ('name', 20, 25, 'primitive', 'string'),
    ),
}
