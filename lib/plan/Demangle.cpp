//===- Demangle.cpp - Symbols for people ----------------------------------===//

#include "plan/Demangle.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

std::string kplan::demangle(const std::string &Symbol) {
  // Short names are mangled types: "f" is float.
  if (!Symbol.starts_with("_Z"))
    return Symbol;
  int Status = 0;
  std::unique_ptr<char, decltype(&std::free)> Name(
      abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status),
      &std::free);
  return Status == 0 && Name ? Name.get() : Symbol;
}
