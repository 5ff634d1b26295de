package main

import (
	"encoding/json"
	"sort"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// kind names one of the scheme's kinds as a request's schema would.
type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// types lists every kind which {"go": ...} can name, sorted.
func types(*request) (call, error) {
	return func() ([]byte, error) {
		kinds := []kind{}
		for gvk := range scheme.Scheme.AllKnownTypes() {
			if served(gvk) {
				kinds = append(kinds, kind{gvk.Group, gvk.Version, gvk.Kind})
			}
		}
		sort.Slice(kinds, func(i, j int) bool {
			a, b := kinds[i], kinds[j]
			if a.Group != b.Group {
				return a.Group < b.Group
			}
			if a.Version != b.Version {
				return a.Version < b.Version
			}
			return a.Kind < b.Kind
		})
		return json.Marshal(kinds)
	}, nil
}

func served(gvk schema.GroupVersionKind) bool {
	return gvk.Version != runtime.APIVersionInternal
}
