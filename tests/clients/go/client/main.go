// Command client uses the API server of a kubeconfig as Go programs do, and prints what it saw.
//
// All bodies are protobuf. The program ends with 1 and one sentence when something is not as it has to be.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "default"

var steps = []struct {
	name string
	run  func(context.Context, *kubernetes.Clientset) error
}{
	{"deployments are created, read, changed, scaled and deleted", deployments},
	{"objects of other kinds keep what they were sent with", others},
	{"what exists or is out of date is refused", refusals},
	{"a watch tells of changes", watched},
	{"parts of objects are posted to", parts},
	{"several are deleted at once", collections},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client KUBECONFIG")
		os.Exit(2)
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	stop(err)
	config.QPS = -1 // nobody is to wait for a turn
	plain := rest.CopyConfig(config)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	typed, err := kubernetes.NewForConfig(config)
	stop(err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for _, step := range steps {
		stop(named(step.name, step.run(ctx, typed)))
		fmt.Println(step.name)
	}
	client, err := metadata.NewForConfig(plain)
	stop(err)
	stop(named("metadata", onlyMetadata(ctx, typed, client)))
	fmt.Println("clients of metadata see metadata")
	stop(named("informers", informers(ctx, config, plain)))
	fmt.Println("informers are told of all changes")
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expect(what string, is, wanted any) error {
	if is != wanted {
		return fmt.Errorf("%s is %v, and not %v", what, is, wanted)
	}
	return nil
}

// first is the first error of several.
func first(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func deployment(name string, replicas int32) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	surge := intstr.FromString("50%")
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &surge},
			},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:  "web",
					Image: "nginx",
					Resources: corev1.ResourceRequirements{
						Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")},
					},
					LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
						HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80)},
					}},
				}}},
			},
		},
	}
}

func deployments(ctx context.Context, typed *kubernetes.Clientset) error {
	client := typed.AppsV1().Deployments(namespace)
	made, err := client.Create(ctx, deployment("web", 2), metav1.CreateOptions{FieldValidation: "Strict"})
	if err != nil {
		return err
	}
	template := made.Spec.Template.Spec
	if err := first(
		expect("maxSurge", made.Spec.Strategy.RollingUpdate.MaxSurge.String(), "50%"),
		expect("the limit", template.Containers[0].Resources.Limits.Cpu().String(), "1500m"),
		expect("the port", template.Containers[0].LivenessProbe.HTTPGet.Port.IntValue(), 80),
		expect("the default value", template.RestartPolicy, corev1.RestartPolicyAlways),
		expect("the operation", made.ManagedFields[0].Operation, metav1.ManagedFieldsOperationUpdate),
		expect("the generation", made.Generation, int64(1)),
	); err != nil {
		return err
	}
	made.Spec.Template.Spec.Containers[0].Image = "nginx:2"
	changed, err := client.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	changed.Status.ObservedGeneration = changed.Generation
	changed.Status.Replicas = 2
	observed, err := client.UpdateStatus(ctx, changed, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	scale, err := client.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scaled, err := client.UpdateScale(ctx, "web", &autoscalingv1.Scale{
		ObjectMeta: scale.ObjectMeta, Spec: autoscalingv1.ScaleSpec{Replicas: 5},
	}, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	patch := []byte(`{"metadata":{"labels":{"tier":"front"}}}`)
	patched, err := client.Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	listed, err := client.List(ctx, metav1.ListOptions{LabelSelector: "tier=front"})
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	uid := patched.UID
	return first(
		expect("the image", changed.Spec.Template.Spec.Containers[0].Image, "nginx:2"),
		expect("the generation", observed.Generation, int64(2)),
		expect("the observed generation", observed.Status.ObservedGeneration, int64(2)),
		expect("the scale", scaled.Spec.Replicas, int32(5)),
		expect("the replicas", *patched.Spec.Replicas, int32(5)),
		expect("the list", len(listed.Items), 1),
		client.Delete(ctx, "web", metav1.DeleteOptions{
			PropagationPolicy: &background, Preconditions: &metav1.Preconditions{UID: &uid},
		}),
	)
}

func others(ctx context.Context, typed *kubernetes.Clientset) error {
	immutable := true
	secret, err := typed.CoreV1().Secrets(namespace).Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "key-"},
		Immutable:  &immutable,
		Data:       map[string][]byte{"a": {0, 255}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	service, err := typed.CoreV1().Services(namespace).Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{
			{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}, {Name: "plain", Port: 81},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	holder, seconds, now := "me", int32(15), metav1.NewMicroTime(time.Unix(1700000000, 123456000))
	lease, err := typed.CoordinationV1().Leases(namespace).Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "leader"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &now,
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	event, err := typed.CoreV1().Events(namespace).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "web.1"},
		InvolvedObject: corev1.ObjectReference{Kind: "Service", Namespace: namespace, Name: "web", UID: service.UID},
		Reason:         "Tried", Message: "it works", Type: "Normal", Count: 3,
		FirstTimestamp: metav1.Unix(1700000000, 0), LastTimestamp: metav1.Unix(1700000001, 0),
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("the bytes", string(secret.Data["a"]), "\x00\xff"),
		expect("immutable", *secret.Immutable, true),
		expect("the port by name", service.Spec.Ports[0].TargetPort.String(), "http"),
		expect("the default port", service.Spec.Ports[1].TargetPort.IntValue(), 81),
		expect("the time", lease.Spec.RenewTime.UTC().Format(time.RFC3339Nano), "2023-11-14T22:13:20.123456Z"),
		expect("the count", event.Count, int32(3)),
	)
}

func refusals(ctx context.Context, typed *kubernetes.Clientset) error {
	client := typed.CoreV1().ConfigMaps(namespace)
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "refused"}, Data: map[string]string{"a": "1"}}
	made, err := client.Create(ctx, config, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, again := client.Create(ctx, config, metav1.CreateOptions{})
	newer := made.DeepCopy()
	newer.Data["a"] = "2"
	if _, err := client.Update(ctx, newer, metav1.UpdateOptions{}); err != nil {
		return err
	}
	made.Data["a"] = "3"
	_, late := client.Update(ctx, made, metav1.UpdateOptions{})
	_, missing := client.Get(ctx, "none", metav1.GetOptions{})
	_, wrong := client.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "Wrong_"},
	}, metav1.CreateOptions{})
	wrongUID := types.UID("other")
	unmet := client.Delete(ctx, "refused", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrongUID}})
	return first(
		expect("a second create", errors.IsAlreadyExists(again), true),
		expect("a late update", errors.IsConflict(late), true),
		expect("what is missing", errors.IsNotFound(missing), true),
		expect("a wrong name", errors.IsInvalid(wrong), true),
		expect("a wrong uid", errors.IsConflict(unmet), true),
	)
}

