package drive

import "k8s.io/apimachinery/pkg/types"

func (s *site) isSent(it *item) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent[it.call.Change.ID]
}

func (s *site) isLate(it *item) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.late[it.call.Change.ID]
}

func (s *site) isApplied(uid types.UID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.applied[uid]
	return ok
}

func (s *site) isFresh(it *item) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fresh[it.gvk.GroupKind()]
}
