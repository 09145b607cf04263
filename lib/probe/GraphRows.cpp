//===- GraphRows.cpp - Graphs, dynamic parallelism, several devices -------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

namespace kplan::probe {

namespace {

/// A graph with one node, by its kernel handle.
CUgraph graphOf(Bench &B, CUkernel K) {
  CUgraph Graph = nullptr;
  CU(GraphCreate, &Graph, 0U);
  int *Out = B.Out;
  unsigned Zero = 0;
  void *Arguments[] = {static_cast<void *>(&Out), &Zero};
  CUDA_KERNEL_NODE_PARAMS Node{};
  Node.gridDimX = Node.gridDimY = Node.gridDimZ = 1;
  Node.blockDimX = Node.blockDimY = Node.blockDimZ = 1;
  Node.kernelParams = Arguments;
  Node.kern = K;
  CUgraphNode Handle = nullptr;
  CU(GraphAddKernelNode, &Handle, Graph, nullptr, size_t(0), &Node);
  return Graph;
}

CUgraphExec instantiate(Bench &B, CUgraph Graph) {
  CUgraphExec Exec = nullptr;
  CU(GraphInstantiateWithFlags, &Exec, Graph, 0ULL);
  return Exec;
}

void needGraphs(Bench &B) {
  if (!B.Api.GraphCreate || !B.Api.GraphAddKernelNode ||
      !B.Api.GraphInstantiateWithFlags || !B.Api.GraphLaunch)
    Bench::giveUp("the driver has no graphs");
}

/// A kernel that is not loaded, in a library that is resident or not.
CUkernel unusedKernel(Bench &B, bool Resident) {
  needGraphs(B);
  CUlibrary L = loadLibrary(B);
  if (Resident)
    load(B, kernelOf(B, L, "other"));
  return kernelOf(B, L, "plain");
}

CUgraph captured(Bench &B) {
  CUfunction F = loadByName(B, "plain");
  CUgraph Graph = nullptr;
  CU(StreamBeginCapture, B.Split.StreamB, CU_STREAM_CAPTURE_MODE_RELAXED);
  launch(B, F);
  CU(StreamEndCapture, B.Split.StreamB, &Graph);
  if (!Graph)
    Bench::giveUp("the driver captures nothing");
  return Graph;
}

/// Makes `Call` with the other device's primary context current.
void onOther(Bench &B, const std::function<void()> &Call) {
  CUcontext Context = nullptr;
  CU(DevicePrimaryCtxRetain, &Context, B.otherDevice());
  B.on(Context, Call);
}

void parentLaunch(Bench &B, bool AfterAnother) {
  CUlibrary L = loadLibrary(B, Text::Parent);
  CUfunction F = load(B, kernelOf(B, L, "parent"));
  if (AfterAnother) {
    CUfunction Before =
        load(B, kernelOf(B, loadLibrary(B, Text::Parent), "parent"));
    launch(B, Before);
    CU(StreamSynchronize, B.Split.StreamB);
  }
  B.measure([&] { launch(B, F); });
}

} // namespace

std::vector<Row> graphAndDeviceRows() {
  return {
      {"graph.add-node", "of a kernel whose library nothing has touched",
       [](Bench &B) {
         CUkernel K = unusedKernel(B, /*Resident=*/false);
         B.measure([&] { graphOf(B, K); });
       }},
      {"graph.add-node-resident", "of a kernel never loaded, library resident",
       [](Bench &B) {
         CUkernel K = unusedKernel(B, /*Resident=*/true);
         B.measure([&] { graphOf(B, K); });
       }},
      {"graph.instantiate", "with a node of a kernel never loaded",
       [](Bench &B) {
         CUgraph G = graphOf(B, unusedKernel(B, /*Resident=*/true));
         B.measure([&] { instantiate(B, G); });
       }},
      {"graph.launch", "with a node of a kernel never loaded",
       [](Bench &B) {
         CUgraphExec E =
             instantiate(B, graphOf(B, unusedKernel(B, /*Resident=*/true)));
         B.measure([&] { CU(GraphLaunch, E, B.Split.StreamB); });
       },
       /*Quick=*/true},
      {"graph.instantiate-captured", "the capture loaded the kernel",
       [](Bench &B) {
         needGraphs(B);
         CUgraph G = captured(B);
         B.measure([&] { instantiate(B, G); });
       }},
      {"graph.launch-captured", "the capture loaded the kernel",
       [](Bench &B) {
         needGraphs(B);
         CUgraphExec E = instantiate(B, captured(B));
         B.measure([&] { CU(GraphLaunch, E, B.Split.StreamB); });
       }},
      {"cdp.first-launch", "dynamic parallelism; nothing is launched by it",
       [](Bench &B) { parentLaunch(B, /*AfterAnother=*/false); }},
      {"cdp.after-launch-of-another", "",
       [](Bench &B) { parentLaunch(B, /*AfterAnother=*/true); }},
      {"devices.resident-on-another", "touched on that device only, until now",
       [](Bench &B) {
         CUkernel K = kernel(B, "plain");
         onOther(B, [&] { load(B, K); });
         B.measure([&] { load(B, K); });
       }},
      {"devices.load-on-another", "beside a kernel on this one",
       [](Bench &B) {
         CUmodule M = nullptr;
         onOther(B, [&] {
           // The context's own first use is none of the call's.
           CU(ModuleLoadData, &M, B.code(Text::Malloc));
           B.measure([&] { CU(ModuleLoadData, &M, B.code(Text::Printf)); });
         });
       }},
  };
}

} // namespace kplan::probe
