package model

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// unserved answers the reads of what the embedded Konnect does not keep: nothing
// of it can be there, so that a list is empty and one resource is not found. Where
// the contract knows no 404, the one object that is always there has nothing but
// what answers must have.
func (t task) unserved() (Answer, error) {
	rest, err := t.wayThere()
	if err != nil {
		return Answer{}, err
	}
	lost := Refuse(http.StatusNotFound, "Not found")
	property, _, isList := t.c.Op.Envelope()
	switch {
	case strings.Contains(rest, "{"):
		return Answer{}, lost
	case isList:
		if err := sortable(t.c); err != nil {
			return Answer{}, err
		}
		cut, err := cutPage(t.c, 0, nil)
		if err != nil {
			return Answer{}, err
		}
		return t.envelope(property, nil, cut), nil
	case slices.Contains(t.c.Op.Statuses, strconv.Itoa(http.StatusNotFound)):
		return Answer{}, lost
	}
	schema := SuccessSchema(t.c.Op)
	if schema == nil || len(schema.Object(nil).Names()) == 0 {
		return Answer{}, lost
	}
	return Answer{successStatus(t.c.Op), t.sc.Project(schema, map[string]any{})}, nil
}

// wayThere looks up the resources that the path of a call goes through, and
// returns the part of the path that is behind them.
func (t task) wayThere() (string, error) {
	var through *catalog.Bound
	rest := t.c.Op.Path
	for _, b := range t.sc.m.cat.All() {
		if b.Shape == catalog.Singleton || b.Shape == catalog.Map {
			continue
		}
		if below, ok := behind(t.c.Op.Path, b.ItemPath()); ok && len(below) < len(rest) {
			through, rest = b, below
		}
	}
	if through == nil {
		return rest, nil
	}
	var ids []string
	for _, name := range t.c.Op.PathParams() {
		ids = append(ids, t.c.Params[name])
	}
	depth := through.Depth()
	owner, err := t.sc.owner(through, ids[:depth])
	if err != nil {
		return "", err
	}
	_, err = t.sc.Find(through.Kind, owner, ids[depth])
	return rest, err
}

// behind is the part of a path that follows a resource's own, whatever the names
// of the ids in both.
func behind(path, item string) (string, bool) {
	segs, first := strings.Split(path, "/"), strings.Split(item, "/")
	if len(segs) < len(first) {
		return "", false
	}
	for i, seg := range first {
		if seg != segs[i] && (!strings.HasPrefix(seg, "{") || !strings.HasPrefix(segs[i], "{")) {
			return "", false
		}
	}
	return strings.Join(segs[len(first):], "/"), true
}
