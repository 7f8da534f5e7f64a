// A program per op of linalg: convolutions and pooling, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @linalg.conv_1d(%a: tensor<5xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<2xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

func.func @linalg.conv_1d_ncw_fcw(%a: tensor<3x4x5xf32>, %b: tensor<6x4x2xf32>) -> tensor<3x6x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x6x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  %3 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<3x4x5xf32>, tensor<6x4x2xf32>) outs(%2 : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  return %3 : tensor<3x6x4xf32>
}

func.func @linalg.conv_1d_nwc_wcf(%a: tensor<3x5x4xf32>, %b: tensor<2x4x6xf32>) -> tensor<3x4x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %3 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<3x5x4xf32>, tensor<2x4x6xf32>) outs(%2 : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %3 : tensor<3x4x6xf32>
}

func.func @linalg.conv_2d(%a: tensor<7x5xf32>, %b: tensor<3x2xf32>) -> tensor<5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.conv_2d ins(%a, %b : tensor<7x5xf32>, tensor<3x2xf32>) outs(%2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

func.func @linalg.conv_2d_nchw_fchw(%a: tensor<3x4x7x5xf32>, %b: tensor<6x4x3x2xf32>) -> tensor<3x6x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x6x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x6x5x4xf32>) -> tensor<3x6x5x4xf32>
  %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x4x7x5xf32>, tensor<6x4x3x2xf32>) outs(%2 : tensor<3x6x5x4xf32>) -> tensor<3x6x5x4xf32>
  return %3 : tensor<3x6x5x4xf32>
}

func.func @linalg.conv_2d_nchw_fchw_q(%a: tensor<3x4x7x5xi8>, %b: tensor<6x4x3x2xi8>) -> tensor<3x6x5x4xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x6x5x4xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x6x5x4xi32>) -> tensor<3x6x5x4xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x4x7x5xi8>, tensor<6x4x3x2xi8>, i32, i32) outs(%2 : tensor<3x6x5x4xi32>) -> tensor<3x6x5x4xi32>
  return %5 : tensor<3x6x5x4xi32>
}

func.func @linalg.conv_2d_ngchw_fgchw(%a: tensor<3x2x4x7x5xf32>, %b: tensor<6x2x4x3x2xf32>) -> tensor<3x2x6x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x2x6x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x2x6x5x4xf32>) -> tensor<3x2x6x5x4xf32>
  %3 = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x2x4x7x5xf32>, tensor<6x2x4x3x2xf32>) outs(%2 : tensor<3x2x6x5x4xf32>) -> tensor<3x2x6x5x4xf32>
  return %3 : tensor<3x2x6x5x4xf32>
}

func.func @linalg.conv_2d_ngchw_gfchw(%a: tensor<3x2x4x7x5xf32>, %b: tensor<2x6x4x3x2xf32>) -> tensor<3x2x6x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x2x6x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x2x6x5x4xf32>) -> tensor<3x2x6x5x4xf32>
  %3 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x2x4x7x5xf32>, tensor<2x6x4x3x2xf32>) outs(%2 : tensor<3x2x6x5x4xf32>) -> tensor<3x2x6x5x4xf32>
  return %3 : tensor<3x2x6x5x4xf32>
}

func.func @linalg.conv_2d_ngchw_gfchw_q(%a: tensor<3x2x4x7x5xi8>, %b: tensor<2x6x4x3x2xi8>) -> tensor<3x2x6x5x4xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x2x6x5x4xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x2x6x5x4xi32>) -> tensor<3x2x6x5x4xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x2x4x7x5xi8>, tensor<2x6x4x3x2xi8>, i32, i32) outs(%2 : tensor<3x2x6x5x4xi32>) -> tensor<3x2x6x5x4xi32>
  return %5 : tensor<3x2x6x5x4xi32>
}

func.func @linalg.conv_2d_nhwc_fhwc(%a: tensor<3x7x5x4xf32>, %b: tensor<6x3x2x4xf32>) -> tensor<3x5x4x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4x6xf32>) -> tensor<3x5x4x6xf32>
  %3 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x5x4xf32>, tensor<6x3x2x4xf32>) outs(%2 : tensor<3x5x4x6xf32>) -> tensor<3x5x4x6xf32>
  return %3 : tensor<3x5x4x6xf32>
}

