//go:build unix && !linux

package deck_test

const parent = "FAKE_PARENT"

func beParent(string) int { return 98 }
