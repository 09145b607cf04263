//===- DeviceServices.cpp - The printf buffer and the device heap ---------===//

#include "DeviceServices.h"

using namespace kplan;
using namespace kplan::runtime;

std::string kplan::runtime::printfPtx() {
  return std::string(PtxPrologue) + R"(
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 list);
.global .align 1 .b8 kplan_format[1] = {0};
.visible .entry kplan_start_printf(.param .u32 never, .param .u64 sink)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [never];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  ld.param.u64 %rd1, [sink];
  mov.u64 %rd2, kplan_format;
  cvta.global.u64 %rd3, %rd2;
  {
    .param .b64 format;
    .param .b64 list;
    .param .b32 result;
    st.param.b64 [format], %rd3;
    st.param.b64 [list], %rd1;
    call.uni (result), vprintf, (format, list);
    ld.param.b32 %r2, [result];
  }
DONE:
  ret;
}
)";
}

std::string kplan::runtime::mallocPtx() {
  return std::string(PtxPrologue) + R"(
.extern .func (.param .b64 result) malloc(.param .b64 size);
.visible .entry kplan_start_malloc(.param .u32 never, .param .u64 sink)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  ld.param.u32 %r1, [never];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  ld.param.u64 %rd1, [sink];
  cvta.to.global.u64 %rd2, %rd1;
  cvt.u64.u32 %rd3, %r1;
  {
    .param .b64 size;
    .param .b64 result;
    st.param.b64 [size], %rd3;
    call.uni (result), malloc, (size);
    ld.param.b64 %rd4, [result];
  }
  st.global.u64 [%rd2], %rd4;
DONE:
  ret;
}
)";
}

namespace {

Outcome start(OwnStream &Stream, const std::string &Ptx, const char *Entry) {
  Result<CUfunction> Function = Stream.load(Ptx, Entry);
  if (!Function)
    return Outcome::failed(Function.errors().front().Message);
  return Stream.launch(*Function);
}

} // namespace

Outcome kplan::runtime::startPrintf(OwnStream &Stream) {
  return start(Stream, printfPtx(), "kplan_start_printf");
}

Outcome kplan::runtime::startMalloc(OwnStream &Stream) {
  return start(Stream, mallocPtx(), "kplan_start_malloc");
}