func.func @linalg.conv_2d_nhwc_fhwc_q(%a: tensor<3x7x5x4xi8>, %b: tensor<6x3x2x4xi8>) -> tensor<3x5x4x6xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4x6xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4x6xi32>) -> tensor<3x5x4x6xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x7x5x4xi8>, tensor<6x3x2x4xi8>, i32, i32) outs(%2 : tensor<3x5x4x6xi32>) -> tensor<3x5x4x6xi32>
  return %5 : tensor<3x5x4x6xi32>
}

func.func @linalg.conv_2d_nhwc_hwcf(%a: tensor<3x7x5x4xf32>, %b: tensor<3x2x4x6xf32>) -> tensor<3x5x4x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4x6xf32>) -> tensor<3x5x4x6xf32>
  %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x5x4xf32>, tensor<3x2x4x6xf32>) outs(%2 : tensor<3x5x4x6xf32>) -> tensor<3x5x4x6xf32>
  return %3 : tensor<3x5x4x6xf32>
}

func.func @linalg.conv_2d_nhwc_hwcf_q(%a: tensor<3x7x5x4xi8>, %b: tensor<3x2x4x6xi8>) -> tensor<3x5x4x6xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4x6xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4x6xi32>) -> tensor<3x5x4x6xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x7x5x4xi8>, tensor<3x2x4x6xi8>, i32, i32) outs(%2 : tensor<3x5x4x6xi32>) -> tensor<3x5x4x6xi32>
  return %5 : tensor<3x5x4x6xi32>
}

func.func @linalg.conv_2d_nhwgc_gfhwc(%a: tensor<3x7x5x2x4xf32>, %b: tensor<2x6x3x2x4xf32>) -> tensor<3x5x4x2x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4x2x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4x2x6xf32>) -> tensor<3x5x4x2x6xf32>
  %3 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x5x2x4xf32>, tensor<2x6x3x2x4xf32>) outs(%2 : tensor<3x5x4x2x6xf32>) -> tensor<3x5x4x2x6xf32>
  return %3 : tensor<3x5x4x2x6xf32>
}

func.func @linalg.conv_2d_nhwgc_gfhwc_q(%a: tensor<3x7x5x2x4xi8>, %b: tensor<2x6x3x2x4xi8>) -> tensor<3x5x4x2x6xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4x2x6xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4x2x6xi32>) -> tensor<3x5x4x2x6xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x7x5x2x4xi8>, tensor<2x6x3x2x4xi8>, i32, i32) outs(%2 : tensor<3x5x4x2x6xi32>) -> tensor<3x5x4x2x6xi32>
  return %5 : tensor<3x5x4x2x6xi32>
}

func.func @linalg.conv_3d(%a: tensor<4x7x5xf32>, %b: tensor<2x3x2xf32>) -> tensor<3x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
  %3 = linalg.conv_3d ins(%a, %b : tensor<4x7x5xf32>, tensor<2x3x2xf32>) outs(%2 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
  return %3 : tensor<3x5x4xf32>
}

func.func @linalg.conv_3d_ncdhw_fcdhw(%a: tensor<3x4x4x7x5xf32>, %b: tensor<6x4x2x3x2xf32>) -> tensor<3x6x3x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x6x3x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x6x3x5x4xf32>) -> tensor<3x6x3x5x4xf32>
  %3 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<3x4x4x7x5xf32>, tensor<6x4x2x3x2xf32>) outs(%2 : tensor<3x6x3x5x4xf32>) -> tensor<3x6x3x5x4xf32>
  return %3 : tensor<3x6x3x5x4xf32>
}

func.func @linalg.conv_3d_ndhwc_dhwcf(%a: tensor<3x4x7x5x4xf32>, %b: tensor<2x3x2x4x6xf32>) -> tensor<3x3x5x4x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x3x5x4x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x3x5x4x6xf32>) -> tensor<3x3x5x4x6xf32>
  %3 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<3x4x7x5x4xf32>, tensor<2x3x2x4x6xf32>) outs(%2 : tensor<3x3x5x4x6xf32>) -> tensor<3x3x5x4x6xf32>
  return %3 : tensor<3x3x5x4x6xf32>
}

