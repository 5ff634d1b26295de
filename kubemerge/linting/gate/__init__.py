"""The gate: what a server of a release would refuse, drop or warn of in an object, as findings of lint.

What servers do is known in `kubemerge.apiserver`; here it is asked without a cluster, and put into records.
"""
