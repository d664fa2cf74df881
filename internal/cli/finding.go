package cli

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

// The values of the setting annotations.
const (
	annotateAuto   = "auto"
	annotateGitHub = "github"
	annotateNone   = "none"
)

// writeFindings writes findings for programs that show them.
func writeFindings(f *factory, form string, found view.Findings) error {
	return writeFindingsTo(f, f.world.streams.out, form, found)
}

// writeFindingsTo is writeFindings to another place.
func writeFindingsTo(f *factory, w io.Writer, form string, found view.Findings) error {
	found.Version = version
	found.Diagnostics = slices.Clone(found.Diagnostics)
	for i, d := range found.Diagnostics {
		found.Diagnostics[i].File = inRepository(f, d.File)
	}
	switch form {
	case formSARIF:
		return toOutput(found.WriteSARIF(w))
	case formJUnit:
		return toOutput(found.WriteJUnit(w))
	default:
		return toOutput(found.WriteCodeQuality(w))
	}
}

// diagnosed are the diagnostics of an error.
func diagnosed(err error) []view.Diagnostic {
	var list *diag.ListError
	if problem, ofFile := engine.FileProblem(err); ofFile {
		return view.Diagnostics(diag.List{problem})
	}
	if errors.As(err, &list) {
		return view.Diagnostics(list.List.Sorted())
	}
	return []view.Diagnostic{}
}

// warn shows warnings to people, and to the host of a pull request.
func warn(f *factory, list diag.List) {
	list = ledFixes(f, list)
	printDiagnostics(f.world.streams.err, f.errStyle(), list)
	annotate(f, view.Diagnostics(list.Sorted()))
}

// annotateError shows an error at the lines of a pull request.
func annotateError(f *factory, err error) {
	var linted *lintError // its findings are shown already
	if silent(err) || errors.As(err, &linted) {
		return
	}
	list := diagnosed(err)
	if len(list) == 0 {
		list = []view.Diagnostic{{Code: "kongctl", Summary: "failed", Severity: diag.Error.String(), Detail: failure(f, err).Message}}
	}
	annotate(f, list)
}

// annotate writes the commands by which GitHub Actions shows diagnostics at the
// lines of a pull request, where it runs this program or the setting says so. They
// go to standard error, which it reads, too.
func annotate(f *factory, list []view.Diagnostic) {
	s, err := f.settings()
	if err != nil || len(list) == 0 {
		return // whoever needs the settings reports it
	}
	switch mode, _, _ := s.Lookup(settingAnnotations); mode {
	case annotateGitHub:
	case "", annotateAuto:
		if !inActions(f.world) {
			return
		}
	default:
		return
	}
	_ = view.WriteAnnotations(f.world.streams.commands, list, func(file string) string { return inRepository(f, file) }) // where standard error is gone, nobody reads it
}

// inRepository names a file from the root of the repository that a pipeline works
// on. What is no file stays as it is.
func inRepository(f *factory, file string) string {
	if file == "" || file == "-" || strings.Contains(file, "://") {
		return file
	}
	root := f.world.variable("GITHUB_WORKSPACE")
	if root == "" {
		root = f.world.variable("CI_PROJECT_DIR")
	}
	path, err := f.absolute(file)
	if root == "" || err != nil {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
