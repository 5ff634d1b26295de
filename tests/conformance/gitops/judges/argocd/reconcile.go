package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/rest"
)

const manager = "argocd-controller"

type controller struct {
	config  *rest.Config
	kubectl *kube.KubectlCmd
	parser  *managedfields.GvkParser
}

type ignoreDifference struct {
	Group                 string   `json:"group"`
	Kind                  string   `json:"kind"`
	Name                  string   `json:"name"`
	Namespace             string   `json:"namespace"`
	JSONPointers          []string `json:"jsonPointers"`
	JQPathExpressions     []string `json:"jqPathExpressions"`
	ManagedFieldsManagers []string `json:"managedFieldsManagers"`
}

// request has the settings of an Application, and objects that already have a namespace and a tracking ID.
type request struct {
	Namespace        string             `json:"namespace"`
	Options          []string           `json:"syncOptions"`
	Ignore           []ignoreDifference `json:"ignoreDifferences"`
	ServerSideDiff   bool               `json:"serverSideDiff"`
	Force            bool               `json:"force"`
	Prune            bool               `json:"prune"`
	MigrationManager string             `json:"migrationManager"`
	Tracking         string             `json:"trackingMethod"`
	Objects          []map[string]any   `json:"objects"`
	Stale            []map[string]any   `json:"stale"`
}

type result struct {
	Modified   bool            `json:"modified"`
	Normalized json.RawMessage `json:"normalized,omitempty"`
	Predicted  json.RawMessage `json:"predicted,omitempty"`
	Status     string          `json:"status"`
	Message    string          `json:"message"`
}

type response struct {
	Objects []result `json:"objects"`
	Phase   string   `json:"phase"`
	Message string   `json:"message"`
	Error   string   `json:"error,omitempty"`
	Stage   string   `json:"stage,omitempty"`
}

func (asked request) has(option string) bool {
	return slices.Contains(asked.Options, option)
}

// reconcile does what CompareAppState and SyncAppState of Argo CD v3.6.1 do with the objects of an Application.
func (c *controller) reconcile(ctx context.Context, asked request) response {
	var states sync.ReconciliationResult
	for _, content := range asked.Objects {
		target := &unstructured.Unstructured{Object: content}
		live, err := c.live(ctx, target)
		if err != nil {
			return response{Error: err.Error(), Stage: "live"}
		}
		states.Target, states.Live = append(states.Target, target), append(states.Live, live)
	}
	for _, content := range asked.Stale {
		live, err := c.live(ctx, &unstructured.Unstructured{Object: content})
		if err != nil {
			return response{Error: err.Error(), Stage: "live"}
		}
		states.Target, states.Live = append(states.Target, nil), append(states.Live, live)
	}
	compared, err := c.compare(ctx, asked, states)
	if err != nil { // nothing is synced after an error
		return response{Error: err.Error(), Stage: "compare"}
	}
	done := response{}
	c.sync(ctx, asked, states, &done)
	for i := range done.Objects {
		found := compared.Diffs[i]
		done.Objects[i].Modified = found.Modified
		done.Objects[i].Normalized, done.Objects[i].Predicted = found.NormalizedLive, found.PredictedLive
	}
	return done
}

func (c *controller) live(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	live, err := c.kubectl.GetResource(
		ctx, c.config, object.GroupVersionKind(), object.GetName(), object.GetNamespace(),
	)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return live, err
}

func (c *controller) compare(
	ctx context.Context, asked request, states sync.ReconciliationResult,
) (*diff.DiffResultList, error) {
	lives, targets, err := normalizedBefore(states.Live, states.Target, asked, c.parser)
	if err != nil {
		return nil, err
	}
	normalizer, err := newIgnoreNormalizer(asked.Ignore)
	if err != nil {
		return nil, err
	}
	dryRuns, cleanup, err := c.kubectl.ManageServerSideDiffDryRuns(c.config)
	if err != nil {
		return nil, err
	}
	defer cleanup()
	options := []diff.Option{
		diff.WithNormalizer(normalizer), diff.IgnoreAggregatedRoles(false), diff.WithGVKParser(c.parser),
		diff.WithManager(manager), diff.WithServerSideDiff(asked.ServerSideDiff), diff.WithIgnoreMutationWebhook(true),
		diff.WithLogr(logr.Discard()),
	}
	if asked.ServerSideDiff {
		options = append(options, diff.WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(dryRuns)))
	}
	return diff.DiffArray(ctx, targets, lives, options...)
}

func (c *controller) sync(ctx context.Context, asked request, states sync.ReconciliationResult, done *response) {
	done.Objects = make([]result, len(states.Target))
	if asked.has("RespectIgnoreDifferences=true") {
		schema, _, err := c.kubectl.LoadOpenAPISchema(c.config)
		if err == nil {
			states.Target, err = normalizedTargets(schema, states, asked, c.parser)
		}
		if err != nil {
			done.Error, done.Stage = err.Error(), "normalize"
			return
		}
	}
	propagation := metav1.DeletePropagationForeground
	if asked.has("PrunePropagationPolicy=background") {
		propagation = metav1.DeletePropagationBackground
	}
	migrationManager := asked.MigrationManager
	if migrationManager == "" {
		migrationManager = common.DefaultClientSideApplyMigrationManager
	}
	syncing, cleanup, err := sync.NewSyncContext(
		"revision", states, c.config, c.config, c.kubectl, asked.Namespace,
		sync.WithLogr(logr.Discard()),
		sync.WithOperationSettings(false, asked.Prune, asked.Force, true),
		sync.WithManifestValidation(!asked.has(common.SyncOptionsDisableValidation)),
		sync.WithPruneLast(asked.has(common.SyncOptionPruneLast)),
		sync.WithPrunePropagationPolicy(&propagation),
		sync.WithReplace(asked.has(common.SyncOptionReplace)),
		sync.WithServerSideApply(asked.has(common.SyncOptionServerSideApply)),
		sync.WithServerSideApplyManager(manager),
		sync.WithClientSideApplyMigration(
			!asked.has(common.SyncOptionDisableClientSideApplyMigration), migrationManager,
		),
	)
	if err != nil {
		done.Error, done.Stage = err.Error(), "sync"
		return
	}
	defer cleanup()
	syncing.Sync(ctx)
	phase, message, results := syncing.GetState()
	done.Phase, done.Message = string(phase), message
	for _, found := range results {
		for i := range states.Target {
			object := states.Target[i]
			if object == nil {
				object = states.Live[i]
			}
			if object == nil {
				continue
			}
			key := kube.GetResourceKey(object)
			if key.Namespace == "" { // a task has the namespace of the Application
				key.Namespace = found.ResourceKey.Namespace
			}
			if key == found.ResourceKey {
				done.Objects[i].Status, done.Objects[i].Message = string(found.Status), found.Message
			}
		}
	}
}
