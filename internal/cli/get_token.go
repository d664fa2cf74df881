package cli

import "github.com/kongctl/kongctl/internal/engine"

// readToken reads the words after the kind of access tokens.
func (o *getOptions) readToken(kind engine.TokenKind, rest []string) error {
	switch {
	case len(rest) > 1:
		return usagef("%s: unexpected argument %q", kind.Word(), rest[1]).WithHint("after %s comes one name or id.", kind.Word())
	case len(rest) == 1 && rest[0] == "":
		return usagef("the name of the %s is empty", kind.Words()).WithHint("leave it out to list all.")
	case len(rest) == 1:
		o.request.Name = rest[0]
	}
	o.tokens = &kind
	return nil
}
