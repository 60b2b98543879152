# The floors and rooms of the house. Read off #include lines: lang is below runtime, runtime below repl, and nothing looks up.
# A public header can be read with the standard library alone; the command uses the public headers and nothing else; each
# foreign library stays on the floor that needs it. Run with cmake -P; fails with one line for each broken rule.

cmake_policy(VERSION 3.25)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH top)
set(broken 0)

function(check_includes files allowed forbidden why)
  foreach(file IN LISTS files)
    file(STRINGS "${file}" includes REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS includes)
      if((allowed AND NOT line MATCHES "${allowed}") OR (forbidden AND line MATCHES "${forbidden}"))
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${top}")
        message("${file}: ${line}\n  ${why}")
        set(broken 1 PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

function(files_of result)
  set(globs "")
  foreach(room IN LISTS ARGN)
    list(APPEND globs "${top}/${room}/*.cpp" "${top}/${room}/*.hpp" "${top}/${room}/*.h" "${top}/${room}/*.def")
  endforeach()
  file(GLOB_RECURSE files ${globs})
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

files_of(lang lang)
files_of(runtime runtime)
files_of(repl repl)
files_of(library lang runtime)
files_of(public lang/include runtime/include runtime/files/include runtime/c/include)
files_of(all lang runtime repl)

check_includes("${all}" "" "\"\\.\\.?/" "includes are written from the top of the tree")
check_includes("${lang}" "" "[\"<](runtime|repl|tests)/" "lang is the lowest floor")
check_includes("${runtime}" "" "[\"<](repl|tests)/" "runtime never includes the command")
check_includes("${repl}" "" "[\"<](lang|runtime|stdlib|tests)/" "the command uses the public headers only, as any host does")
check_includes("${repl}" "" "<(fmt|simdjson|tao|boost|lua)" "the command uses what the library offers, not what it is made with")
file(GLOB_RECURSE others "${top}/repl/*.cpp" "${top}/repl/*.hpp")
list(FILTER others EXCLUDE REGEX "/repl/prompt/")
check_includes("${others}" "" "<(histedit|editline)" "the line editor's library is known to repl/prompt alone")
check_includes("${public}" "<(assay/[a-z_]+\\.h(pp)?|[a-z_]+(\\.h)?)>" ""
  "a public header includes public headers and the standard library")
check_includes("${runtime}" "" "<(tao/|utf8proc)" "PEGTL belongs to the parser, utf8proc to the room of texts")
check_includes("${lang}" "" "<(lua|simdjson|nlohmann)" "lang is pure: text to program")
check_includes("${library}" "" "<(CLI|histedit|editline|nlohmann|catch2|iostream)" "the library neither reads nor prints")
files_of(unpacking runtime/files)
list(REMOVE_ITEM library ${unpacking})
check_includes("${library}" "" "<(zlib|zstd|assay/(files|verdicts))" "compressed files are for the library assay-files, beside this one")

# The rooms of the library, lowest first: each may include itself and what stands before it.
set(rooms
  lang/text
  lang/number
  lang/value
  lang/syntax
  lang/parse
  lang/format
  lang/model
  lang/proof/known
  lang/proof
  lang/check/words
  lang/check/state
  lang/check/sense
  lang/check/sense/said
  lang/check/expr
  lang/check/doubts
  lang/check/rubric
  lang/check
  lang/mend/foreign
  lang/mend/types
  lang/mend
  lang/mend/words
  lang/mend/statements
  lang/mend/tables
  lang/mend/blocks
  lang/names
  lang/bytecode
  lang/kernel
  runtime/json
  runtime/input
  runtime/registers
  runtime/output
  runtime/vm
  runtime/library
  runtime/hooks/lua
  runtime/hooks
  runtime/kernel
  runtime/jit
  runtime/dispatch
  runtime/rubric
  runtime/cohort
  runtime/engine
  runtime/mend
  runtime/explain
  runtime/service
  runtime/authoring
  runtime/columns
  runtime/npy
  runtime/boxes
  runtime/reach
  runtime/analysis
  runtime/stream
  runtime/files
  runtime/arrow
  runtime/c)
set(above ${rooms})
foreach(room IN LISTS rooms)
  list(POP_FRONT above)
  file(GLOB files "${top}/${room}/*.cpp" "${top}/${room}/*.hpp" "${top}/${room}/*.def")
  if(NOT files)
    message("${room}: there is no such room")
    set(broken 1)
  endif()
  if(above)
    list(JOIN above "|" higher)
    check_includes("${files}" "" "\"(${higher})/[^/]*\"" "${room} is below that room")
  endif()
endforeach()
# No file of the library lies outside of a room.
foreach(file IN LISTS library)
  cmake_path(GET file PARENT_PATH room)
  cmake_path(RELATIVE_PATH room BASE_DIRECTORY "${top}")
  if(NOT room IN_LIST rooms AND NOT room MATCHES "/include/assay$")
    message("${room}: a room that is missing in the list of tests/floors.cmake")
    set(broken 1)
  endif()
endforeach()

# Each room, those of the command too, is small and says of itself what a stranger needs: its README has at most fifteen
# lines, and the files that it names exist. docs/architecture.md lists the rooms, in this order.
file(GLOB repl_rooms LIST_DIRECTORIES true "${top}/repl/*")
foreach(room IN LISTS rooms repl_rooms ITEMS repl)
  cmake_path(ABSOLUTE_PATH room BASE_DIRECTORY "${top}" OUTPUT_VARIABLE folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${top}" OUTPUT_VARIABLE room)
  if(NOT IS_DIRECTORY "${folder}")
    continue()
  endif()
  file(GLOB files "${folder}/*.cpp" "${folder}/*.hpp")
  list(LENGTH files count)
  if(count GREATER 20)
    message("${room}: ${count} sources and headers; a room has at most twenty, so divide it by subject")
    set(broken 1)
  endif()
  if(NOT EXISTS "${folder}/README.md")
    message("${room}: no README.md")
    set(broken 1)
    continue()
  endif()
  file(READ "${folder}/README.md" readme)
  if(NOT readme MATCHES "^# ")
    message("${room}/README.md: it begins with no heading")
    set(broken 1)
  endif()
  string(REGEX MATCHALL "\n" ends "${readme}")
  list(LENGTH ends count)
  if(count GREATER 15)
    message("${room}/README.md: ${count} lines; fifteen are enough")
    set(broken 1)
  endif()
  string(REGEX MATCHALL "`<?[a-z_/]+\\.(cpp|hpp|h|def|cmake)>?`" named "${readme}")
  foreach(name IN LISTS named)
    string(REGEX REPLACE "[`<>]" "" name "${name}")
    file(GLOB found "${folder}/${name}" "${top}/${name}" "${top}/*/include/${name}" "${top}/*/*/include/${name}")
    if(NOT found)
      message("${room}/README.md: ${name}: no such file")
      set(broken 1)
    endif()
  endforeach()
endforeach()
file(STRINGS "${top}/docs/architecture.md" listed REGEX "^\\| `(lang|runtime)/")
list(TRANSFORM listed REPLACE "^\\| `([^`]*)`.*" "\\1")
if(NOT listed STREQUAL rooms)
  message("docs/architecture.md: its rooms are not those of tests/floors.cmake, in this order:\n  ${listed}\n  ${rooms}")
  set(broken 1)
endif()

# Headers stay under 350 lines, sources under 700: longer files are divided by subject.
foreach(file IN LISTS all)
  file(READ "${file}" text)
  string(LENGTH "${text}" size)
  string(REPLACE "\n" "" text "${text}")
  string(LENGTH "${text}" count)
  math(EXPR count "${size} - ${count}")
  if((file MATCHES "\\.h(pp)?$" AND count GREATER 350) OR count GREATER 700)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${top}")
    message("${file}: ${count} lines")
    set(broken 1)
  endif()
endforeach()

# The top of the tree holds what the README names and nothing besides, such as a rubric from somebody's experiment. Asked
# of git, since a tree that is worked in may hold such files; an archive without git is not asked.
find_program(git git)
if(git AND EXISTS "${top}/.git")
  execute_process(COMMAND "${git}" -C "${top}" ls-tree --name-only HEAD OUTPUT_VARIABLE entries ERROR_QUIET)
  string(REPLACE "\n" ";" entries "${entries}")
  set(known lang runtime stdlib rubrics repl tests docs bindings editors CMakeLists.txt CMakePresets.json README.md
      CONTRIBUTING.md CHANGELOG.md LICENSE pyproject.toml)
  foreach(entry IN LISTS entries)
    if(NOT entry MATCHES "^(\\..*)?$" AND NOT entry IN_LIST known)
      message("${entry}: has no place at the top of the tree (tests/floors.cmake)")
      set(broken 1)
    endif()
  endforeach()
endif()

# Public headers of the upper floor are out of reach for the lower one, too.
file(GLOB upper "${top}/runtime/include/assay/*" "${top}/runtime/files/include/assay/*" "${top}/runtime/c/include/assay/*")
foreach(header IN LISTS upper)
  string(REGEX REPLACE ".*/include/" "" header "${header}")
  string(REPLACE "." "\\." pattern "${header}")
  check_includes("${lang}" "" "<${pattern}>" "lang is the lowest floor, and <${header}> belongs to runtime")
endforeach()

# A type of a header has a name of its own: of two definitions, one program would take either.
file(GLOB_RECURSE headers "${top}/lang/*.hpp" "${top}/runtime/*.hpp" "${top}/repl/*.hpp")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "^(namespace [a-z:]+ {|(struct|class|enum class) [A-Za-z0-9]+( final)?( : [^:].*)? {)")
  set(space "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^(namespace|struct|class|enum class) ([A-Za-z0-9:]+)" line "${line}")
    set(name "${CMAKE_MATCH_2}")
    if(CMAKE_MATCH_1 STREQUAL "namespace")
      set(space "${name}")
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "defined_${space}_${name}" defined)
    if(DEFINED ${defined})
      message("${header}: ${space}::${name} is defined in ${${defined}} as well")
      set(broken 1)
    endif()
    set(${defined} "${header}")
  endforeach()
endforeach()

if(broken)
  message(FATAL_ERROR "a rule of the house is broken: see above")
endif()
