//===- Ops.cpp - Ops of the tp dialect -------------------------------------===//

#include "dialects/TP/TP.h"

using namespace mlir;
using namespace mlir::tp;

/// `<"dp"=2, "tp"=4>`
static ParseResult parseMeshAxes(OpAsmParser &parser, ArrayAttr &names, DenseI64ArrayAttr &sizes) {
  SmallVector<Attribute> nameList;
  SmallVector<int64_t> sizeList;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        std::string name;
        int64_t size;
        if (parser.parseString(&name) || parser.parseEqual() || parser.parseInteger(size))
          return failure();
        nameList.push_back(StringAttr::get(parser.getContext(), name));
        sizeList.push_back(size);
        return success();
      }))
    return failure();
  names = ArrayAttr::get(parser.getContext(), nameList);
  sizes = DenseI64ArrayAttr::get(parser.getContext(), sizeList);
  return success();
}

static void printMeshAxes(OpAsmPrinter &printer, MeshOp, ArrayAttr names, DenseI64ArrayAttr sizes) {
  printer << '<';
  llvm::interleaveComma(llvm::zip(names, sizes.asArrayRef()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << '=' << std::get<1>(pair);
  });
  printer << '>';
}

LogicalResult MeshOp::verify() {
  ArrayRef<int64_t> sizes = getAxisSizes();
  if (sizes.size() != getAxisNames().size())
    return emitOpError("has ") << getAxisNames().size() << " axis names and " << sizes.size()
                               << " sizes";
  llvm::SmallDenseSet<Attribute> seen;
  int64_t devices = 1;
  for (auto [name, size] : llvm::zip(getAxisNames(), sizes)) {
    StringRef text = cast<StringAttr>(name).getValue();
    bool identifier = !text.empty() && !llvm::isDigit(text.front()) && text != "_" &&
                      llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!identifier)
      return emitOpError("axis name ") << name << " is not an identifier";
    if (!seen.insert(name).second)
      return emitOpError("axis ") << name << " appears twice";
    if (size < 1)
      return emitOpError("axis ") << name << " must have a size of at least 1, found " << size;
    if (size > 4096 / devices)
      return emitOpError("has more than 4096 devices: ") << devices << " times " << size;
    devices *= size;
  }
  if (auto module = dyn_cast_or_null<ModuleOp>((*this)->getParentOp()))
    for (Operation &other : module.getBody()->getOperations()) {
      if (&other == getOperation())
        break;
      if (isa<MeshOp>(other))
        return emitOpError("is the second mesh of the module").attachNote(other.getLoc())
               << "the first is here";
    }
  return success();
}

static LogicalResult verifyFits(Operation *op, ShardingAttr sharding, Type type, StringRef what) {
  MeshOp mesh = lookupMesh(op);
  if (!mesh)
    return op->emitOpError("needs a tp.mesh in the module");
  return success(
      succeeded(getSharding(sharding, getMesh(mesh), cast<RankedTensorType>(type).getRank(),
                            [&] { return op->emitOpError() << what << ": "; })));
}

LogicalResult ConstraintOp::verify() {
  return verifyFits(*this, getSharding(), getType(), "sharding");
}

LogicalResult ReshardOp::verify() {
  if (failed(verifyFits(*this, getFrom(), getType(), "from")))
    return failure();
  return verifyFits(*this, getTo(), getType(), "to");
}

OpFoldResult ReshardOp::fold(FoldAdaptor) {
  return getFrom() == getTo() ? OpFoldResult(getInput()) : OpFoldResult();
}

WindowMap WindowOp::getMap() {
  int64_t rows = cast<RankedTensorType>(getInput().getType()).getDimSize(getDim());
  return WindowMap(rows, getStarts(), getSizes(), getStride(), getRepeat());
}

LogicalResult WindowOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (getDim() >= static_cast<uint64_t>(input.getRank()))
    return emitOpError("dim ") << getDim() << " is no dimension of " << input;
  if (static_cast<int64_t>(getStride()) < 1)
    return emitOpError("stride must be at least 1, found ") << static_cast<int64_t>(getStride());
  if (static_cast<int64_t>(getRepeat()) < 1)
    return emitOpError("repeat must be at least 1, found ") << static_cast<int64_t>(getRepeat());
  if (getRepeat() != 1 && getStride() != 1)
    return emitOpError("repeats rows and has a stride of ") << static_cast<int64_t>(getStride());
  if (getStarts().size() != getSizes().size())
    return emitOpError("has ") << getStarts().size() << " starts and " << getSizes().size()
                               << " sizes";
  int64_t rows = 0;
  for (int64_t size : getSizes()) {
    if (size < 0)
      return emitOpError("has a piece of ") << size << " rows";
    rows += size;
  }
  SmallVector<int64_t> shape(input.getShape());
  shape[getDim()] = rows;
  if (result.getShape() != ArrayRef(shape) || result.getElementType() != input.getElementType())
    return emitOpError("result must be ")
           << RankedTensorType::get(shape, input.getElementType()) << ", found " << result;
  if (TypedAttr fill = getFillAttr(); fill && fill.getType() != input.getElementType())
    return emitOpError("fill must be of type ")
           << input.getElementType() << ", found " << fill.getType();
  return success();
}

#define GET_OP_CLASSES
#include "dialects/TP/TPOps.cpp.inc"
