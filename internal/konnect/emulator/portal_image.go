package emulator

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// portalImages are the images of a portal as browsers ask for them.
func portalImages() []model.Fixed {
	const says = "the image itself, with its type; a portal that nobody gave one has none"
	return []model.Fixed{
		{Operation: "GET /v3/portals/{portalId}/assets/logo/raw", Source: model.FromContract, Says: says, Raw: imageOf("portal_asset_logo")},
		{Operation: "GET /v3/portals/{portalId}/assets/favicon/raw", Source: model.FromContract, Says: says, Raw: imageOf("portal_asset_favicon")},
	}
}

func imageOf(kind string) func(model.Scene, *model.Call) (model.Content, error) {
	return func(sc model.Scene, c *model.Call) (model.Content, error) {
		portal, err := sc.Find("portal", "", c.Params["portalId"])
		if err != nil {
			return model.Content{}, err
		}
		asset := sc.Named(kind, portal.ID, "")
		if asset == nil || asset.Fields["data"] == catalog.OwnImage {
			return model.Content{}, model.Refuse(http.StatusNotFound, "portal %s has no such image", portal.ID)
		}
		text, _ := asset.Fields["data"].(string)
		return dataURL(text)
	}
}

// dataURL is what a data URL holds.
func dataURL(text string) (model.Content, error) {
	head, data, _ := strings.Cut(strings.TrimPrefix(text, "data:"), ",")
	raw, err := base64.StdEncoding.DecodeString(data)
	return model.Content{Media: strings.TrimSuffix(head, ";base64"), Data: raw}, err
}
