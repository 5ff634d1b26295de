module kubemerge.test/flux

go 1.27.0

require github.com/fluxcd/pkg/ssa v0.83.0
