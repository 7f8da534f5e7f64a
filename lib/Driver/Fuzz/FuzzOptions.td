//===- FuzzOptions.td - Options of tp-fuzz --------------------*- tablegen -*-===//

include "Option.td"

defm seed : Value<"seed", "<n>", "First seed (default 1, or the next one of --resume)">;
defm count : Value<"count", "<n>", "Run that many programs, one per seed">;
defm seconds : Value<"seconds", "<n>", "End after that many seconds; with --count after whichever comes first">;
def compiled : Flag_<"compiled", "Compile the partitioned programs and run them on threads, instead of interpreting">;
defm target : Value<"target", "<target>", "With --compiled: cpu (the default) or cuda, the devices of this machine">;
def mutate : Flag_<"mutate", "Take programs and plans of --corpus, change them at random, and look for crashes">;
defm corpus : Value<"corpus", "<path>", "With --mutate: a .mlir or .json file, or a directory of them (default: test)">;
defm out : Value<"out", "<directory>", "Write failures there (default: tp-fuzz-failures)">;
defm resume : Value<"resume", "<directory>", "As --out, and go on where the last run with this directory ended; totals add up">;
defm jobs : Value<"jobs", "<n>", "Processes at work (default 1)">;
defm timeout : Value<"timeout", "<n>", "Seconds that one program may take (default 60)">;
defm shrinks : Value<"shrinks", "<n>", "Shrink so many failures of each kind (default 3), count the others">;
def unproved : Flag_<"unproved", "Print the seed of each program that is not proved, with what keeps it from being proved">;
def print : Flag_<"print", "Print the program and the plan of the first seed and run nothing">;
