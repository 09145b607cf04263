# The CUDA toolkit, found as CMake finds it: CUDAToolkit_ROOT, CUDA_HOME, nvcc
# on PATH, /usr/local/cuda. Without one, NVIDIA's wheels from PyPI (headers,
# nvcc, nvJitLink) go into the build folder.
#
# Afterwards: KPLAN_CUDA_ROOT (a folder with bin/nvcc and include/cuda.h),
# KPLAN_CUDA_INCLUDE, KPLAN_NVCC, CUDA enabled as a language where nvcc works.

set(KPLAN_CUDA_WHEEL_VERSION "13.0" CACHE STRING "CUDA release whose wheels are fetched when no toolkit is found")
set(KPLAN_CUDA_ARCHITECTURES "90" CACHE STRING "GPU architectures of the examples and GPU tests")

function(_kplan_fetch_cuda_wheels OUT)
  set(ROOT "${PROJECT_BINARY_DIR}/cuda-wheels")
  set(CU "${ROOT}/nvidia/cu13")
  if(NOT EXISTS "${CU}/.complete")
    message(STATUS "No CUDA toolkit found: fetching NVIDIA's wheels of CUDA ${KPLAN_CUDA_WHEEL_VERSION} from PyPI")
    find_program(KPLAN_PYTHON3 python3 REQUIRED)
    set(V "${KPLAN_CUDA_WHEEL_VERSION}.*")
    execute_process(
      COMMAND "${KPLAN_PYTHON3}" -m pip install --quiet --disable-pip-version-check
              --no-deps --upgrade --target "${ROOT}"
              "nvidia-cuda-nvcc==${V}" "nvidia-cuda-crt==${V}" "nvidia-nvvm==${V}"
              "nvidia-cuda-runtime==${V}" "nvidia-cuda-cccl==${V}" "nvidia-nvjitlink==${V}"
      RESULT_VARIABLE RC)
    if(NOT RC EQUAL 0)
      message(FATAL_ERROR "NVIDIA's wheels could not be fetched (pip exited ${RC}). Install the CUDA toolkit, or set CUDAToolkit_ROOT.")
    endif()
    # The wheels hold libraries by their versioned names alone, in lib/.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink lib "${CU}/lib64")
    file(GLOB VERSIONED "${CU}/lib/*.so.13")
    foreach(LIB IN LISTS VERSIONED)
      string(REGEX REPLACE "\\.13$" "" PLAIN "${LIB}")
      get_filename_component(NAME "${LIB}" NAME)
      file(CREATE_LINK "${NAME}" "${PLAIN}" SYMBOLIC)
    endforeach()
    # clang's CUDA headers include this header of cuRAND, which nothing here uses.
    file(TOUCH "${CU}/include/curand_mtgp32_kernel.h")
    file(TOUCH "${CU}/.complete")
  endif()
  set(${OUT} "${CU}" PARENT_SCOPE)
endfunction()

if(NOT CUDAToolkit_ROOT AND DEFINED ENV{CUDA_HOME} AND NOT DEFINED ENV{CUDAToolkit_ROOT})
  set(CUDAToolkit_ROOT "$ENV{CUDA_HOME}")
endif()
find_package(CUDAToolkit QUIET)
if(CUDAToolkit_FOUND)
  get_filename_component(KPLAN_CUDA_ROOT "${CUDAToolkit_BIN_DIR}" DIRECTORY)
else()
  _kplan_fetch_cuda_wheels(KPLAN_CUDA_ROOT)
  set(CUDAToolkit_ROOT "${KPLAN_CUDA_ROOT}")
  set(CMAKE_CUDA_COMPILER "${KPLAN_CUDA_ROOT}/bin/nvcc" CACHE FILEPATH "")
  # CMake 3.25's FindCUDAToolkit sets a property of it without looking whether
  # it is there; the wheels have no such library.
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED GLOBAL)
endif()
find_path(KPLAN_CUDA_INCLUDE cuda.h HINTS "${KPLAN_CUDA_ROOT}/include" ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH REQUIRED)
find_program(KPLAN_NVCC nvcc HINTS "${KPLAN_CUDA_ROOT}/bin" NO_DEFAULT_PATH)
message(STATUS "CUDA toolkit: ${KPLAN_CUDA_ROOT}")

if(KPLAN_NVCC AND KPLAN_BUILD_EXAMPLES)
  if(NOT DEFINED CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "${KPLAN_NVCC}" CACHE FILEPATH "")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "${KPLAN_CUDA_ARCHITECTURES}")
  endif()
  enable_language(CUDA)
endif()
