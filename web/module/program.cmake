# The program for Node: `npx effigy`. It sees the files of the machine as they are, and ends as the native one does.
set_target_properties(effigy_program PROPERTIES OUTPUT_NAME effigy-program SUFFIX .js)
target_link_options(effigy_program PRIVATE
    -fwasm-exceptions -sSUPPORT_LONGJMP=wasm
    -sMODULARIZE=1 -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sINVOKE_RUN=0
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=16MB -sTOTAL_STACK=4MB
    -sEXPORTED_RUNTIME_METHODS=callMain,FS,ENV -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0)
