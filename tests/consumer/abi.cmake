# The binary interface of the C library is that of abi.txt: the functions it exports, nothing else exported, and the
# layout of its structs, as LAYOUT prints it. LIBRARY, NM and LAYOUT are given. A change that is meant is made to abi.txt
# by hand; one that is no addition raises ASSAY_ABI_VERSION as well.
execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^.* " "")
list(SORT symbols)
list(JOIN symbols "\n" symbols)
execute_process(COMMAND "${LAYOUT}" OUTPUT_VARIABLE layout COMMAND_ERROR_IS_FATAL ANY)
file(READ "${CMAKE_CURRENT_LIST_DIR}/abi.txt" expected)
if(NOT expected STREQUAL "${layout}${symbols}\n")
  message("${layout}${symbols}")
  message(FATAL_ERROR "the binary interface above is not that of tests/consumer/abi.txt")
endif()
