# SPDX-License-Identifier: MIT
# Writes the definition of kSourceCommit (ui/commit.h).
#   SOURCE  top of the source tree      OUT  file to write
# A clone asks git; in a source tarball git has filled in ui/commit.txt (.gitattributes).
file(STRINGS ${SOURCE}/ui/commit.txt commit LIMIT_COUNT 1)
if(NOT commit MATCHES "^[0-9a-f]+$")
  set(commit "")
  if(EXISTS ${SOURCE}/.git)
    execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(WRITE ${OUT} "#include \"ui/commit.h\"\n\nconst char* const fos::kSourceCommit = \"${commit}\";\n")
