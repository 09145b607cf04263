# kplan_add_unit_test(NAME SOURCES... LIBRARIES...): one GoogleTest program per
# library; its sources stand beside the code as <File>Test.cpp.
function(kplan_add_unit_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE kplan_build GTest::gtest_main GTest::gmock ${ARG_LIBRARIES})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests")
  add_test(NAME ${NAME} COMMAND ${NAME})
  set_property(GLOBAL APPEND PROPERTY KPLAN_UNIT_TESTS ${NAME})
endfunction()
