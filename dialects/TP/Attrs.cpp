//===- Attrs.cpp - Text form of shardings ----------------------------------===//

#include "dialects/TP/TP.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

#include "dialects/TP/TPEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/TP/TPAttrs.cpp.inc"

void TPDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TP/TPAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Pieces of the grammar
//===----------------------------------------------------------------------===//

/// axis := name [':(' int ')' int] ['*' granule]
static AxisAttr parseAxis(AsmParser &parser) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  int64_t pre = 1, size = 0, granule = 1;
  if (parser.parseKeyword(&name))
    return {};
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseLParen() || parser.parseInteger(pre) || parser.parseRParen() ||
        parser.parseInteger(size))
      return {};
    if (size < 1) {
      parser.emitError(loc) << "the size of a part must be at least 1, found " << size;
      return {};
    }
  }
  if (succeeded(parser.parseOptionalStar()) && parser.parseInteger(granule))
    return {};
  return AxisAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                              StringAttr::get(parser.getContext(), name), pre, size, granule);
}

static void printAxis(AsmPrinter &printer, AxisAttr axis) {
  printer << axis.getName().getValue();
  if (axis.getSize())
    printer << ":(" << axis.getPre() << ')' << axis.getSize();
  if (axis.getGranule() != 1)
    printer << '*' << axis.getGranule();
}

/// dim := '_' | '?' | axis | '(' axis {',' axis} [',' '?'] ')'
static DimShardingAttr parseDim(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalKeyword("_")))
    return DimShardingAttr::get(context, {}, false);
  if (succeeded(parser.parseOptionalQuestion()))
    return DimShardingAttr::get(context, {}, true);
  SmallVector<AxisAttr> axes;
  bool open = false;
  if (failed(parser.parseOptionalLParen())) {
    axes.push_back(parseAxis(parser));
    return axes.back() ? DimShardingAttr::get(context, axes, false) : DimShardingAttr();
  }
  do {
    if (!axes.empty() && succeeded(parser.parseOptionalQuestion())) {
      open = true;
      break;
    }
    axes.push_back(parseAxis(parser));
    if (!axes.back())
      return {};
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseRParen())
    return {};
  return DimShardingAttr::get(context, axes, open);
}

static void printDim(AsmPrinter &printer, DimShardingAttr dim) {
  if (dim.getAxes().empty()) {
    printer << (dim.getOpen() ? "?" : "_");
    return;
  }
  bool parens = dim.getAxes().size() > 1 || dim.getOpen();
  printer << (parens ? "(" : "");
  llvm::interleaveComma(dim.getAxes(), printer, [&](AxisAttr axis) { printAxis(printer, axis); });
  printer << (dim.getOpen() ? ", ?" : "") << (parens ? ")" : "");
}

/// partial := kind '(' axis {',' axis} ')'
static PartialAttr parsePartial(AsmParser &parser, StringRef keyword, SMLoc loc) {
  std::optional<ReductionKind> kind = symbolizeReductionKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "unknown kind of reduction \"" << keyword << "\"";
    return {};
  }
  SmallVector<AxisAttr> axes;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        axes.push_back(parseAxis(parser));
        return failure(!axes.back());
      }))
    return {};
  return PartialAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), *kind,
                                 axes);
}

static void printPartial(AsmPrinter &printer, PartialAttr partial) {
  printer << stringifyReductionKind(partial.getKind()) << '(';
  llvm::interleaveComma(partial.getAxes(), printer,
                        [&](AxisAttr axis) { printAxis(printer, axis); });
  printer << ')';
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult AxisAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                               int64_t pre, int64_t size, int64_t granule) {
  // Blocks are multiples of granules: products of two numbers stay in 64 bits.
  constexpr int64_t maxNumber = std::numeric_limits<int32_t>::max();
  if (granule < 1 || granule > maxNumber)
    return emitError() << "axis \"" << name.getValue() << "\": a granule must be 1 to " << maxNumber
                       << ", found " << granule;
  if (pre < 1 || size < 0 || (size == 0 && pre != 1))
    return emitError() << "axis \"" << name.getValue()
                       << "\": a part must be at least (1)1, found (" << pre << ")" << size;
  if (pre > maxNumber || size > maxNumber)
    return emitError() << "axis \"" << name.getValue()
                       << "\": the numbers of a part must be at most " << maxNumber << ", found ("
                       << pre << ")" << size;
  return success();
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  AxisAttr axis = parseAxis(parser);
  return !axis || parser.parseGreater() ? AxisAttr() : axis;
}

void AxisAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printAxis(printer, *this);
  printer << '>';
}

Attribute DimShardingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  DimShardingAttr dim = parseDim(parser);
  return !dim || parser.parseGreater() ? DimShardingAttr() : dim;
}

void DimShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printDim(printer, *this);
  printer << '>';
}

LogicalResult PartialAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                  ReductionKind kind, ArrayRef<AxisAttr> axes) {
  if (axes.empty())
    return emitError() << stringifyReductionKind(kind) << " needs at least one axis";
  return success();
}

Attribute PartialAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) || parser.parseKeyword(&keyword))
    return {};
  PartialAttr partial = parsePartial(parser, keyword, loc);
  return !partial || parser.parseGreater() ? PartialAttr() : partial;
}

void PartialAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printPartial(printer, *this);
  printer << '>';
}

LogicalResult ShardingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<DimShardingAttr> dims, ArrayRef<PartialAttr> partials) {
  SmallVector<AxisAttr> seen;
  auto add = [&](AxisAttr axis) -> LogicalResult {
    for (AxisAttr other : seen) {
      auto part = [](AxisAttr a) { return AxisPart{0, a.getPre(), a.getSize()}; };
      bool whole = !axis.getSize() || !other.getSize();
      bool overlap = whole || part(axis).overlaps(part(other));
      if (axis.getName() == other.getName() && overlap)
        return emitError() << "axis \"" << axis.getName().getValue() << "\" is used twice";
    }
    seen.push_back(axis);
    return success();
  };
  for (DimShardingAttr dim : dims)
    for (AxisAttr axis : dim.getAxes())
      if (failed(add(axis)))
        return failure();
  for (PartialAttr partial : partials)
    for (AxisAttr axis : partial.getAxes())
      if (failed(add(axis)))
        return failure();
  return success();
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimShardingAttr> dims;
  SmallVector<PartialAttr> partials;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        dims.push_back(parseDim(parser));
        return failure(!dims.back());
      }))
    return {};
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&keyword))) {
    partials.push_back(parsePartial(parser, keyword, loc));
    if (!partials.back())
      return {};
    loc = parser.getCurrentLocation();
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(start); }, parser.getContext(), dims, partials);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDims(), printer, [&](DimShardingAttr dim) { printDim(printer, dim); });
  printer << ']';
  for (PartialAttr partial : getPartials()) {
    printer << ' ';
    printPartial(printer, partial);
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Text outside of IR
//===----------------------------------------------------------------------===//

ShardingAttr tp::parseSharding(StringRef text, MLIRContext *context, std::string &error) {
  error.clear();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    if (error.empty())
      error = diag.str();
    return success();
  });
  // The attribute's own parser reads up to its '>'; nothing of the text may end it early.
  if (text.contains('<') || text.contains('>')) {
    error = "'<' and '>' have no meaning in it";
    return {};
  }
  int depth = 0;
  for (char c : text)
    if (depth >= 0)
      depth += StringRef("[(").contains(c) - StringRef("])").contains(c);
  if (depth != 0) {
    error = "a bracket has no partner";
    return {};
  }
  context->loadDialect<TPDialect>();
  Attribute attr = parseAttribute(("#tp.sharding<" + text + ">").str(), context);
  if (!attr && error.empty())
    error = "not a sharding";
  return dyn_cast_or_null<ShardingAttr>(attr);
}

ParseResult tp::parseAxisList(AsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        list.push_back(parseAxis(parser));
        return failure(!list.back());
      }))
    return failure();
  axes = ArrayAttr::get(parser.getContext(), list);
  return success();
}

void tp::printAxisList(AsmPrinter &printer, Operation *, ArrayAttr axes) {
  printer << '(';
  llvm::interleaveComma(axes.getAsRange<AxisAttr>(), printer,
                        [&](AxisAttr axis) { printAxis(printer, axis); });
  printer << ')';
}
