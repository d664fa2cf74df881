// Command kongctl manages Kong Konnect declaratively.
package main

import (
	"os"

	"github.com/kongctl/kongctl/internal/cli"
)

func main() { os.Exit(cli.Main()) }
