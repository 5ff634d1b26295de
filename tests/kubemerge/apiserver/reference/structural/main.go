// Reads schemas and custom resources as lines of JSON; answers with the defaults filled in. See ../../record_reference.py.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		var row struct {
			Name   string                          `json:"name"`
			Schema apiextensionsv1.JSONSchemaProps `json:"schema"`
			Object map[string]interface{}          `json:"object"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			panic(err)
		}
		var props apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&row.Schema, &props, nil); err != nil {
			panic(err)
		}
		s, err := structuralschema.NewStructural(&props)
		if err != nil {
			panic(err)
		}
		defaulting.PruneNonNullableNullsWithoutDefaults(row.Object, s)
		defaulting.Default(row.Object, s)
		out, _ := json.Marshal(map[string]interface{}{"name": row.Name, "filled": row.Object})
		fmt.Println(string(out))
	}
}
