// Package gateway brings the configuration of gateways about: what decK files
// say of one control plane.
//
// In: a configuration with what decK is to do, and the text of decK files. Out:
// jobs, one per control plane, what they would change, and their result. Two
// packages below carry jobs out: native in process, deck with decK's binary. It
// must never import what decides about changes.
package gateway

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Mode is what decK does.
type Mode string

// The modes.
const (
	// Apply makes and changes what the files say.
	Apply Mode = "apply"
	// Sync deletes what they do not say, too, within the select tags.
	Sync Mode = "sync"
	// Delete removes all that the select tags own.
	Delete Mode = "delete"
)

// ControlPlane is the one whose gateways are meant. Without an ID it does not
// exist yet.
type ControlPlane struct{ ID, Name string }

// File is a decK file with its templates filled in, or a state that stands in
// the configuration.
type File struct {
	// Name is what people call it.
	Name    string
	Content []byte
	// Where finds what stands at a path of keys and places of lists, or as much of
	// it as there is; nil where nobody knows.
	Where func(path ...string) value.Pos
}

// At is where something stands in the file.
func (f File) At(path value.Path) value.Pos {
	if f.Where == nil {
		return value.Pos{File: f.Name}
	}
	return f.Where(path...)
}

// Flags are what may be said besides files.
type Flags struct {
	// SelectTags bound what decK sees, sorted; those of the files included.
	SelectTags    []string
	SkipConsumers bool
	// Parallelism is the number of writes at once; 0 is decK's own.
	Parallelism int
	// Written are the flags as they were written.
	Written []string
}

// Request asks for the configuration of one control plane.
type Request struct {
	ControlPlane ControlPlane
	Mode         Mode
	Files        []File
	Flags        Flags
	// Secrets are texts in Files that nobody may be shown.
	Secrets []string
}

// KindService is what decK calls a service.
const KindService = "service"

// Key tells requests apart: two with the same one ask for the same.
func (r Request) Key() string {
	text := fmt.Appendf(nil, "%q %q %q %t %d", r.ControlPlane.ID, r.Mode, r.Flags.SelectTags, r.Flags.SkipConsumers, r.Flags.Parallelism)
	for _, f := range r.Files {
		text = fmt.Appendf(text, "\n%q %x", f.Name, sha256.Sum256(f.Content))
	}
	return string(text)
}

// Reconciler brings the configuration of gateways about. One of them serves a
// whole run, and may keep what Diff read for Run.
type Reconciler interface {
	// Diff tells what Run would change, sorted, and changes nothing. For a
	// control plane that does not exist yet it is what the files hold.
	Diff(ctx context.Context, r Request) ([]plan.Part, error)
	// Run brings it about and tells what it changed. What it changed before it
	// failed comes back with the error. An interrupt (resource.NotStarted) stops it
	// as long as it has written nothing.
	Run(ctx context.Context, r Request) ([]plan.Part, error)
}

// SchemaSource is a Reconciler that can ask for schemas. The schema is nil for a
// name that Konnect does not know.
type SchemaSource interface {
	Schema(ctx context.Context, controlPlane string, of SchemasOf, name string) (map[string]any, error)
}

// Error is a run of decK that failed.
type Error struct {
	// Op is what was done: diff, sync, apply.
	Op string
	// Files are the names of the files.
	Files []string
	// Exit is the exit status of the binary; 0 where there was none.
	Exit int
	// File tells that the files are at fault by what they say: no program, network
	// or refusal of the service had to do with it.
	File bool
	// Message is what decK said, secrets hidden.
	Message string
	// Err is the cause, where there is one.
	Err error
	// Pos is where the entity stands that it is about, where that is known.
	Pos value.Pos
	// Problems are what is wrong with the files by themselves, as far as it has a
	// place.
	Problems []Problem
}

// Problem is something that is wrong at a place of a file.
type Problem struct {
	File   string
	Path   value.Path
	Detail string
	// Code and Fix are set where the problem is not one of a field's value.
	Code diag.Code
	Fix  string
}

// WrongInput reports whether what the files say is the cause: only another file
// helps.
func (e *Error) WrongInput() bool { return e.File || resource.Rejected(e.Err) }

func (e *Error) Error() string {
	var files, exit string
	if len(e.Files) > 0 {
		files = " for " + strings.Join(e.Files, ", ")
	}
	if e.Exit != 0 {
		exit = fmt.Sprintf(" (exit %d)", e.Exit)
	}
	return fmt.Sprintf("deck %s failed%s%s: %s", e.Op, files, exit, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// Hidden stands where a secret would be shown.
const Hidden = plan.Hidden