func.func @linalg.conv_3d_ndhwc_dhwcf_q(%a: tensor<3x4x7x5x4xi8>, %b: tensor<2x3x2x4x6xi8>) -> tensor<3x3x5x4x6xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x3x5x4x6xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x3x5x4x6xi32>) -> tensor<3x3x5x4x6xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b, %3, %4 : tensor<3x4x7x5x4xi8>, tensor<2x3x2x4x6xi8>, i32, i32) outs(%2 : tensor<3x3x5x4x6xi32>) -> tensor<3x3x5x4x6xi32>
  return %5 : tensor<3x3x5x4x6xi32>
}

func.func @linalg.depthwise_conv_1d_ncw_cw(%a: tensor<3x4x5xf32>, %b: tensor<4x2xf32>) -> tensor<3x4x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %3 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<3x4x5xf32>, tensor<4x2xf32>) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %3 : tensor<3x4x4xf32>
}

func.func @linalg.depthwise_conv_1d_nwc_wc(%a: tensor<3x5x4xf32>, %b: tensor<2x4xf32>) -> tensor<3x4x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %3 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<3x5x4xf32>, tensor<2x4xf32>) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %3 : tensor<3x4x4xf32>
}

func.func @linalg.depthwise_conv_1d_nwc_wcm(%a: tensor<3x5x4xf32>, %b: tensor<2x4x2xf32>) -> tensor<3x4x4x2xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x4x2xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x4x2xf32>) -> tensor<3x4x4x2xf32>
  %3 = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<3x5x4xf32>, tensor<2x4x2xf32>) outs(%2 : tensor<3x4x4x2xf32>) -> tensor<3x4x4x2xf32>
  return %3 : tensor<3x4x4x2xf32>
}

func.func @linalg.depthwise_conv_2d_nchw_chw(%a: tensor<3x4x7x5xf32>, %b: tensor<4x3x2xf32>) -> tensor<3x4x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  %3 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x4x7x5xf32>, tensor<4x3x2xf32>) outs(%2 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  return %3 : tensor<3x4x5x4xf32>
}

func.func @linalg.depthwise_conv_2d_nhwc_hwc(%a: tensor<3x7x5x4xf32>, %b: tensor<3x2x4xf32>) -> tensor<3x5x4x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  %3 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x5x4xf32>, tensor<3x2x4xf32>) outs(%2 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  return %3 : tensor<3x5x4x4xf32>
}

func.func @linalg.depthwise_conv_2d_nhwc_hwc_q(%a: tensor<3x7x5x4xi8>, %b: tensor<3x2x4xi8>) -> tensor<3x5x4x4xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4x4xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x7x5x4xi8>, tensor<3x2x4xi8>, i32, i32) outs(%2 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  return %5 : tensor<3x5x4x4xi32>
}

func.func @linalg.depthwise_conv_2d_nhwc_hwcm(%a: tensor<3x7x5x4xf32>, %b: tensor<3x2x4x2xf32>) -> tensor<3x5x4x4x2xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4x4x2xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4x4x2xf32>) -> tensor<3x5x4x4x2xf32>
  %3 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x5x4xf32>, tensor<3x2x4x2xf32>) outs(%2 : tensor<3x5x4x4x2xf32>) -> tensor<3x5x4x4x2xf32>
  return %3 : tensor<3x5x4x4x2xf32>
}

func.func @linalg.depthwise_conv_2d_nhwc_hwcm_q(%a: tensor<3x7x5x4xi8>, %b: tensor<3x2x4x2xi8>) -> tensor<3x5x4x4x2xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4x4x2xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4x4x2xi32>) -> tensor<3x5x4x4x2xi32>
  %3 = arith.constant 1 : i32
  %4 = arith.constant -2 : i32
  %5 = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %3, %4 : tensor<3x7x5x4xi8>, tensor<3x2x4x2xi8>, i32, i32) outs(%2 : tensor<3x5x4x4x2xi32>) -> tensor<3x5x4x4x2xi32>
  return %5 : tensor<3x5x4x4x2xi32>
}

func.func @linalg.depthwise_conv_3d_ncdhw_cdhw(%a: tensor<3x4x4x7x5xf32>, %b: tensor<4x2x3x2xf32>) -> tensor<3x4x3x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x4x3x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x4x3x5x4xf32>) -> tensor<3x4x3x5x4xf32>
  %3 = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<3x4x4x7x5xf32>, tensor<4x2x3x2xf32>) outs(%2 : tensor<3x4x3x5x4xf32>) -> tensor<3x4x3x5x4xf32>
  return %3 : tensor<3x4x3x5x4xf32>
}

