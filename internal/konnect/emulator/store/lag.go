package store

import (
	"sync"
	"time"
)

// Lagging is a store that can also be seen as it was a while ago. For that
// it keeps a second state, to which changes come late; the records are shared.
type Lagging struct {
	Store
	clock func() time.Time

	mu    sync.RWMutex
	lag   time.Duration
	past  state // nil while there is no lag
	queue []delayed
}

// delayed is the changes of one transaction and when they happened.
type delayed struct {
	at      time.Time
	changes []change
}

// NewLagging makes a store without a lag yet on top of another.
func NewLagging(s Store, clock func() time.Time) *Lagging { return &Lagging{Store: s, clock: clock} }

// Update writes, and remembers what the past has yet to learn. That happens
// inside of the transaction: there, changes have an order.
func (l *Lagging) Update(f func(Tx) error) error {
	return l.Store.Update(func(t Tx) error {
		if !l.lags() {
			return f(t)
		}
		w := &watched{Tx: t}
		if err := f(w); err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.queue = append(l.queue, delayed{l.clock(), w.changes})
		return nil
	})
}

func (l *Lagging) lags() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.past != nil
}

// SetLag begins, changes or ends the lag. The past begins with what is there.
func (l *Lagging) SetLag(lag time.Duration) error {
	return l.Store.Update(func(t Tx) error { // nobody writes meanwhile
		l.mu.Lock()
		defer l.mu.Unlock()
		switch l.lag = lag; {
		case lag == 0:
			l.past, l.queue = nil, nil
		case l.past == nil:
			l.past = state{}
			for _, kind := range t.Kinds() {
				t.Range(kind, "", func(r *Record) bool { l.past.put(r); return true })
			}
		}
		return nil
	})
}

// ViewPast reads what was there a while ago.
func (l *Lagging) ViewPast(f func(Tx) error) error {
	if err := l.Usable(); err != nil {
		return err
	}
	l.catchUp()
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.past == nil { // the lag has just ended
		return l.View(f)
	}
	return f(&tx{state: l.past})
}

// Usable returns why the store cannot be used any more, or nil.
func (l *Lagging) Usable() error { return l.View(func(Tx) error { return nil }) }

// catchUp lets the past learn what is old enough.
func (l *Lagging) catchUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	then := l.clock().Add(-l.lag)
	n := 0
	for ; n < len(l.queue) && !l.queue[n].at.After(then); n++ {
		for _, c := range l.queue[n].changes {
			if c.rec != nil {
				l.past.put(c.rec)
			} else {
				l.past.remove(c.kind, c.id)
			}
		}
	}
	l.queue = l.queue[n:]
}

// watched notes what a transaction changes.
type watched struct {
	Tx
	changes []change
}

// Put notes a record.
func (w *watched) Put(rec *Record) {
	w.changes = append(w.changes, change{rec.Shelf(), rec.ID, rec})
	w.Tx.Put(rec)
}

// Delete notes that a record is gone.
func (w *watched) Delete(kind, id string) {
	w.changes = append(w.changes, change{kind, id, nil})
	w.Tx.Delete(kind, id)
}
