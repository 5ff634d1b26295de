package main

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// MergeItem has a field of every sort the merge rules tell apart. mergeitem.json says the same in OpenAPI.
type MergeItem struct {
	// Inherited stands for the TypeMeta of real kinds: an embedded struct, inline in JSON.
	Inherited `json:",inline"`

	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	Other string `json:"other,omitempty"`

	MergingList           []MergeItem     `json:"mergingList,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	NonMergingList        []MergeItem     `json:"nonMergingList,omitempty"`
	ReplacingList         []MergeItem     `json:"replacingList,omitempty" patchStrategy:"replace" patchMergeKey:"name"`
	RetainKeysMergingList []MergeItem     `json:"retainKeysMergingList,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	RetainKeysList        []MergeItem     `json:"retainKeysList,omitempty" patchStrategy:"retainKeys" patchMergeKey:"name"`
	KeylessList           []MergeItem     `json:"keylessList,omitempty" patchStrategy:"merge"`
	Ports                 []MergeItemPort `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"port"`
	ListOfPointers        []*MergeItem    `json:"listOfPointers,omitempty" patchStrategy:"merge" patchMergeKey:"name"`

	MergingIntList    []int    `json:"mergingIntList,omitempty" patchStrategy:"merge"`
	NonMergingIntList []int    `json:"nonMergingIntList,omitempty"`
	MergingStringList []string `json:"mergingStringList,omitempty" patchStrategy:"merge"`
	MergingLists      [][]int  `json:"mergingLists,omitempty" patchStrategy:"merge"`
	NonMergingLists   [][]int  `json:"nonMergingLists,omitempty"`

	SimpleMap         map[string]string    `json:"simpleMap,omitempty"`
	MapOfItems        map[string]MergeItem `json:"mapOfItems,omitempty"`
	MapOfLists        map[string][]string  `json:"mapOfLists,omitempty"`
	ReplacingItem     runtime.RawExtension `json:"replacingItem,omitempty" patchStrategy:"replace"`
	RetainKeysMap     RetainKeysItem       `json:"retainKeysMap,omitempty" patchStrategy:"retainKeys"`
	RetainKeysReplace *RetainKeysItem      `json:"retainKeysReplace,omitempty" patchStrategy:"retainKeys,replace"`
	Item              *MergeItem           `json:"item,omitempty"`
	JSONItem          runtime.RawExtension `json:"jsonItem,omitempty"`
	AnyItem           any                  `json:"anyItem,omitempty"`

	Flag        bool                `json:"flag,omitempty"`
	Count       int64               `json:"count,omitempty"`
	Ratio       float64             `json:"ratio,omitempty"`
	IntOrString intstr.IntOrString  `json:"intOrString,omitempty"`
	Quantity    resource.Quantity   `json:"quantity,omitempty"`
	Time        *metav1.Time        `json:"time,omitempty"`
	Bytes       []byte              `json:"bytes,omitempty"`
	BytesMap    map[string][]byte   `json:"bytesMap,omitempty"`
	Quantities  map[string]quantity `json:"quantities,omitempty"`
}

type quantity = resource.Quantity

// OddStrategies has what no specification should have: patch strategies which mean nothing, or not there.
type OddStrategies struct {
	MergeItemPtr   *MergeItem  `json:"mergeItemPtr,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	SpacedStrategy []MergeItem `json:"spacedStrategy,omitempty" patchStrategy:"merge, retainKeys" patchMergeKey:"name"`
	ThreeWords     []MergeItem `json:"threeWords,omitempty" patchStrategy:"merge,retainKeys,replace" patchMergeKey:"name"`
	UnknownWord    []MergeItem `json:"unknownWord,omitempty" patchStrategy:"atomic" patchMergeKey:"name"`
	UnknownWordMap *MergeItem  `json:"unknownWordMap,omitempty" patchStrategy:"atomic"`
}

// Inherited is found through its embedding struct.
type Inherited struct {
	InheritedName string      `json:"inheritedName,omitempty"`
	InheritedList []MergeItem `json:"inheritedList,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

// MergeItemPort is keyed by a number.
type MergeItemPort struct {
	Name       string             `json:"name,omitempty"`
	Port       int32              `json:"port"`
	Protocol   string             `json:"protocol,omitempty"`
	TargetPort intstr.IntOrString `json:"targetPort,omitempty"`
}

// RetainKeysItem is a union-like object: a new member must push the old one out.
type RetainKeysItem struct {
	Name           string            `json:"name,omitempty"`
	Value          string            `json:"value,omitempty"`
	Other          string            `json:"other,omitempty"`
	SimpleMap      map[string]string `json:"simpleMap,omitempty"`
	Item           *MergeItem        `json:"item,omitempty"`
	MergingList    []MergeItem       `json:"mergingList,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	MergingIntList []int             `json:"mergingIntList,omitempty" patchStrategy:"merge"`
	NonMergingList []MergeItem       `json:"nonMergingList,omitempty"`
}
