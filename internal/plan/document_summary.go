package plan

import "fmt"

// Summarize counts, and says what the plan reads.
func (p *Plan) Summarize() {
	s := &p.Summary
	s.ByAction, s.ByResource, s.ByExternalTools = map[Action]int{}, map[string]int{}, nil
	for _, c := range p.Changes {
		s.TotalChanges++
		s.ByAction[c.Action]++
		s.ByResource[c.ResourceType]++
		s.SecretWrites += len(c.SecretWrites)
		s.Gateway.add(c.GatewayChanges)
		switch x, changes := c.ChangedFields[ProtectedField]; {
		case changes && x.New == true, c.Action == Create && c.Protection:
			s.ProtectionChanges.Protecting++
		case changes:
			s.ProtectionChanges.Unprotecting++
		}
		if c.Action == ExternalTool {
			if s.ByExternalTools == nil {
				s.ByExternalTools = map[string][]ToolRun{}
			}
			s.ByExternalTools[c.ResourceType] = append(s.ByExternalTools[c.ResourceType], p.toolRun(c))
		}
	}
	s.TakenAlong, s.Cascaded = TakenAlong(p.Changes)
	s.Blocked, s.Pending = len(p.Blocked), len(p.Pending)
	p.Metadata.Reads = p.reads()
}

// toolRun is what a change runs.
func (p *Plan) toolRun(c *Change) ToolRun {
	out := ToolRun{Ref: c.ResourceRef, Name: c.ResourceName, Files: texts(c.Fields["files"])}
	if c.Parent != nil {
		out.Ref = c.Parent.Ref
	}
	if out.Flags = texts(c.Fields["flags"]); len(out.Flags) == 0 {
		out.Flags = flagsOf(c)
	}
	for _, d := range p.Dependencies {
		if d.Change == c.ID && d.ResourceType == "" {
			out.Services = append(out.Services, ToolPart{Ref: d.Ref, Name: d.Name})
		}
	}
	return out
}

// flagsOf are the flags that say what a change does, where none were written.
func flagsOf(c *Change) (out []string) {
	for _, tag := range texts(c.Fields["select_tags"]) {
		out = append(out, "--select-tag="+tag)
	}
	if c.Fields["skip_consumers"] == true {
		out = append(out, "--skip-consumers")
	}
	if n, ok := c.Fields["parallelism"]; ok {
		out = append(out, fmt.Sprintf("--parallelism=%v", n))
	}
	return out
}

// summedUp reports whether a summary is that of the changes. Former versions counted
// what refers to several deleted resources several times. Older ones did not count creates
// as protecting, and listed no runs of other programs.
func (p *Plan) summedUp() bool {
	counted := &Plan{Changes: p.Changes, Pending: p.Pending, Blocked: p.Blocked, Dependencies: p.Dependencies}
	counted.Summarize()
	if sameJSON(counted.Summary, p.Summary) {
		return true
	}
	former := counted.Summary
	former.TakenAlong, former.Cascaded = 0, 0
	for _, c := range p.Changes {
		former.TakenAlong += c.Along()
		former.Cascaded += len(c.Cascades)
	}
	if sameJSON(former, p.Summary) {
		return true
	}
	former.ByExternalTools = nil
	for _, c := range p.Changes {
		if c.Action == Create && c.Protection {
			former.ProtectionChanges.Protecting--
		}
	}
	return sameJSON(former, p.Summary)
}
