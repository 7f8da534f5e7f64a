// A program per op of arith, elementwise, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @arith.addf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.addf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.subf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.subf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.mulf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.mulf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.divf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.divf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.remf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.remf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.maximumf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.maximumf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.minimumf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.minimumf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.maxnumf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.maxnumf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.minnumf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.minnumf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.addi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.addi %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.subi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.subi %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.muli(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.muli %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.andi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.andi %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.ori(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.ori %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.xori(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.xori %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.maxsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.maxsi %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.maxui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.maxui %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.minsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.minsi %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.minui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.minui %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.divsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.divsi %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.divui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.divui %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.ceildivsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.ceildivsi %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.ceildivui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.ceildivui %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.floordivsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.floordivsi %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.remsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.remsi %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.remui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.constant dense<1> : tensor<5x6xi32>
  %3 = arith.addi %1, %2 : tensor<5x6xi32>
  %4 = arith.remui %a, %3 : tensor<5x6xi32>
  return %4 : tensor<5x6xi32>
}

func.func @arith.shli(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<7> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.shli %a, %1 : tensor<5x6xi32>
  return %2 : tensor<5x6xi32>
}

func.func @arith.shrsi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<7> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.shrsi %a, %1 : tensor<5x6xi32>
  return %2 : tensor<5x6xi32>
}

func.func @arith.shrui(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<7> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = arith.shrui %a, %1 : tensor<5x6xi32>
  return %2 : tensor<5x6xi32>
}

func.func @arith.addui_extended(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> (tensor<5x6xi32>, tensor<5x6xi1>) {
  %0:2 = arith.addui_extended %a, %b : tensor<5x6xi32>, tensor<5x6xi1>
  return %0#0, %0#1 : tensor<5x6xi32>, tensor<5x6xi1>
}

func.func @arith.mulsi_extended(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> (tensor<5x6xi32>, tensor<5x6xi32>) {
  %0:2 = arith.mulsi_extended %a, %b : tensor<5x6xi32>
  return %0#0, %0#1 : tensor<5x6xi32>, tensor<5x6xi32>
}

func.func @arith.mului_extended(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> (tensor<5x6xi32>, tensor<5x6xi32>) {
  %0:2 = arith.mului_extended %a, %b : tensor<5x6xi32>
  return %0#0, %0#1 : tensor<5x6xi32>, tensor<5x6xi32>
}

func.func @arith.negf(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.negf %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.extf(%a: tensor<5x6xbf16>) -> tensor<5x6xf32> {
  %0 = arith.extf %a : tensor<5x6xbf16> to tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.truncf(%a: tensor<5x6xf32>) -> tensor<5x6xbf16> {
  %0 = arith.truncf %a : tensor<5x6xf32> to tensor<5x6xbf16>
  return %0 : tensor<5x6xbf16>
}

func.func @arith.extsi(%a: tensor<5x6xi8>) -> tensor<5x6xi32> {
  %0 = arith.extsi %a : tensor<5x6xi8> to tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.extui(%a: tensor<5x6xi8>) -> tensor<5x6xi32> {
  %0 = arith.extui %a : tensor<5x6xi8> to tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.trunci(%a: tensor<5x6xi32>) -> tensor<5x6xi8> {
  %0 = arith.trunci %a : tensor<5x6xi32> to tensor<5x6xi8>
  return %0 : tensor<5x6xi8>
}

func.func @arith.sitofp(%a: tensor<5x6xi32>) -> tensor<5x6xf32> {
  %0 = arith.sitofp %a : tensor<5x6xi32> to tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.uitofp(%a: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %0 = arith.uitofp %a : tensor<5x6xi8> to tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.fptosi(%a: tensor<5x6xf32>) -> tensor<5x6xi32> {
  %0 = arith.fptosi %a : tensor<5x6xf32> to tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.index_cast(%a: tensor<5x6xi32>) -> tensor<5x6xindex> {
  %0 = arith.index_cast %a : tensor<5x6xi32> to tensor<5x6xindex>
  return %0 : tensor<5x6xindex>
}

func.func @arith.index_castui(%a: tensor<5x6xi32>) -> tensor<5x6xindex> {
  %0 = arith.index_castui %a : tensor<5x6xi32> to tensor<5x6xindex>
  return %0 : tensor<5x6xindex>
}

func.func @arith.bitcast(%a: tensor<5x6xf32>) -> tensor<5x6xi32> {
  %0 = arith.bitcast %a : tensor<5x6xf32> to tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @arith.fptoui(%a: tensor<5x6xf32>) -> tensor<5x6xi32> {
  %0 = math.absf %a : tensor<5x6xf32>
  %1 = arith.fptoui %0 : tensor<5x6xf32> to tensor<5x6xi32>
  return %1 : tensor<5x6xi32>
}

func.func @arith.constant(%a: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17], [18, 19, 20, 21, 22, 23], [24, 25, 26, 27, 28, 29]]> : tensor<5x6xi32>
  %1 = arith.addi %a, %0 : tensor<5x6xi32>
  return %1 : tensor<5x6xi32>
}

func.func @arith.cmpf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xi1> {
  %0 = arith.cmpf olt, %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xi1>
}

func.func @arith.cmpi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi1> {
  %0 = arith.cmpi slt, %a, %b : tensor<5x6xi32>
  return %0 : tensor<5x6xi1>
}

func.func @arith.select(%a: tensor<5x6xi1>, %b: tensor<5x6xf32>, %c: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.select %a, %b, %c : tensor<5x6xi1>, tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
