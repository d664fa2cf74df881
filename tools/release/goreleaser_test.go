package main

import (
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func TestGoreleaser(t *testing.T) {
	if _, err := config.Load("../../.goreleaser.yaml"); err != nil {
		t.Fatal(err)
	}
}
