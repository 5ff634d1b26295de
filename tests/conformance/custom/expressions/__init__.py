"""Random expressions over random schemas: our verdicts, costs and estimates beside those of kube-apiserver's code."""
