// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <unistd.h>

#include "animation.h"
#include "command.h"
#include "sinew/core/staged_files.h"

namespace sinew::cli {
namespace {

// Without the stream's lock, which a thread that waits for a reader may hold.
void say_stopped() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;  // which may show a progress bar
  const std::string_view text = terminal ? "\r\x1b[Ksinew: stopped\n" : "sinew: stopped\n";
  pollfd errors{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&errors, 1, 0) == 1 && ::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

[[noreturn]] void end_without_memory() {
  ::alarm(2);  // if even this takes a lock that is held for good
  end_encoders();
  StagedFiles::discard_all();
  say_out_of_memory();
  ::_exit(bad_input);
}

// Where memory is asked for in vain, rather than wherever the exception would be caught: JSON that
// did not get its memory cannot be destroyed.
void on_missing_memory() {
  if (StagedFiles::is_busy()) throw std::bad_alloc();
  end_without_memory();
}

// Destructors that allocate, as those of JSON do, end the program where there is no memory.
[[noreturn]] void on_terminate() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (...) {
    std::abort();
  }
}

}  // namespace

void say_out_of_memory() {
  constexpr std::string_view text = "sinew: there is not enough memory for this input\n";
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void give_back_memory() {
#ifdef __GLIBC__
  // Otherwise it learns from large arrays to keep those up to 32 MB.
  constexpr int large = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 2 * large);
#endif
}

void guard_memory() {
  std::set_new_handler(on_missing_memory);
  std::set_terminate(on_terminate);
}

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Takes the lowest free number, which is this one.
    const int opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != stream) std::abort();
  }
  std::signal(SIGPIPE, SIG_IGN);  // a reader that is gone is an error, not our end
}

void end_on_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Under nohup the program outlives its terminal. A shell that starts it in the background
    // ignores Ctrl-C for it, but what is sent to it alone is meant.
    if (std::signal(signal, SIG_DFL) == SIG_IGN && signal == SIGHUP) {
      std::signal(signal, SIG_IGN);
    } else {
      sigaddset(&ending, signal);
    }
  }
  std::signal(SIGXFSZ, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  const auto wait_for_one = [ending] {
    int signal = 0;
    sigwait(&ending, &signal);
    pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
    end_encoders();
    StagedFiles::discard_all();
    say_stopped();
    ::_exit(128 + signal);
  };
  try {
    std::thread(wait_for_one).detach();
  } catch (const std::system_error&) {
    // No thread to be had: a signal ends the program as it ends any other.
    pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
  }
}

}  // namespace sinew::cli
