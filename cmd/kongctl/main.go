// Command kongctl manages Kong Konnect declaratively.
package main

import (
	"os"

	"kongctl/internal/cli"
)

func main() { os.Exit(cli.Main()) }
