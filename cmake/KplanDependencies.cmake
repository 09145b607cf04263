# The libraries that kplan builds on; docs/dependencies.md says why each one.
#
# The runtime lives in other people's processes, so what it needs is linked
# statically with hidden symbols; the tools take the same static libraries.

find_package(Threads REQUIRED)

find_path(KPLAN_YAMLCPP_INCLUDE yaml-cpp/yaml.h REQUIRED)
find_library(KPLAN_YAMLCPP_LIBRARY NAMES libyaml-cpp.a yaml-cpp REQUIRED)
add_library(kplan_yamlcpp INTERFACE)
target_include_directories(kplan_yamlcpp SYSTEM INTERFACE "${KPLAN_YAMLCPP_INCLUDE}")
target_link_libraries(kplan_yamlcpp INTERFACE "$<BUILD_INTERFACE:${KPLAN_YAMLCPP_LIBRARY}>")

find_path(KPLAN_XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(KPLAN_XXHASH_LIBRARY NAMES libxxhash.a xxhash REQUIRED)
add_library(kplan_xxhash INTERFACE)
target_include_directories(kplan_xxhash SYSTEM INTERFACE "${KPLAN_XXHASH_INCLUDE}")
target_link_libraries(kplan_xxhash INTERFACE "$<BUILD_INTERFACE:${KPLAN_XXHASH_LIBRARY}>")

find_path(KPLAN_LIBCRYPTO_INCLUDE openssl/sha.h REQUIRED)
find_library(KPLAN_LIBCRYPTO_LIBRARY NAMES libcrypto.a crypto REQUIRED)
add_library(kplan_libcrypto INTERFACE)
target_include_directories(kplan_libcrypto SYSTEM INTERFACE "${KPLAN_LIBCRYPTO_INCLUDE}")
target_link_libraries(kplan_libcrypto INTERFACE "$<BUILD_INTERFACE:${KPLAN_LIBCRYPTO_LIBRARY}>")

# Its core is in headers; only the schema's compiler is a program.
find_path(KPLAN_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
find_program(KPLAN_FLATC flatc REQUIRED)
add_library(kplan_flatbuffers INTERFACE)
target_include_directories(kplan_flatbuffers SYSTEM INTERFACE "${KPLAN_FLATBUFFERS_INCLUDE}")

if(KPLAN_BUILD_TOOLS)
  find_package(CLI11 REQUIRED)
  foreach(NAME zstd lz4)
    find_path(KPLAN_${NAME}_INCLUDE ${NAME}.h REQUIRED)
    find_library(KPLAN_${NAME}_LIBRARY NAMES lib${NAME}.a ${NAME} REQUIRED)
    add_library(kplan_${NAME} INTERFACE)
    target_include_directories(kplan_${NAME} SYSTEM INTERFACE "${KPLAN_${NAME}_INCLUDE}")
    target_link_libraries(kplan_${NAME} INTERFACE "$<BUILD_INTERFACE:${KPLAN_${NAME}_LIBRARY}>")
  endforeach()
endif()
if(KPLAN_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(KPLAN_BUILD_SCAN)
  # No version here: LLVM's package file takes an equal minor version only.
  find_package(Clang REQUIRED CONFIG
    HINTS "/usr/lib/llvm-${KPLAN_LLVM_VERSION}/lib/cmake/clang")
  if(NOT LLVM_VERSION_MAJOR EQUAL KPLAN_LLVM_VERSION)
    message(FATAL_ERROR "Found clang ${LLVM_VERSION} in ${Clang_DIR}; kplan-scan needs version ${KPLAN_LLVM_VERSION}. Set Clang_DIR or KPLAN_LLVM_VERSION.")
  endif()
endif()
