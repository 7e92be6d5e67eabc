include("${CMAKE_CURRENT_LIST_DIR}/headers.cmake")
effigy_headers(glm glm::glm)
