//===- LinkDriver.cpp - What link mode has of its own ---------------------===//

#include "LinkWatch.h"
#include "Process.h"

using namespace kplan;
using namespace kplan::runtime;

Result<DriverApi> kplan::runtime::openDriver() { return loadDriverApi(); }

CodeTable *kplan::runtime::loadedCode() { return nullptr; }

EscapeWatch &kplan::runtime::escapeWatch() {
  static auto *Watch = new LinkWatch(registry());
  return *Watch;
}
