package execute

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/resource"
)

// ShownOnce is a secret that a target generated for a new resource and that nothing
// shows again.
type ShownOnce struct {
	ResourceType string `json:"resource_type"`
	ResourceRef  string `json:"resource_ref"`
	ResourceName string `json:"resource_name"`
	ResourceID   string `json:"resource_id"`
	Field        string `json:"field"`
	Value        string `json:"value"`
}

// Format keeps the secret out of every printed form.
func (s ShownOnce) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "the generated "+s.Field+" of the "+resource.WithName(resource.Words(s.ResourceType), s.ResourceRef))
}

// handOut gives what a change generated to whoever asked for it: nothing else keeps it.
func handOut(r *run, w *work) {
	for _, field := range slices.Sorted(maps.Keys(w.outcome.ShownOnce)) {
		s := ShownOnce{w.res.ResourceType, w.res.ResourceRef, w.res.ResourceName, w.res.ResourceID, field, w.outcome.ShownOnce[field]}
		if s.Value == "" {
			r.emit(event.Warning{Text: fmt.Sprintf("%v is lost with the answer to the create; delete the resource and run again to get another one", s)})
			continue
		}
		if r.ShownOnce == nil {
			continue
		}
		if err := r.ShownOnce(s); err != nil {
			r.emit(event.Warning{Text: fmt.Sprintf("%v is lost: %v; delete the resource and run again to get another one", s, err)})
			r.halt(err.Error())
		}
	}
}
