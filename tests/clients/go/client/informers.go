package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	coreinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

func onlyMetadata(ctx context.Context, typed *kubernetes.Clientset, client metadata.Interface) error {
	maps := client.Resource(configMaps).Namespace(namespace)
	listed, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	stream, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: listed.ResourceVersion})
	if err != nil {
		return err
	}
	defer stream.Stop()
	if _, err := typed.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "meta", Annotations: map[string]string{"a": "b"}},
		Data:       map[string]string{"not": "seen"},
	}, metav1.CreateOptions{}); err != nil {
		return err
	}
	event := <-stream.ResultChan()
	told, ok := event.Object.(*metav1.PartialObjectMetadata)
	if !ok {
		return fmt.Errorf("the watch told of %T", event.Object)
	}
	one, err := maps.Get(ctx, "meta", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("the event", event.Type, watch.Added),
		expect("the name", told.Name, "meta"),
		expect("the annotation", one.Annotations["a"], "b"),
		expect("the list", len(listed.Items) > 0, true),
		maps.Delete(ctx, "meta", metav1.DeleteOptions{}),
	)
}

// seen counts what an informer was told.
type seen struct {
	sync.Mutex
	added, updated, deleted int
}

func (s *seen) handler() cache.ResourceEventHandler {
	count := func(of *int) {
		s.Lock()
		defer s.Unlock()
		*of++
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { count(&s.added) },
		UpdateFunc: func(any, any) { count(&s.updated) },
		DeleteFunc: func(any) { count(&s.deleted) },
	}
}

func (s *seen) has(added, updated, deleted int) bool {
	s.Lock()
	defer s.Unlock()
	return s.added == added && s.updated == updated && s.deleted == deleted
}

// informers starts one of each kind of informer on the same objects, changes some, and waits for all to be told.
func informers(ctx context.Context, config, plain *rest.Config) error {
	typed := kubernetes.NewForConfigOrDie(config)
	client := typed.CoreV1().ConfigMaps("informed")
	if _, err := typed.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "informed"},
	}, metav1.CreateOptions{}); err != nil {
		return err
	}
	for index := range 300 {
		if _, err := client.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("map-%d", index)},
		}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	shared := coreinformers.NewSharedInformerFactoryWithOptions(typed, 0, coreinformers.WithNamespace("informed"))
	metas := metadatainformer.NewFilteredSharedInformerFactory(
		metadata.NewForConfigOrDie(plain), 0, "informed", nil)
	dynamics := dynamicinformer.NewFilteredDynamicSharedInformerFactory(
		dynamic.NewForConfigOrDie(plain), 0, "informed", nil)
	all := map[string]cache.SharedIndexInformer{
		"typed":    shared.Core().V1().ConfigMaps().Informer(),
		"metadata": metas.ForResource(configMaps).Informer(),
		"dynamic":  dynamics.ForResource(configMaps).Informer(),
	}
	told := map[string]*seen{}
	for name, informer := range all {
		told[name] = &seen{}
		if _, err := informer.AddEventHandler(told[name].handler()); err != nil {
			return err
		}
		go informer.RunWithContext(ctx)
	}
	for name, informer := range all {
		begun, cancel := context.WithTimeout(ctx, 20*time.Second)
		synced := cache.WaitForCacheSync(begun.Done(), informer.HasSynced)
		cancel()
		if !synced {
			return fmt.Errorf("the informer %s does not know all objects", name)
		}
		if err := expect("the store of "+name, len(informer.GetStore().List()), 300); err != nil {
			return err
		}
	}
	one, err := client.Get(ctx, "map-7", metav1.GetOptions{})
	if err != nil {
		return err
	}
	one.Data = map[string]string{"a": "1"}
	if _, err := client.Update(ctx, one, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := client.Delete(ctx, "map-8", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for name, counts := range told {
		for tries := 0; !counts.has(300, 1, 1); tries++ {
			if tries > 200 {
				return fmt.Errorf("the informer %s was told of %d, %d and %d", name, counts.added, counts.updated, counts.deleted)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	return nil
}
