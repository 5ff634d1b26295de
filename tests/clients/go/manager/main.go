// Command manager runs an operator with controller-runtime against the API server of a kubeconfig.
//
// For each ConfigMap with the label `app` it makes a Deployment that the ConfigMap owns. It prints what it did, and ends
// when a ConfigMap was deleted and its finalizer taken off.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.com/kept"

type reconciler struct {
	client.Client
	done func()
}

// Reconcile makes the Deployment of a ConfigMap, or takes leave of it.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var config corev1.ConfigMap
	if err := r.Get(ctx, request.NamespacedName, &config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	app := config.Labels["app"]
	if app == "" {
		return ctrl.Result{}, nil
	}
	if !config.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&config, finalizer) {
			if err := r.Update(ctx, &config); err != nil {
				return ctrl.Result{}, err
			}
			fmt.Println("let go of", config.Name)
			r.done()
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&config, finalizer) {
		if err := r.Update(ctx, &config); err != nil {
			return ctrl.Result{}, err
		}
		fmt.Println("keeps", config.Name)
	}
	labels := map[string]string{"app": app}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: config.Namespace, Name: app}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		containers := &deployment.Spec.Template.Spec.Containers
		if len(*containers) == 0 {
			*containers = []corev1.Container{{Name: "app"}}
		}
		(*containers)[0].Image = config.Data["image"]
		return controllerutil.SetControllerReference(&config, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if result != controllerutil.OperationResultNone {
		fmt.Println(result, deployment.Name, (deployment.Spec.Template.Spec.Containers)[0].Image)
	}
	return ctrl.Result{}, nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manager KUBECONFIG")
		os.Exit(2)
	}
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	stop(err)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme.Scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "manager.example.com",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	stop(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	own := &reconciler{Client: manager.GetClient(), done: func() { time.AfterFunc(200*time.Millisecond, cancel) }}
	stop(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).Complete(own))
	stop(manager.Add(script{manager.GetClient()}))
	stop(manager.Start(ctx))
	fmt.Println("ended")
}

// script is the person who uses the operator.
type script struct{ client.Client }

// Start makes a ConfigMap, changes it, takes its Deployment away, and deletes it.
func (s script) Start(ctx context.Context) error {
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "settings", Labels: map[string]string{"app": "web"}},
		Data:       map[string]string{"image": "nginx:1"},
	}
	if err := s.Create(ctx, config); err != nil {
		return err
	}
	if err := s.until(ctx, func(made *appsv1.Deployment) bool {
		return made.Spec.Template.Spec.Containers[0].Image == "nginx:1"
	}); err != nil {
		return err
	}
	before := config.DeepCopy()
	config.Data["image"] = "nginx:2"
	if err := s.Patch(ctx, config, client.MergeFrom(before)); err != nil {
		return err
	}
	var first appsv1.Deployment
	if err := s.until(ctx, func(made *appsv1.Deployment) bool {
		first = *made
		return made.Spec.Template.Spec.Containers[0].Image == "nginx:2"
	}); err != nil {
		return err
	}
	if err := s.Delete(ctx, &first); err != nil {
		return err
	}
	if err := s.until(ctx, func(made *appsv1.Deployment) bool { return made.UID != first.UID }); err != nil {
		return err
	}
	return s.Delete(ctx, config)
}

// until waits for the Deployment to be so.
func (s script) until(ctx context.Context, so func(*appsv1.Deployment) bool) error {
	key := client.ObjectKey{Namespace: "default", Name: "web"}
	for {
		var made appsv1.Deployment
		err := s.Get(ctx, key, &made)
		if err == nil && so(&made) {
			return nil
		}
		if err != nil && !errors.IsNotFound(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
