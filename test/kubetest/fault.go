package kubetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// etcd's words for its alarm, as its JSON interface takes them.
const (
	raise = "ACTIVATE"
	lower = "DEACTIVATE"
)

// FillStorage makes etcd refuse writes as it does when its quota is used up:
// reads and deletes are still answered.
func (s *Server) FillStorage() error { return s.alarm(raise) }

// FreeStorage makes etcd take writes again.
func (s *Server) FreeStorage() error { return s.alarm(lower) }

func (s *Server) alarm(action string) error {
	var status struct {
		Header struct {
			Member string `json:"member_id"`
		} `json:"header"`
	}
	if err := s.maintain("/v3/maintenance/status", Object{}, &status); err != nil {
		return err
	}
	return s.maintain("/v3/maintenance/alarm", Object{"action": action, "alarm": "NOSPACE", "memberID": status.Header.Member}, &Object{})
}

func (s *Server) maintain(path string, body Object, out any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	res, err := http.Post(s.etcdURL+path, "application/json", bytes.NewReader(raw))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd %s: %s: %s", path, res.Status, answer)
	}
	return json.Unmarshal(answer, out)
}
