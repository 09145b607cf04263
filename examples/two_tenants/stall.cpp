//===- stall.cpp - Does a call wait for the other tenant? ----------------===//

#include "stall.h"

#include "check.h"

#include <chrono>

const char *name(Verdict V) {
  switch (V) {
  case Verdict::HostStall:
    return "host stall";
  case Verdict::DeviceStall:
    return "device stall";
  case Verdict::Ok:
    break;
  }
  return "ok";
}

Measurement measure(Hold &Neighbour, const Tenant &B,
                    const std::function<void()> &Use) {
  using Clock = std::chrono::steady_clock;
  Neighbour.start();
  const Clock::time_point Begin = Clock::now();
  auto Elapsed = [Begin] {
    return std::chrono::duration<double, std::milli>(Clock::now() - Begin)
        .count();
  };

  Measurement M;
  Use();
  M.HostMs = Elapsed();
  const bool RanAtReturn = Neighbour.running();
  CUresult Done;
  while ((Done = cuStreamQuery(B.stream())) == CUDA_ERROR_NOT_READY)
    ;
  check(Done, "work of tenant B");
  M.DoneMs = Elapsed();
  const bool RanWhenDone = Neighbour.running();
  Neighbour.release();

  M.What = !RanAtReturn   ? Verdict::HostStall
           : !RanWhenDone ? Verdict::DeviceStall
                          : Verdict::Ok;
  return M;
}
