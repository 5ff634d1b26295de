// Command oracle says how the types of Kubernetes are written in protobuf and in JSON.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)

func main() {
	for _, add := range []func(*runtime.Scheme) error{
		apiextensionsv1.AddToScheme, apiextensionsv1beta1.AddToScheme,
		apiregistrationv1.AddToScheme, apiregistrationv1beta1.AddToScheme,
	} {
		check(add(scheme.Scheme))
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch {
	case len(os.Args) == 2 && os.Args[1] == "table":
		printTable(out)
	case len(os.Args) == 2 && os.Args[1] == "gotypes":
		printGoTypes(out)
	case len(os.Args) == 4 && os.Args[1] == "objects":
		printObjects(out, number(os.Args[2]), number(os.Args[3]))
	case len(os.Args) == 2 && os.Args[1] == "judge":
		judge(os.Stdin, out)
	default:
		fmt.Fprintln(os.Stderr, "usage: oracle table | gotypes | objects COUNT SEED | judge")
		os.Exit(2)
	}
}

// kinds lists every kind that has a form in protobuf, in order.
func kinds() []schema.GroupVersionKind {
	var found []schema.GroupVersionKind
	for gvk, kind := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version != runtime.APIVersionInternal && isMessage(kind) {
			found = append(found, gvk)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].String() < found[j].String() })
	return found
}

func isMessage(kind reflect.Type) bool {
	_, ok := reflect.New(kind).Interface().(interface{ Unmarshal([]byte) error })
	return ok
}

// nameOf is the name of a message: the end of its package's path, and the type.
func nameOf(kind reflect.Type) string {
	parts := strings.Split(kind.PkgPath(), "/")
	last := parts[len(parts)-1]
	if strings.HasPrefix(last, "v") && len(parts) > 1 {
		last = parts[len(parts)-2] + "." + last
	}
	return last + "." + kind.Name()
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
