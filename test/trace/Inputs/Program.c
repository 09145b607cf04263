/* Uses the driver, each argument a step. Every call is expected to succeed,
 * but for those that a step says must not.
 *
 * Images are PTX. `InFile` lies in this program's file as it is; others are
 * made on the heap, so that they lie in no file.
 */

#define _GNU_SOURCE
#include <cuda.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEADER ".version 8.0\n.target sm_75\n.address_size 64\n"
#define KERNEL(Name) ".visible .entry " #Name "()\n{\n\tret;\n}\n"

static const char InFile[] =
    HEADER ".visible .global .align 4 .u32 counter;\n" KERNEL(_Z4filePf)
        KERNEL(_Z6unusedv);

/* Kernels named _Z4hold… run until told: see the stand-in's README. */
static const char Stalling[] =
    HEADER ".visible .entry _Z4holdPVKiy(.param .u64 a, .param .u64 "
           "b)\n{\n\tret;\n}\n" KERNEL(_Z5firstv);

static void check(CUresult Result, const char *What) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Name = "?";
  cuGetErrorName(Result, &Name);
  fprintf(stderr, "program: %s: %s\n", What, Name);
  exit(3);
}
#define CHECK(Call) check(Call, #Call)

static void start(void) {
  static int Started;
  if (Started++)
    return;
  CUcontext Context;
  CUdevice Device;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&Device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&Context, Device));
  CHECK(cuCtxSetCurrent(Context));
}

/* PTX on the heap with one kernel, which may use printf and local memory. */
static char *makePtx(const char *Kernel, int Uses) {
  char *Text = NULL;
  const char *Print = Uses ? "\t.local .align 8 .b8 depot[512];\n"
                             "\tcall.uni (ret), vprintf, (a, b);\n"
                           : "";
  const char *Declare =
      Uses ? ".extern .func (.param .b32 ret) vprintf (.param .b64 a, .param "
             ".b64 b);\n"
           : "";
  if (asprintf(&Text, HEADER "%s.visible .entry %s()\n{\n%s\tret;\n}\n",
               Declare, Kernel, Print) < 0)
    exit(3);
  return Text;
}

static CUlibrary loadLibrary(const void *Image) {
  CUlibrary Library;
  start();
  CHECK(cuLibraryLoadData(&Library, Image, NULL, NULL, 0, NULL, NULL, 0));
  return Library;
}

static void launch(CUfunction Function, CUstream Stream, void **Arguments) {
  CHECK(cuLaunchKernel(Function, 1, 1, 1, 1, 1, 1, 0, Stream, Arguments, NULL));
}

static void launchModule(const char *Kernel, int Uses) {
  CUmodule Module;
  CUfunction Function;
  char *Text = makePtx(Kernel, Uses);
  start();
  CHECK(cuModuleLoadData(&Module, Text));
  free(Text);
  CHECK(cuModuleGetFunction(&Function, Module, Kernel));
  launch(Function, NULL, NULL);
}

/* An image of this file: attributes, a cache config, a global. */
static void file(void) {
  CUlibrary Library = loadLibrary(InFile);
  CUkernel Kernel;
  CUdeviceptr Address;
  size_t Size;
  CHECK(cuLibraryGetKernel(&Kernel, Library, "_Z4filePf"));
  CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             65536, Kernel, 0));
  CHECK(cuKernelSetCacheConfig(Kernel, CU_FUNC_CACHE_PREFER_SHARED, 0));
  launch((CUfunction)Kernel, NULL, NULL);
  CHECK(cuLibraryGetGlobal(&Address, &Size, Library, "counter"));
}

