package plan

// Guards are asked in this order; a change is refused once.
func Guards() []Guard {
	named := func(by string, check func(*Draft) map[*Change]string) Guard {
		return func(b *Draft) (string, map[*Change]string) { return by, check(b) }
	}
	return []Guard{
		named("protected", func(b *Draft) map[*Change]string { return guardProtected(b.Sequence) }),
		named("protected", guardProtectedChildren),
		named("protected", guardProtectedIdentity),
		named("cascade", guardCascade),
		named("filter", guardLeftOut),
		named("skipped-document", guardSkipped),
		guardUnbounded,
		named("max-deletes", guardMaxDeletes),
	}
}
