package store

import "errors"

// errDropped says that changes were given up that memory has already.
var errDropped = errors.New("the changes were given up: open the store again")

// Whole lets all that f changes reach the disk in one piece, or nothing of it: not
// when f fails, and not when the process ends before. Meanwhile changes are seen by
// all, and kept by none. A store that gave changes up refuses all that comes after.
func Whole(s Store, f func() error) error {
	b, ok := s.(*boltStore)
	if !ok {
		return f()
	}
	b.hold()
	if err := f(); err != nil {
		b.fail(errDropped)
		return err
	}
	return b.release()()
}

// hold keeps changes from the disk.
func (b *boltStore) hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hand = func(changes []change) func() error {
		b.held = append(b.held, changes...)
		return func() error { return nil }
	}
}

// release hands all that was held to the disk, as one transaction.
func (b *boltStore) release() (wait func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.held
	b.held, b.hand = nil, b.enqueue
	if len(held) == 0 || b.closed {
		return func() error { return b.refusal() }
	}
	return b.enqueue(held)
}