/* A module with options. */
static void options(void) {
  CUmodule Module;
  CUfunction Function;
  char Log[64];
  CUjit_option Names[] = {CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER,
                          CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *Values[] = {(void *)64, Log, (void *)sizeof Log};
  char *Text = makePtx("_Z7optionsv", 0);
  start();
  CHECK(cuModuleLoadDataEx(&Module, Text, 3, Names, Values));
  CHECK(cuModuleGetFunction(&Function, Module, "_Z7optionsv"));
  CHECK(cuFuncSetAttribute(
      Function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  free(Text);
}

/* From a file by name, in both ways. */
static void named(void) {
  CUmodule Module;
  CUlibrary Library;
  CUfunction Function;
  CUkernel Kernel;
  char *Text = makePtx("_Z5namedv", 0);
  FILE *Out = fopen("named.ptx", "w");
  fputs(Text, Out);
  fclose(Out);
  free(Text);
  start();
  CHECK(cuModuleLoad(&Module, "named.ptx"));
  CHECK(cuModuleGetFunction(&Function, Module, "_Z5namedv"));
  CHECK(cuLibraryLoadFromFile(&Library, "named.ptx", NULL, NULL, 0, NULL, NULL,
                              0));
  CHECK(cuLibraryGetKernel(&Kernel, Library, "_Z5namedv"));
  launch((CUfunction)Kernel, NULL, NULL);
  remove("named.ptx");
}

/* The same image several times: two copies at once, then one, then two. */
static void copies(void) {
  char *Text = makePtx("_Z6copiesv", 0);
  CUlibrary First = loadLibrary(Text), Second = loadLibrary(Text);
  CHECK(cuLibraryUnload(First));
  loadLibrary(Text);
  CHECK(cuLibraryUnload(Second));
  free(Text);
}

/* Kernels that are only listed, and touched through their functions. */
static void listed(void) {
  char *Text = makePtx("_Z6listedv", 0);
  CUlibrary Library = loadLibrary(Text);
  CUkernel Kernel = NULL;
  CUfunction Function;
  CUmodule Module;
  int Blocks;
  CHECK(cuLibraryEnumerateKernels(&Kernel, 1, Library));
  CHECK(cuKernelGetFunction(&Function, Kernel));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, Function, 32, 0));
  CHECK(cuLibraryGetModule(&Module, Library));
  free(Text);
}

static void limits(void) {
  start();
  CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  CHECK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 21));
}

/* What fails leaves nothing in a plan. */
static void failures(void) {
  CUlibrary Library = loadLibrary(InFile);
  CUkernel Kernel;
  CUmodule Module;
  CUdeviceptr Address;
  size_t Size;
  CHECK(cuLibraryGetKernel(&Kernel, Library, "_Z4filePf"));
  int Failed =
      cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                           1 << 30, Kernel, 0) != CUDA_SUCCESS;
  Failed += cuModuleLoadData(&Module, "nothing") != CUDA_SUCCESS;
  Failed += cuLibraryGetGlobal(&Address, &Size, Library, "none") != 0;
  Failed += cuCtxSetLimit((CUlimit)77, 1) != CUDA_SUCCESS;
  printf("%d failures\n", Failed);
}

/* Gets beside sets, for --live. */
static void gets(void) {
  CUlibrary Library = loadLibrary(InFile);
  CUkernel Kernel;
  CUfunction Function;
  int Value;
  CHECK(cuLibraryGetKernel(&Kernel, Library, "_Z4filePf"));
  CHECK(cuKernelGetAttribute(&Value, CU_FUNC_ATTRIBUTE_NUM_REGS, Kernel, 1));
  CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             65536, Kernel, 1));
  CHECK(cuKernelGetFunction(&Function, Kernel));
  CHECK(cuFuncGetAttribute(
      &Value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, Function));
  CHECK(cuFuncSetCacheConfig(Function, CU_FUNC_CACHE_PREFER_L1));
  if (cuFuncSetAttribute(Function, (CUfunction_attribute)77, 1) == 0)
    exit(3);
}

/* First uses on one stream, beside a kernel that runs on another. */
static void stalls(void) {
  static volatile int Release;
  volatile int *Flag = &Release;
  unsigned long long HoldNanoseconds = 20000000;
  void *Arguments[] = {&Flag, &HoldNanoseconds};
  CUlibrary Long = loadLibrary(Stalling);
  CUkernel Hold, First;
  CUstream A, B;
  CHECK(cuStreamCreate(&A, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&B, CU_STREAM_NON_BLOCKING));
  CHECK(cuLibraryGetKernel(&Hold, Long, "_Z4holdPVKiy"));
  CHECK(cuLibraryGetKernel(&First, Long, "_Z5firstv"));
  launch((CUfunction)First, B, NULL);
  launch((CUfunction)Hold, A, Arguments);
  char *Text = makePtx("_Z4latev", 0);
  CUlibrary Library = loadLibrary(Text);
  CUkernel Late;
  CHECK(cuLibraryGetKernel(&Late, Library, "_Z4latev"));
  launch((CUfunction)Late, B, NULL);
  Release = 1;
  CHECK(cuStreamSynchronize(A));
  CHECK(cuStreamDestroy(A));
  CHECK(cuStreamDestroy(B));
}

