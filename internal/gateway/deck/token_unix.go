//go:build unix

package deck

import (
	"errors"
	"os"
	"os/exec"
)

// handOver gives the token through a pipe, which no other process can read.
func handOver(cmd *exec.Cmd, token string) (done func(), err error) {
	if token == "" {
		return func() {}, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	// A pipe takes that much without a reader.
	if _, err := write.WriteString(token); err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	if err := write.Close(); err != nil {
		return nil, errors.Join(err, read.Close())
	}
	cmd.ExtraFiles = []*os.File{read}
	cmd.Args = append(cmd.Args, "--konnect-token-file=/dev/fd/3")
	return func() { _ = read.Close() }, nil
}
