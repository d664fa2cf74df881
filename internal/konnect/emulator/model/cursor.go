package model

import (
	"encoding/base64"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// cut is the part of a list that a page shows.
type cut struct {
	from, to, total int
	// place is where an item of the list stands among all that ever were in it;
	// nil for lists that have an order of their own.
	place func(int) string
}

func cutPage(c *Call, total int, place func(int) string) (cut, error) {
	q := c.query
	k := cut{0, total, total, place}
	from := 0
	switch c.Op.Paging() {
	case contract.PagingNone:
		return k, nil
	case contract.PagingNumber:
		from = (q.number - 1) * q.size
	case contract.PagingCursor, contract.PagingOffset:
		for _, at := range []struct{ name, cursor string }{{"page[after]", q.after}, {"offset", q.offset}, {"page[before]", q.before}} {
			if at.cursor == "" {
				continue
			}
			n, err := k.read(at.cursor)
			if err != nil {
				return k, Bad("query", at.name, "invalid", "is not a cursor of this list")
			}
			from = n
			if at.cursor == q.before {
				from = max(0, n-q.size)
			}
		}
	}
	k.from = min(total, from)
	k.to = min(total, k.from+q.size)
	return k, nil
}

const cursorMark = "at:"

// cursor leads to the n-th item. It names the place of that item where it can:
// what is deleted before it then moves nothing out of the next page.
func (k cut) cursor(n int) string {
	text := cursorMark + strconv.Itoa(n)
	if k.place != nil && n < k.total {
		text += ":" + k.place(n)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func (k cut) read(text string) (int, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, err
	}
	rest, ok := strings.CutPrefix(string(raw), cursorMark)
	if !ok {
		return 0, strconv.ErrSyntax
	}
	digits, place, named := strings.Cut(rest, ":")
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return 0, err
	case n < 0:
		return 0, strconv.ErrRange
	case named && k.place != nil:
		return sort.Search(k.total, func(i int) bool { return k.place(i) >= place }), nil
	default:
		return n, nil
	}
}

// placeOfRecords is where records stand from oldest to newest, as stores keep
// them; nil for trees.
func placeOfRecords(b *catalog.Bound, records []*store.Record) func(int) string {
	if b.Tree != nil {
		return nil
	}
	return func(i int) string { return placeText(records[i].Created, records[i].ID) }
}

// placeOfViews is the same of what is shown.
func placeOfViews(views []map[string]any) func(int) string {
	return func(i int) string {
		created, _ := views[i]["created_at"].(time.Time)
		id, _ := views[i]["id"].(string)
		return placeText(created, id)
	}
}

func placeText(created time.Time, id string) string {
	id = id[strings.LastIndex(id, "/")+1:] // as clients know it
	return fmt.Sprintf("%020d %s", created.UnixNano(), id)
}
