package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/value"
)

// maxFileSize is more than files that people look at have.
const maxFileSize = 64 << 20

// readArgument reads a file that the command line names; - is standard input.
func readArgument(ctx context.Context, f *factory, name string) ([]byte, error) {
	if name != stdin {
		data, err := readSmall(f, name, maxFileSize, anybody)
		if err != nil {
			fix := ""
			if errors.Is(err, fs.ErrNotExist) {
				fix = "correct the path: it is relative to the current folder."
			}
			return nil, diag.List{diag.New(diag.SrcUnreadable, value.Pos{File: name}, diag.Sentence(fmt.Sprintf("%v.", err)), fix)}.Err()
		}
		return data, nil
	}
	s := f.world.streams
	if s.inTerminal {
		return nil, usagef("cannot read standard input: it is a terminal").WithHint("name a file, or pipe one in.")
	}
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() { // it ends with the process where nothing comes
		data, err := io.ReadAll(io.LimitReader(s.in, maxFileSize+1))
		done <- read{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, &interruptedError{}
	case r := <-done:
		switch {
		case r.err != nil:
			return nil, fmt.Errorf("read standard input: %w", disk.Cause(r.err))
		case len(r.data) > maxFileSize:
			return nil, fmt.Errorf("standard input is larger than %d MiB", maxFileSize>>20)
		}
		return r.data, nil
	}
}

// writeResult writes data to a file, or to standard output for - and "".
func writeResult(f *factory, file string, data []byte) error {
	if file == "" || file == stdin {
		_, err := f.world.streams.out.Write(data)
		return toOutput(err)
	}
	path, err := f.absolute(file)
	if err != nil {
		return err
	}
	return disk.Save(path, data)
}
