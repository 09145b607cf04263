# kplan_add_manuals(TARGET): what the program itself writes of its command line,
# its manual page and the completions of shells, made when it is built and
# installed where each looks for them.
function(kplan_add_manuals TARGET)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(FOLDER "${PROJECT_BINARY_DIR}/share")
  set(PLACES "man:man/man1/${TARGET}.1"
             "bash:bash-completion/completions/${TARGET}"
             "zsh:zsh/site-functions/_${TARGET}"
             "fish:fish/vendor_completions.d/${TARGET}.fish")
  set(FILES "")
  foreach(PLACE IN LISTS PLACES)
    string(REGEX MATCH "^([a-z]+):(.+)/([^/]+)$" _ "${PLACE}")
    set(KIND "${CMAKE_MATCH_1}")
    set(INTO "${CMAKE_MATCH_2}")
    set(FILE "${FOLDER}/${INTO}/${CMAKE_MATCH_3}")
    file(MAKE_DIRECTORY "${FOLDER}/${INTO}")
    add_custom_command(OUTPUT "${FILE}"
      COMMAND ${TARGET} --generate=${KIND} > "${FILE}"
      DEPENDS ${TARGET} VERBATIM)
    list(APPEND FILES "${FILE}")
    install(FILES "${FILE}" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/${INTO}")
  endforeach()
  add_custom_target(${TARGET}_manuals ALL DEPENDS ${FILES})
endfunction()
