//===- LinkUnit.cpp - Calls into a link unit's CUDA runtime ---------------===//

#include "LinkUnit.h"

#include "Parallel.h"

#include <utility>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// Runs `Call`; the answer is `Value` where it returned cudaSuccess.
template <typename T, typename F>
Result<T> ask(const kplan_link_unit &Unit, const char *Name, const T &Value,
              F Call) {
  int Before = Unit.peek_at_last_error();
  int Error = Call();
  if (Error == 0)
    return Value;
  if (Before == 0)
    Unit.get_last_error();
  const char *ErrorName = Unit.get_error_name(Error);
  return makeError(std::string(Name) + ": " +
                   (ErrorName ? ErrorName : "unknown error") + " (" +
                   std::to_string(Error) + ")");
}

} // namespace

bool kplan::runtime::hasLastError(const kplan_link_unit &Unit) {
  return Unit.peek_at_last_error() != 0;
}

Result<CUkernel> kplan::runtime::getKernel(const kplan_link_unit &Unit,
                                           const void *Stub) {
  void *Kernel = nullptr;
  Result<void *> Answer = ask(Unit, "cudaGetKernel", Kernel,
                              [&] { return Unit.get_kernel(&Kernel, Stub); });
  if (!Answer)
    return Answer.errors();
  // cudaKernel_t and CUkernel are the same handle.
  return static_cast<CUkernel>(Kernel);
}

Result<void *> kplan::runtime::getSymbolAddress(const kplan_link_unit &Unit,
                                                const void *Host) {
  void *Address = nullptr;
  return ask(Unit, "cudaGetSymbolAddress", Address,
             [&] { return Unit.get_symbol_address(&Address, Host); });
}

Result<int> kplan::runtime::getDevice(const kplan_link_unit &Unit) {
  int Device = 0;
  return ask(Unit, "cudaGetDevice", Device,
             [&] { return Unit.get_device(&Device); });
}

Result<int> kplan::runtime::initDevice(const kplan_link_unit &Unit,
                                       int Device) {
  auto Here = [&] {
    return ask(Unit, "cudaInitDevice", Device,
               [&] { return Unit.init_device(Device, 0, 0); });
  };
  if (!hasLastError(Unit))
    return Here();
  Result<int> Answer = makeError("no thread could be created");
  if (!runElsewhere([&] { Answer = Here(); }))
    return Here();
  return Answer;
}
