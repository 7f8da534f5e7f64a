// RUN: tp-opt %s --tp-convert-rt-to-llvm -split-input-file -verify-diagnostics

// expected-error @below {{an entry describes its results in rt.results}}
func.func @f(%a: memref<4x4xf32>) attributes {rt.entry} {
  return
}

// -----

// expected-error @below {{rt.results needs the type of each result, found {tp.name = "y"}}}
func.func @f(%a: memref<4x4xf32>) attributes {rt.entry, rt.results = [{tp.name = "y"}]} {
  return
}

// -----

// expected-error @below {{argument 0: rt.result must be one of 1 results, found 1 : i64}}
func.func @f(%a: memref<4x4xf32> {rt.result = 1 : i64}) attributes {rt.entry, rt.results = [{type = memref<4x4xf32>}]} {
  return
}

// -----

// expected-error @below {{takes scalars and memrefs of static shape and layout, found 'memref<?x?xf32, strided<[?, ?], offset: ?>>'}}
func.func @f(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>) attributes {rt.entry, rt.results = []} {
  return
}

// -----

// expected-error @below {{an entry has a body and returns nothing}}
func.func @f(%a: memref<4xf32>) -> memref<4xf32> attributes {rt.entry, rt.results = []} {
  return %a : memref<4xf32>
}

// -----

// expected-error @below {{a kernel has a body, takes (index, index, ...) and returns nothing}}
func.func private @k(%begin: index, %a: memref<4xf32>) attributes {rt.kernel} {
  return
}

// -----

// expected-error @below {{the runtime has no values of type 'memref<4x4xf8E4M3FN>'}}
func.func @f(%a: memref<4x4xf8E4M3FN>) attributes {rt.entry, rt.results = []} {
  return
}

// -----

// expected-error @below {{a kernel of a device has a body and returns nothing}}
func.func private @kernel(%a: memref<4xf32>) attributes {rt.kernel, rt.device}
