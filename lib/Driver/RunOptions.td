//===- RunOptions.td - Options of tp-run ----------------------*- tablegen -*-===//

include "CommonOptions.td"

defm entry : Value<"entry", "<name>", "Function to run (default: the only public one)">;
defm input : Value<"input", "<k>=<value>", "Input by position or name: a .npy file, or a number for a scalar; others are random">;
defm weights : Value<"weights", "<directory>", "Checkpoint to read parameters from; without it they are random">;
defm output : Value<"output", "<directory>", "Write results as resultN.npy and states as stateN.npy">;
defm target : Value<"target", "<target>", "What to run on: cpu (the default) or cuda, the devices of this machine; --compare then compares with the CPU">;
defm autotune : Value<"autotune", "<file>", "With --target cuda: take the fastest algorithm of each matrix product from this file, and measure and add those that it lacks">;
def compare : Flag_<"compare", "Run the unsharded program too and compare">;
defm calls : Value<"calls", "<n>", "Call the entry that often, with its state kept">;
defm repeat : Value<"repeat", "<n>", "Repeat all calls that often, from the beginning; all must agree">;
defm jitter : Value<"jitter", "<seed>", "Delay ranks at random before each collective">;
defm virtual_ranks : Value<"virtual-ranks", "<n>", "Put all ranks, which must be that many, on one GPU (with --target cuda)">;
def poison : Flag_<"poison", "Fill fresh memory and padding of undefined content with NaN">;
def interpret : Flag_<"interpret", "Use the reference interpreter instead of compiled code; slow">;
def check_collectives : Flag_<"check-collectives", "Compare the ranks before each collective">;
