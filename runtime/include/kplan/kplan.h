/*===- kplan.h - Prime a GPU before the concurrent phase starts ------------===*
 *
 * C99. Every function may be called from any thread unless it says otherwise.
 * None of them throws, aborts, prints to standard output, or changes what a
 * later CUDA call returns. Memory that kplan hands out is freed by the function
 * named beside it, and by nothing else.
 *
 * Off switch: with KPLAN_DISABLE=1 in the environment every function returns
 * KPLAN_OK at once and does nothing.
 *
 *===----------------------------------------------------------------------===*/

#ifndef KPLAN_KPLAN_H
#define KPLAN_KPLAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KPLAN_API __attribute__((visibility("default")))
#else
#define KPLAN_API
#endif

#define KPLAN_VERSION_MAJOR 0
#define KPLAN_VERSION_MINOR 1
#define KPLAN_VERSION_PATCH 0

/** What a call came to. Values are stable. */
typedef enum kplan_status {
  KPLAN_OK = 0,                  /**< Done; the report may hold warnings. */
  KPLAN_ERROR_INVALID_VALUE = 1, /**< A null or out-of-range argument. */
  KPLAN_ERROR_PLAN = 2,          /**< The plan could not be opened or read. */
  KPLAN_ERROR_NO_DRIVER = 3,     /**< libcuda.so.1 is missing or too old. */
  KPLAN_ERROR_NO_CONTEXT = 4,    /**< No usable context on a planned device. */
  KPLAN_ERROR_MISSING = 5,       /**< `strict`: an entry could not be placed. */
  KPLAN_ERROR_DRIVER = 6,        /**< A driver call failed; see the report. */
  KPLAN_ERROR_OUT_OF_MEMORY = 7, /**< Host memory; device memory is DRIVER. */
  KPLAN_ERROR_INTERNAL = 8       /**< A fault in kplan; the program goes on. */
} kplan_status;

/** Name of a status, for people; never null, static storage. */
KPLAN_API const char *kplan_status_name(kplan_status status);

/** "0.1.0"; static storage. */
KPLAN_API const char *kplan_version(void);

/** How to prime. Set every field with KPLAN_OPTIONS_INIT first: `size` tells a
 *  newer library which fields the caller knew. */
typedef struct kplan_options {
  size_t size;      /**< sizeof(kplan_options) of the caller. */
  const char *plan; /**< Path of the plan; null: KPLAN_PLAN of the
                         environment; neither: every kernel that the program
                         registered is made resident. */
  int device;       /**< CUDA device ordinal; -1: the device of the calling
                         thread's current context, else the current device. */
  int attributes;   /**< 0: planned attributes are not set. Default 1. */
  int local_memory; /**< 0: local memory is not reserved. Default 1. */
  int strict;       /**< 1: an entry that cannot be placed is an error. */
  unsigned threads; /**< Threads that load libraries; 0: chosen by kplan. */
} kplan_options;

#define KPLAN_OPTIONS_INIT {sizeof(kplan_options), NULL, -1, 1, 1, 0, 0}

/** What priming did. Opaque; freed by kplan_report_destroy(). */
typedef struct kplan_report kplan_report;

/** Executes the plan for one device: each planned library and function is
 *  resident, attributes are set, globals have been asked for, local memory is
 *  reserved, the printf buffer exists. Priming again changes nothing and costs
 *  little.
 *
 *  Call it once the program's own CUDA set-up is done and before work that
 *  must not be disturbed starts: it waits for work that is running on the
 *  device, and beside a kernel that never ends it never returns. It uses the
 *  context current to the calling thread (primary or green), otherwise the
 *  device's primary context, which the CUDA runtime linked into the program
 *  then initialises as its first call would. It uses a stream of its own, never
 *  the default stream, and never synchronises a context; the calling thread's
 *  context stack is as it was. Safe while another thread captures a graph.
 *
 *  Where it starts the printf buffer or the device heap, the driver refuses to
 *  change their limits afterwards: set them before. Do not unload device code
 *  (dlclose) while it runs.
 *
 *  \param options null: KPLAN_OPTIONS_INIT.
 *  \param report  null, or receives a report, also on failure; the caller
 *                 destroys it. Null where kplan is switched off, memory ran
 *                 out, or kplan itself failed; report functions take null.
 *
 *  Driver calls behind it: cuKernelGetFunction, cuKernelGetAttribute,
 *  cuKernelSetAttribute, cuKernelSetCacheConfig, cuLibraryGetGlobal (by way of
 *  cudaGetSymbolAddress), cuModuleLoadData and cuLaunchKernel (kplan's own
 *  small kernels), cuCtxSetLimit; for planned images cuLibraryLoadData,
 *  cuModuleLoadDataEx, cuModuleGetFunction, cuFuncSetAttribute, and unloads
 *  where device memory runs out. */
KPLAN_API kplan_status kplan_prime(const kplan_options *options,
                                   kplan_report **report);

/** Declares that the concurrent phase starts. From here on each load, first
 *  touch or stalling free is an escape. Sealing twice is one seal. What cannot
 *  be noticed: docs/run.md.
 *  Driver calls behind it: cuLibraryGetModule of libraries that are in use,
 *  cuModuleEnumerateFunctions, cuFuncIsLoaded; none of them loads or waits. */
