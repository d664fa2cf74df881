package cli

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/kongctl/kongctl/internal/terminal"
)

// levelTrace is below everything that slog names.
const levelTrace = slog.LevelDebug - 4

var logLevels = map[string]slog.Level{
	"trace": levelTrace,
	"debug": slog.LevelDebug,
	"info":  slog.LevelInfo,
	"warn":  slog.LevelWarn,
	"error": slog.LevelError,
}

// openLog makes the logger: to standard error, or to the file that was named.
func (f *factory) openLog() (*slog.Logger, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	name, err := checkedSetting(s, settingLogLevel)
	if err != nil {
		return nil, err
	}
	level := logLevels[name]
	format, err := checkedSetting(s, settingLogFormat)
	if err != nil {
		return nil, err
	}
	out := f.world.streams.err
	if path := s.String(settingLogFile); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open log: %w", err)
		}
		f.onClose(file.Close)
		out = terminal.NewWriter(file, func() terminal.Allow { return terminal.Allow{} })
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: nameTrace}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(out, options)), nil
	}
	return slog.New(slog.NewTextHandler(out, options)), nil
}

// nameTrace gives the level that slog does not know its name.
func nameTrace(_ []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey && level == levelTrace {
		return slog.String(slog.LevelKey, "TRACE")
	}
	return a
}
