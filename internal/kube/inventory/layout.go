package inventory

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// Limit is what one ResourceGroup may hold; a zero field is the default.
type Limit struct{ Bytes, Entries int }

const (
	// maxBytes is what etcd stores as one value unless configured otherwise.
	maxBytes = 3 << 19
	// reserve is for the rest of the object, which is not counted.
	reserve = 64 << 10
	// maxName is the length of a name in Kubernetes.
	maxName = 253
)

func (l Limit) bytes() int {
	if l.Bytes > 0 {
		return l.Bytes
	}
	return maxBytes - reserve
}

// TooLargeError is an inventory that one ResourceGroup cannot hold.
type TooLargeError struct {
	Namespace, Name string
	Entries, Bytes  int
	Limit           Limit
}

// Error gives the size and the way out.
func (e *TooLargeError) Error() string {
	size := fmt.Sprintf("%d objects need %s, and one ResourceGroup can hold %s", e.Entries, mebibytes(e.Bytes), mebibytes(e.Limit.bytes()))
	if e.Limit.Entries > 0 && e.Entries > e.Limit.Entries {
		size = fmt.Sprintf("%d objects, and one ResourceGroup can hold %d", e.Entries, e.Limit.Entries)
	}
	return fmt.Sprintf("inventory %s/%s is too large: %s; fix: pass --inventory-split to spread it over several, or divide the set", e.Namespace, e.Name, size)
}

// Rejected is true: saving it again does not help.
func (*TooLargeError) Rejected() bool { return true }

// Refused is true: nothing was sent.
func (*TooLargeError) Refused() bool { return true }

func mebibytes(n int) string { return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20)) }

// Check returns an error when an inventory cannot be saved, for its size.
func (i *Inventory) Check(o SaveOptions) error {
	_, err := i.layout(o)
	return err
}

// layout distributes the entries over ResourceGroups. One holds all where that
// is possible. Otherwise an entry stays in its part, and those of the first one
// that do not fit move to others: parts are written from the last to the first,
// so that each entry is recorded somewhere at any time.
func (i *Inventory) layout(o SaveOptions) ([][]Entry, error) {
	all := slices.Clone(i.Entries)
	slices.SortStableFunc(all, func(a, b Entry) int { return object.Compare(a.ID, b.ID) })
	all = slices.CompactFunc(all, func(a, b Entry) bool { return a.ID == b.ID })
	var bytes int
	for _, e := range all {
		bytes += specBytes(e)
	}
	if bytes <= o.Limit.bytes() && (o.Limit.Entries == 0 || len(all) <= o.Limit.Entries) {
		return [][]Entry{all}, nil
	}
	if !o.Split && len(i.stored) < 2 {
		return nil, &TooLargeError{Namespace: i.Namespace, Name: i.Name, Entries: len(all), Bytes: bytes, Limit: o.Limit}
	}
	at := map[object.ID]int{}
	for n, u := range i.stored {
		for _, e := range entries(u) {
			if _, ok := at[e.ID]; !ok {
				at[e.ID] = n
			}
		}
	}
	var (
		out  [][]Entry
		room []Limit
		put  = func(e Entry, n int) {
			for n >= len(out) {
				out = append(out, nil)
				room = append(room, Limit{Bytes: o.Limit.bytes(), Entries: o.Limit.Entries})
			}
			out[n] = append(out[n], e)
			room[n].Bytes -= specBytes(e) + statusBytes(e)
			room[n].Entries--
		}
		fits = func(e Entry, n int) bool {
			return n >= len(out) || len(out[n]) == 0 || room[n].Bytes >= specBytes(e)+statusBytes(e) && (o.Limit.Entries == 0 || room[n].Entries > 0)
		}
		place = func(e Entry) {
			n := 0
			for !fits(e, n) {
				n++
			}
			put(e, n)
		}
	)
	// First what has a place, then what the first one has, then what is new.
	var first, fresh []Entry
	for _, e := range all {
		switch n, ok := at[e.ID]; {
		case !ok:
			fresh = append(fresh, e)
		case n == 0:
			first = append(first, e)
		default:
			put(e, n)
		}
	}
	for _, e := range append(first, fresh...) {
		place(e)
	}
	out = trim(out)
	if name := partName(i.Name, len(out)); len(name) > maxName {
		return nil, fmt.Errorf("inventory %s/%s cannot be split: the name %s is longer than %d characters; fix: use a shorter name", i.Namespace, i.Name, name, maxName)
	}
	return out, nil
}

// trim removes empty parts at the end.
func trim(out [][]Entry) [][]Entry {
	for len(out) > 1 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

func resourceOf(id object.ID) map[string]any {
	return map[string]any{"group": id.Group, "kind": id.Kind, "namespace": id.Namespace, "name": id.Name}
}

func statusOf(e Entry) map[string]any {
	out := resourceOf(e.ID)
	out["status"] = Unknown
	for key, text := range map[string]string{"status": e.Status, "strategy": e.Strategy, "actuation": e.Actuation, "reconcile": e.Reconcile} {
		if text != "" {
			out[key] = text
		}
	}
	return out
}

func specBytes(e Entry) int { return jsonBytes(resourceOf(e.ID)) + 1 }

// statusBytes is what the longest status of an object needs.
func statusBytes(e Entry) int {
	return jsonBytes(statusOf(Entry{ID: e.ID, Strategy: StrategyDelete, Actuation: Succeeded, Reconcile: Succeeded, Status: "Terminating"})) + 1
}

func jsonBytes(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0 // strings and numbers alone: there is no error
	}
	return len(raw)
}
