package emulator_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// A browser gets the image that a portal was given, as what it is, and none before.
func TestImagesOfAPortal(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	raw := func(path string) (int, string, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer x")
		resp, err := w.http.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header.Get("Content-Type"), string(body)
	}
	for _, asset := range []string{"logo", "favicon"} {
		path := portal + "/assets/" + asset
		if status, _, body := raw(path + "/raw"); status != http.StatusNotFound {
			t.Errorf("%s before there is one: %d %q", asset, status, body)
		}
		for media, image := range map[string]string{"image/png": "\x89PNG\r\n\x1a\n", "image/svg+xml": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "image/jpeg": "\xff\xd8\xff", "image/gif": "GIF89a"} {
			for _, form := range []string{";base64,", ","} {
				w.must(http.StatusOK, http.MethodPut, path, object{"data": "data:" + media + form + base64.StdEncoding.EncodeToString([]byte(image))})
				if status, is, body := raw(path + "/raw"); status != http.StatusOK || is != media || body != image {
					t.Errorf("%s: %d %s %q, want %s %q", asset, status, is, body, media, image)
				}
			}
		}
		w.must(http.StatusOK, http.MethodPut, path, object{"data": catalog.OwnImage})
		if status, _, body := raw(path + "/raw"); status != http.StatusNotFound {
			t.Errorf("%s after it is gone: %d %q", asset, status, body)
		}
	}
	if status, _, _ := raw("/v3/portals/" + idA + "/assets/logo/raw"); status != http.StatusNotFound {
		t.Errorf("of a portal that is not there: %d", status)
	}
}
