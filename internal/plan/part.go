package plan

import "kongctl/internal/gateway"

// Part is what a change does to one part of its resource.
type Part = gateway.Change
