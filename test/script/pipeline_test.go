package script

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/test/page"
)

const pipelines = "../../examples/ci/"

// A job is what a pipeline runs, one shell for each of its steps.
type job struct {
	steps []string
	env   []string
}

// TestPipelines runs the commands of the example pipelines on an embedded Konnect:
// each plans, and then executes the plan.
func TestPipelines(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pipelines are for a shell")
	}
	for _, row := range []struct {
		name  string
		jobs  []job
		files []string
	}{
		{"github", githubJobs(t), []string{"kongctl.sarif", "plan.md", "report.md"}},
		{"gitlab", gitlabJobs(t), []string{"gl-code-quality-report.json", "kongctl.xml"}},
		{"jenkins", jenkinsJobs(t), []string{"kongctl.xml"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			home, dir := t.TempDir(), t.TempDir()
			write(t, filepath.Join(dir, "konnect/portal.yaml"), "portals:\n  - name: developers\n")
			env := []string{
				"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CI=true", "TMPDIR=" + home,
				"KONGCTL_LOCAL_DATA=" + filepath.Join(home, "konnect"),
				"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary.md"),
				"GITHUB_OUTPUT=" + filepath.Join(dir, "outputs"), "GITHUB_PATH=" + filepath.Join(dir, "path"),
			}
			var printed string
			for _, j := range row.jobs {
				for _, step := range j.steps {
					// A function of the shell leads kongctl to the embedded Konnect.
					script := "kongctl() { case $1 in validate|diff) command kongctl \"$@\" ;; *) command kongctl \"$@\" --local ;; esac; }\n" + step
					out, err := page.Run(t.Context(), script, dir, append(env, j.env...))
					if err != nil {
						t.Fatalf("%s\n%v\n%s", step, err, out)
					}
					printed += out
				}
			}
			summary, _ := os.ReadFile(filepath.Join(dir, "summary.md")) // of GitHub alone
			if all := printed + string(summary); !strings.Contains(all, "1 to create") || !strings.Contains(all, "1 created") {
				t.Errorf("the jobs do not say that they planned and created a portal:\n%s", all)
			}
			for _, file := range append(row.files, "plan.json", "plan.html") {
				if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
					t.Errorf("%s is missing or empty: %v", file, err)
				}
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(pipelines + name)
	if err == nil {
		err = yaml.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// githubJobs are the commands plan and apply of the action, as the workflow uses
// it. Installing and commenting have tests of their own.
func githubJobs(t *testing.T) []job {
	t.Helper()
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Name, If, Run, Shell string
				Env                  map[string]string
			}
		}
	}
	readYAML(t, "github/action.yml", &action)
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	readYAML(t, "github/workflow.yml", &workflow)
	expression := regexp.MustCompile(`\$\{\{\s*inputs\.([a-z0-9-]+)\s*\}\}`)
	var jobs []job
	for _, name := range []string{"plan", "apply"} {
		inputs := map[string]string{}
		for input, x := range action.Inputs {
			inputs[input] = x.Default
		}
		for _, step := range workflow.Jobs[name].Steps {
			for input, value := range step.With {
				if _, ok := inputs[input]; step.Uses == "./.github/actions/kongctl" {
					inputs[input] = value
					if !ok {
						t.Errorf("workflow.yml: the action has no input %q", input)
					}
				}
			}
		}
		var j job
		for _, step := range action.Runs.Steps {
			if strings.Contains(step.Run, "${{") {
				t.Errorf("action.yml: step %s: an expression in a script can be abused; use env", step.Name)
			}
			if !strings.Contains(step.If, fmt.Sprintf("inputs.command == '%s'", inputs["command"])) || step.Name == "Comment" {
				continue
			}
			for variable, text := range step.Env {
				value := expression.ReplaceAllStringFunc(text, func(x string) string { return inputs[expression.FindStringSubmatch(x)[1]] })
				if strings.Contains(value, "${{") {
					t.Errorf("action.yml: step %s: %s has an expression that is no input: %s", step.Name, variable, value)
				}
				j.env = append(j.env, variable+"="+value)
			}
			j.steps = append(j.steps, step.Run)
		}
		if len(j.steps) == 0 {
			t.Errorf("action.yml has no step for %s", name)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func gitlabJobs(t *testing.T) []job {
	t.Helper()
	var pipeline map[string]any
	readYAML(t, "gitlab/.gitlab-ci.yml", &pipeline)
	var jobs []job
	for _, name := range []string{"plan", "apply"} {
		var j job
		script, _ := pipeline[name].(map[string]any)["script"].([]any) // an empty job fails below
		for _, line := range script {
			j.steps = append(j.steps, fmt.Sprint(line))
		}
		if len(j.steps) == 0 {
			t.Errorf(".gitlab-ci.yml has no script of %s", name)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func jenkinsJobs(t *testing.T) []job {
	t.Helper()
	raw, err := os.ReadFile(pipelines + "jenkins/Jenkinsfile")
	if err != nil {
		t.Fatal(err)
	}
	var j job
	for _, m := range regexp.MustCompile(`(?m)^\s*sh '([^']+)'$`).FindAllStringSubmatch(string(raw), -1) {
		j.steps = append(j.steps, m[1])
	}
	if len(j.steps) < 3 {
		t.Errorf("Jenkinsfile has %d steps", len(j.steps))
	}
	return []job{j}
}

// TestCommentOfAction runs the steps of a pull request with a gh that keeps what it is
// given: the plan is the comment, and where the configuration is invalid, what is wrong
// with it.
func TestCommentOfAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the action is for a shell")
	}
	t.Parallel()
	var action struct {
		Runs struct {
			Steps []struct{ Name, If, Run string }
		}
	}
	readYAML(t, "github/action.yml", &action)
	home, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(home, "bin/gh"), "#!/bin/sh\necho \"$@\" > gh-arguments\ncp \"$5\" gh-body\n")
	if err := os.Chmod(filepath.Join(home, "bin/gh"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH"), "HOME=" + home, "CI=true", "TMPDIR=" + home,
		"KONGCTL_LOCAL_DATA=" + filepath.Join(home, "konnect"), "DIRECTORY=konnect", "PLAN=plan.json", "FLAGS=", "NUMBER=17", "GH_TOKEN=x",
		"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary.md"), "GITHUB_OUTPUT=" + filepath.Join(dir, "outputs"),
	}
	for _, row := range []struct{ configuration, comment string }{
		{"portals:\n  - name: developers\n", "1 to create"},
		{"portals:\n  - nothing: developers\n", `no field "nothing"`},
	} {
		write(t, filepath.Join(dir, "konnect/portal.yaml"), row.configuration)
		failed := false
		for _, step := range action.Runs.Steps {
			always := strings.Contains(step.If, "always()") || strings.Contains(step.If, "!cancelled()")
			if !strings.Contains(step.If, "inputs.command == 'plan'") || failed && !always {
				continue
			}
			script := "kongctl() { case $1 in plan) command kongctl \"$@\" --local ;; *) command kongctl \"$@\" ;; esac; }\n" + step.Run
			out, err := page.Run(t.Context(), script, dir, env)
			failed = failed || err != nil
			if err != nil && step.Name == "Comment" {
				t.Errorf("%v\n%s", err, out)
			}
		}
		body, err := os.ReadFile(filepath.Join(dir, "gh-body"))
		if err != nil || !strings.Contains(string(body), row.comment) {
			t.Errorf("the comment does not say %q (%v):\n%s", row.comment, err, body)
		}
		arguments, _ := os.ReadFile(filepath.Join(dir, "gh-arguments"))
		if got, want := string(arguments), "pr comment 17 --body-file plan.md --edit-last --create-if-none\n"; got != want {
			t.Errorf("gh %q, want %q", got, want)
		}
	}
}

// TestReportsOfGitLab asserts that a job with an invalid configuration fails, and leaves
// both reports.
func TestReportsOfGitLab(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pipeline is for a shell")
	}
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "konnect/portal.yaml"), "portals:\n  - nothing: developers\n")
	out, err := page.Run(t.Context(), strings.Join(gitlabJobs(t)[0].steps, "\n"), dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CI=true", "TMPDIR=" + home})
	if err == nil {
		t.Errorf("the job succeeds:\n%s", out)
	}
	for _, file := range []string{"gl-code-quality-report.json", "kongctl.xml"} {
		if raw, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(raw), "no field") {
			t.Errorf("%s: %v\n%s", file, err, raw)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "plan.json")); err == nil {
		t.Error("an invalid configuration is planned")
	}
}

