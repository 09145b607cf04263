//===- LocalMemory.cpp - Local memory for the largest planned kernel ------===//

#include "LocalMemory.h"

using namespace kplan;
using namespace kplan::runtime;

/// The frame is written and read at places that only the parameters tell, so
/// that no compiler can leave it out or keep it in registers.
std::string kplan::runtime::localMemoryPtx(uint64_t Bytes) {
  std::string Size = std::to_string(Bytes);
  return std::string(PtxPrologue) + R"(
.visible .entry kplan_reserve_local(.param .u32 never, .param .u64 sink)
{
  .local .align 16 .b8 frame[)" +
         Size + R"(];
  .reg .pred %p<3>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<8>;
  ld.param.u32 %r1, [never];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  ld.param.u64 %rd1, [sink];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u64 %rd3, frame;
  mov.u32 %r2, 0;
NEXT:
  mul.lo.u32 %r3, %r2, %r1;
  rem.u32 %r3, %r3, )" +
         Size + R"(;
  cvt.u64.u32 %rd4, %r3;
  add.u64 %rd5, %rd3, %rd4;
  st.local.u8 [%rd5], %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, %r1;
  @%p2 bra NEXT;
  ld.global.u32 %r4, [%rd2];
  rem.u32 %r5, %r4, )" +
         Size + R"(;
  cvt.u64.u32 %rd6, %r5;
  add.u64 %rd7, %rd3, %rd6;
  ld.local.u8 %r6, [%rd7];
  st.global.u32 [%rd2], %r6;
DONE:
  ret;
}
)";
}

Outcome kplan::runtime::reserveLocalMemory(const DriverApi &Api,
                                           OwnStream &Stream, uint64_t Bytes) {
  uint64_t Frame = (Bytes + 15) / 16 * 16;
  Result<CUfunction> Function =
      Stream.load(localMemoryPtx(Frame), "kplan_reserve_local");
  if (!Function)
    return Outcome::failed(Function.errors().front().Message);
  Outcome Launched = Stream.launch(*Function);
  if (!Launched)
    return Launched;
  int Got = 0;
  if (CUresult Error = Api.FuncGetAttribute(
          &Got, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, *Function))
    return Outcome::failed(Api.describe(Error, "cuFuncGetAttribute"));
  if (Got < 0 || static_cast<uint64_t>(Got) < Bytes)
    return Outcome::failed("the driver's compiler made a frame of only " +
                           std::to_string(Got) + " bytes");
  return Outcome::done();
}
