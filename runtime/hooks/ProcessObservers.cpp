//===- ProcessObservers.cpp - Who observes the calls of a process ---------===//
//
// Part of kplan. All observers but the log of calls, in the order in which they
// hear: one that answers calls comes after those that are to hear of them.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "escapes/EscapeObserver.h"
#include "hooks/Adopter.h"
#include "hooks/Hooks.h"
#include "record/LiveLog.h"
#include "record/Recorder.h"

void kplan::runtime::hooks::addProcessObservers(const HookSettings &Settings) {
  record::addRecorder();
  record::addLiveLog();
  // A program that is linked with kplan will call its functions: what was
  // loaded and used before matters to them.
  const bool Linked = !registry().empty();
  if (Settings.Plan)
    adoptAndPrime();
  else if (Linked)
    keepCode();
  // Behind those that answer: what they answer is no escape.
  if (Settings.WatchesEscapes || Linked)
    addEscapeObserver(Settings.AllEscapes);
}

kplan::runtime::EscapeWatch &kplan::runtime::escapeWatch() {
  return observedEscapes();
}
