package main

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	scheme = runtime.NewScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func init() {
	install.Install(scheme)
}

// definition answers why a server refuses a definition, or an update of one.
func definition(asked question) any {
	now, err := read(asked.Definition)
	if err != nil {
		return map[string]any{"failed": err.Error()}
	}
	var found field.ErrorList
	if len(asked.Previous) == 0 {
		found = validation.ValidateCustomResourceDefinition(context.Background(), now)
	} else {
		before, err := read(asked.Previous)
		if err != nil {
			return map[string]any{"failed": err.Error()}
		}
		found = validation.ValidateCustomResourceDefinitionUpdate(context.Background(), now, before)
	}
	problems := []string{}
	for _, one := range found {
		problems = append(problems, one.Error())
	}
	return map[string]any{"problems": problems}
}

func read(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	object, _, err := codecs.UniversalDecoder(apiextensions.SchemeGroupVersion).Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	found := object.(*apiextensions.CustomResourceDefinition)
	found.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, version := range found.Spec.Versions {
		if version.Storage {
			found.Status.StoredVersions = []string{version.Name}
		}
	}
	return found, nil
}
