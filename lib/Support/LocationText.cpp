//===- LocationText.cpp - Locations as people write them -------------------===//

#include "tp/Support/LocationText.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

std::string tp::getLocationText(Location loc) {
  return llvm::TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](FileLineColRange range) {
        return (range.getFilename().getValue() + ":" + Twine(range.getStartLine()) + ":" +
                Twine(range.getStartColumn()))
            .str();
      })
      .Case([](NameLoc name) { return name.getName().str(); })
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
