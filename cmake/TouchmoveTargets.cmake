# How every library, program and test of the project is declared.
# SPDX-License-Identifier: Apache-2.0

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Assertions stand for our own bugs: they stay on in every build of the project.
foreach(config RELEASE RELWITHDEBINFO)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_${config} "${CMAKE_CXX_FLAGS_${config}}")
  string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${config} "${CMAKE_C_FLAGS_${config}}")
endforeach()

find_package(Threads REQUIRED)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(touchmove_options INTERFACE)
target_include_directories(touchmove_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(touchmove_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
if(TOUCHMOVE_SANITIZE)
  list(JOIN TOUCHMOVE_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()

if(TOUCHMOVE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage of everything that a target reaches
endif()

# touchmove_library(<name> SOURCES ... LINK ...): static library touchmove_<name>, alias
# touchmove::<name>. Without sources it is header-only.
function(touchmove_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(arg_SOURCES)
    add_library(touchmove_${name} STATIC ${arg_SOURCES})
    target_link_libraries(touchmove_${name} PUBLIC ${arg_LINK} PRIVATE touchmove_options)
    target_include_directories(touchmove_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  else()
    add_library(touchmove_${name} INTERFACE)
    target_link_libraries(touchmove_${name} INTERFACE ${arg_LINK})
    target_include_directories(touchmove_${name} INTERFACE "${PROJECT_SOURCE_DIR}")
  endif()
  add_library(touchmove::${name} ALIAS touchmove_${name})
endfunction()

# touchmove_test(<name> SOURCES ... LINK ... [LABELS ...]): Catch2 program test_<name>, its cases
# known to ctest as "<name>: <case>".
function(touchmove_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE touchmove_catch_main ${arg_LINK} touchmove_options)
  target_compile_definitions(test_${name} PRIVATE TOUCHMOVE_DATA="${TOUCHMOVE_DATA}")
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " PROPERTIES LABELS "${name};${arg_LABELS}")
endfunction()

# touchmove_fuzzer(<name> SOURCE ... CORPUS <dir> LINK ...): libFuzzer program fuzz_<name>, and a
# ten-second run of it over its seeds.
function(touchmove_fuzzer name)
  cmake_parse_arguments(arg "" "SOURCE;CORPUS" "LINK" ${ARGN})
  if(NOT TOUCHMOVE_FUZZ)
    return()
  endif()
  add_executable(fuzz_${name} ${arg_SOURCE})
  target_link_libraries(fuzz_${name} PRIVATE ${arg_LINK} touchmove_options)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set(found "${CMAKE_CURRENT_BINARY_DIR}/corpus_${name}")
  file(MAKE_DIRECTORY "${found}")
  add_test(NAME "fuzz: ${name}" COMMAND fuzz_${name} -max_total_time=10 -timeout=5 -rss_limit_mb=2048
           "${found}" "${arg_CORPUS}")
  set_tests_properties("fuzz: ${name}" PROPERTIES LABELS fuzz)
endfunction()
