//===- LinkDriver.cpp - The driver in link mode ---------------------------===//

#include "Process.h"

using namespace kplan;
using namespace kplan::runtime;

Result<DriverApi> kplan::runtime::openDriver() { return loadDriverApi(); }

CodeTable *kplan::runtime::loadedCode() { return nullptr; }