KPLAN_API kplan_status kplan_seal(void);

/** Ends the sealed phase; escapes counted so far are kept. */
KPLAN_API kplan_status kplan_unseal(void);

/** One first use after the seal. Strings live as long as the program. The same
 *  use again (a free in a loop) is the same escape. */
typedef struct kplan_escape {
  const char *kind;   /**< "load", "touch" or "free". */
  const char *symbol; /**< Kernel, global or file; "" where unknown. */
  const char *api;    /**< Driver call that did it; "" where it was only found
                           to have happened. */
  int device;         /**< Device ordinal; negative: unknown. */
  double host_ms;     /**< How long the call took, the longest of them;
                           negative: not timed. */
} kplan_escape;

/** Looks for escapes and copies at most `capacity` of them, oldest first.
 *  \param escapes null only with capacity 0.
 *  \param count   receives how many there are in all; must not be null.
 *  Driver calls behind it: as kplan_seal(). Does not wait. */
KPLAN_API kplan_status kplan_escapes(kplan_escape *escapes, size_t capacity,
                                     size_t *count);

/** All that is known of an escape. Set `size` first: it tells a newer library
 *  which fields the caller knew. Strings live as long as the program. */
typedef struct kplan_escape_info {
  size_t size;      /**< sizeof(kplan_escape_info) of the caller. */
  const char *kind; /**< As in kplan_escape, like the next two. */
  const char *symbol;
  const char *api;
  const char *image; /**< Content id of the code; "" where unknown. */
  int device;
  int64_t thread;       /**< As gettid() has it; 0: unknown. */
  double since_seal_ms; /**< From the seal to the first; negative: unknown. */
  double host_ms;
  uint64_t count; /**< How often it happened. */
} kplan_escape_info;

/** Escape `index` (0-based, as kplan_escapes() orders them) in detail.
 *  KPLAN_ERROR_INVALID_VALUE past the last one that kplan_escapes() counted. */
KPLAN_API kplan_status kplan_escape_details(size_t index,
                                            kplan_escape_info *info);

/** Looks for escapes and writes a report on all of them: text for people, or
 *  JSON (docs/run.md). At most `capacity` bytes with the NUL at the end go to
 *  `buffer`, as snprintf() does it.
 *  \param json   0: text.
 *  \param buffer null only with capacity 0.
 *  \param length receives the length of the whole report, without NUL; must not
 *                be null. It may have grown when called again. */
KPLAN_API kplan_status kplan_escape_report(int json, char *buffer,
                                           size_t capacity, size_t *length);

/** Numbers that a report holds. Values are stable. */
typedef enum kplan_counter {
  KPLAN_COUNT_LIBRARIES = 0,    /**< Libraries made resident. */
  KPLAN_COUNT_FUNCTIONS = 1,    /**< Functions loaded or found loaded. */
  KPLAN_COUNT_ATTRIBUTES = 2,   /**< Attributes and cache configs set. */
  KPLAN_COUNT_UNCHANGED = 3,    /**< ... that already had their value. */
  KPLAN_COUNT_GLOBALS = 4,      /**< Globals asked for. */
  KPLAN_COUNT_LOCAL_BYTES = 5,  /**< Local memory a thread, reserved. */
  KPLAN_COUNT_DEVICE_BYTES = 6, /**< Device memory that priming took. */
  KPLAN_COUNT_MISSING = 7,      /**< Entries that could not be placed. */
  KPLAN_COUNT_WARNINGS = 8,     /**< Messages, those of MISSING included. */
  KPLAN_COUNT_NOT_COVERED = 9,  /**< Registered kernels in libraries that the
                                     plan does not use: a launch that is
                                     their first use is not noticed. */
  KPLAN_COUNT_IMAGES = 10,      /**< Copies of images that this priming loaded
                                     ahead of the program. */
  KPLAN_COUNT_CLAIMED = 11,     /**< Copies loaded ahead, by this priming or
                                     before, that the program has asked for. */
  KPLAN_COUNT_UNCLAIMED = 12,   /**< ... that it has not asked for yet. */
  KPLAN_COUNT_WAITING = 13      /**< Planned kernels in code that is not loaded
                                     yet; primed when it is, unless sealed. */
} kplan_counter;

/** One number of the report; 0 for a null report or an unknown counter. */
KPLAN_API uint64_t kplan_report_count(const kplan_report *report,
                                      kplan_counter counter);

/** Milliseconds that priming took, reading the plan included. */
KPLAN_API double kplan_report_milliseconds(const kplan_report *report);

/** Message `index` (0-based): each entry that could not be placed and why,
 *  then other warnings. Null past the end. Lives as long as the report. */
KPLAN_API const char *kplan_report_message(const kplan_report *report,
                                           size_t index);

/** The report on one or a few lines for a log, without a newline at the end;
 *  lives as long as the report; never null. */
KPLAN_API const char *kplan_report_text(const kplan_report *report);

/** Frees a report; null is allowed. */
KPLAN_API void kplan_report_destroy(kplan_report *report);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* KPLAN_KPLAN_H */
