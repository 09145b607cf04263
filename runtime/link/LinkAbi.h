/*===- LinkAbi.h - Between the link glue and libkplan_runtime --------------===*
 *
 * Internal. libkplan_link.a (Link.c) is linked into each program or shared
 * library that holds device code; libkplan_runtime.so is there once a process.
 * The two may come from different releases of kplan, so this is an ABI: structs
 * grow only at their end, `size` says how much of one the glue knew, and a
 * function never changes its signature.
 *
 * A *link unit* is one program or shared library, with the CUDA runtime that it
 * was linked with. A host stub or a host variable means something only to that
 * instance of the CUDA runtime, so each unit brings its own functions.
 *
 *===----------------------------------------------------------------------===*/

#ifndef KPLAN_RUNTIME_LINK_LINKABI_H
#define KPLAN_RUNTIME_LINK_LINKABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The CUDA runtime of one link unit. Returned ints are cudaError_t. */
typedef struct kplan_link_unit {
  size_t size; /**< sizeof(kplan_link_unit) of the glue. */
  int (*get_kernel)(void **kernel, const void *stub); /**< cudaGetKernel */
  int (*get_symbol_address)(void **address, const void *symbol);
  int (*get_device)(int *device);
  int (*init_device)(int device, unsigned device_flags, unsigned flags);
  int (*peek_at_last_error)(void);
  int (*get_last_error)(void);
  const char *(*get_error_name)(int error);
} kplan_link_unit;

/* What the glue tells. `handle` is the fat binary (or the device-linked image)
 * that the CUDA runtime gave to the unit; strings and addresses stay the
 * caller's and are valid until kplan_link_unregister(handle). None of these
 * fails visibly, calls CUDA, or needs constructors to have run. */

void kplan_link_register_kernel(const kplan_link_unit *unit, void **handle,
                                const void *stub, const char *symbol);
void kplan_link_register_variable(const kplan_link_unit *unit, void **handle,
                                  const void *host, const char *symbol);
void kplan_link_unregister(void **handle);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* KPLAN_RUNTIME_LINK_LINKABI_H */
