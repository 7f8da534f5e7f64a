//===- CompileOptions.td - Options of tp-compile --------------*- tablegen -*-===//

include "CommonOptions.td"

def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">, HelpText<"Output file; -, the default, is standard output">;
defm emit : Value<"emit", "<phase>", "Stop after a phase: plan, reshard, partition or comm">;
defm write_plan : Value<"write-plan", "<file>", "Write the shardings of all named values as a plan">;
