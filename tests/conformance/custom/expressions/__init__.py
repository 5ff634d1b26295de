"""Random expressions over random schemas: our verdicts, costs and estimates against those of kube-apiserver's code."""
