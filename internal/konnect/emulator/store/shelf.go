package store

import (
	"slices"
	"sort"
	"strings"
)

// state is all records in memory, with the indexes that requests need.
type state map[string]*shelf

// shelf is the records of one kind.
type shelf struct {
	byID     map[string]*Record
	byUnique map[string]*Record
	byParent map[string]row
	byRef    map[string]row
	all      row
}

// row is records from oldest to newest.
type row []*Record

func older(a, b *Record) int {
	if c := a.Created.Compare(b.Created); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

func (r row) with(rec *Record) row {
	if n := len(r); n == 0 || older(r[n-1], rec) < 0 {
		return append(r, rec)
	}
	i, _ := slices.BinarySearchFunc(r, rec, older)
	return slices.Insert(r, i, rec)
}

func (r row) without(rec *Record) row {
	i, found := slices.BinarySearchFunc(r, rec, older)
	if !found {
		return r
	}
	return slices.Delete(r, i, i+1)
}

func (s state) get(kind, id string) *Record {
	if sh := s[kind]; sh != nil {
		return sh.byID[id]
	}
	return nil
}

func (s state) put(rec *Record) {
	name := rec.Shelf()
	sh := s[name]
	if sh == nil {
		sh = &shelf{byID: map[string]*Record{}, byUnique: map[string]*Record{}, byParent: map[string]row{}, byRef: map[string]row{}}
		s[name] = sh
	}
	s.remove(name, rec.ID)
	sh.byID[rec.ID] = rec
	sh.all = sh.all.with(rec)
	if rec.Parent != "" {
		sh.byParent[rec.Parent] = sh.byParent[rec.Parent].with(rec)
	}
	for _, ref := range rec.Refs {
		sh.byRef[ref] = sh.byRef[ref].with(rec)
	}
	for _, key := range rec.Keys() {
		sh.byUnique[key] = rec
	}
}

func (s state) remove(kind, id string) {
	sh := s[kind]
	if sh == nil {
		return
	}
	old := sh.byID[id]
	if old == nil {
		return
	}
	delete(sh.byID, id)
	sh.all = sh.all.without(old)
	if old.Parent != "" {
		withdraw(sh.byParent, old.Parent, old)
	}
	for _, ref := range old.Refs {
		withdraw(sh.byRef, ref, old)
	}
	for _, key := range old.Keys() {
		if sh.byUnique[key] == old {
			delete(sh.byUnique, key)
		}
	}
}

func withdraw(rows map[string]row, key string, rec *Record) {
	if rest := rows[key].without(rec); len(rest) > 0 {
		rows[key] = rest
	} else {
		delete(rows, key)
	}
}

func (s state) rows(kind, parent string) row {
	sh := s[kind]
	switch {
	case sh == nil:
		return nil
	case parent == "":
		return sh.all
	default:
		return sh.byParent[parent]
	}
}

func (s state) referring(kind, ref string) row {
	if sh := s[kind]; sh != nil {
		return sh.byRef[ref]
	}
	return nil
}

func (s state) kinds() []string {
	out := make([]string, 0, len(s))
	for kind, sh := range s {
		if len(sh.byID) > 0 {
			out = append(out, kind)
		}
	}
	sort.Strings(out)
	return out
}
