//===- CompileOptions.td - Options of tp-compile --------------*- tablegen -*-===//

include "CommonOptions.td"

def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">, HelpText<"Output file; - is standard output, the default for a module">;
defm emit : Value<"emit", "<phase>", "Stop after a phase: plan, reshard, partition, comm, rt, llvm or obj">;
defm target : Value<"target", "<target>", "What to compile for: cpu">;
defm cpu : Value<"cpu", "<name>", "Processor, native (the default) or a name that LLVM knows">;
defm write_plan : Value<"write-plan", "<file>", "Write the shardings of all named values as a plan">;
