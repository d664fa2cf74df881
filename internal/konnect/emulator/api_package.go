package emulator

import "github.com/kongctl/kongctl/internal/konnect/emulator/model"

// apiPackage is what the contract cannot express about API packages and what
// lies below them.
func apiPackage() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "api_package", Source: model.FromContract, Says: "two API packages may share a name if their versions differ", Unique: []string{"name", "version"}},
			{Kind: "api_package_specification", Source: model.FromContract, Says: "the kind of specification is found out", Fill: kindOfContent},
			{Kind: "api_package_specification", Source: model.FromContract, Says: "the response has the problems of the specification", View: contentProblems},
			{Kind: "api_package_publication", Source: model.FromContract, Says: "the names of what is published and of the portal can be filtered by", View: publicationNames},
			{
				Kind: "api_package_publication", Source: model.FromContract, Says: "a portal with publications is deleted only with force, and they with it (that the answer is a conflict is assumed)",
				Forced: []string{"portal_id"},
			},
			{
				Kind: "api_package_document", Source: model.FromContract, Says: "the content's front matter stands for fields that are left out",
				Expand: frontMatter("title", "slug", "status"),
			},
			{Kind: "api_package_document", Source: model.FromContract, Says: "the slug is made from the title by default; the title from slug or content (assumed)", Fill: titleAndSlug},
			{Kind: "api_package_document", Source: model.Assumed, Says: "slugs that differ only in slashes at their ends are one", Alike: withoutSlashes},
			{Kind: "api_package_document", Source: model.FromContract, Says: "a move takes -1 for the last place and null for the top, though its schema has no null", Moves: true},
			{Kind: "api_package_image", Source: model.FromContract, Says: "the response has the state of an image, not the image; that it is valid at once is assumed", View: imageState},
		},
	}
}
