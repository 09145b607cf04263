//===- PreloadObservers.cpp - Who observes calls in libkplan_preload ------===//
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
  if (Settings.Plan)
    adoptAndPrime();
  // Behind those that answer: what they answer is no escape.
  if (Settings.WatchesEscapes)
    addEscapeObserver(Settings.AllEscapes);
}

kplan::runtime::EscapeWatch &kplan::runtime::escapeWatch() {
  return observedEscapes();
}