static void forked(void) {
  for (int I = 0; I < 2; ++I)
    if (fork() == 0) {
      launchModule(I ? "_Z6child1v" : "_Z6child0v", 0);
      exit(0);
    }
  while (wait(NULL) > 0)
    ;
}

/* Fork after the parent has used CUDA: the child cannot, and may try. */
static void late(void) {
  launchModule("_Z6parentv", 0);
  pid_t Child = fork();
  if (Child == 0) {
    launchModule("_Z4latev", 0);
    _exit(0);
  }
  waitpid(Child, NULL, 0);
}

static void *worker(void *Number) {
  char Name[32];
  snprintf(Name, sizeof Name, "_Z7worker%dv", (int)(long)Number);
  CUcontext Context;
  CHECK(cuDevicePrimaryCtxRetain(&Context, 0));
  CHECK(cuCtxSetCurrent(Context));
  for (int I = 0; I < 20; ++I)
    launchModule(Name, 0);
  return NULL;
}

static void threads(void) {
  pthread_t Threads[4];
  start();
  for (long I = 0; I < 4; ++I)
    pthread_create(&Threads[I], NULL, worker, (void *)I);
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], NULL);
}

/* What a repeated launch costs, in nanoseconds. */
static void bench(void) {
  CUlibrary Library = loadLibrary(InFile);
  CUkernel Kernel;
  CHECK(cuLibraryGetKernel(&Kernel, Library, "_Z4filePf"));
  double Best = 1e9;
  for (int Round = 0; Round < 20; ++Round) {
    struct timespec Begin, End;
    clock_gettime(CLOCK_MONOTONIC, &Begin);
    for (int I = 0; I < 100000; ++I)
      cuLaunchKernel((CUfunction)Kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    clock_gettime(CLOCK_MONOTONIC, &End);
    double Taken = (double)(End.tv_sec - Begin.tv_sec) * 1e9 +
                   (double)(End.tv_nsec - Begin.tv_nsec);
    if (Taken / 100000 < Best)
      Best = Taken / 100000;
  }
  printf("launch: %.1f ns\n", Best);
}

int main(int Count, char **Arguments) {
  for (int I = 1; I < Count; ++I) {
    const char *Step = Arguments[I];
    if (!strcmp(Step, "file"))
      file();
    else if (!strcmp(Step, "heap"))
      launchModule("_Z4heapv", 1);
    else if (!strcmp(Step, "options"))
      options();
    else if (!strcmp(Step, "named"))
      named();
    else if (!strcmp(Step, "copies"))
      copies();
    else if (!strcmp(Step, "listed"))
      listed();
    else if (!strcmp(Step, "limits"))
      limits();
    else if (!strcmp(Step, "failures"))
      failures();
    else if (!strcmp(Step, "gets"))
      gets();
    else if (!strcmp(Step, "stalls"))
      stalls();
    else if (!strcmp(Step, "fork"))
      forked();
    else if (!strcmp(Step, "late-fork"))
      late();
    else if (!strcmp(Step, "threads"))
      threads();
    else if (!strcmp(Step, "bench"))
      bench();
    else if (!strcmp(Step, "crash"))
      abort();
    else if (!strcmp(Step, "kill"))
      raise(SIGKILL);
    else if (!strncmp(Step, "exit=", 5))
      return atoi(Step + 5);
    else if (!strcmp(Step, "close-all"))
      closefrom(3);
    else if (!strcmp(Step, "elsewhere")) {
      if (chdir("/") != 0)
        return 3;
    } else if (!strncmp(Step, "say=", 4))
      puts(Step + 4);
    else
      return 3;
  }
  return 0;
}
