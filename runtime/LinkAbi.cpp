//===- LinkAbi.cpp - What the link glue calls -----------------------------===//

#include "link/LinkAbi.h"

#include "Process.h"

using namespace kplan::runtime;

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

EXPORTED void kplan_link_register_kernel(const kplan_link_unit *Unit,
                                         void **Handle, const void *Stub,
                                         const char *Symbol) {
  registry().addKernel(Unit, Handle, Stub, Symbol);
}

EXPORTED void kplan_link_register_variable(const kplan_link_unit *Unit,
                                           void **Handle, const void *Host,
                                           const char *Symbol) {
  registry().addVariable(Unit, Handle, Host, Symbol);
}

EXPORTED void kplan_link_unregister(void **Handle) {
  registry().remove(Handle);
}

} // extern "C"
