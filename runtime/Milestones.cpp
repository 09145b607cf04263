//===- Milestones.cpp - What kplan itself does in a process ---------------===//

#include "Milestones.h"

#include <atomic>

using namespace kplan::runtime;

static constinit std::atomic<MilestoneListener *> Listening = nullptr;

void kplan::runtime::setMilestoneListener(MilestoneListener &Listener) {
  Listening.store(&Listener, std::memory_order_release);
}

MilestoneListener *kplan::runtime::milestoneListener() {
  return Listening.load(std::memory_order_acquire);
}
