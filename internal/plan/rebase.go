package plan

import "github.com/kongctl/kongctl/internal/value"

// Rebase renames the files and folders that a plan names, so that it can stand
// in another folder.
func (p *Plan) Rebase(rename func(string) string) {
	for i, in := range p.Metadata.Inputs {
		p.Metadata.Inputs[i].File = rename(in.File)
		if in.Base != "" {
			p.Metadata.Inputs[i].Base = rename(in.Base)
		}
	}
	for _, c := range p.Changes {
		if c.Source != nil {
			c.Source.File = rename(c.Source.File)
		}
		for _, key := range []string{"files", "listings"} {
			if names, ok := c.Fields[key].([]any); ok && c.Action == ExternalTool {
				for i, f := range names {
					name, _ := f.(string)
					names[i] = rename(name)
				}
			}
		}
		for i, e := range c.Expressions {
			for _, key := range []string{"base", "input"} {
				if name, ok := e.Expression[key].(string); ok {
					e.Expression[key] = rename(name)
					c.Expressions[i] = e
				}
			}
		}
		for i, e := range c.SecretWrites {
			c.SecretWrites[i].Expression = rebased(e.Expression, rename)
		}
	}
	p.Metadata.Reads = p.reads()
}

func rebased(expression map[string]any, rename func(string) string) map[string]any {
	out, _ := value.Clone(expression).(map[string]any)
	sources, _ := out["parts"].([]any)
	for _, s := range append(sources, out["source"]) {
		m, _ := s.(map[string]any)
		for _, key := range []string{"base", "input"} {
			if name, ok := m[key].(string); ok {
				m[key] = rename(name)
			}
		}
	}
	return out
}
