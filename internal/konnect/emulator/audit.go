package emulator

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// audit holds our own answers against the contract.
type audit struct {
	m       *model.Model
	log     *slog.Logger
	strict  func(op, problem string)
	answers sync.Map // *contract.Operation -> *atomic.Uint64, how many there were
}

// checkedEvery is how many answers of an operation there are to one that is checked
// when nobody is strict. Most commands end before: the first check of an operation
// compiles its schemas, which takes longer than the answer.
const checkedEvery = 50

// sampled reports whether an answer is one of those that are checked.
func (a *audit) sampled(op *contract.Operation) bool {
	if a.strict != nil {
		return true
	}
	n, ok := a.answers.Load(op)
	if !ok {
		n, _ = a.answers.LoadOrStore(op, new(atomic.Uint64))
	}
	return n.(*atomic.Uint64).Add(1)%checkedEvery == 0
}

// check reports what of an answer breaks the contract.
func (a *audit) check(c *model.Call, got model.Answer) {
	if _, isRaw := got.Body.(model.Content); isRaw || got.Body == nil || !a.sampled(c.Op) {
		return
	}
	for _, v := range a.m.Breaches(c, got) {
		a.log.Error("answer breaks the contract", slog.String("operation", c.Op.Key()), slog.String("problem", v.Error()))
		if a.strict != nil {
			a.strict(c.Op.Key(), v.Error())
		}
	}
}
