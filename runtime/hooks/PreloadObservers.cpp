//===- PreloadObservers.cpp - Who observes calls in libkplan_preload ------===//
//
// Part of kplan. All observers but the log of calls, in the order in which they
// hear: one that answers calls comes after those that are to hear of them.
//
//===----------------------------------------------------------------------===//

#include "hooks/Adopter.h"
#include "hooks/Hooks.h"
#include "record/LiveLog.h"
#include "record/Recorder.h"

void kplan::runtime::hooks::addProcessObservers(const HookSettings &Settings) {
  record::addRecorder();
  record::addLiveLog();
  if (Settings.Plan)
    adoptAndPrime();
}
