package sdk

import (
	"fmt"
	"net/url"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// firstPage is the query of the first page.
func (s *scene) firstPage(op *contract.Operation) map[string]string {
	query := map[string]string{}
	for _, name := range []string{"page[size]", "size"} {
		if _, ok := op.Query(name); ok {
			query[name] = fmt.Sprint(pageSize)
		}
	}
	return query
}

// nextPage is nil after the last page.
func nextPage(paging contract.Paging, query map[string]string, body map[string]any, items int) map[string]string {
	next := map[string]string{}
	for k, v := range query {
		next[k] = v
	}
	switch paging {
	case contract.PagingNumber:
		if items < pageSize {
			return nil
		}
		number := 1
		_, _ = fmt.Sscan(query["page[number]"], &number) // the first page has none
		next["page[number]"] = fmt.Sprint(number + 1)
	case contract.PagingCursor:
		meta, _ := body["meta"].(map[string]any)
		page, _ := meta["page"].(map[string]any)
		link, _ := page["next"].(string)
		u, err := url.Parse(link)
		if err != nil || link == "" {
			return nil
		}
		next["page[after]"] = u.Query().Get("page[after]")
	case contract.PagingOffset:
		offset, _ := body["offset"].(string)
		if offset == "" {
			return nil
		}
		next["offset"] = offset
	default:
		return nil
	}
	return next
}
