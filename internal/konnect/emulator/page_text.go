package emulator

import _ "embed" // for the text of the page and the table of plugins

//go:embed page.html
var pageText string

//go:embed plugin.yaml
var pluginText []byte
