//===- Mapping.cpp - A whole file in memory -------------------------------===//

#include "image/Mapping.h"

#include <sys/mman.h>

using namespace kplan::image;

Mapping::Mapping(const File &Of) {
  struct stat Status;
  if (!Of.valid() || !Of.status(Status) || !S_ISREG(Status.st_mode) ||
      Status.st_size == 0)
    return;
  Size = static_cast<size_t>(Status.st_size);
  void *Start = ::mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, Of.number(), 0);
  if (Start != MAP_FAILED)
    Begin = Start;
}

Mapping::~Mapping() {
  if (Begin)
    ::munmap(Begin, Size);
}
