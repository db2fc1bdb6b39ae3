// SPDX-License-Identifier: Apache-2.0
// For tests of how work grows: the instructions that a function takes, which are the same on every
// run but take long to count, or where that is too much the seconds.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <optional>

#if defined(__linux__)
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace sinew {

// Runs the function in a child process, one instruction at a time: a million take some seconds. On
// one thread: set_thread_count(1) before. None where processes may not be watched, or the function
// fails.
template <class Function>
std::optional<std::uint64_t> count_steps(const Function& function) {
#if defined(__linux__)
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    function();
    _exit(0);
  }
  int status = 0;
  std::uint64_t steps = 0;
  waitpid(child, &status, 0);
  while (WIFSTOPPED(status)) {
    const int signal =
        WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, signal) != 0) break;
    waitpid(child, &status, 0);
    ++steps;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return steps;
#else
  (void)function;
#endif
  return std::nullopt;
}

// Seconds that this thread computed, the least of several times; others on the machine do not
// count.
template <class Function>
double cpu_seconds(Function&& function) {
  double least = 1e300;
  for (int i = 0; i < 3; ++i) {
    timespec before{}, after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    function();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    least = std::min(least, double(after.tv_sec - before.tv_sec) +
                                1e-9 * double(after.tv_nsec - before.tv_nsec));
  }
  return least;
}

}  // namespace sinew
