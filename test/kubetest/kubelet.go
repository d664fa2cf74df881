package kubetest

import (
	"net/http"
	"time"
)

// Hold is the annotation that keeps the stand-in of the kubelet away from a pod.
const Hold = "kubetest/hold"

const podPace = 150 * time.Millisecond

// kubelet marks pods as running and ready until it is stopped.
func (s *Server) kubelet() (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(podPace)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				s.runPods()
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// runPods marks the pods that wait. Errors are of no use here: the next round
// tries again.
func (s *Server) runPods() {
	pods, err := s.Items("/api/v1/pods?resourceVersion=0&fieldSelector=status.phase%3DPending")
	if err != nil {
		return
	}
	for _, pod := range pods {
		meta, _ := pod["metadata"].(Object)
		name, _ := meta["name"].(string)
		namespace, _ := meta["namespace"].(string)
		annotations, _ := meta["annotations"].(Object)
		if annotations[Hold] != nil || meta["deletionTimestamp"] != nil {
			continue
		}
		_, _ = s.Do(http.MethodPatch, "/api/v1/namespaces/"+namespace+"/pods/"+name+"/status", Object{"status": ready(time.Now())})
	}
}

// ready is the status of a pod that runs.
func ready(now time.Time) Object {
	at := now.UTC().Format(time.RFC3339)
	condition := func(kind string) Object {
		return Object{"type": kind, "status": "True", "lastTransitionTime": at}
	}
	return Object{
		"phase": "Running", "podIP": "10.1.0.1", "startTime": at,
		"conditions": []Object{condition("PodScheduled"), condition("Initialized"), condition("ContainersReady"), condition("Ready")},
	}
}