func.func @linalg.depthwise_conv_3d_ndhwc_dhwc(%a: tensor<3x4x7x5x4xf32>, %b: tensor<2x3x2x4xf32>) -> tensor<3x3x5x4x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x3x5x4x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  %3 = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<3x4x7x5x4xf32>, tensor<2x3x2x4xf32>) outs(%2 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  return %3 : tensor<3x3x5x4x4xf32>
}

func.func @linalg.depthwise_conv_3d_ndhwc_dhwcm(%a: tensor<3x4x7x5x4xf32>, %b: tensor<2x3x2x4x2xf32>) -> tensor<3x3x5x4x4x2xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x3x5x4x4x2xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x3x5x4x4x2xf32>) -> tensor<3x3x5x4x4x2xf32>
  %3 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<3x4x7x5x4xf32>, tensor<2x3x2x4x2xf32>) outs(%2 : tensor<3x3x5x4x4x2xf32>) -> tensor<3x3x5x4x4x2xf32>
  return %3 : tensor<3x3x5x4x4x2xf32>
}

func.func @linalg.pooling_nchw_max(%a: tensor<3x4x7x5xf32>) -> tensor<3x4x5x4xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = arith.constant 0xFF800000 : f32
  %2 = tensor.empty() : tensor<3x4x5x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  %4 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x4x7x5xf32>, tensor<3x2xf32>) outs(%3 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  return %4 : tensor<3x4x5x4xf32>
}

func.func @linalg.pooling_nchw_sum(%a: tensor<3x4x7x5xf32>) -> tensor<3x4x5x4xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<3x4x5x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  %4 = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x4x7x5xf32>, tensor<3x2xf32>) outs(%3 : tensor<3x4x5x4xf32>) -> tensor<3x4x5x4xf32>
  return %4 : tensor<3x4x5x4xf32>
}

func.func @linalg.pooling_ncw_max(%a: tensor<3x4x5xf32>) -> tensor<3x4x4xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = arith.constant 0xFF800000 : f32
  %2 = tensor.empty() : tensor<3x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %4 = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x4x5xf32>, tensor<2xf32>) outs(%3 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %4 : tensor<3x4x4xf32>
}

func.func @linalg.pooling_ncw_sum(%a: tensor<3x4x5xf32>) -> tensor<3x4x4xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<3x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %4 = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x4x5xf32>, tensor<2xf32>) outs(%3 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %4 : tensor<3x4x4xf32>
}

func.func @linalg.pooling_ndhwc_max(%a: tensor<3x4x7x5x4xf32>) -> tensor<3x3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<2x3x2xf32>
  %1 = arith.constant 0xFF800000 : f32
  %2 = tensor.empty() : tensor<3x3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  %4 = linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %0 : tensor<3x4x7x5x4xf32>, tensor<2x3x2xf32>) outs(%3 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  return %4 : tensor<3x3x5x4x4xf32>
}

func.func @linalg.pooling_ndhwc_min(%a: tensor<3x4x7x5x4xf32>) -> tensor<3x3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<2x3x2xf32>
  %1 = arith.constant 0x7F800000 : f32
  %2 = tensor.empty() : tensor<3x3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  %4 = linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %0 : tensor<3x4x7x5x4xf32>, tensor<2x3x2xf32>) outs(%3 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  return %4 : tensor<3x3x5x4x4xf32>
}

func.func @linalg.pooling_ndhwc_sum(%a: tensor<3x4x7x5x4xf32>) -> tensor<3x3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<2x3x2xf32>
  %1 = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<3x3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  %4 = linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %0 : tensor<3x4x7x5x4xf32>, tensor<2x3x2xf32>) outs(%3 : tensor<3x3x5x4x4xf32>) -> tensor<3x3x5x4x4xf32>
  return %4 : tensor<3x3x5x4x4xf32>
}

func.func @linalg.pooling_nhwc_max(%a: tensor<3x7x5x4xf32>) -> tensor<3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = arith.constant 0xFF800000 : f32
  %2 = tensor.empty() : tensor<3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  %4 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x7x5x4xf32>, tensor<3x2xf32>) outs(%3 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  return %4 : tensor<3x5x4x4xf32>
}

