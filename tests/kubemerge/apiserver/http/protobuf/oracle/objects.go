package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
)

var serializer = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

var texts = []string{"web", "a b", "", "über", "日本", "\U0001F600", "<&>", "\xff\xc3(", "line\nline", "\"\\", "\u2028"}
var quantities = []string{"1", "0", "1500m", "1Gi", "0.5", "1e3", "-2k", "1.0Ki", "100n", "12345678901234567890"}
var documents = []string{`{"a":1,"b":[true,null,"x"],"c":{"d":1.5}}`, `"text"`, `[]`, `{}`, `12`, `1e3`, `false`, `{"f:a":{}}`}

// filler makes random objects that have a form in both encodings.
func filler(seed int64) *randfill.Filler {
	one := func(of []string, c randfill.Continue) string { return of[c.Intn(len(of))] }
	return randfill.NewWithSeed(seed).NilChance(0.4).NumElements(0, 2).MaxDepth(14).Funcs(
		func(value *string, c randfill.Continue) { *value = one(texts, c) },
		func(value *float64, c randfill.Continue) { *value = []float64{0, 1.5, -2, 1e30, 0.1, 1e21, 1e20}[c.Intn(7)] },
		func(value *metav1.TypeMeta, c randfill.Continue) {},
		func(value *resource.Quantity, c randfill.Continue) { *value = resource.MustParse(one(quantities, c)) },
		func(value *intstr.IntOrString, c randfill.Continue) {
			*value = intstr.FromInt32(c.Int31() - 1<<30)
			if c.Bool() {
				*value = intstr.FromString(one(texts, c))
			}
		},
		func(value *metav1.Time, c randfill.Continue) {
			if c.Bool() {
				*value = metav1.Unix(c.Int63n(1<<33)-1<<32, c.Int63n(1e9))
			}
		},
		func(value *metav1.MicroTime, c randfill.Continue) {
			if c.Bool() {
				*value = metav1.NewMicroTime(time.Unix(c.Int63n(1<<33)-1<<32, c.Int63n(1e9)))
			}
		},
		func(value *metav1.Duration, c randfill.Continue) {
			value.Duration = time.Duration(c.Int63()>>uint(c.Intn(60))) * time.Duration(c.Intn(3)-1)
		},
		func(value *metav1.FieldsV1, c randfill.Continue) { value.Raw = []byte(one(documents, c)) },
		func(value *runtime.RawExtension, c randfill.Continue) { value.Raw = []byte(one(documents, c)) },
		func(value *apiextensionsv1.JSON, c randfill.Continue) { value.Raw = []byte(one(documents, c)) },
		func(value *apiextensionsv1beta1.JSON, c randfill.Continue) { value.Raw = []byte(one(documents, c)) },
	)
}

// printObjects prints random objects of every kind: apiVersion, kind, protobuf in base64, and the JSON of what a
// server reads from it.
func printObjects(out io.Writer, count, seed int) {
	fill := filler(int64(seed))
	var known []schema.GroupVersionKind
	for _, gvk := range kinds() {
		if !strings.HasSuffix(gvk.Kind, "List") && gvk.Kind != "WatchEvent" {
			known = append(known, gvk)
		}
	}
	rand.New(rand.NewSource(int64(seed))).Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	for index := 0; index < count; index++ {
		gvk := known[index%len(known)]
		object, err := scheme.Scheme.New(gvk)
		check(err)
		fill.Fill(object)
		object.GetObjectKind().SetGroupVersionKind(gvk)
		var body bytes.Buffer
		check(serializer.Encode(object, &body))
		text, err := read(body.Bytes(), nil)
		check(err)
		fmt.Fprintf(out, "%s %s %s %s\n", gvk.GroupVersion(), gvk.Kind, base64.StdEncoding.EncodeToString(body.Bytes()), text)
	}
}

// judge reads lines of apiVersion, kind and a body in base64, and prints the JSON of what a server reads from each, or
// `!` and why it cannot be read.
func judge(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), " ")
		body, err := base64.StdEncoding.DecodeString(parts[2])
		check(err)
		gvk := schema.FromAPIVersionAndKind(parts[0], parts[1])
		text, err := read(body, &gvk)
		if err != nil {
			text, _ = json.Marshal("!" + err.Error())
		}
		fmt.Fprintf(out, "%s\n", text)
	}
}

func read(body []byte, gvk *schema.GroupVersionKind) ([]byte, error) {
	object, actual, err := serializer.Decode(body, gvk, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*actual)
	return json.Marshal(object)
}
