package emulator_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

func openBolt(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestServerOnBoltGoesOnAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, s)
	portal := w.create("/v3/portals", object{"name": "p", "labels": object{"a": "1"}})
	w.create("/v3/portals/"+portal+"/pages", object{"slug": "a", "content": "x"})
	before := w.must(200, "GET", "/__local/state", nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWorldOn(t, openBolt(t, dir))
	if diff := cmp.Diff(before.body, w.must(200, "GET", "/__local/state", nil).body); diff != "" {
		t.Errorf("state after reopening:\n%s", diff)
	}
	w.must(409, "POST", "/v3/portals", object{"name": "p"})
}

// Data that was written before there were regions goes to the region of the
// options, and stays there.
func TestBoltReadsDataWithoutRegions(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	record := func(kind, id, parent string, second int64, fields object) *store.Record {
		at := time.Unix(second, 0).UTC()
		return &store.Record{Kind: kind, ID: id, Parent: parent, Unique: parent + id, Created: at, Updated: at, Fields: fields, Made: object{}}
	}
	portal := record("portal", "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7", "", 1, object{"name": "old", "display_name": "Old"})
	page := record("portal_page", "7f9fd312-a987-4628-b4c5-bb4f4fddd5f8", portal.ID, 2, object{"slug": "a", "content": "x", "title": "A"})
	if err := s.Update(func(tx store.Tx) error { tx.Put(portal); tx.Put(page); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	setFormat(t, dir, "1")
	for range 2 {
		if s, err = store.Open(dir); err != nil {
			t.Fatal(err)
		}
		w := newWorldOn(t, s)
		if got := w.must(200, "GET", "/v3/portals/"+portal.ID, nil); got.text("display_name") != "Old" {
			t.Errorf("the portal: %s", show(got.body))
		}
		w.must(200, "GET", "/v3/portals/"+portal.ID+"/pages/"+page.ID, nil)
		if n := len(w.must(200, "GET", "/v3/portals", nil).data()); n != 1 {
			t.Errorf("%d portals", n)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	setFormat(t, dir, "99")
	before, err := os.ReadFile(filepath.Join(dir, "konnect.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(dir)
	if err == nil || errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), `format "99"`) {
		t.Errorf("data of a later version: %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "konnect.db")); err != nil || string(after) != string(before) {
		t.Errorf("data of a later version was touched: %v", err)
	}
}

// setFormat marks a file as written by another version.
func setFormat(t *testing.T, dir, format string) {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, "konnect.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("about")).Put([]byte("format"), []byte(format))
	}), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// Data of before a kind got its present name is read under that one.
func TestBoltReadsDataOfFormerKinds(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, s)
	team := w.create("/v3/teams", object{"name": "crew"})
	before := w.must(200, "GET", "/v3/teams", nil)
	if err := s.Update(func(tx store.Tx) error {
		var all []*store.Record
		tx.Range("organization_team", "", func(r *store.Record) bool { all = append(all, r); return true })
		for _, r := range all {
			old := *r
			old.Kind = "team"
			tx.Delete(r.Shelf(), r.ID)
			tx.Put(&old)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWorldOn(t, openBolt(t, dir))
	if diff := cmp.Diff(before.body, w.must(200, "GET", "/v3/teams", nil).body); diff != "" {
		t.Errorf("teams after reopening:\n%s", diff)
	}
	w.must(200, "GET", "/v3/teams/"+team, nil)
	w.must(409, "POST", "/v3/teams", object{"name": "crew"})
}

// When something was published is shown alike before and after.
func TestTimesStayAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, s)
	addon := "/v3/openmeter/addons/" + w.create("/v3/openmeter/addons", object{"key": "a", "name": "A", "currency": "USD", "instance_type": "single", "rate_cards": []any{}})
	since := w.must(200, "POST", addon+"/publish", nil).text("effective_from")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWorldOn(t, openBolt(t, dir))
	if got := w.must(200, "GET", addon, nil).text("effective_from"); got != since || since == "" {
		t.Errorf("effective_from %q, then %q", since, got)
	}
}

// What people delete of a new organization stays deleted when the store is opened
// again.
func TestDeletedSeedsStayDeleted(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, s)
	user := "/v3/users/" + w.must(200, "GET", "/v3/users/me", nil).text("id")
	w.must(204, "DELETE", user, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWorldOn(t, openBolt(t, dir))
	w.must(404, "GET", user, nil)
	if teams := w.must(200, "GET", "/v3/teams", nil).data(); len(teams) == 0 {
		t.Error("the teams of the organization are gone")
	}
	w.must(200, "GET", "/v3/users/me", nil)
	if err := w.srv.Reset(); err != nil {
		t.Fatal(err)
	}
	w.must(200, "GET", user, nil)
}
