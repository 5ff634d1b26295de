package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// readYAML answers the documents of a text as `kubectl -f` reads them; those that are empty or null are left out.
func readYAML(asked *request) (call, error) {
	text, err := document(asked.Value)
	if err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
		found := []any{}
		for {
			extension := runtime.RawExtension{}
			err := decoder.Decode(&extension)
			if errors.Is(err, io.EOF) {
				return json.Marshal(found)
			}
			if err != nil {
				return nil, err
			}
			raw := bytes.TrimSpace(extension.Raw)
			if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
				continue
			}
			var value any
			if err := utiljson.Unmarshal(raw, &value); err != nil {
				return nil, err
			}
			found = append(found, value)
		}
	}, nil
}
