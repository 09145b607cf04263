//===- ParallelTest.cpp - A few threads over a list of jobs --------------===//

#include "Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <latch>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace kplan::runtime;

namespace {

TEST(Parallel, EachJobIsDoneOnce) {
  for (unsigned Threads : {0U, 1U, 3U, 64U}) {
    std::vector<std::atomic<int>> Done(100);
    runWorkers(Done.size(), Threads, [&](const NextJob &Next, bool) {
      for (size_t I = 0; Next(I);)
        ++Done[I];
    });
    for (const auto &D : Done)
      EXPECT_EQ(D, 1);
  }
}

TEST(Parallel, TheCallerDoesWhatOthersLeave) {
  std::atomic<int> Done{0};
  runWorkers(50, 4, [&](const NextJob &Next, bool OnCaller) {
    if (!OnCaller)
      return;
    for (size_t I = 0; Next(I);)
      ++Done;
  });
  EXPECT_EQ(Done, 50);
}

TEST(Parallel, AnExceptionOfAnyWorkerArrives) {
  for (bool FromCaller : {true, false}) {
    std::latch Both(2);
    EXPECT_THROW(runWorkers(2, 2,
                            [&](const NextJob &, bool OnCaller) {
                              Both.arrive_and_wait();
                              if (OnCaller == FromCaller)
                                throw std::runtime_error("x");
                            }),
                 std::runtime_error);
  }
}

TEST(Parallel, OtherThreadsTakeNoSignals) {
  std::atomic<int> Blocked{0};
  std::latch Both(2);
  runWorkers(2, 2, [&](const NextJob &, bool OnCaller) {
    Both.arrive_and_wait();
    sigset_t Mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &Mask);
    if (!OnCaller)
      Blocked += sigismember(&Mask, SIGUSR1);
  });
  EXPECT_EQ(Blocked, 1);
  sigset_t Mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &Mask);
  EXPECT_FALSE(sigismember(&Mask, SIGUSR1));
}

TEST(Parallel, ElsewhereIsAnotherThread) {
  std::thread::id There;
  ASSERT_TRUE(runElsewhere([&] { There = std::this_thread::get_id(); }));
  EXPECT_NE(There, std::thread::id());
  EXPECT_NE(There, std::this_thread::get_id());
  EXPECT_THROW(runElsewhere([] { throw std::runtime_error("there"); }),
               std::runtime_error);
}

TEST(Parallel, NoJobsNoThreads) {
  int Calls = 0;
  runWorkers(0, 8, [&](const NextJob &Next, bool OnCaller) {
    EXPECT_TRUE(OnCaller);
    size_t I;
    EXPECT_FALSE(Next(I));
    ++Calls;
  });
  EXPECT_EQ(Calls, 1);
}

} // namespace
