//go:build tools

// Package tools pins the programs that `make test-real` builds from this module.
//
// In: nothing. Out: a go.mod file with their versions. It must never be imported.
package tools

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "helm.sh/helm/v3/cmd/helm"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kubectl"
	_ "sigs.k8s.io/kustomize/kustomize/v5"
)
