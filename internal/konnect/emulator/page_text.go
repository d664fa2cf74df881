package emulator

import _ "embed" // for the text of the page

//go:embed page.html
var pageText string
