// Answers, by types, which scalars Go leaves out when they are zero, which it prints, and which lists it prints as null;
// and, by kinds, what it prints of an object with nothing in it.
// See ../../record_reference.py.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	definitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	olddefinitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	services "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	oldservices "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)

type fields struct {
	Gone []string `json:"gone"`
	Kept []string `json:"kept"`
	Null []string `json:"null"`
	// Printed are the fields that are always there, with what is printed of a zero.
	Printed map[string]any `json:"printed"`
}

// empty is a kind, and what Go prints of an object of it with nothing in it.
type empty struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Object     map[string]any `json:"object"`
}

var found = map[string]*fields{}

// name is what the tables call a type: group, version and name.
func name(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return parts[len(parts)-2] + "_" + parts[len(parts)-1] + "." + t.Name()
}

func read(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		read(t.Elem())
	case reflect.Struct:
		if _, leaf := reflect.New(t).Interface().(interface{ OpenAPISchemaFormat() string }); leaf || found[name(t)] != nil {
			return
		}
		found[name(t)] = &fields{Printed: map[string]any{}}
		readFields(found[name(t)], t)
	}
}

func readFields(of *fields, t reflect.Type) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		called, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Name == "TypeMeta" || called == "-":
		case called == "" && field.Anonymous:
			readFields(of, field.Type)
		case called != "":
			read(field.Type)
			add(of, called, field.Type, strings.Contains(options, "omitempty"))
			addPrinted(of, called, field.Type, options)
		}
	}
}

func add(of *fields, called string, t reflect.Type, omitted bool) {
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			if !omitted {
				of.Null = append(of.Null, called)
			}
			return
		}
	default:
		return
	}
	if omitted && !pointer {
		of.Gone = append(of.Gone, called)
	} else {
		of.Kept = append(of.Kept, called)
	}
}

// addPrinted notes a field that is printed although nobody wrote it: omitempty does not leave out a struct.
func addPrinted(of *fields, called string, t reflect.Type, options string) {
	structured := t.Kind() == reflect.Struct
	if strings.Contains(options, "omitzero") || strings.Contains(options, "omitempty") && !structured {
		return
	}
	if structured {
		if _, leaf := reflect.New(t).Interface().(json.Marshaler); !leaf {
			of.Printed[called] = map[string]any{}
			return
		}
	}
	text, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		panic(err)
	}
	of.Printed[called] = json.RawMessage(text)
}

// printed is an empty object but for its metadata and its status.
func printed(t reflect.Type) map[string]any {
	text, err := json.Marshal(reflect.New(t).Interface())
	object := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		panic(err)
	}
	delete(object, "metadata")
	delete(object, "status")
	return object
}

func main() {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, definitions.AddToScheme, olddefinitions.AddToScheme, services.AddToScheme, oldservices.AddToScheme,
	} {
		if err := add(all); err != nil {
			panic(err)
		}
	}
	kinds := []empty{}
	for kind, t := range all.AllKnownTypes() {
		if all.Recognizes(kind.GroupVersion().WithKind(kind.Kind + "List")) {
			read(t)
			kinds = append(kinds, empty{kind.GroupVersion().String(), kind.Kind, printed(t)})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"types": found, "kinds": kinds}); err != nil {
		panic(err)
	}
}
