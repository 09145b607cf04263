//===- LoadedObjectTest.cpp -----------------------------------------------===//

#include "hooks/LoadedObject.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

using namespace kplan::runtime::hooks;

namespace {

// Exported, so that it is in the dynamic symbol table (-rdynamic).
extern "C" __attribute__((visibility("default"))) int kplanTestFunction() {
  return 42;
}

TEST(LoadedObjectTest, FindsTheObjectOfAnAddress) {
  LoadedObject Libc = objectContaining(reinterpret_cast<void *>(&std::getenv));
  ASSERT_TRUE(Libc);
  EXPECT_EQ(Libc.soname(), "libc.so.6");
  int Local = 0;
  EXPECT_FALSE(objectContaining(&Local));
}

TEST(LoadedObjectTest, AgreesWithDlsym) {
  void *Handle = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(Handle, nullptr);
  LoadedObject Libc = objectContaining(reinterpret_cast<void *>(&std::getenv));
  // dlsym has an old and a new version since glibc 2.34.
  for (const char *Name : {"getenv", "dlsym", "dlvsym", "malloc", "qsort",
                           "pthread_create", "printf"})
    EXPECT_EQ(Libc.findFunction(Name), dlsym(Handle, Name)) << Name;
  dlclose(Handle);
}

TEST(LoadedObjectTest, AgreesWithDlsymOnIndirectFunctions) {
  void *Handle = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  LoadedObject Libc = objectContaining(reinterpret_cast<void *>(&std::getenv));
  for (const char *Name : {"memcpy", "strlen", "memset"})
    EXPECT_EQ(Libc.findFunction(Name), dlsym(Handle, Name)) << Name;
  dlclose(Handle);
}

TEST(LoadedObjectTest, ReadsTheOlderHashTable) {
  // The library is linked with --hash-style=sysv.
  void *Handle = dlopen(KPLAN_TEST_LIBRARY, RTLD_NOW);
  ASSERT_NE(Handle, nullptr) << dlerror();
  void *Expected = dlsym(Handle, "kplanTestLibraryFunction");
  ASSERT_NE(Expected, nullptr);
  LoadedObject Library = objectContaining(Expected);
  EXPECT_EQ(Library.findFunction("kplanTestLibraryFunction"), Expected);
  EXPECT_EQ(Library.findFunction("kplanTestLibraryFunctio"), nullptr);
  dlclose(Handle);
}

TEST(LoadedObjectTest, DoesNotFindWhatIsNotThere) {
  LoadedObject Libc = objectContaining(reinterpret_cast<void *>(&std::getenv));
  EXPECT_EQ(Libc.findFunction("kplan_no_such_function"), nullptr);
  EXPECT_EQ(Libc.findFunction(""), nullptr);
  // Needed by libc, not defined by it.
  EXPECT_EQ(Libc.findFunction("__tls_get_addr"), nullptr);
  EXPECT_EQ(LoadedObject().findFunction("getenv"), nullptr);
}

TEST(LoadedObjectTest, TheProgramIsFirst) {
  std::string_view Path = "none";
  forEachLoadedObject([&](const LoadedObject &Object) {
    Path = Object.path();
    EXPECT_EQ(Object.findFunction("kplanTestFunction"),
              reinterpret_cast<void *>(&kplanTestFunction));
    return true;
  });
  EXPECT_EQ(Path, "");
}

TEST(LoadedObjectTest, ListsReferencesOfTheProgram) {
  bool Seen = false;
  forEachLoadedObject([&](const LoadedObject &Object) {
    Object.forEachReference([&](std::string_view Name, void *const *Slot) {
      if (Name == "dlopen" && *Slot == reinterpret_cast<void *>(&dlopen))
        Seen = true;
    });
    return true;
  });
  EXPECT_TRUE(Seen);
}

TEST(LoadedObjectTest, CountsUnloads) {
  unsigned long long Before = unloadCount();
  void *Handle = dlopen(KPLAN_TEST_LIBRARY, RTLD_NOW);
  ASSERT_NE(Handle, nullptr) << dlerror();
  EXPECT_EQ(unloadCount(), Before);
  dlclose(Handle);
  EXPECT_GT(unloadCount(), Before);
}

} // namespace
