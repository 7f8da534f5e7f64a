//===- CommonOptions.td - Options of the compiling tools ------*- tablegen -*-===//

#ifndef TP_DRIVER_COMMONOPTIONS
#define TP_DRIVER_COMMONOPTIONS

include "Option.td"

defm plan : Value<"plan", "<plan>", "Path of a plan (JSON), or replicated, megatron or megatron-sp">;
defm mesh : Value<"mesh", "<mesh>", "Axes with sizes, tp=3 or dp=2,tp=4: over those of the plan, or instead of them">;
defm shape : Value<"shape", "<name>=<sizes>", "Sizes of an argument with dynamic dimensions, by name or ENTRY.argN: x=7x8, ? for one that keeps what its type says">;
defm reduce_dtype : Value<"reduce-dtype", "<type>", "Round to bf16, f16 or f32 before sums over ranks that are rounded to it anyway: fewer bytes, less exact">;
def no_check : Flag_<"no-check", "Do not prove that the partitioned program computes what the source does">;
def strict : Flag_<"strict", "Uneven blocks and every fallback are errors">;
def explain : Flag_<"explain", "List the collectives with their costs and reasons">;
def explain_EQ : Joined<["--"], "explain=">, MetaVarName<"<file>|value:<name>">,
  HelpText<"The list as JSON, or why a value has its sharding">;

#endif // TP_DRIVER_COMMONOPTIONS