func.func @linalg.pooling_nhwc_max_unsigned(%a: tensor<3x7x5x4xi32>) -> tensor<3x5x4x4xi32> {
  %0 = tensor.empty() : tensor<3x2xi32>
  %1 = arith.constant 0 : i32
  %2 = tensor.empty() : tensor<3x5x4x4xi32>
  %3 = linalg.fill ins(%1 : i32) outs(%2 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  %4 = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x7x5x4xi32>, tensor<3x2xi32>) outs(%3 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  return %4 : tensor<3x5x4x4xi32>
}

func.func @linalg.pooling_nhwc_min(%a: tensor<3x7x5x4xf32>) -> tensor<3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = arith.constant 0x7F800000 : f32
  %2 = tensor.empty() : tensor<3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  %4 = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x7x5x4xf32>, tensor<3x2xf32>) outs(%3 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  return %4 : tensor<3x5x4x4xf32>
}

func.func @linalg.pooling_nhwc_min_unsigned(%a: tensor<3x7x5x4xi32>) -> tensor<3x5x4x4xi32> {
  %0 = tensor.empty() : tensor<3x2xi32>
  %1 = arith.constant -1 : i32
  %2 = tensor.empty() : tensor<3x5x4x4xi32>
  %3 = linalg.fill ins(%1 : i32) outs(%2 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  %4 = linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x7x5x4xi32>, tensor<3x2xi32>) outs(%3 : tensor<3x5x4x4xi32>) -> tensor<3x5x4x4xi32>
  return %4 : tensor<3x5x4x4xi32>
}

func.func @linalg.pooling_nhwc_sum(%a: tensor<3x7x5x4xf32>) -> tensor<3x5x4x4xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<3x5x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  %4 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %0 : tensor<3x7x5x4xf32>, tensor<3x2xf32>) outs(%3 : tensor<3x5x4x4xf32>) -> tensor<3x5x4x4xf32>
  return %4 : tensor<3x5x4x4xf32>
}

func.func @linalg.pooling_nwc_max(%a: tensor<3x5x4xf32>) -> tensor<3x4x4xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = arith.constant 0xFF800000 : f32
  %2 = tensor.empty() : tensor<3x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %4 = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x5x4xf32>, tensor<2xf32>) outs(%3 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %4 : tensor<3x4x4xf32>
}

func.func @linalg.pooling_nwc_max_unsigned(%a: tensor<3x5x4xi32>) -> tensor<3x4x4xi32> {
  %0 = tensor.empty() : tensor<2xi32>
  %1 = arith.constant 0 : i32
  %2 = tensor.empty() : tensor<3x4x4xi32>
  %3 = linalg.fill ins(%1 : i32) outs(%2 : tensor<3x4x4xi32>) -> tensor<3x4x4xi32>
  %4 = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x5x4xi32>, tensor<2xi32>) outs(%3 : tensor<3x4x4xi32>) -> tensor<3x4x4xi32>
  return %4 : tensor<3x4x4xi32>
}

func.func @linalg.pooling_nwc_min(%a: tensor<3x5x4xf32>) -> tensor<3x4x4xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = arith.constant 0x7F800000 : f32
  %2 = tensor.empty() : tensor<3x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %4 = linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x5x4xf32>, tensor<2xf32>) outs(%3 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %4 : tensor<3x4x4xf32>
}

func.func @linalg.pooling_nwc_min_unsigned(%a: tensor<3x5x4xi32>) -> tensor<3x4x4xi32> {
  %0 = tensor.empty() : tensor<2xi32>
  %1 = arith.constant -1 : i32
  %2 = tensor.empty() : tensor<3x4x4xi32>
  %3 = linalg.fill ins(%1 : i32) outs(%2 : tensor<3x4x4xi32>) -> tensor<3x4x4xi32>
  %4 = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x5x4xi32>, tensor<2xi32>) outs(%3 : tensor<3x4x4xi32>) -> tensor<3x4x4xi32>
  return %4 : tensor<3x4x4xi32>
}

func.func @linalg.pooling_nwc_sum(%a: tensor<3x5x4xf32>) -> tensor<3x4x4xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<3x4x4xf32>
  %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %4 = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %0 : tensor<3x5x4xf32>, tensor<2xf32>) outs(%3 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return %4 : tensor<3x4x4xf32>
}
