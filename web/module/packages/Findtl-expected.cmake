include("${CMAKE_CURRENT_LIST_DIR}/headers.cmake")
effigy_headers(tl-expected tl::expected)
