package plan

// Summarize counts, and says what the plan reads.
func (p *Plan) Summarize() {
	s := &p.Summary
	s.ByAction, s.ByResource = map[Action]int{}, map[string]int{}
	for _, c := range p.Changes {
		s.TotalChanges++
		s.ByAction[c.Action]++
		s.ByResource[c.ResourceType]++
		s.SecretWrites += len(c.SecretWrites)
		s.TakenAlong += c.Along()
		s.Cascaded += len(c.Cascades)
		s.Gateway.add(c.GatewayChanges)
		if x, ok := c.ChangedFields["kongctl.protected"]; ok {
			if x.New == true {
				s.ProtectionChanges.Protecting++
			} else {
				s.ProtectionChanges.Unprotecting++
			}
		}
	}
	s.Blocked, s.Pending = len(p.Blocked), len(p.Pending)
	p.Metadata.Reads = p.reads()
}
