//===- UnitMessages.cpp - What a scan and its workers tell each other -----===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/UnitMessages.h"

#include "scan/FragmentWire.h"
#include "scan/Wire.h"

#include <algorithm>

namespace kplan::scan {

namespace {

void write(WireWriter &W, const Diagnostic &D) {
  W.number(static_cast<uint64_t>(D.Level));
  W.text(D.File);
  W.number(D.Line);
  W.number(D.Column);
  W.text(D.Message);
  W.text(D.Option);
  W.text(D.Hint);
}

Diagnostic readDiagnostic(WireReader &R) {
  Diagnostic D;
  D.Level = static_cast<Severity>(
      std::min<uint64_t>(R.number(), static_cast<uint64_t>(Severity::Error)));
  D.File = R.text();
  D.Line = R.number();
  D.Column = R.number();
  D.Message = R.text();
  D.Option = R.text();
  D.Hint = R.text();
  return D;
}

} // namespace

std::string encodeRequest(const UnitRequest &Request) {
  WireWriter W;
  const ClangCommand &C = Request.Command;
  W.text(C.Directory);
  W.text(C.File);
  W.texts(C.Arguments);
  W.number(C.IsCuda);
  W.number(C.RelocatableDeviceCode);
  W.number(C.BuiltByClang);
  W.texts(C.Archs);
  W.text(C.CudaPath);
  W.text(C.CudaVersion);
  W.texts(C.Guesses);
  W.text(Request.Options.Root);
  W.text(Request.Options.BuildRoot);
  W.number(Request.Options.Shortcuts);
  W.number(Request.Options.AllKernels);
  return W.take();
}

std::optional<UnitRequest> decodeRequest(std::string_view Bytes) {
  WireReader R(Bytes);
  UnitRequest Request;
  ClangCommand &C = Request.Command;
  C.Directory = R.text();
  C.File = R.text();
  C.Arguments = R.texts();
  C.IsCuda = R.number();
  C.RelocatableDeviceCode = R.number();
  C.BuiltByClang = R.number();
  C.Archs = R.texts();
  C.CudaPath = R.text();
  C.CudaVersion = R.text();
  C.Guesses = R.texts();
  Request.Options.Root = R.text();
  Request.Options.BuildRoot = R.text();
  Request.Options.Shortcuts = R.number();
  Request.Options.AllKernels = R.number();
  if (!R.complete())
    return std::nullopt;
  return Request;
}

std::string encodeResult(const UnitResult &Result) {
  WireWriter W;
  encode(W, Result.Found);
  W.number(Result.Diagnostics.size());
  for (const Diagnostic &D : Result.Diagnostics)
    write(W, D);
  W.number(Result.Failed);
  W.texts(Result.Dependencies);
  return W.take();
}

std::optional<UnitResult> decodeResult(std::string_view Bytes) {
  WireReader R(Bytes);
  UnitResult Unit;
  Unit.Found = decodeFragment(R);
  for (uint64_t N = R.count(); N > 0 && R.good(); --N)
    Unit.Diagnostics.push_back(readDiagnostic(R));
  Unit.Failed = R.number();
  Unit.Dependencies = R.texts();
  if (!R.complete())
    return std::nullopt;
  return Unit;
}

} // namespace kplan::scan
