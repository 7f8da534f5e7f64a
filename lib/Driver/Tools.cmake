# tp-compile and tp-run.
function(tp_option_table td)
  get_filename_component(name ${td} NAME_WE)
  set(LLVM_TABLEGEN_EXE ${TP_LLVM_TOOLS_DIR}/llvm-tblgen)
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(LLVM ${name}.inc -gen-opt-parser-defs EXTRA_INCLUDES ${LLVM_INCLUDE_DIRS} ${CMAKE_CURRENT_SOURCE_DIR})
  add_public_tablegen_target(TP${name}IncGen)
endfunction()
tp_option_table(CheckOptions.td)
tp_option_table(CompileOptions.td)
tp_option_table(RunOptions.td)

tp_add_library(TPTools
  Check.cpp
  CompareCalls.cpp
  Compile.cpp
  CompileCommandLine.cpp
  CompiledExecutor.cpp
  Diagnostics.cpp
  EntryValues.cpp
  IdleAxes.cpp
  InterpretingExecutor.cpp
  MachineCode.cpp
  OptionTable.cpp
  Program.cpp
  Progress.cpp
  Reports.cpp
  Run.cpp
  RunCommandLine.cpp
  UnevenBlocks.cpp
  LINK
  TPCheck
  TPDriver
  TPExecute
  TPExplain
  TPInterpreter
  TPPipelines
  TPPlan
  TPReport
  TPSupport
  TPTarget)
# What tp-compile links into programs.
add_dependencies(TPTools tprt tprt_main)
target_include_directories(TPTools SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(TPTools TPCheckOptionsIncGen TPCompileOptionsIncGen TPRunOptionsIncGen)

# tp-fuzz.
tp_option_table(Fuzz/FuzzOptions.td)
tp_add_library(TPFuzzTool
  Fuzz/Child.cpp
  Fuzz/CommandLine.cpp
  Fuzz/Fuzz.cpp
  Fuzz/Mutants.cpp
  Fuzz/Totals.cpp
  Fuzz/Trial.cpp
  LINK
  TPFuzz
  TPTools)
target_include_directories(TPFuzzTool SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(TPFuzzTool TPFuzzOptionsIncGen)
