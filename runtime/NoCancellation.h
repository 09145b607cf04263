//===- NoCancellation.h - A thread that cannot be cancelled ---------------===//
//
// Part of kplan. Under a hook a thread of the program cannot be unwound from
// where it waits, or calls the driver: pthread_cancel takes effect afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_NOCANCELLATION_H
#define KPLAN_RUNTIME_NOCANCELLATION_H

#include <pthread.h>

namespace kplan::runtime {

class NoCancellation {
public:
  NoCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &Before); }
  ~NoCancellation() { pthread_setcancelstate(Before, nullptr); }
  NoCancellation(const NoCancellation &) = delete;
  NoCancellation &operator=(const NoCancellation &) = delete;

private:
  int Before = PTHREAD_CANCEL_ENABLE;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_NOCANCELLATION_H
