# Installs the build tree BUILD into a folder of its own, then builds and runs the host of this directory against it:
# once through find_package, once through pkg-config. The installed command is run, too.

set(stage "${BUILD}/consumer/stage")
set(host "${BUILD}/consumer/host")
file(REMOVE_RECURSE "${stage}" "${host}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${stage}")
set(rubric "${stage}/share/assay/rubrics/judge/judge.rubric")

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${host}" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
  "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_C_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${stage}")
run("${CMAKE_COMMAND}" --build "${host}" --config "${CONFIG}")
run("${host}/host" "${rubric}")
run("${host}/host-c" "${rubric}")

set(ENV{PKG_CONFIG_PATH} "${stage}/${LIBDIR}/pkgconfig")
execute_process(COMMAND pkg-config --cflags --libs assay
  OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(package UNIX_COMMAND "${package}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run("${COMPILER}" ${flags} "${CMAKE_CURRENT_LIST_DIR}/host.cpp" ${package} -pthread -o "${host}/host-pc")
set(ENV{LD_LIBRARY_PATH} "${stage}/${LIBDIR}")
run("${host}/host-pc" "${rubric}")

execute_process(COMMAND pkg-config --cflags --libs assay-c
  OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(package UNIX_COMMAND "${package}")
run("${C_COMPILER}" -std=c99 ${flags} ${package} -c "${CMAKE_CURRENT_LIST_DIR}/host.c" -o "${host}/host-c.o")
run("${COMPILER}" ${flags} "${host}/host-c.o" ${package} -o "${host}/host-c-pc")  # brings the sanitizers of C++
run("${host}/host-c-pc" "${rubric}")

run("${stage}/bin/assay" --version)
