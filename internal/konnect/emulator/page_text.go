package emulator

import _ "embed" // for the text of the pages

//go:embed page.html
var pageText string

//go:embed page_parts.html
var pageParts string
