"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ClusterTrustBundle': (
        ('apiVersion', 27, 36, 'primitive', 'string'),
        ('kind', 27, 36, 'primitive', 'string'),
        ('metadata', 27, 36, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 36, 'map', 'certificates_v1alpha1.ClusterTrustBundleSpec'),
    ),
    'ClusterTrustBundleList': (
        ('apiVersion', 27, 36, 'primitive', 'string'),
        ('items', 27, 36, 'list', 'certificates_v1alpha1.ClusterTrustBundle', None, None, 'atomic', None, 1),
        ('kind', 27, 36, 'primitive', 'string'),
        ('metadata', 27, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterTrustBundleSpec': (
        ('signerName', 27, 36, 'primitive', 'string'),
        ('trustBundle', 27, 36, 'primitive', 'string'),
    ),
    'PodCertificateRequest': (
        ('apiVersion', 34, 34, 'primitive', 'string'),
        ('kind', 34, 34, 'primitive', 'string'),
        ('metadata', 34, 34, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 34, 34, 'map', 'certificates_v1alpha1.PodCertificateRequestSpec'),
        ('status', 34, 34, 'map', 'certificates_v1alpha1.PodCertificateRequestStatus'),
    ),
    'PodCertificateRequestList': (
        ('apiVersion', 34, 34, 'primitive', 'string'),
        ('items', 34, 34, 'list', 'certificates_v1alpha1.PodCertificateRequest', None, None, 'atomic', None, 1),
        ('kind', 34, 34, 'primitive', 'string'),
        ('metadata', 34, 34, 'map', 'meta_v1.ListMeta'),
    ),
    'PodCertificateRequestSpec': (
        ('maxExpirationSeconds', 34, 34, 'primitive', 'integer'),
        ('nodeName', 34, 34, 'primitive', 'string'),
        ('nodeUID', 34, 34, 'primitive', 'string'),
        ('pkixPublicKey', 34, 34, 'primitive', 'string'),
        ('podName', 34, 34, 'primitive', 'string'),
        ('podUID', 34, 34, 'primitive', 'string'),
        ('proofOfPossession', 34, 34, 'primitive', 'string'),
        ('serviceAccountName', 34, 34, 'primitive', 'string'),
        ('serviceAccountUID', 34, 34, 'primitive', 'string'),
        ('signerName', 34, 34, 'primitive', 'string'),
    ),
    'PodCertificateRequestStatus': (
        ('beginRefreshAt', 34, 34, 'primitive', 'string'),
        ('certificateChain', 34, 34, 'primitive', 'string'),
        ('conditions', 34, 34, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('notAfter', 34, 34, 'primitive', 'string'),
        ('notBefore', 34, 34, 'primitive', 'string'),
    ),
}
