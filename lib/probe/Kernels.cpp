//===- Kernels.cpp - The probe's own device code --------------------------===//

#include "probe/Kernels.h"

namespace kplan::probe {

static const char *const Prologue = ".version 6.4\n"
                                    ".target sm_75\n"
                                    ".address_size 64\n";

/// One thread a block; block i says in started[i] that it runs. All leave when
/// *release is set or the device's clock passes the time-out; *ended says
/// which: 1 or 2.
static const char *const HoldBody = R"(
.visible .entry _Z4holdPViyS0_S0_(.param .u64 release, .param .u64 timeout,
                                  .param .u64 started, .param .u64 ended)
{
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [release];
  ld.param.u64 %rd2, [timeout];
  ld.param.u64 %rd3, [started];
  ld.param.u64 %rd4, [ended];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd6, %rd3, %rd5;
  mov.u32 %r2, 1;
  st.volatile.u32 [%rd6], %r2;
  membar.sys;
  mov.u64 %rd7, %globaltimer;
  add.u64 %rd8, %rd7, %rd2;
SPIN:
  ld.volatile.u32 %r3, [%rd1];
  mov.u32 %r4, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra DONE;
  mov.u64 %rd9, %globaltimer;
  setp.lt.u64 %p2, %rd9, %rd8;
  @%p2 bra SPIN;
  mov.u32 %r4, 2;
DONE:
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra LEAVE;
  st.volatile.u32 [%rd4], %r4;
  membar.sys;
LEAVE:
  ret;
}
)";

static const char *const SmallKernels = R"(
.visible .global .align 4 .u32 program_global;
.extern .shared .align 16 .b8 dynamic_shared[];

.visible .entry plain(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 1;
  st.u32 [%rd1], %r1;
  ret;
}

.visible .entry other(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 2;
  st.u32 [%rd1], %r1;
  ret;
}

.visible .entry reads_global(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [program_global];
  st.u32 [%rd1], %r1;
  ret;
}

.visible .entry uses_shared(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, dynamic_shared;
  mov.u32 %r2, 3;
  st.shared.u32 [%r1], %r2;
  ld.shared.u32 %r3, [%r1];
  st.u32 [%rd1], %r3;
  ret;
}
)";

/// Two indices that the compiler cannot compare keep the array in memory.
static std::string localKernel(const char *Name, unsigned Bytes) {
  return std::string(".visible .entry ") + Name +
         "(.param .u64 out, .param .u32 index)\n{\n  .local .align 16 .b8 "
         "frame[" +
         std::to_string(Bytes) + R"(];
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [index];
  mul.lo.u32 %r2, %r1, %r1;
  mov.u64 %rd2, frame;
  cvt.u64.u32 %rd3, %r1;
  add.u64 %rd4, %rd2, %rd3;
  cvt.u64.u32 %rd5, %r2;
  add.u64 %rd6, %rd2, %rd5;
  mov.u32 %r3, 9;
  st.local.u8 [%rd4], %r3;
  ld.local.u8 %r4, [%rd6];
  st.u32 [%rd1], %r4;
  ret;
}
)";
}

static const char *const PrintfDeclaration = R"(
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 list);
.global .align 1 .b8 new_line[2] = {10, 0};
)";

static std::string printfKernel(const char *Name) {
  return std::string(".visible .entry ") + Name +
         R"((.param .u64 out, .param .u32 go)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd1, new_line;
  cvta.global.u64 %rd2, %rd1;
  mov.u64 %rd3, 0;
  {
    .param .b64 format;
    .param .b64 list;
    .param .b32 result;
    st.param.b64 [format], %rd2;
    st.param.b64 [list], %rd3;
    call.uni (result), vprintf, (format, list);
    ld.param.b32 %r2, [result];
  }
DONE:
  ret;
}
)";
}

static const char *const AssertKernel = R"(
.extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 char_size);
.visible .entry asserts(.param .u64 out, .param .u32 go)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd1, new_line;
  cvta.global.u64 %rd2, %rd1;
  mov.u64 %rd3, 1;
  {
    .param .b64 message;
    .param .b64 file;
    .param .b32 line;
    .param .b64 function;
    .param .b64 char_size;
    st.param.b64 [message], %rd2;
    st.param.b64 [file], %rd2;
    st.param.b32 [line], %r1;
    st.param.b64 [function], %rd2;
    st.param.b64 [char_size], %rd3;
    call.uni __assertfail, (message, file, line, function, char_size);
  }
DONE:
  ret;
}
)";

static const char *const MallocDeclaration = R"(
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 block);
)";

static std::string mallocKernel(const char *Name) {
  return std::string(".visible .entry ") + Name +
         R"((.param .u64 out, .param .u32 go)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd1, 64;
  {
    .param .b64 bytes;
    .param .b64 result;
    st.param.b64 [bytes], %rd1;
    call.uni (result), malloc, (bytes);
    ld.param.b64 %rd2, [result];
  }
  {
    .param .b64 block;
    st.param.b64 [block], %rd2;
    call.uni free, (block);
  }
DONE:
  ret;
}
)";
}

/// As nvcc -rdc=true writes `child<<<1, 1>>>(out)`.
static const char *const ParentKernels = R"(
.extern .func (.param .b64 buffer) __cudaCDP2GetParameterBufferV2(.param .b64 function, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);

.visible .entry child(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 1;
  st.u32 [%rd1], %r1;
  ret;
}

.visible .entry parent(.param .u64 out, .param .u32 go)
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd2, child;
  {
    .param .b64 function;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 buffer;
    st.param.b64 [function], %rd2;
    st.param.b32 [grid], 1;
    st.param.b32 [grid+4], 1;
    st.param.b32 [grid+8], 1;
    st.param.b32 [block], 1;
    st.param.b32 [block+4], 1;
    st.param.b32 [block+8], 1;
    st.param.b32 [shared], 0;
    call.uni (buffer), __cudaCDP2GetParameterBufferV2, (function, grid, block, shared);
    ld.param.b64 %rd3, [buffer];
  }
  setp.eq.s64 %p2, %rd3, 0;
  @%p2 bra DONE;
  st.u64 [%rd3], %rd1;
  {
    .param .b64 buffer;
    .param .b64 stream;
    .param .b32 result;
    st.param.b64 [buffer], %rd3;
    st.param.b64 [stream], 0;
    call.uni (result), __cudaCDP2LaunchDeviceV2, (buffer, stream);
    ld.param.b32 %r2, [result];
  }
DONE:
  ret;
}
)";

static constexpr unsigned BigLocalBytes = 16384;

std::string ptxOf(Text Which) {
  const std::string Start = Prologue;
  switch (Which) {
  case Text::Hold:
    return Start + HoldBody;
  case Text::Program:
    return Start + SmallKernels + PrintfDeclaration + MallocDeclaration +
           localKernel("big_local", BigLocalBytes) + printfKernel("prints") +
           AssertKernel + mallocKernel("allocates");
  case Text::LocalMore:
    return Start + localKernel("cure", BigLocalBytes + 64);
  case Text::LocalLess:
    return Start + localKernel("cure", BigLocalBytes / 4);
  case Text::Printf:
    return Start + PrintfDeclaration + printfKernel("cure");
  case Text::Malloc:
    return Start + MallocDeclaration + mallocKernel("cure");
  case Text::Parent:
    return Start + ParentKernels;
  }
  return {};
}

} // namespace kplan::probe
