//===- LinkDriver.cpp - The driver in link mode ---------------------------===//

#include "Process.h"

kplan::Result<kplan::runtime::DriverApi> kplan::runtime::openDriver() {
  return loadDriverApi();
}
