package gateway

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// notInKonnect are lists of decK's format that no control plane has.
var notInKonnect = []string{"rbac_roles", "service_packages", "licenses"}

// unsupported reports what decK refuses for Konnect, whatever else is in a state.
func unsupported(root map[string]any, where func(...string) value.Pos) (diags diag.List) {
	for _, key := range notInKonnect {
		if list, _ := root[key].([]any); len(list) > 0 {
			diags.Add(diag.DeckUnsupported, where(key), fmt.Sprintf("%s cannot be part of a control plane in Konnect.", key), fmt.Sprintf("remove %s from the file.", key))
		}
	}
	if transform, set := root["_transform"].(bool); set && !transform {
		diags.Add(diag.DeckUnsupported, where("_transform"), "decK does not write files with _transform: false.", "remove the line.")
	}
	return diags
}

// oauth2 are the credentials that decK's binary writes to Konnect and does not read
// from it: it would create them again in every run.
const oauth2 = "oauth2_credentials"

// NotForBinary returns the error of a request that decK's binary cannot carry out,
// or nil.
func NotForBinary(op string, r Request) error {
	failed := &Error{Op: op, Files: r.names(), File: true, Message: "decK's binary does not read " + oauth2 + " from Konnect"}
	if r.Mode == Delete || r.Flags.SkipConsumers {
		return nil
	}
	for _, f := range r.Files {
		root, err := Parse(f)
		if err != nil {
			continue // whoever reads the file reports it
		}
		consumers, _ := root["consumers"].([]any)
		for i, c := range consumers {
			if list, _ := asMap(c)[oauth2].([]any); len(list) == 0 {
				continue
			}
			failed.Problems = append(failed.Problems, Problem{
				File: f.Name, Path: value.Path{"consumers"}.Index(i).Child(oauth2), Code: diag.DeckUnsupported, Detail: failed.Message,
				Fix: fmt.Sprintf("use --deck-mode native, or remove %s from the consumer.", oauth2),
			})
		}
	}
	if len(failed.Problems) == 0 {
		return nil
	}
	return failed
}
