package cli

import (
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/view"
)

const redraw = 100 * time.Millisecond

// display receives all events of a command and shows its progress.
type display struct {
	mutex    sync.Mutex // events of requests come from several sides at once
	progress view.Progress
	stop     chan struct{}
	stopped  sync.WaitGroup
	ticking  bool
}

// replace shows from now on what another progress shows; redrawn says that it
// changes with time alone.
func (d *display) replace(p view.Progress, redrawn bool) {
	d.mutex.Lock()
	d.progress.Close()
	d.progress = p
	d.mutex.Unlock()
	if redrawn {
		d.tick()
	}
}

// newDisplay picks the progress that standard error can show. Debugging lines
// and a display that is redrawn would tear each other apart.
func newDisplay(f *factory) *display {
	s := f.world.streams
	d := &display{stop: make(chan struct{})}
	if !s.errTerminal || f.world.dumb() || f.debugging() {
		d.progress = view.NewLines(s.err, f.errStyle())
		return d
	}
	d.progress = view.NewLive(s.err, f.errStyle(), s.width, f.world.now)
	d.tick()
	return d
}

// tick redraws the display now and then, until it ends.
func (d *display) tick() {
	if d.ticking {
		return
	}
	d.ticking = true
	d.stopped.Go(func() {
		ticker := time.NewTicker(redraw)
		defer ticker.Stop()
		for {
			select {
			case <-d.stop:
				return
			case <-ticker.C:
				d.mutex.Lock()
				d.progress.Tick()
				d.mutex.Unlock()
			}
		}
	})
}

// debugging tells that the log says more than warnings on standard error.
func (f *factory) debugging() bool {
	s, err := f.settings()
	if err != nil {
		return false // whoever needs the settings will tell
	}
	level := s.String(settingLogLevel)
	return s.String(settingLogFile) == "" && level != "" && level != "warn" && level != "error"
}

// sink takes one event.
func (d *display) sink(e event.Event) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.progress.Handle(e)
}

// do runs something that shows, while nothing else does.
func (d *display) do(show func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	show()
}

// pause takes away what is redrawn, so that others can write.
func (d *display) pause() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.progress.Close()
}

// close ends the display.
func (d *display) close() {
	select {
	case <-d.stop:
		return
	default:
	}
	close(d.stop)
	d.stopped.Wait()
	d.pause()
}
