package plan_test

type object = map[string]any
