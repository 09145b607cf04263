//===- Report.cpp - What priming did --------------------------------------===//

#include "Report.h"

#include <cstdio>

namespace {

/// A log line each for this many messages; all are in the report.
constexpr size_t MessagesInText = 10;

std::string megabytes(uint64_t Bytes) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof(Buffer), "%.1f MB",
                static_cast<double>(Bytes) / 1e6);
  return Buffer;
}

std::string counted(uint64_t N, const char *One, const char *Many) {
  return std::to_string(N) + " " + (N == 1 ? One : Many);
}

std::string headline(const kplan_report &R) {
  char Time[32];
  std::snprintf(Time, sizeof(Time), "%.1f ms", R.Milliseconds);
  std::string Line = "primed device " + std::to_string(R.Device) + " in " +
                     Time + ": " +
                     counted(R.Libraries, "library", "libraries") + ", " +
                     counted(R.Functions, "function", "functions") + ", " +
                     counted(R.Attributes, "attribute", "attributes") +
                     " set (" + std::to_string(R.Unchanged) + " unchanged), " +
                     counted(R.Globals, "global", "globals");
  if (R.LocalBytes)
    Line += ", local memory " + std::to_string(R.LocalBytes) +
            " bytes a thread (" + megabytes(R.LocalDeviceBytes) + ")";
  if (R.Images)
    Line += ", " + counted(R.Images, "image", "images") + " loaded ahead";
  return Line + ", " + megabytes(R.DeviceBytes) + " of device memory";
}

} // namespace

void kplan_report::finish() {
  Messages.clear();
  if (!Failure.empty())
    Messages.push_back(Failure);
  Messages.insert(Messages.end(), Missing.begin(), Missing.end());
  Messages.insert(Messages.end(), Warnings.begin(), Warnings.end());

  Text = Failure.empty() ? headline(*this) : "not primed";
  if (NotCovered)
    Text +=
        "\n  " +
        counted(NotCovered, "registered kernel is", "registered kernels are") +
        " in libraries that the plan does not use: a launch that is the "
        "first use after the seal is not noticed";
  if (Waiting)
    Text += "\n  " +
            counted(Waiting, "planned kernel is", "planned kernels are") +
            " in code that is not loaded yet: primed when it is";
  for (size_t I = 0; I < Messages.size() && I < MessagesInText; ++I)
    Text += "\n  " + Messages[I];
  if (Messages.size() > MessagesInText)
    Text += "\n  and " + std::to_string(Messages.size() - MessagesInText) +
            " more: kplan_report_message()";
}

uint64_t kplan_report::count(kplan_counter Counter) const {
  switch (Counter) {
  case KPLAN_COUNT_LIBRARIES:
    return Libraries;
  case KPLAN_COUNT_FUNCTIONS:
    return Functions;
  case KPLAN_COUNT_ATTRIBUTES:
    return Attributes;
  case KPLAN_COUNT_UNCHANGED:
    return Unchanged;
  case KPLAN_COUNT_GLOBALS:
    return Globals;
  case KPLAN_COUNT_LOCAL_BYTES:
    return LocalBytes;
  case KPLAN_COUNT_DEVICE_BYTES:
    return DeviceBytes;
  case KPLAN_COUNT_MISSING:
    return Missing.size();
  case KPLAN_COUNT_WARNINGS:
    return Messages.size();
  case KPLAN_COUNT_NOT_COVERED:
    return NotCovered;
  case KPLAN_COUNT_IMAGES:
    return Images;
  case KPLAN_COUNT_CLAIMED:
    return Claimed;
  case KPLAN_COUNT_UNCLAIMED:
    return Unclaimed;
  case KPLAN_COUNT_WAITING:
    return Waiting;
  }
  return 0; // A counter of a newer header.
}

const char *kplan_report::message(size_t Index) const {
  return Index < Messages.size() ? Messages[Index].c_str() : nullptr;
}
