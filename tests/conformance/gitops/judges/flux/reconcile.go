package main

import (
	"context"
	"time"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/jsondiff"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	controller = "kustomize-controller"
	group      = "kustomize.toolkit.fluxcd.io"
)

type request struct {
	Name           string                `json:"name"`
	Namespace      string                `json:"namespace"`
	Force          bool                  `json:"force"`
	Prune          bool                  `json:"prune"`
	Ignore         []jsondiff.IgnoreRule `json:"ignore"`
	CommonMetadata *struct {
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"commonMetadata"`
	Migrate  bool             `json:"migrateAPIVersion"`
	Override []string         `json:"overrideManagers"`
	Before   []string         `json:"overrideManagersBeforeDryRun"`
	Objects  []map[string]any `json:"objects"`
	Stale    []map[string]any `json:"stale"`
}

type response struct {
	Actions map[string]string `json:"actions"`
	Error   string            `json:"error,omitempty"`
}

// reconcile does what kustomize-controller v1.10.1 does with built objects: (KustomizationReconciler).reconcile, apply
// and prune.
func reconcile(ctx context.Context, manager *ssa.ResourceManager, asked request) response {
	objects := unstructuredOf(asked.Objects)
	done := response{Actions: map[string]string{}}
	manager.SetOwnerLabels(objects, asked.Name, asked.Namespace)
	if err := normalize.UnstructuredList(objects); err != nil {
		done.Error = err.Error()
		return done
	}
	if common := asked.CommonMetadata; common != nil {
		utils.SetCommonMetadata(objects, common.Labels, common.Annotations)
	}
	changes, err := manager.ApplyAllStaged(ctx, objects, optionsOf(asked))
	done.add(changes)
	if err != nil {
		done.Error = err.Error()
		return done
	}
	if asked.Prune && len(asked.Stale) > 0 {
		deleted, err := manager.DeleteAll(ctx, unstructuredOf(asked.Stale), ssa.DeleteOptions{
			PropagationPolicy: metav1.DeletePropagationBackground,
			Inclusions:        manager.GetOwnerLabels(asked.Name, asked.Namespace),
			Exclusions: map[string]string{
				group + "/prune": "disabled", group + "/reconcile": "disabled", group + "/ssa": "Ignore",
			},
		})
		done.add(deleted)
		if err != nil {
			done.Error = err.Error()
		}
	}
	return done
}

func (done response) add(changes *ssa.ChangeSet) {
	if changes == nil {
		return
	}
	for _, entry := range changes.Entries {
		done.Actions[entry.Subject] = string(entry.Action)
	}
}

func optionsOf(asked request) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.WaitInterval, options.WaitTimeout = 100*time.Millisecond, 10*time.Second
	options.Force = asked.Force
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.MigrateAPIVersion = asked.Migrate
	options.DriftIgnoreRules = asked.Ignore
	managers := []ssa.FieldManager{
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
		{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
		{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
		{Name: controller, OperationType: metav1.ManagedFieldsOperationUpdate},
	}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{
			corev1.LastAppliedConfigAnnotation, group + "/checksum", "fluxcd.io/sync-checksum",
		},
		Labels:                    []string{"fluxcd.io/sync-gc-mark"},
		FieldManagers:             append(managers, managersOf(asked.Override, false)...),
		FieldManagersBeforeDryRun: managersOf(asked.Before, true),
		Exclusions:                map[string]string{group + "/ssa": "Merge"},
	}
	return options
}

func managersOf(names []string, exact bool) []ssa.FieldManager {
	var found []ssa.FieldManager
	for _, name := range names {
		for _, operation := range []metav1.ManagedFieldsOperationType{"Apply", "Update"} {
			found = append(found, ssa.FieldManager{Name: name, OperationType: operation, ExactMatch: exact})
		}
	}
	return found
}

func unstructuredOf(contents []map[string]any) []*unstructured.Unstructured {
	found := make([]*unstructured.Unstructured, 0, len(contents))
	for _, content := range contents {
		found = append(found, &unstructured.Unstructured{Object: content})
	}
	return found
}
