package main

// operations are the words of `op`; each prepares a call from a request.
var operations = map[string]func(*request) (call, error){
	"two_way":        twoWay,
	"three_way":      threeWay,
	"apply":          apply,
	"merge_patches":  mergePatches,
	"conflicts":      conflicts,
	"json_three_way": jsonThreeWay,
	"json_apply":     jsonApply,
	"kubectl":        kubectlPatch,
	"yaml":           readYAML,
	"encode":         encodeValue,
	"annotation":     annotation,
	"types":          types,
	"fields":         fields,
	"version":        version,
	"ownership":      ownership,
	"upgrade":        upgrade,
	"empties":        empties,
}
