package cli

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// TestSettingsPage asserts that docs/settings.md lists every setting with its
// flag, and every exit status, and nothing else.
func TestSettingsPage(t *testing.T) {
	raw, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z.-]+)` \\| (?:`--([a-z-]+)`)? *\\|").FindAllStringSubmatch(string(raw), -1) {
		got[row[1]] = row[2]
	}
	want := map[string]string{settingKubeconfig: "kubeconfig", settingKubeContext: "context", settingKubeNamespace: "namespace"}
	for _, name := range knownSettings() {
		want[name] += ""
	}
	for flag, name := range settingOfFlag {
		want[name] = flag
	}
	if !maps.Equal(got, want) {
		t.Errorf("docs/settings.md lists %v, want %v", got, want)
	}
	var statuses []int
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(raw), -1) {
		n, _ := strconv.Atoi(row[1]) // digits alone match
		statuses = append(statuses, n)
	}
	all := []int{exitDone, exitFailed, exitChanges, exitAuth, exitInvalid, exitPartial, exitMoved, exitRefused, exitUsage, exitInterrupted}
	if !slices.Equal(statuses, all) {
		t.Errorf("docs/settings.md lists the statuses %v, want %v", statuses, all)
	}
}
