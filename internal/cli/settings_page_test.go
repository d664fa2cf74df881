package cli

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/kongctl/kongctl/internal/profile"
)

// TestSettingsPage asserts that docs/settings.md lists every setting with its
// flag, and every exit status, and nothing else.
func TestSettingsPage(t *testing.T) {
	raw, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	got, defaults := map[string]string{}, map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z.-]+)` \\| (?:`--([a-z-]+)`)? *\\|").FindAllStringSubmatch(string(raw), -1) {
		got[row[1]] = row[2]
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z.-]+)` \\| [^|]*\\| `([a-z0-9/-]+)` \\|").FindAllStringSubmatch(string(raw), -1) {
		defaults[row[1]] = row[2]
	}
	want := map[string]string{settingKubeconfig: "kubeconfig", settingKubeContext: "context", settingKubeNamespace: "namespace"}
	for _, name := range knownSettings() {
		want[name] += ""
	}
	for flag, name := range settingOfFlag {
		want[name] = flag
	}
	for name, form := range settingForms {
		if defaults[name] != form.fallback {
			t.Errorf("docs/settings.md: the default of %s is %q, want %q", name, defaults[name], form.fallback)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("docs/settings.md lists %v, want %v", got, want)
	}
	var statuses []int
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(raw), -1) {
		n, _ := strconv.Atoi(row[1]) // digits alone match
		statuses = append(statuses, n)
	}
	all := []int{exitDone, exitFailed, exitChanges, exitAuth, exitInvalid, exitPartial, exitMoved, exitRefused, exitUsage, exitInterrupted, exitUnread}
	if !slices.Equal(statuses, all) {
		t.Errorf("docs/settings.md lists the statuses %v, want %v", statuses, all)
	}
}

// TestShownValue: a message hides tokens and addresses that may hold a password.
func TestShownValue(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ setting, text, want string }{
		{settingLogLevel, "@@bad", `"@@bad"`},
		{settingLogLevel, "https://me:hunter2@example.com", "(hidden)"},
		{profile.Region, "me:hunter2@example.com", "(hidden)"},
		{profile.BaseURL, "hunter2@example.com", "(hidden)"},
		{profile.Token, "kpat", "(hidden)"},
	} {
		if got := shownValue(x.setting, x.text); got != x.want {
			t.Errorf("%s=%s: %s, want %s", x.setting, x.text, got, x.want)
		}
	}
}

// TestSettingForms asserts that every setting of a flag has a form, which takes
// its own default, and that the form agrees with the choices of the flag.
func TestSettingForms(t *testing.T) {
	for flag, name := range settingOfFlag {
		form, ok := settingForms[name]
		if !ok {
			t.Errorf("the setting %s of --%s has no form", name, flag)
		}
		if known := choices[flag]; !slices.Equal(form.values, known) {
			t.Errorf("%s takes %v, --%s %v", name, form.values, flag, known)
		}
	}
	for name, form := range settingForms {
		if form.fallback != "" && form.fits != nil && !form.fits(form.fallback) {
			t.Errorf("%s does not take its default %q", name, form.fallback)
		}
		if form.fits != nil && form.want == "" {
			t.Errorf("%s: no words say what it takes", name)
		}
	}
}
