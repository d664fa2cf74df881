package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	dataFile   = "konnect.db"
	dataFormat = "2"
	// oldFormat has no regions: its records go to the region of the options.
	oldFormat = "1"
	lockWait  = 200 * time.Millisecond
	checksum  = 4 // bytes before each record
)

// boltStore is a memory store whose changes go to a bbolt file. All records are
// read when it opens; after that the file is only written.
type boltStore struct {
	memory
	db *bbolt.DB

	queue   sync.Mutex
	arrived *sync.Cond
	pending []batch
	ended   bool
	held    []change // from the disk, until all of it is there
	done    chan struct{}
}

// batch is the changes of one transaction, and where to report their end.
type batch struct {
	changes []change
	result  chan error
}

// Open opens, or makes, the file konnect.db in a folder. A folder that
// another process has open gives ErrInUse, a file that cannot be trusted
// ErrCorrupt; such a file is not touched.
func Open(dir string) (Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	path := filepath.Join(dir, dataFile)
	b := &boltStore{done: make(chan struct{})}
	b.state = state{}
	b.arrived = sync.NewCond(&b.queue)
	b.hand = b.enqueue
	if err := b.open(path); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	go b.run()
	return b, nil
}

// Held reports whether a process has the store of a folder open.
func Held(dir string) bool {
	path := filepath.Join(dir, dataFile)
	if _, err := os.Stat(path); err != nil {
		return false
	}
	held := false
	// Damage is reported to those who read the file.
	_ = guarded(func() error {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Millisecond, ReadOnly: true})
		if err == nil {
			return db.Close()
		}
		held = errors.Is(err, bolterrors.ErrTimeout)
		return err
	})
	return held
}

// open reads the file before it opens it for writing: bbolt touches no data when
// it opens a file for reading, so that damage is found where it can be reported.
func (b *boltStore) open(path string) error {
	seen, err := b.inspect(path)
	if err != nil {
		return err
	}
	return guarded(func() error {
		if b.db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType}); err != nil {
			return openError(err)
		}
		if err := b.prepare(seen); err != nil {
			return errors.Join(err, b.db.Close())
		}
		return nil
	})
}

// inspect loads a file that is there, and returns the number of the last
// transaction in it.
func (b *boltStore) inspect(path string) (seen int, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == 0) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
	if err != nil {
		return 0, openError(err)
	}
	err = guarded(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			if tx.Size() > info.Size() {
				return fmt.Errorf("%w: %d bytes are missing at its end", ErrCorrupt, tx.Size()-info.Size())
			}
			seen = tx.ID()
			return b.load(tx)
		})
	})
	return seen, errors.Join(err, db.Close())
}

// guarded reports what a damaged file does to bbolt: it panics on pages that make
// no sense, and faults on pages that cannot be read.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	return f()
}

func openError(err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	default:
		return err
	}
}

func bucketRecords() []byte { return []byte("records") }
func bucketAbout() []byte   { return []byte("about") }
func keyFormat() []byte     { return []byte("format") }

func (b *boltStore) load(tx *bbolt.Tx) error {
	b.state = state{}
	about := tx.Bucket(bucketAbout())
	if about == nil {
		return nil // made, but never used
	}
	if f := string(about.Get(keyFormat())); f != dataFormat && f != oldFormat {
		return fmt.Errorf("the data has format %q, this program reads %q and %q; it was left as it is", f, oldFormat, dataFormat)
	}
	return tx.Bucket(bucketRecords()).ForEach(func(k, v []byte) error {
		rec, err := decodeRecord(v)
		if err != nil {
			return fmt.Errorf("%w: record %q: %w", ErrCorrupt, bytes.ReplaceAll(k, []byte{0}, []byte(" ")), err)
		}
		b.state.put(rec)
		return nil
	})
}

// prepare makes a new file usable, marks one of an older format as of this one,
// and reads one again that another process has written to since it was
// inspected.
func (b *boltStore) prepare(seen int) error {
	current := false
	if err := b.db.View(func(tx *bbolt.Tx) error {
		about := tx.Bucket(bucketAbout())
		current = about != nil && string(about.Get(keyFormat())) == dataFormat
		if about == nil || tx.ID() == seen {
			return nil
		}
		return b.load(tx)
	}); err != nil || current {
		return err
	}
	return b.db.Update(func(tx *bbolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(bucketRecords()); err != nil {
			return err
		}
		about, err := tx.CreateBucketIfNotExists(bucketAbout())
		if err != nil {
			return err
		}
		return about.Put(keyFormat(), []byte(dataFormat))
	})
}

func (b *boltStore) enqueue(changes []change) func() error {
	result := make(chan error, 1)
	b.queue.Lock()
	b.pending = append(b.pending, batch{changes, result})
	b.queue.Unlock()
	b.arrived.Signal()
	return func() error { return <-result }
}

// run writes what has come in while the last write went to the disk, all in
// one commit.
func (b *boltStore) run() {
	defer close(b.done)
	var broken error
	for {
		b.queue.Lock()
		for len(b.pending) == 0 && !b.ended {
			b.arrived.Wait()
		}
		group := b.pending
		b.pending = nil
		b.queue.Unlock()
		if len(group) == 0 {
			return
		}
		// Memory is ahead of a disk that fails, so nothing may follow.
		if broken == nil {
			if broken = b.commit(group); broken != nil {
				b.fail(broken)
			}
		}
		for _, g := range group {
			g.result <- broken
		}
	}
}

func (b *boltStore) commit(group []batch) error {
	err := guarded(func() error {
		return b.db.Update(func(tx *bbolt.Tx) error {
			records := tx.Bucket(bucketRecords())
			for _, g := range group {
				for _, c := range g.changes {
					if err := writeChange(records, c); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

func writeChange(records *bbolt.Bucket, c change) error {
	key := []byte(c.kind + "\x00" + c.id)
	if c.rec == nil {
		return records.Delete(key)
	}
	value, err := encodeRecord(c.rec)
	if err != nil {
		return err
	}
	return records.Put(key, value)
}

func encodeRecord(rec *Record) ([]byte, error) {
	text, err := json.Marshal(rec)
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)), text...), nil
}

func decodeRecord(value []byte) (*Record, error) {
	if len(value) < checksum {
		return nil, errors.New("it is too short")
	}
	text := value[checksum:]
	if crc32.ChecksumIEEE(text) != binary.BigEndian.Uint32(value) {
		return nil, errors.New("its checksum is wrong")
	}
	rec := &Record{}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(rec); err != nil {
		return nil, err
	}
	return rec, nil
}

// Close waits for what is being written and lets the folder go.
func (b *boltStore) Close() error {
	if err := b.memory.Close(); err != nil {
		return err
	}
	b.queue.Lock()
	ended := b.ended
	b.ended = true
	b.queue.Unlock()
	if ended {
		return nil
	}
	b.arrived.Broadcast()
	<-b.done
	return b.db.Close()
}
