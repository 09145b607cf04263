//===- Compile.cpp - PTX to cubins, by the driver -------------------------===//

#include "probe/Compile.h"

#include <array>

namespace kplan::probe {

Result<std::string> compile(const Driver &Api, Text Which,
                            const std::string &Library) {
  if (!Api.LinkCreate || !Api.LinkAddData || !Api.LinkComplete ||
      !Api.LinkDestroy || (!Library.empty() && !Api.LinkAddFile))
    return makeError("the driver has no linker");
  std::array<char, 4096> Log{};
  std::array<CUjit_option, 2> Options = {CU_JIT_ERROR_LOG_BUFFER,
                                         CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void *, 2> Values = {Log.data(),
                                  reinterpret_cast<void *>(Log.size() - 1)};
  CUlinkState State = nullptr;
  if (CUresult Error = Api.LinkCreate(2, Options.data(), Values.data(), &State))
    return makeError(Api.describe(Error, "cuLinkCreate"));
  const char *Call = "cuLinkAddData";
  std::string Ptx = ptxOf(Which);
  CUresult Error =
      Api.LinkAddData(State, CU_JIT_INPUT_PTX, Ptx.data(), Ptx.size() + 1,
                      "kplan probe", 0, nullptr, nullptr);
  if (!Error && !Library.empty()) {
    Call = "cuLinkAddFile";
    Error = Api.LinkAddFile(State, CU_JIT_INPUT_LIBRARY, Library.c_str(), 0,
                            nullptr, nullptr);
  }
  void *Data = nullptr;
  size_t Size = 0;
  if (!Error) {
    Call = "cuLinkComplete";
    Error = Api.LinkComplete(State, &Data, &Size);
  }
  std::string Code;
  if (!Error)
    Code.assign(static_cast<const char *>(Data), Size);
  Api.LinkDestroy(State);
  if (Error)
    return makeError(Api.describe(Error, Call) +
                     (Log[0] ? std::string(": ") + Log.data() : ""));
  return Code;
}

} // namespace kplan::probe
