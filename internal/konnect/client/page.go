package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// page is one answer of a list, understood.
type page struct {
	items []map[string]any
	// number is which page the answer says it is; 0 where it does not say.
	number int
	// total is how many items the answer says the list has; -1 where it does
	// not say.
	total int
	// next leads to the next page; "" after the last one.
	next string
}

// parsePage reads an answer. What it says of the list must be there: an answer
// that leaves it open could be a part of the list.
func parsePage(op *contract.Operation, body any, asked url.Values) (*page, error) {
	p := &page{total: -1}
	m, err := p.parseItems(op, body)
	if err != nil {
		return nil, err
	}
	meta, _ := m["meta"].(map[string]any)
	about, _ := meta["page"].(map[string]any)
	if p.number, err = count(about["number"], 0); err != nil {
		return nil, fmt.Errorf("page number: %w", err)
	}
	if p.total, err = count(about["total"], -1); err != nil {
		return nil, fmt.Errorf("total: %w", err)
	}
	switch op.Paging() {
	case contract.PagingNumber:
		return p, p.byNumber(asked)
	case contract.PagingCursor:
		if meta == nil {
			return nil, errors.New("the answer does not say whether there are more pages")
		}
		next := meta["next"]
		if next == nil {
			next = about["next"]
		}
		p.next, err = parameter(next, "page[after]", true)
	case contract.PagingOffset:
		if p.next, err = parameter(m["offset"], "offset", true); err == nil && p.next == "" {
			p.next, err = parameter(m["next"], "offset", false)
		}
	case contract.PagingNone:
	}
	return p, err
}

// parseItems finds the items, and the object that they stand in; nil for a bare
// array.
func (p *page) parseItems(op *contract.Operation, body any) (map[string]any, error) {
	name, _, ok := op.Envelope()
	if !ok {
		return nil, errors.New("the API describes no list")
	}
	if name == "" {
		var err error
		p.items, err = entries(body, true)
		return nil, err
	}
	m, ok := body.(map[string]any)
	if !ok {
		return nil, errors.New("the answer is not an object")
	}
	list, present := m[name]
	var err error
	if p.items, err = entries(list, present); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// byNumber finds the number of the next page: there is one until the total is
// reached.
func (p *page) byNumber(asked url.Values) error {
	n, err := strconv.Atoi(asked.Get("page[number]"))
	switch {
	case err != nil:
		return fmt.Errorf("page number %q: %w", asked.Get("page[number]"), err)
	case p.total < 0:
		return errors.New("the answer has no total")
	case p.number != 0 && p.number != n:
		return fmt.Errorf("page %d was returned in place of page %d", p.number, n)
	}
	p.next = strconv.Itoa(n + 1)
	return nil
}

// entries are the objects of an array; anything else is an error.
func entries(x any, present bool) ([]map[string]any, error) {
	list, ok := x.([]any)
	switch {
	case !present && x == nil:
		return nil, errors.New("missing")
	case x == nil:
		return nil, errors.New("null, not an array")
	case !ok:
		return nil, errors.New("not an array")
	}
	out := make([]map[string]any, len(list))
	for i, e := range list {
		if out[i], ok = e.(map[string]any); !ok {
			return nil, fmt.Errorf("item %d is not an object", i+1)
		}
	}
	return out, nil
}

// count reads a number of things; absent if missing.
func count(x any, absent int) (int, error) {
	if x == nil {
		return absent, nil
	}
	n, ok := x.(json.Number)
	if !ok {
		return 0, errors.New("not a number")
	}
	f, err := n.Float64() // some answers write 3.0
	if err != nil || f < 0 || f != float64(int(f)) {
		return 0, fmt.Errorf("%s is not a count", n)
	}
	return int(f), nil
}

// parameter reads what leads to the next page: an address that has it as a
// parameter or, where that may be, the value itself. It is "" when there is no
// next page.
func parameter(x any, name string, plain bool) (string, error) {
	if x == nil {
		return "", nil
	}
	text, ok := x.(string)
	if !ok {
		return "", errors.New("the answer names a next page that is not text")
	}
	if u, err := url.Parse(text); err == nil {
		if v := u.Query().Get(name); v != "" {
			return v, nil
		}
	}
	if !plain && text != "" {
		return "", fmt.Errorf("the address of the next page has no %s", name)
	}
	return text, nil
}
