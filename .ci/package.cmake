# SPDX-License-Identifier: MIT
# The Debian package: what is installed beside the program, and how CPack wraps it. `.ci/release` builds
# it from a clean tree.
set(FOS_MAINTAINER "Fall of Shot maintainers <maintainers@fallofshot.example>" CACHE STRING
  "Who answers for the package: NAME <ADDRESS>")

# The pages keep their places to each other, so that their links lead somewhere.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES .ci/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Debian's own changelog: the lines of this release in CHANGELOG.md.
file(READ CHANGELOG.md changes)
string(REGEX REPLACE "^.*\n## ${PROJECT_VERSION} - [0-9-]+\n+" "" changes "${changes}")
string(REGEX REPLACE "\n+## .*$" "\n" changes "${changes}")
string(STRIP "${changes}" changes)
string(REGEX REPLACE "(^|\n)- " "\\1* " changes "${changes}")
string(REPLACE "\n" "\n  " changes "${changes}")
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -R -d ${FOS_RELEASE_DATE}
  OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${PROJECT_BINARY_DIR}/changelog "fallofshot (${PROJECT_VERSION}) unstable; urgency=medium

  ${changes}

 -- ${FOS_MAINTAINER}  ${day}
")
execute_process(COMMAND gzip -9nkf ${PROJECT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

add_custom_target(release COMMAND ${PROJECT_SOURCE_DIR}/.ci/release ${PROJECT_BINARY_DIR}/release
  USES_TERMINAL VERBATIM)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fallofshot)
set(CPACK_PACKAGE_CONTACT "${FOS_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The window's letters. Without OpenGL all but the window works, without a player all but its sounds.
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pulseaudio-utils | alsa-utils")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "camera referee for miniature wargames")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A camera hangs over the table. When a thrown cotton swab or plasticine
shell has come to rest, Fall of Shot says what was fired, where it lies,
how sure that is and which stands it hit, and shows a picture of why.

It plays, referees and logs Napoleonic, Ancient, Colonial and Close Fire
games, with a camera or without one, and writes battle reports.")
include(CPack)
