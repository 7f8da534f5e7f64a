tp.mesh @m <"tp"=2>
func.func @f(%w: memref<2xf32> {tp.name = "w", tp.global_type = tensor<5xf32>, tp.sharding = #tp.sharding<[tp]>})
    attributes {rt.entry, rt.results = []} {
  return
}
