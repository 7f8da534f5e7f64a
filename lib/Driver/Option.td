//===- Option.td - How options of our tools look --------------*- tablegen -*-===//

#ifndef TP_DRIVER_OPTION
#define TP_DRIVER_OPTION

include "llvm/Option/OptParser.td"

class Flag_<string name, string help> : Flag<["--"], name>, HelpText<help>;

// `--name VALUE` and `--name=VALUE`.
multiclass Value<string name, string meta, string help> {
  def "" : Separate<["--"], name>, HelpText<help>, MetaVarName<meta>;
  def _EQ : Joined<["--"], name # "=">, Alias<!cast<Option>(NAME)>;
}

def help : Flag_<"help", "Print this text">;
def h : Flag<["-"], "h">, Alias<help>;

#endif // TP_DRIVER_OPTION
