//===- CheckOptions.td - Options of tp-check ------------------*- tablegen -*-===//

include "llvm/Option/OptParser.td"

def help : Flag<["--"], "help">, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def verbose : Flag<["--"], "verbose">, HelpText<"Print a line for each result">;
def reduce_dtype : Separate<["--"], "reduce-dtype">, MetaVarName<"<type>">, HelpText<"Sums over ranks may be of parts rounded to bf16, f16 or f32, as the program was compiled with">;
def reduce_dtype_EQ : Joined<["--"], "reduce-dtype=">, Alias<reduce_dtype>;