// TestInstallOfGitLab runs the lines that install a release archive, but for the first,
// which needs a network.
func TestInstallOfGitLab(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pipeline is for a shell")
	}
	t.Parallel()
	var pipeline struct {
		Default struct {
			Before []string `yaml:"before_script"`
		}
	}
	readYAML(t, "gitlab/.gitlab-ci.yml", &pipeline)
	if len(pipeline.Default.Before) < 4 {
		t.Fatalf("before_script: %q", pipeline.Default.Before)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kongctl"), "#!/bin/sh\necho installed\n")
	script := "chmod +x kongctl && tar -czf a.tar.gz kongctl && mv a.tar.gz \"$TMPDIR\" && rm kongctl\n" +
		"KONGCTL_ARCHIVE=\"file://$TMPDIR/a.tar.gz\" KONGCTL_SHA256=\"$(sha256sum \"$TMPDIR/a.tar.gz\" | cut -d' ' -f1)\"\n" +
		strings.ReplaceAll(strings.Join(pipeline.Default.Before[1:], "\n"), "/usr/local/bin", ".") + "\n./kongctl\n"
	if out, err := page.Run(t.Context(), script, dir, append(os.Environ(), "TMPDIR="+t.TempDir())); err != nil || !strings.Contains(out, "installed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestInstallOfAction runs the step that installs a release archive.
func TestInstallOfAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the action is for a shell")
	}
	t.Parallel()
	var action struct {
		Runs struct{ Steps []struct{ Name, Run string } }
	}
	readYAML(t, "github/action.yml", &action)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kongctl"), "#!/bin/sh\necho installed\n")
	prepare := "chmod +x kongctl && tar -czf a.tar.gz kongctl && rm kongctl && sha256sum a.tar.gz | cut -d' ' -f1 | tr -d '\\n' > sum\n"
	if out, err := page.Run(t.Context(), prepare, dir, os.Environ()); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum, err := os.ReadFile(filepath.Join(dir, "sum"))
	if err != nil {
		t.Fatal(err)
	}
	install := func(sum string) (string, error) {
		env := append(os.Environ(), "ARCHIVE=file://"+filepath.Join(dir, "a.tar.gz"), "SHA256="+sum, "GITHUB_PATH="+filepath.Join(dir, "path"), "TMPDIR="+dir)
		return page.Run(t.Context(), action.Runs.Steps[0].Run+"\n\"$(cat \"$GITHUB_PATH\")/kongctl\"\n", dir, env)
	}
	if out, err := install(strings.Repeat("0", 64)); err == nil {
		t.Errorf("a wrong checksum is taken:\n%s", out)
	}
	if out, err := install(string(sum)); err != nil || !strings.Contains(out, "installed") {
		t.Errorf("%v\n%s", err, out)
	}
}
