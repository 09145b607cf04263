//===- CudaToolkitTest.cpp ------------------------------------------------===//

#include "scan/CudaToolkit.h"

#include "scan/FakeSystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;

namespace {

TEST(CudaToolkit, NvidiasInstaller) {
  FakeSystem System;
  System.addToolkit("/usr/local/cuda-13.0", 13, 0, 88);
  auto Toolkit = openCudaToolkit("/usr/local/cuda-13.0", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_EQ(Toolkit->version(), "13.0");
  EXPECT_EQ(Toolkit->Build, 88u);
  EXPECT_EQ(Toolkit->CcclFolder, "/usr/local/cuda-13.0/include/cccl");
  EXPECT_TRUE(Toolkit->ClangFindsHeaders);
}

TEST(CudaToolkit, Cuda12HasNoCcclFolder) {
  FakeSystem System;
  System.addToolkit("/c", 12, 4, 131);
  auto Toolkit = openCudaToolkit("/c", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_EQ(Toolkit->version(), "12.4");
  EXPECT_EQ(Toolkit->CcclFolder, "");
}

TEST(CudaToolkit, VersionJsonNamesTheBuild) {
  FakeSystem System;
  System.Files["/c/include/cuda.h"] = "#define CUDA_VERSION 12040\n";
  System.Files["/c/version.json"] =
      "{\"cuda\": {\"version\": \"12.4.1\"},\n"
      " \"cuda_nvcc\": {\"name\": \"CUDA NVCC\", \"version\": \"12.4.131\"}}";
  EXPECT_EQ(openCudaToolkit("/c", System)->Build, 131u);
}

TEST(CudaToolkit, HeadersAlone) {
  FakeSystem System;
  System.Files["/c/include/cuda.h"] = "#define CUDA_VERSION 12080\n";
  auto Toolkit = openCudaToolkit("/c", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_EQ(Toolkit->version(), "12.8");
  EXPECT_EQ(Toolkit->Build, 0u);
  EXPECT_FALSE(Toolkit->ClangFindsHeaders); // no bin/
}

TEST(CudaToolkit, CondasHeadersLieBelowTargets) {
  FakeSystem System;
  System.Files["/conda/targets/x86_64-linux/include/cuda.h"] =
      "#define CUDA_VERSION 12060\n";
  System.Files["/conda/bin/nvcc"] = "";
  auto Toolkit = openCudaToolkit("/conda", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_THAT(Toolkit->IncludeFolders,
              ElementsAre("/conda/targets/x86_64-linux/include"));
  EXPECT_FALSE(Toolkit->ClangFindsHeaders);
}

TEST(CudaToolkit, TargetDirectory) {
  FakeSystem System;
  System.addToolkit("/c", 13, 0, 88);
  EXPECT_FALSE(openCudaToolkit("/c", System, "sbsa-linux"));
  System.Files["/c/targets/sbsa-linux/include/cuda.h"] = "";
  EXPECT_THAT(openCudaToolkit("/c", System, "sbsa-linux")->IncludeFolders,
              ElementsAre("/c/targets/sbsa-linux/include"));
}

TEST(CudaToolkit, Wheels13) {
  FakeSystem System;
  std::string Site = "/venv/lib/python3.11/site-packages";
  System.addToolkit(Site + "/nvidia/cu13", 13, 0, 0);
  System.Files[Site + "/nvidia/cu13/bin/nvcc"] = "stripped";
  System.Files[Site + "/nvidia_cuda_nvcc-13.0.88.dist-info/RECORD"] = "";
  auto Toolkit = openCudaToolkit(Site + "/nvidia/cu13", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_EQ(Toolkit->Build, 88u);
  EXPECT_TRUE(Toolkit->ClangFindsHeaders);
}

TEST(CudaToolkit, Wheels12) {
  FakeSystem System;
  std::string Site = "/venv/site-packages";
  System.Files[Site + "/nvidia/cuda_runtime/include/cuda.h"] =
      "#define CUDA_VERSION 12040\n";
  System.Files[Site + "/nvidia/cuda_nvcc/include/crt/host_defines.h"] = "";
  System.Files[Site + "/nvidia/cuda_cccl/include/cub/cub.cuh"] = "";
  System.Files[Site + "/nvidia_cuda_nvcc_cu12-12.4.131.dist-info/RECORD"] = "";
  auto Toolkit = openCudaToolkit(Site + "/nvidia", System);
  ASSERT_TRUE(Toolkit);
  EXPECT_THAT(Toolkit->IncludeFolders,
              ElementsAre(Site + "/nvidia/cuda_runtime/include",
                          Site + "/nvidia/cuda_cccl/include",
                          Site + "/nvidia/cuda_nvcc/include"));
  EXPECT_EQ(Toolkit->version(), "12.4");
  EXPECT_EQ(Toolkit->Build, 131u);
  EXPECT_FALSE(Toolkit->ClangFindsHeaders);
}

TEST(CudaToolkit, OfAnNvccBehindALink) {
  FakeSystem System;
  System.addToolkit("/usr/local/cuda-12.6", 12, 6, 20);
  System.Links["/usr/bin/nvcc"] = "/usr/local/cuda-12.6/bin/nvcc";
  EXPECT_EQ(toolkitOfNvcc("/usr/bin/nvcc", System)->Root,
            "/usr/local/cuda-12.6");
}

TEST(CudaToolkit, OfAnNvccBehindAScript) {
  FakeSystem System;
  System.addToolkit("/opt/cuda", 12, 6, 20);
  System.Files["/usr/local/bin/nvcc"] =
      "#!/bin/sh\nexec /opt/cuda/bin/nvcc \"$@\"\n";
  EXPECT_EQ(toolkitOfNvcc("/usr/local/bin/nvcc", System)->Root, "/opt/cuda");
}

TEST(CudaToolkit, IsFoundInCMakesOrder) {
  FakeSystem System;
  EXPECT_FALSE(findCudaToolkit(System));
  auto Root = [&] { return findCudaToolkit(System)->Root; };
  System.addToolkit("/opt/cuda", 12, 0, 1);
  EXPECT_EQ(Root(), "/opt/cuda");
  System.addToolkit("/usr/local/cuda-12.4", 12, 4, 1);
  System.addToolkit("/usr/local/cuda-12.10", 12, 8, 1);
  EXPECT_EQ(Root(), "/usr/local/cuda-12.10");
  System.addToolkit("/usr/local/cuda", 13, 0, 1);
  EXPECT_EQ(Root(), "/usr/local/cuda");
  System.addToolkit("/p", 12, 6, 1);
  System.Variables["PATH"] = "/nowhere:/p/bin";
  EXPECT_EQ(Root(), "/p");
  System.addToolkit("/h", 12, 6, 1);
  System.Variables["CUDA_HOME"] = "/h/";
  EXPECT_EQ(Root(), "/h");
  System.addToolkit("/r", 12, 6, 1);
  System.Variables["CUDAToolkit_ROOT"] = "/r";
  EXPECT_EQ(Root(), "/r");
}

} // namespace
