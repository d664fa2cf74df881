package store

import "sync"

// memory is a Store without a file. The bolt store is one whose changes are
// also handed to a file.
type memory struct {
	mu     sync.RWMutex
	state  state
	closed bool
	broken error // why nothing is served any more
	// hand takes the changes of one transaction, in order, while the lock is
	// held; what it returns waits until they are durable.
	hand func([]change) (wait func() error)
}

// change is one record that was put, or removed when rec is nil.
type change struct {
	kind, id string
	rec      *Record
}

// NewMemory makes an empty store that is gone with the process.
func NewMemory() Store { return &memory{state: state{}} }

// View reads.
func (m *memory) View(f func(Tx) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.refusal(); err != nil {
		return err
	}
	return f(&tx{state: m.state})
}

func (m *memory) refusal() error {
	if m.closed {
		return ErrClosed
	}
	return m.broken
}

// fail refuses all that comes after: memory is ahead of a disk that fails.
func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = err
}

// Update writes. The wait for the disk is outside of the lock, so that others
// continue and several changes reach the disk together.
func (m *memory) Update(f func(Tx) error) error {
	wait, err := m.apply(f)
	if err != nil || wait == nil {
		return err
	}
	return wait()
}

func (m *memory) apply(f func(Tx) error) (wait func() error, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.refusal(); err != nil {
		return nil, err
	}
	t := &tx{state: m.state, writable: true}
	done := false
	defer func() {
		if !done {
			t.undo()
		}
	}()
	if err := f(t); err != nil {
		return nil, err
	}
	done = true
	if m.hand == nil || len(t.changes) == 0 {
		return nil, nil
	}
	return m.hand(t.changes), nil
}

// Close refuses further transactions.
func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// tx works on the state directly and remembers how to go back.
type tx struct {
	state    state
	writable bool
	changes  []change
	before   []change
}

func (t *tx) Get(kind, id string) *Record { return t.state.get(kind, id) }

func (t *tx) Taken(kind, unique string) *Record {
	if sh := t.state[kind]; sh != nil {
		return sh.byUnique[unique]
	}
	return nil
}

func (t *tx) Range(kind, parent string, f func(*Record) bool) {
	for _, rec := range t.rows(kind, parent) {
		if !f(rec) {
			return
		}
	}
}

func (t *tx) Referring(kind, ref string, f func(*Record) bool) {
	rows := t.state.referring(kind, ref)
	if t.writable {
		rows = append(row(nil), rows...)
	}
	for _, rec := range rows {
		if !f(rec) {
			return
		}
	}
}

// rows copies where f may write, because writing moves the records.
func (t *tx) rows(kind, parent string) row {
	rows := t.state.rows(kind, parent)
	if t.writable {
		return append(row(nil), rows...)
	}
	return rows
}

func (t *tx) Kinds() []string { return t.state.kinds() }

func (t *tx) Put(rec *Record) {
	t.remember(rec.Shelf(), rec.ID, rec)
	t.state.put(rec)
}

func (t *tx) Delete(kind, id string) {
	if t.state.get(kind, id) == nil {
		return
	}
	t.remember(kind, id, nil)
	t.state.remove(kind, id)
}

func (t *tx) remember(kind, id string, rec *Record) {
	if !t.writable {
		panic("store: write in a reading transaction")
	}
	t.before = append(t.before, change{kind, id, t.state.get(kind, id)})
	t.changes = append(t.changes, change{kind, id, rec})
}

func (t *tx) undo() {
	for i := len(t.before) - 1; i >= 0; i-- {
		if c := t.before[i]; c.rec != nil {
			t.state.put(c.rec)
		} else {
			t.state.remove(c.kind, c.id)
		}
	}
}
