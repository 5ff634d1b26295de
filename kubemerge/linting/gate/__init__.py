"""The gate: rejections, dropped fields and warnings of a server of some release, as lint findings.

The behaviour of servers is in `kubemerge.apiserver`. Here it is called without a cluster.
"""
