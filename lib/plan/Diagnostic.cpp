//===- Diagnostic.cpp - Errors and warnings with a place ------------------===//

#include "plan/Diagnostic.h"

namespace kplan {

static std::string place(const Diagnostic &D) {
  if (D.File.empty())
    return {};
  std::string Out = D.File + ':';
  if (D.Line) {
    Out += std::to_string(D.Line) + ':';
    if (D.Column)
      Out += std::to_string(D.Column) + ':';
  }
  return Out += ' ';
}

static const char *word(Severity Level) {
  switch (Level) {
  case Severity::Note:
    return "note: ";
  case Severity::Warning:
    return "warning: ";
  case Severity::Error:
    return "error: ";
  }
  return "";
}

std::string format(const Diagnostic &D) {
  std::string Place = place(D);
  std::string Out = Place + word(D.Level) + D.Message;
  if (!D.Option.empty())
    Out += " [-W" + D.Option + ']';
  Out += '\n';
  if (!D.Hint.empty())
    Out += Place + "note: " + D.Hint + '\n';
  return Out;
}

} // namespace kplan
