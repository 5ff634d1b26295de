package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kubectl/pkg/util"
)

// encodeValue decodes a value as the merge functions do and answers the text which Go writes for it.
func encodeValue(asked *request) (call, error) {
	text, err := document(asked.Value)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		var value any
		if err := utiljson.Unmarshal(text, &value); err != nil {
			return nil, err
		}
		written, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		return json.Marshal(string(written))
	}, nil
}

// annotation answers what kubectl stores in the last-applied annotation, and the document which it then sends.
func annotation(asked *request) (call, error) {
	text, err := document(asked.Config)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		stored, err := modifiedConfiguration(text, false)
		if err != nil {
			return nil, err
		}
		modified, err := modifiedConfiguration(text, true)
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]string{"stored": stored, "modified": modified})
	}, nil
}

// modifiedConfiguration decodes afresh, because kubectl's function leaves its mark on the object.
func modifiedConfiguration(text []byte, annotate bool) (string, error) {
	object, err := runtime.Decode(unstructured.UnstructuredJSONScheme, text)
	if err != nil {
		return "", err
	}
	written, err := util.GetModifiedConfiguration(object, annotate, unstructured.UnstructuredJSONScheme)
	return string(written), err
}
