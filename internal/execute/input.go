package execute

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// InputError says that a file is not what it was when the plan was made.
type InputError struct {
	File string
	// Gone reports that it does not exist any more.
	Gone bool
	// New is the folder or the pattern that the file has come to; "" if the plan
	// was made of it.
	New string
}

func (e *InputError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s, which the plan was made of, is not there any more", e.File)
	}
	if e.New != "" {
		return fmt.Sprintf("%s is new in %s since the plan was made; make a new plan", e.File, e.New)
	}
	return fmt.Sprintf("%s has changed since the plan was made; make a new plan", e.File)
}

// Input reads a file that the plan names, and refuses one that has changed.
func (v Values) Input(inputs []plan.Input, name string) ([]byte, error) {
	at := slices.IndexFunc(inputs, func(in plan.Input) bool { return in.File == name })
	if at < 0 {
		return nil, fmt.Errorf("the plan does not say what is in %s", name)
	}
	raw, err := v.Folders.ReadFile(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &InputError{File: name, Gone: true}
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	if hex.EncodeToString(sum[:]) != inputs[at].SHA256 {
		return nil, &InputError{File: name}
	}
	return raw, nil
}

// Complete refuses a folder or a pattern that holds files beyond those that the
// plan was made of. Counts reports whether a file would have been one of them.
func (v Values) Complete(listing string, files []string, counts func(content []byte) bool) error {
	found, err := v.Folders.Beyond(listing, files)
	if err != nil {
		return err
	}
	for _, f := range found {
		if counts(f.Content) {
			return &InputError{File: f.Name, New: listing}
		}
	}
	return nil
}
