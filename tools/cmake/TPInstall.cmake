# What `cmake --install` puts where, as the package that find_package(tp) finds:
# libraries and the runtime in lib, headers in include, programs in bin.

include(CMakePackageConfigHelpers)
set(TP_PACKAGE_DIR lib/cmake/tp)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# tp_install(TARGETS...): libraries of the package, or programs; tp-tools builds them.
function(tp_install)
  foreach(target ${ARGN})
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY)
      add_dependencies(tp-tools ${target})
    endif()
  endforeach()
  install(TARGETS ${ARGN} EXPORT tpTargets RUNTIME DESTINATION bin ARCHIVE DESTINATION lib
          INCLUDES DESTINATION include)
endfunction()

# tp_install_package(): headers and the package's own files; after all targets.
function(tp_install_package)
  tp_install(tp_flags tprt)
  # What tp-compile links into programs or lays beside them.
  install(TARGETS tprt_main tprt_api ARCHIVE DESTINATION lib)
  install(FILES ${CMAKE_BINARY_DIR}/lib/tprt_exports.map ${CMAKE_BINARY_DIR}/lib/tprt_kernels.bc
          DESTINATION lib)
  if(TARGET tprt_mpi)
    install(TARGETS tprt_mpi LIBRARY DESTINATION lib)
  endif()
  install(DIRECTORY include/tp include/tp-c runtime/include/tprt DESTINATION include
          FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def")
  install(DIRECTORY dialects DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/dialects DESTINATION include
          FILES_MATCHING PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/include/tp DESTINATION include
          FILES_MATCHING PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
  install(EXPORT tpTargets NAMESPACE tp:: DESTINATION ${TP_PACKAGE_DIR})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/tools/cmake/tpConfig.cmake.in
    ${CMAKE_BINARY_DIR}/tpConfig.cmake INSTALL_DESTINATION ${TP_PACKAGE_DIR})
  install(FILES ${CMAKE_BINARY_DIR}/tpConfig.cmake DESTINATION ${TP_PACKAGE_DIR})
endfunction()
