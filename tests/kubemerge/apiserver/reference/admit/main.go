// Reads objects as lines of JSON; answers what Kubernetes fills in, and why it refuses them. See ../../record_reference.py.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/service"
)

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

var strategies = map[string]strategy{
	"Deployment": deployment.Strategy, "DaemonSet": daemonset.Strategy, "ReplicaSet": replicaset.Strategy,
	"StatefulSet": statefulset.Strategy, "CronJob": cronjob.Strategy, "Job": job.Strategy, "Pod": pod.Strategy,
	"PersistentVolumeClaim": persistentvolumeclaim.Strategy, "Service": service.Strategy, "ConfigMap": configmap.Strategy,
}

type in struct {
	Name   string          `json:"name"`
	Object json.RawMessage `json:"object"`
	Before json.RawMessage `json:"before"`
}

func decode(raw []byte) (runtime.Object, schema.GroupVersionKind, error) {
	obj, gvk, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if err != nil {
		return nil, schema.GroupVersionKind{}, err
	}
	legacyscheme.Scheme.Default(obj)
	return obj, *gvk, nil
}

func internal(obj runtime.Object) runtime.Object {
	// the kinds of extensions have their internal form in apps
	for _, group := range []string{obj.GetObjectKind().GroupVersionKind().Group, "apps"} {
		target := schema.GroupVersions{{Group: group, Version: runtime.APIVersionInternal}}
		if out, err := legacyscheme.Scheme.ConvertToVersion(obj, target); err == nil {
			return out
		}
	}
	panic(obj.GetObjectKind())
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(make([]byte, 1<<20), 1<<26)
	for scanner.Scan() {
		var row in
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			panic(err)
		}
		answer := map[string]interface{}{"name": row.Name}
		obj, gvk, err := decode(row.Object)
		if err != nil {
			answer["undecodable"] = err.Error()
		} else {
			i := internal(obj)
			back, err := legacyscheme.Scheme.ConvertToVersion(i, gvk.GroupVersion())
			if err != nil {
				panic(err)
			}
			data, err := json.Marshal(back)
			if err != nil {
				panic(err)
			}
			answer["filled"] = json.RawMessage(data)
			if s, ok := strategies[gvk.Kind]; ok {
				ns := "default"
				if a, err := meta.Accessor(i); err == nil && a.GetNamespace() != "" {
					ns = a.GetNamespace()
				}
				ctx := genericapirequest.WithRequestInfo(genericapirequest.WithNamespace(context.Background(), ns), &genericapirequest.RequestInfo{APIGroup: gvk.Group, APIVersion: gvk.Version})
				var err error
				if len(row.Before) == 0 || string(row.Before) == "null" {
					if a, err := meta.Accessor(i); err == nil {
						rest.FillObjectMetaSystemFields(a)
						if a.GetGenerateName() == "" {
							a.SetUID("u")
						}
					}
					err = rest.BeforeCreate(s, ctx, i)
				} else {
					old, _, err2 := decode(row.Before)
					if err2 != nil {
						panic(err2)
					}
					o := internal(old)
					for _, x := range []runtime.Object{i, o} {
						a, _ := meta.Accessor(x)
						a.SetResourceVersion("1")
						a.SetNamespace(ns)
						a.SetUID("u")
						a.SetCreationTimestamp(metav1.Now())
					}
					ia, _ := meta.Accessor(i)
					oa, _ := meta.Accessor(o)
					ia.SetCreationTimestamp(oa.GetCreationTimestamp())
					err = rest.BeforeUpdate(s, ctx, i, o)
				}
				if err != nil {
					answer["refused"] = err.Error()
				}
			}
		}
		out, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(out))
	}
}
