// Package source turns bytes into documents.
//
// In: the files, folders, URLs and standard input that the user named, and the
// files that those name with !file or under the keys of claims. Out: mappings in which every node has its
// position and every tag is either resolved (!file) or an expression (!ref,
// !env, !secret, !lookup), with diagnostics for what could not be read. Nothing
// that could leak is evaluated: neither environment variables nor secret files.
// It must never import the catalog or a package that gives documents a meaning.
package source

import (
	"context"
	"io"
	"net/http"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Options say what to read.
type Options struct {
	// Files are the values of -f: a file, a folder, a pattern, "-" or an http(s)
	// URL; one value may hold several, separated by commas.
	Files []string
	// Dirs are the values of --dir: folders, always read with all below them.
	Dirs []string
	// Recursive reads folders named in Files with all below them.
	Recursive bool
	// Exclude are patterns, in gitignore syntax, of files and folders that a walk
	// leaves out.
	Exclude []string
	// Declares reports whether a root key declares resources. A file of Files
	// with such a key is a source even where another one names it. May be nil.
	Declares func(key string) bool
	// Claims are what the targets say about documents.
	Claims []Claim
	// Printed are the forms of what this program prints. A document of a folder that
	// has one is left out.
	Printed []Form
	// BaseDir is the folder that no !file may leave. Empty means: the folder
	// named; for a file the current folder if it is inside, else its own.
	BaseDir string
	// WorkDir is the current folder. Relative inputs start there, and it is the
	// input when neither Files nor Dirs name one.
	WorkDir string
	// Stdin is read for the input "-".
	Stdin io.Reader
	// HTTP reads URLs; nil refuses them.
	HTTP *http.Client
	// SaveDir is a folder that what was fetched is kept in; "" keeps nothing.
	SaveDir string
	// Limits are those of Files that name a file; the zero Limits are the usual ones.
	Limits Limits
}

// Document is one YAML document.
type Document struct {
	// File is the name for people: relative to the current folder where inside
	// it, "-" for standard input, the URL (its query left out) for a URL.
	File string
	// Dir is the absolute folder that paths in the document are relative to.
	Dir string
	// Base is the absolute folder that no file named in the document may leave.
	Base string
	// Walked tells that the file was found in a folder, not named itself.
	Walked bool
	// Root is always a Map.
	Root value.Value
	// Claim is the name of the claim that owns the document, "" for none.
	Claim string
	// Number counts the documents of the file, from 0.
	Number int
	// Files are those that the document names under the keys of claims, by
	// where it names them.
	Files map[value.Pos]Named
	// Contents are the files that values are the content of, by where the values
	// stand.
	Contents map[value.Pos]string
}

// File is a file that was read, as it is.
type File struct {
	// Name is for people, like that of a Document.
	Name    string
	Content []byte
}

// Input is a file that was read, with the digest of its bytes in hex.
type Input struct{ File, SHA256 string }

// Skipped is a file, or a document of it, that a folder holds and that is not a
// source. Keys are its root keys where it was parsed: one that means something
// to the configuration deserves a warning.
type Skipped struct {
	File string
	Why  string
	Keys []string
	// Unknown reports that nothing says whose it is: it may have been meant as
	// configuration.
	Unknown bool
}

// Result is what was read.
type Result struct {
	// Documents are ordered by file, then as written.
	Documents []Document
	// Inputs are the sources, the targets of !file and the files that keys of claims name, by name. Standard input,
	// URLs and secret files are not among them.
	Inputs []Input
	// Named are the files that Files named themselves, by name.
	Named []string
	// Skipped is what the folders hold beside sources, by name.
	Skipped []Skipped
	// Unread are folders with YAML files below one that is read without them.
	Unread []string
	// Incomplete tells that a source, or a part of one, could not be read: what
	// seems to be missing may stand there.
	Incomplete bool

	claims []Claim
	texts  map[string][]byte // of inputs and of files that keys of claims name, by name
}

// Load reads everything the options name and reports all problems at once.
// The result is never nil; it is complete only if no diagnostic is an error.
func Load(ctx context.Context, o Options) (*Result, diag.List) {
	l, ok := newLoader(ctx, o)
	if !ok {
		return &Result{Incomplete: true}, l.diags
	}
	l.gather()
	l.unread()
	l.dropNamed()
	for _, f := range l.files {
		l.convert(f)
	}
	return l.finish(), l.diags.Sorted()
}
