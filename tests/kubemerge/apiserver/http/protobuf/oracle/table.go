package main

import (
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
)

// special are the messages whose JSON is not that of their fields.
var special = map[string]bool{
	"resource.Quantity": true, "intstr.IntOrString": true, "meta.v1.Time": true, "meta.v1.MicroTime": true,
	"meta.v1.Duration": true, "meta.v1.FieldsV1": true, "runtime.RawExtension": true,
	"apiextensions.v1.JSON": true, "apiextensions.v1beta1.JSON": true,
}

var done = map[string]string{}

// printTable prints the messages, each with the groups and versions that have a kind of that name, and with its fields.
func printTable(out io.Writer) {
	served := map[string][]string{}
	for _, gvk := range kinds() {
		kind := scheme.Scheme.AllKnownTypes()[gvk]
		if kind.Name() != gvk.Kind && kind.Name() != "WatchEvent" {
			panic(gvk.String() + " has the type " + kind.Name())
		}
		if _, isList := kind.FieldByName("ListMeta"); isList && kind.Name() != "Status" {
			continue // nobody sends one
		}
		addMessage(kind)
		served[nameOf(kind)] = append(served[nameOf(kind)], gvk.GroupVersion().String())
	}
	names := make([]string, 0, len(done))
	for name := range done {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		where := strings.Join(served[name], ",")
		switch {
		case len(served[name]) > 5:
			where = "*"
		case where == "":
			where = "-"
		}
		fmt.Fprintf(out, "%s %s%s\n", name, where, done[name])
	}
}

func addMessage(kind reflect.Type) {
	name := nameOf(kind)
	if _, ok := done[name]; ok || special[name] {
		return
	}
	done[name] = ""
	if kind.Kind() == reflect.Slice { // a message around a list, which has no name in JSON
		done[name] = " 1::[]" + typeOf(kind.Elem(), name)
		return
	}
	var fields []string
	for _, field := range reflect.VisibleFields(kind) {
		if len(field.Index) == 1 {
			if text := fieldOf(field, name); text != "" {
				fields = append(fields, text)
			}
		}
	}
	done[name] = " " + strings.Join(fields, " ")
	if len(fields) == 0 {
		done[name] = ""
	}
}

// fieldOf is one field: its number, its name in JSON, its type, and its name in Go where that is another.
func fieldOf(field reflect.StructField, owner string) string {
	tag := field.Tag.Get("protobuf")
	if tag == "" || tag == "-" {
		return ""
	}
	parts := strings.Split(tag, ",")
	json := strings.Split(field.Tag.Get("json"), ",")
	options := strings.Join(json[1:], ",")
	if json[0] == "" && !field.Anonymous { // of a type that writes its own JSON
		json[0] = field.Name
	}
	text := parts[1] + ":" + json[0] + ":"
	switch {
	case strings.Contains(options, "inline") || json[0] == "" && field.Anonymous:
		text += "&"
	case strings.Contains(options, "omitzero"):
		text += "0"
	case strings.Contains(options, "omitempty"):
	default:
		text += "!"
	}
	if json[0] == "-" {
		panic("a field without a name in JSON: " + owner + "." + field.Name)
	}
	text += typeOf(field.Type, owner+"."+field.Name)
	if plain := strings.ToUpper(json[0][:min(1, len(json[0]))]) + json[0][min(1, len(json[0])):]; plain != field.Name {
		text += ":" + field.Name
	}
	return text
}

func typeOf(kind reflect.Type, owner string) string {
	if kind.Kind() == reflect.Pointer {
		return "*" + typeOf(kind.Elem(), owner)
	}
	if isMessage(kind) {
		addMessage(kind)
		name := nameOf(kind)
		if room, ok := strings.CutSuffix(name, "."+kind.Name()); ok && strings.Contains(room, ".") && strings.HasPrefix(owner, room+".") {
			return "." + kind.Name()
		}
		return name
	}
	switch kind.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32:
		return "int32"
	case reflect.Int64:
		return "int64"
	case reflect.Float64:
		return "double"
	case reflect.Map:
		if kind.Key().Kind() == reflect.String {
			return "{}" + typeOf(kind.Elem(), owner)
		}
	case reflect.Slice:
		if kind.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + typeOf(kind.Elem(), owner)
	}
	panic(fmt.Sprintf("%s: a type that is not known here: %s", owner, kind))
}
