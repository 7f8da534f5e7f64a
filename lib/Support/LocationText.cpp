//===- LocationText.cpp - Locations as people write them -------------------===//

#include "tp/Support/LocationText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

std::string tp::toOneLine(StringRef text) {
  std::string line;
  for (char c : llvm::json::fixUTF8(text)) {
    if (llvm::isASCII(c) && !llvm::isPrint(c))
      line += "\\x" + llvm::toHex(StringRef(&c, 1));
    else
      line += c;
  }
  return line;
}

std::string tp::getLocationText(Location loc) {
  return llvm::TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](FileLineColRange range) {
        // A module that the text does not spell has no line.
        if (range.getStartLine() == 0)
          return toOneLine(range.getFilename().getValue());
        return toOneLine((range.getFilename().getValue() + ":" + Twine(range.getStartLine()) + ":" +
                          Twine(range.getStartColumn()))
                             .str());
      })
      .Case([](NameLoc name) { return toOneLine(name.getName()); })
      .Case([](CallSiteLoc site) { return getLocationText(site.getCallee()); })
      .Case([](OpaqueLoc opaque) { return getLocationText(opaque.getFallbackLocation()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (std::string text = getLocationText(part); !text.empty())
            return text;
        return std::string();
      })
      .Default([](LocationAttr) { return std::string(); });
}
