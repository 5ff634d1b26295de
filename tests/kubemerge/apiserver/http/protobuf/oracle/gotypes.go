package main

import (
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

var structs = map[string]string{}

// printGoTypes prints the struct types of all kinds, each with the fields whose Go type does not follow from the type in
// OpenAPI (`restartPolicy:v1.RestartPolicy`), and with the embedded structs that its other fields come from
// (`VolumeSource>hostPath`). After `=` comes the type of the elements of a named list or map.
func printGoTypes(out io.Writer) {
	for _, gvk := range kinds() {
		addStruct(scheme.Scheme.AllKnownTypes()[gvk])
	}
	addStruct(reflect.TypeOf(metav1.ObjectMeta{}))
	names := make([]string, 0, len(structs))
	for name, fields := range structs {
		if fields != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(out, "%s%s\n", name, structs[name])
	}
}

// moduleOf is the name of a type in the generated tables: `core_v1.Container`.
func moduleOf(kind reflect.Type) string {
	parts := strings.Split(nameOf(kind), ".")
	return strings.Join(parts[:len(parts)-1], "_") + "." + parts[len(parts)-1]
}

func addStruct(kind reflect.Type) {
	name := moduleOf(kind)
	if _, ok := structs[name]; ok || special[nameOf(kind)] {
		return
	}
	if _, isList := kind.FieldByName("ListMeta"); isList && kind.Name() != "Status" {
		return // nobody sends one
	}
	structs[name] = ""
	var fields []string
	addFields(kind, "", &fields)
	sort.Strings(fields)
	structs[name] = strings.Join(append([]string{""}, fields...), " ")
	if len(fields) == 0 {
		structs[name] = ""
	}
}

func addFields(kind reflect.Type, embedded string, fields *[]string) {
	for index := 0; index < kind.NumField(); index++ {
		field := kind.Field(index)
		json := strings.Split(field.Tag.Get("json"), ",")[0]
		if field.Anonymous && json == "" {
			if field.Name != "TypeMeta" {
				addFields(field.Type, embedded+field.Name+">", fields)
			}
			continue
		}
		goType := indirect(field.Type)
		addInside(goType)
		if text := differing(goType); text != "" || embedded != "" {
			*fields = append(*fields, strings.TrimSuffix(embedded+json+":"+text, ":"))
		}
	}
}

func indirect(kind reflect.Type) reflect.Type {
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return kind
}

// addInside adds the structs that a type leads to.
func addInside(kind reflect.Type) {
	switch kind.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		addInside(kind.Elem())
	case reflect.Struct:
		addStruct(kind)
	}
}

// differing is the type in the words of Go, if it does not follow from the type in OpenAPI.
func differing(kind reflect.Type) string {
	if follows(kind) {
		return ""
	}
	text := strings.ReplaceAll(kind.String(), " ", "_")
	if kind.Name() != "" && (kind.Kind() == reflect.Slice || kind.Kind() == reflect.Map) {
		text += "=" + kind.Elem().String()
	}
	return text
}

func follows(kind reflect.Type) bool {
	switch kind.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Float64, reflect.Interface:
		return kind.PkgPath() == ""
	case reflect.Struct:
		name := nameOf(kind)
		return !special[name] || name == "resource.Quantity" || name == "intstr.IntOrString"
	case reflect.Slice:
		return kind.Name() == "" && follows(kind.Elem())
	case reflect.Map:
		return kind.Name() == "" && kind.Key().String() == "string" && follows(kind.Elem())
	}
	return false
}
