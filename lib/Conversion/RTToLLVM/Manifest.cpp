//===- Manifest.cpp - What a compiled program says about itself ------------===//

#include "Manifest.h"

#include "dialects/TP/TP.h"
#include "tp/Support/LocationText.h"
#include "tprt/tprt.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::json::Array;
using llvm::json::Object;
using JSON = llvm::json::Value;

OperationTable::OperationTable(ModuleOp module) {
  std::map<Row, int32_t> known;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(rt::kEntryAttr))
      continue;
    function.walk([&](Operation *op) {
      if (!rt::isNamedOperation(op))
        return;
      auto reason = op->getAttrOfType<StringAttr>("reason");
      if (isa<rt::ParallelForOp, rt::LaunchOp>(op))
        reason = op->getAttrOfType<FlatSymbolRefAttr>("kernel").getAttr();
      // Users need not know where an index is checked.
      StringRef name = isa<rt::LaunchCheckOp>(op) ? rt::CheckIndexOp::getOperationName()
                                                  : op->getName().getStringRef();
      Row row{name.split('.').second.str(), getLocationText(op->getLoc()),
              reason ? reason.str() : "", getWork(op)};
      auto [it, inserted] = known.try_emplace(row, rows.size());
      if (inserted)
        rows.push_back(row);
      numbers[op] = it->second;
    });
  }
}

namespace {

Array toJSON(ArrayRef<int64_t> values) { return Array(values); }

/// Attributes as they are written in programs: dictionaries, arrays, strings,
/// numbers, booleans.
JSON toJSON(Attribute attribute) {
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    Object object;
    for (NamedAttribute entry : dictionary)
      object[entry.getName().getValue()] = toJSON(entry.getValue());
    return object;
  }
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    Array values;
    for (Attribute value : array)
      values.push_back(toJSON(value));
    return values;
  }
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute))
    return toJSON(numbers.asArrayRef());
  if (auto string = dyn_cast<StringAttr>(attribute))
    return string.getValue();
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return boolean.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getInt();
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

Object toJSON(const AxisPart &part) {
  return Object{{"axis", int64_t(part.axis)}, {"pre", part.pre}, {"size", part.size}};
}

class ManifestBuilder {
public:
  ManifestBuilder(ModuleOp module) : module(module) {
    if (MeshOp op = lookupMesh(module))
      mesh = getMesh(op);
  }

  FailureOr<Object> build(const OperationTable &operations) {
    Array axes;
    for (auto [name, size] : llvm::zip_equal(mesh.names, mesh.sizes))
      axes.push_back(Object{{"name", name}, {"size", size}});
    Array groups;
    for (auto group : module.getOps<rt::GroupOp>())
      groups.push_back(toJSON(group));
    Array rows;
    for (const OperationTable::Row &row : operations.getRows())
      rows.push_back(toJSON(row));
    Array entries;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr(rt::kEntryAttr))
        continue;
      FailureOr<Object> entry = toJSON(function);
      if (failed(entry))
        return failure();
      entries.push_back(std::move(*entry));
    }
    Array kernels;
    for (func::FuncOp kernel : rt::getDeviceKernels(module))
      kernels.push_back(getDeviceKernelName(kernel.getName()));
    bool onDevice = module->hasAttr(rt::kImagesAttr);
    Object root{{"version", 1},
                {"target", onDevice ? "cuda" : "cpu"},
                {"mesh", std::move(axes)},
                {"groups", std::move(groups)},
                {"operations", std::move(rows)},
                {"entries", std::move(entries)}};
    if (onDevice) {
      root["kernels"] = std::move(kernels);
      root["products"] = getProducts();
      root["tf32"] = module->hasAttr(rt::kTF32Attr);
    }
    for (StringRef kind : {"language_model", "embedding_model"})
      if (auto model = module->getAttrOfType<DictionaryAttr>(("tp." + kind).str()))
        root[kind] = ::toJSON(model);
    return root;
  }

