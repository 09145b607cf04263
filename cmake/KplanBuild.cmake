# Language level, warnings and sanitizers, for every target of this project.

add_library(kplan_build INTERFACE)
target_compile_features(kplan_build INTERFACE cxx_std_20 c_std_11)
target_include_directories(kplan_build INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>"
  "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>")
target_compile_definitions(kplan_build INTERFACE
  "KPLAN_VERSION=\"${PROJECT_VERSION}\"")
target_compile_options(kplan_build INTERFACE
  "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra>"
  "$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${KPLAN_WERROR}>>:-Werror>")

# Everything may end up in the runtime, a shared library with hidden symbols.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(KPLAN_SANITIZE "" CACHE STRING "Value of -fsanitize= for all targets, for example address,undefined")
if(KPLAN_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${KPLAN_SANITIZE};-fno-omit-frame-pointer>")
  add_link_options("$<$<LINK_LANGUAGE:C,CXX>:-fsanitize=${KPLAN_SANITIZE}>")
  # With a sanitizer's checks in the code g++ 12 warns of std::regex itself.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
endif()
