package gateway

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// TargetName is what the catalog calls the target that writes core entities.
const TargetName = "gateway"

// ExtraKey is the key under which a resource says what decK does.
const ExtraKey = Kind

// SourceFile is a decK file as it was read.
type SourceFile struct {
	// Name is the path from the current folder, Written as it was written.
	Name, Written string
	Content       []byte
	Pos           value.Pos
}

// Block is what decK is to bring about on a control plane. Of Files and State
// one is there.
type Block struct {
	Files []SourceFile
	// Listings are the folders and patterns that files were found in, by name.
	Listings []string
	Flags    []value.Value
	// State stands in the configuration; its expressions are not evaluated.
	State value.Value
	Pos   value.Pos
}

// NewMade says that decK makes a service of a file.
func NewMade(file SourceFile, service string, pos value.Pos) *resource.Made {
	return &resource.Made{
		Kind: KindService, Name: service, Pos: pos,
		Written: map[string]any{"file": file.Written, "service": service},
		Lines:   []string{fmt.Sprintf("Service: %q", service), "decK file: " + file.Written},
		Short:   "service=" + service,
		Native:  file,
	}
}

// FileOf is the file that makes a service.
func FileOf(m *resource.Made) SourceFile {
	f, _ := m.Native.(SourceFile)
	return f
}

// blockOf is what decK does on a control plane; nil for nothing.
func blockOf(r *resource.Resource) *Block {
	b, _ := r.Extras[ExtraKey].(*Block)
	return b
}
