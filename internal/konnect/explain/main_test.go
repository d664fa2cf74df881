package explain_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain trades memory for time: the tests make many short-lived documents.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run()) //nolint:forbidigo // as the testing package does
}
