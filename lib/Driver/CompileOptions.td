//===- CompileOptions.td - Options of tp-compile --------------*- tablegen -*-===//

include "CommonOptions.td"

def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">, HelpText<"Output file; - is standard output, the default for a module">;
defm emit : Value<"emit", "<phase>", "Stop after a phase: plan, reshard, partition, comm, rt, llvm, device or obj">;
defm target : Value<"target", "<target>", "What to compile for: cpu (the default), or cuda with a list of sm_NN (machine code), ptx_NN (text that newer devices take too) and emulated, by default cuda:sm_80,sm_90,ptx_90">;
def tf32 : Flag_<"tf32", "With --target cuda: products of f32 round their factors to tf32, which has 11 significant bits; faster, less exact">;
defm cpu : Value<"cpu", "<name>", "Processor, native (the default) or a name that LLVM knows">;
def shared : Flag_<"shared", "Write a shared object with a C interface (tprt/api.h) instead of a program">;
defm write_plan : Value<"write-plan", "<file>", "Write the shardings of all named values as a plan">;
def report : Flag_<"report", "Print what the plan takes of memory and communication; without -o and --emit, nothing else. A second --plan or --mesh is put beside it">;
def report_EQ : Joined<["--"], "report=">, MetaVarName<"<file.html>|<file.json>">,
  HelpText<"The report as a page with pictures, or as JSON">;
defm memory : Value<"memory", "<size>", "What a rank may take, as 24GiB or 800MB, by default its share of this machine's memory, and no limit for GPUs; --strict makes more an error">;