private:
  static Object toJSON(const OperationTable::Row &row) {
    Object object{{"name", row.name}, {"loc", row.location}, {"reason", row.reason}};
    if (row.work) {
      object["bytes"] = row.work->bytes;
      if (row.work->flops >= 0)
        object["flops"] = row.work->flops;
    }
    return object;
  }

  /// The matrix products of all entries, each that is like no other before it.
  Array getProducts() {
    Array products;
    llvm::StringSet<> known;
    auto add = [&](Object product) {
      std::string text;
      llvm::raw_string_ostream(text) << JSON(Object(product));
      if (known.insert(text).second)
        products.push_back(std::move(product));
    };
    module.walk([&](Operation *op) {
      if (auto gemm = dyn_cast<rt::GemmOp>(op)) {
        Object product = toJSON(gemm, gemm.getC(), gemm.getLdc(), gemm.getStrideC());
        product["c"] = gemm.getAccumulate();
        product["ldc"] = product["ldd"];
        product["stride_c"] = product["stride_d"];
        add(std::move(product));
      } else if (auto gemm = dyn_cast<rt::GemmFusedOp>(op)) {
        Object product = toJSON(gemm, gemm.getD(), gemm.getLdd(), gemm.getStrideD());
        product["c"] = bool(gemm.getC());
        product["ldc"] = int64_t(gemm.getLdc());
        product["stride_c"] = int64_t(gemm.getStrideC());
        product["bias"] = bool(gemm.getBias());
        product["stride_bias"] = int64_t(gemm.getStrideBias());
        product["activation"] = int64_t(gemm.getActivation());
        add(std::move(product));
      }
    });
    return products;
  }

  template <typename OpTy> static Object toJSON(OpTy op, Value result, int64_t ld, int64_t stride) {
    auto dtype = [](Value memref) {
      return tprtName(*rt::getDType(getElementTypeOrSelf(memref.getType())));
    };
    return Object{{"dtype", dtype(op.getA())},
                  {"result_dtype", dtype(result)},
                  {"m", int64_t(op.getM())},
                  {"n", int64_t(op.getN())},
                  {"k", int64_t(op.getK())},
                  {"batch", int64_t(op.getBatch())},
                  {"trans_a", op.getTransA()},
                  {"trans_b", op.getTransB()},
                  {"lda", int64_t(op.getLda())},
                  {"ldb", int64_t(op.getLdb())},
                  {"ldd", ld},
                  {"stride_a", int64_t(op.getStrideA())},
                  {"stride_b", int64_t(op.getStrideB())},
                  {"stride_d", stride}};
  }

  Object toJSON(rt::GroupOp group) {
    Array parts;
    ArrayRef<int64_t> numbers = group.getParts();
    for (unsigned i = 0; i < numbers.size(); i += 3)
      parts.push_back(::toJSON(AxisPart{unsigned(numbers[i]), numbers[i + 1], numbers[i + 2]}));
    return Object{{"axes", std::move(parts)}};
  }

  FailureOr<Object> toJSON(func::FuncOp function) {
    std::string name = function.getName().str();
    Array arguments;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      if (function.getArgAttr(i, rt::kResultAttr))
        continue;
      DictionaryAttr attributes = function.getArgAttrDict(i);
      FailureOr<Object> value = toJSON(function, name + ".arg" + std::to_string(i),
                                       function.getArgumentTypes()[i], attributes);
      if (failed(value))
        return failure();
      StringRef kind = "input";
      if (auto attribute = attributes ? attributes.getAs<StringAttr>(kKindAttr) : StringAttr())
        kind = attribute.getValue();
      (*value)["kind"] = kind;
      if (auto source = attributes ? attributes.getAs<DictionaryAttr>(kSourceAttr) : nullptr)
        (*value)["source"] = ::toJSON(source);
      arguments.push_back(std::move(*value));
    }
    Array results;
    auto descriptions = function->getAttrOfType<ArrayAttr>(rt::kResultsAttr);
    for (auto [i, description] : llvm::enumerate(descriptions.getAsRange<DictionaryAttr>())) {
      FailureOr<Object> value = toJSON(function, name + ".result" + std::to_string(i),
                                       description.getAs<TypeAttr>("type").getValue(), description);
      if (failed(value))
        return failure();
      auto state = description.getAs<IntegerAttr>("state");
      (*value)["state"] = state ? state.getInt() : -1;
      results.push_back(std::move(*value));
    }
    auto bytes = function->getAttrOfType<IntegerAttr>(rt::kArenaBytesAttr);
    Object entry{{"name", name},
                 {"arena_bytes", bytes ? bytes.getInt() : 0},
                 {"arguments", std::move(arguments)},
                 {"results", std::move(results)}};
    if (auto symmetric = function->getAttrOfType<IntegerAttr>(rt::kSymmetricBytesAttr))
      entry["symmetric_bytes"] = symmetric.getInt();
    return entry;
  }

  /// What arguments and results have in common. A value without sharding is
  /// replicated, one without global type has its local one.
  FailureOr<Object> toJSON(func::FuncOp function, std::string defaultName, Type type,
                           DictionaryAttr attributes) {
    auto get = [&](StringRef name) { return attributes ? attributes.get(name) : Attribute(); };
    if (auto name = dyn_cast_or_null<StringAttr>(get(kNameAttr)))
      defaultName = name.str();
    std::optional<int32_t> dtype = rt::getDType(getElementTypeOrSelf(type));
    if (!dtype)
      return function.emitError("the runtime has no values of type ") << type;
    SmallVector<int64_t> local, global;
    if (auto shaped = dyn_cast<ShapedType>(type))
      local.assign(shaped.getShape().begin(), shaped.getShape().end());
    global = local;
    if (auto whole = dyn_cast_or_null<TypeAttr>(get(kGlobalTypeAttr)))
      if (auto shaped = dyn_cast<ShapedType>(whole.getValue()))
        global.assign(shaped.getShape().begin(), shaped.getShape().end());
    Sharding sharding(local.size());
    if (auto attribute = dyn_cast_or_null<ShardingAttr>(get(kShardingAttr)))
      sharding = getSharding(attribute, mesh, local.size()).closed();
    if (global.size() != local.size() || sharding.localShape(global) != local)
      return function.emitError() << defaultName << ": a value of shape [" << global << "] under "
                                  << toString(sharding, mesh) << " does not have local shape ["
                                  << local << "]";
    Array partial;
    for (const PartialAxis &axis : sharding.partial) {
      Object part = ::toJSON(axis.part);
      part["kind"] = stringifyReductionKind(axis.kind);
      partial.push_back(std::move(part));
    }
    return Object{{"name", defaultName},
                  {"dtype", tprtName(*dtype)},
                  {"global_shape", ::toJSON(ArrayRef<int64_t>(global))},
                  {"local_shape", ::toJSON(ArrayRef<int64_t>(local))},
                  {"sharding", toString(sharding, mesh)},
                  {"partial", std::move(partial)},
                  {"blocks", blocksToJSON(sharding, global)}};
  }

  Array blocksToJSON(const Sharding &sharding, ArrayRef<int64_t> shape) {
    Array devices;
    for (int64_t device = 0; device < mesh.numDevices(); ++device) {
      Array dims;
      for (const ShardBlock &block : sharding.blocks(mesh, shape, device))
        dims.push_back(Array{block.offset, block.size});
      devices.push_back(std::move(dims));
    }
    return devices;
  }

  static StringRef tprtName(int32_t dtype) {
    switch (dtype) {
    case TPRT_F64:
      return "f64";
    case TPRT_F32:
      return "f32";
    case TPRT_F16:
      return "f16";
    case TPRT_BF16:
      return "bf16";
    case TPRT_I64:
      return "i64";
    case TPRT_I32:
      return "i32";
    case TPRT_I16:
      return "i16";
    case TPRT_I8:
      return "i8";
    case TPRT_I1:
      return "i1";
    default:
      return "index";
    }
  }

  ModuleOp module;
  Mesh mesh;
};

} // namespace

FailureOr<std::string> tp::buildManifest(ModuleOp module, const OperationTable &operations) {
  FailureOr<Object> root = ManifestBuilder(module).build(operations);
  if (failed(root))
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << JSON(std::move(*root));
  return text;
}

FailureOr<std::string> tp::buildManifest(ModuleOp module) {
  return buildManifest(module, OperationTable(module));
}
