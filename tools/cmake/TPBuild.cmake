# How tp is built: MLIR and LLVM as shared libraries, lld, ccache where it is
# installed, one precompiled header for everything that includes MLIR.

find_package(MLIR REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(TPInstall)

set(TP_SANITIZE "" CACHE STRING "Sanitizers for the compiler, e.g. address,undefined")
set(TP_LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_PCH_EXTSUM=1 ${CCACHE_PROGRAM})
endif()

add_link_options(-fuse-ld=lld)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-B${TP_LLVM_TOOLS_DIR})
endif()

# Flags of every target that uses MLIR. Own code keeps its assertions.
add_library(tp_flags INTERFACE)
target_compile_options(tp_flags INTERFACE
  "$<BUILD_INTERFACE:-Wall;-Wextra;-Werror;-fno-exceptions;-UNDEBUG>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(tp_flags INTERFACE "$<BUILD_INTERFACE:SHELL:-Xclang -fno-pch-timestamp>")
endif()
if(TP_SANITIZE)
  # bool: statistics of passes, whose constructor the release library leaves empty.
  target_compile_options(tp_flags INTERFACE -fsanitize=${TP_SANITIZE} -fno-sanitize=vptr,bool -fno-omit-frame-pointer)
  target_link_options(tp_flags INTERFACE -fsanitize=${TP_SANITIZE} -fno-sanitize=vptr)
endif()
# Generated code lies in the build tree; its warnings are not ours.
foreach(directory ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS} ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/include)
  target_include_directories(tp_flags SYSTEM INTERFACE $<BUILD_INTERFACE:${directory}>)
endforeach()
target_include_directories(tp_flags INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
separate_arguments(TP_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
list(TRANSFORM TP_LLVM_DEFINITIONS REPLACE "^-D" "")
target_compile_definitions(tp_flags INTERFACE "$<BUILD_INTERFACE:${TP_LLVM_DEFINITIONS}>")
target_link_libraries(tp_flags INTERFACE MLIR LLVM)

file(WRITE ${CMAKE_BINARY_DIR}/tp_pch.cpp.in "namespace tp_pch { int anchor; }\n")
configure_file(${CMAKE_BINARY_DIR}/tp_pch.cpp.in ${CMAKE_BINARY_DIR}/tp_pch.cpp COPYONLY)
add_library(tp_pch OBJECT ${CMAKE_BINARY_DIR}/tp_pch.cpp)
target_link_libraries(tp_pch PUBLIC tp_flags)
target_precompile_headers(tp_pch PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_SOURCE_DIR}/include/tp/Support/Precompiled.h>")

# All generated headers; every library waits for them.
add_custom_target(tp-headers)

# tp_add_library(NAME sources... LINK libraries...): a static library that uses MLIR,
# in the package as tp::NAME.
function(tp_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tp_flags ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM tp_pch)
  add_dependencies(${name} tp-headers)
  tp_install(${name})
endfunction()

# tp_add_tool(NAME sources... LINK libraries...): a program in build/bin.
function(tp_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE tp_flags ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM tp_pch)
  add_dependencies(${name} tp-headers)
endfunction()

# tp_tablegen(FILE.td NAME -gen-x FILE.inc ...): generated code of one .td file,
# beside where the sources are, in the build tree.
function(tp_tablegen td target)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(outputs ${ARGN})
  while(outputs)
    list(POP_FRONT outputs out)
    set(flags)
    while(outputs)
      list(GET outputs 0 next)
      if(NOT next MATCHES "^-")
        break()
      endif()
      list(POP_FRONT outputs next)
      list(APPEND flags ${next})
    endwhile()
    mlir_tablegen(${out} ${flags} EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS} ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
  endwhile()
  add_public_tablegen_target(${target})
  add_dependencies(tp-headers ${target})
endfunction()
