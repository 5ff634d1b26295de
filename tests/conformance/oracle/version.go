package main

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
)

// version answers what is asked here: {"go": ..., "modules": {path: version}}, of the Kubernetes modules and their kin.
func version(*request) (call, error) {
	return func() ([]byte, error) {
		modules := map[string]string{}
		info, _ := debug.ReadBuildInfo()
		for _, module := range info.Deps {
			if deciding[module.Path] {
				modules[module.Path] = module.Version
			}
		}
		return json.Marshal(map[string]any{"go": runtime.Version(), "modules": modules})
	}, nil
}

// deciding are the modules whose code decides an answer.
var deciding = map[string]bool{
	"gopkg.in/evanphx/json-patch.v4": true,
	"k8s.io/api":                     true,
	"k8s.io/apimachinery":            true,
	"k8s.io/client-go":               true,
	"k8s.io/kube-openapi":            true,
	"k8s.io/kubectl":                 true,
	"sigs.k8s.io/json":               true,
}