func watched(ctx context.Context, typed *kubernetes.Clientset) error {
	client := typed.CoreV1().ConfigMaps(namespace)
	listed, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	stream, err := client.Watch(ctx, metav1.ListOptions{
		ResourceVersion: listed.ResourceVersion, LabelSelector: "watched=yes",
	})
	if err != nil {
		return err
	}
	defer stream.Stop()
	made, err := client.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "watched", Labels: map[string]string{"watched": "yes"}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Data = map[string]string{"a": "1"}
	if _, err := client.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := client.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, wanted := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		select {
		case event := <-stream.ResultChan():
			if err := expect("the event", event.Type, wanted); err != nil {
				return err
			}
		case <-time.After(10 * time.Second):
			return fmt.Errorf("no event %s", wanted)
		}
	}
	return nil
}

func parts(ctx context.Context, typed *kubernetes.Clientset) error {
	pods := typed.CoreV1().Pods(namespace)
	pod, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "evicted"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "b"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	grace := int64(0)
	if err := pods.EvictV1(ctx, &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Name: pod.Name},
		DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: &grace},
	}); err != nil {
		return err
	}
	_, gone := pods.Get(ctx, pod.Name, metav1.GetOptions{})
	lasts := int64(7200)
	token, err := typed.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "default", &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"me"}, ExpirationSeconds: &lasts},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	review, err := typed.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx,
		&authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "create", Resource: "pods"},
		}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("an evicted pod", errors.IsNotFound(gone), true),
		expect("the token", token.Status.Token != "", true),
		expect("the time of the token", *token.Spec.ExpirationSeconds, lasts),
		expect("the review", review.Status.Allowed, true),
	)
}

func collections(ctx context.Context, typed *kubernetes.Clientset) error {
	client := typed.CoreV1().ConfigMaps(namespace)
	for _, name := range []string{"one", "two", "three"} {
		if _, err := client.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"many": "yes"}},
		}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	page, err := client.List(ctx, metav1.ListOptions{LabelSelector: "many=yes", Limit: 2})
	if err != nil {
		return err
	}
	rest, err := client.List(ctx, metav1.ListOptions{LabelSelector: "many=yes", Limit: 2, Continue: page.Continue})
	if err != nil {
		return err
	}
	grace := int64(0)
	deleted := client.DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &grace},
		metav1.ListOptions{LabelSelector: "many=yes"})
	left, err := client.List(ctx, metav1.ListOptions{LabelSelector: "many=yes"})
	if err != nil {
		return err
	}
	return first(
		deleted,
		expect("the first page", len(page.Items), 2),
		expect("the second page", len(rest.Items), 1),
		expect("what is left", len(left.Items), 0),
	)
}
