package execute

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"kongctl/internal/plan"
)

// InputError says that a file is not what it was when the plan was made.
type InputError struct {
	File string
	// Gone reports that it does not exist any more.
	Gone bool
}

func (e *InputError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s, which the plan was made of, is not there any more", e.File)
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
