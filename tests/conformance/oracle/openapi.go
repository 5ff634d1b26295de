package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/util/proto"
)

// Parsed files are kept: a recording asks thousands of questions about the same document.
var (
	parsedV2 = map[string]proto.Models{}
	parsedV3 = map[string]*spec3.OpenAPI{}
)

func openAPIV2(file, definition string) (strategicpatch.LookupPatchMeta, error) {
	models, known := parsedV2[file]
	if !known {
		text, err := fileText(file)
		if err != nil {
			return nil, err
		}
		if text, err = onlyDefinitions(text); err != nil {
			return nil, err
		}
		parsed, err := openapi_v2.ParseDocument(text)
		if err != nil {
			return nil, err
		}
		if models, err = proto.NewOpenAPIData(parsed); err != nil {
			return nil, err
		}
		parsedV2[file] = models
	}
	model := models.LookupModel(definition)
	if model == nil {
		return nil, fmt.Errorf("%s has no definition %q", file, definition)
	}
	return strategicpatch.NewPatchMetaFromOpenAPI(model), nil
}

func openAPIV3(file, definition string) (strategicpatch.LookupPatchMeta, error) {
	parsed, known := parsedV3[file]
	if !known {
		text, err := fileText(file)
		if err != nil {
			return nil, err
		}
		parsed = &spec3.OpenAPI{}
		if err := json.Unmarshal(text, parsed); err != nil {
			return nil, err
		}
		parsedV3[file] = parsed
	}
	if parsed.Components == nil || parsed.Components.Schemas[definition] == nil {
		return nil, fmt.Errorf("%s has no schema %q", file, definition)
	}
	schemas := parsed.Components.Schemas
	return strategicpatch.PatchMetaFromOpenAPIV3{SchemaList: schemas, Schema: schemas[definition]}, nil
}

// onlyDefinitions makes a complete document of the part that lookups read: our snapshots of releases have no more.
func onlyDefinitions(text []byte) ([]byte, error) {
	var document struct {
		Swagger     string          `json:"swagger"`
		Info        any             `json:"info"`
		Paths       any             `json:"paths"`
		Definitions json.RawMessage `json:"definitions"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	document.Swagger = "2.0"
	document.Info = map[string]string{"title": "definitions", "version": "v1"}
	document.Paths = map[string]any{}
	return json.Marshal(document)
}

// fileText reads a file, unpacking it when it is compressed.
func fileText(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
