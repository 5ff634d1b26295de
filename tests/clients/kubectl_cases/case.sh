#!/usr/bin/env bash
# Run one case of kubectl's own shell tests: case.sh ROOT PORT FUNCTION.
# ROOT has the scripts of Kubernetes; PORT is a served cluster with TLS; FUNCTION is the case, such as run_pod_tests.
# FOLDER of the temporary files: TMPDIR. kubectl comes from the path.
cd "$1" || exit
export SECURE_API_PORT=$2 ALLOW_SKEW=1 TERM=xterm KUBE_JUNIT_REPORT_DIR=$TMPDIR/junit
case=$3
set -o errexit -o nounset -o pipefail
source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh
kube::etcd::cleanup() { :; }
kube::util::trap_add cleanup EXIT SIGINT
kube::util::ensure-temp-dir
export HOME=$KUBE_TEMP
kube::util::ensure-gnu-sed
CONTEXT=test
kubectl config set-credentials test-admin --token admin-token
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context "$CONTEXT" --user test-admin --cluster local
kubectl config use-context "$CONTEXT"
create_and_use_new_namespace # cases count on the one of an earlier case
run_the_case_tests() { "$case"; }
SUPPORTED_RESOURCES=("*")
WHAT=the_case
runTests
