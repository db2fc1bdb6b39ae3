// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/parallel.h"

#include <algorithm>
#include <atomic>

#ifdef SINEW_WITH_TBB
#include <map>
#include <mutex>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#elif defined(SINEW_WITH_THREADS)
#include "sinew/core/internal/thread_pool.h"
#endif
#ifdef SINEW_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace sinew {
namespace {

std::atomic<int> requested_threads{0};

#ifdef SINEW_WITH_TBB
// Arenas are cached: creating one allocates memory, which loops that run every frame must not do.
tbb::task_arena& arena_of(int threads) {
  static std::mutex mutex;
  static std::map<int, tbb::task_arena> arenas;
  const std::lock_guard lock(mutex);
  return arenas.try_emplace(threads, threads).first->second;
}
#endif

// oneTBB is built without the thread sanitizer, which therefore does not see how it synchronises.
// These annotations say what holds: a loop happens after what precedes it and before what follows
// it, but its blocks are not ordered among each other.
class LoopOrder {
 public:
#ifdef SINEW_THREAD_SANITIZER
  LoopOrder() { __tsan_release(&begun_); }
  ~LoopOrder() { __tsan_acquire(&ended_); }
  void begin_block() { __tsan_acquire(&begun_); }
  void end_block() { __tsan_release(&ended_); }

 private:
  char begun_ = 0, ended_ = 0;
#else
  void begin_block() {}
  void end_block() {}
#endif
};

}  // namespace

void set_thread_count(int count) { requested_threads = std::max(count, 0); }

int thread_count() {
#ifdef SINEW_WITH_TBB
  // oneTBB has no more workers than that, and prints a warning if asked for more.
  const int most = tbb::info::default_concurrency();
#elif defined(SINEW_WITH_THREADS)
  const int most = ThreadPool::size();
#else
  const int most = 1;
#endif
  const int requested = requested_threads;
  return requested > 0 ? std::min(requested, most) : most;
}

void detail::run_blocks(std::size_t count, std::size_t grain, RangeFunction function,
                        void* context) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t blocks = count / grain + (count % grain != 0 ? 1 : 0);
  const auto run_block = [&](std::size_t block) {
    function(context, block * grain, std::min(count, (block + 1) * grain));
  };
#ifdef SINEW_WITH_TBB
  if (blocks > 1 && thread_count() > 1) {
    LoopOrder order;
    const auto run_ordered = [&](std::size_t block) {
      order.begin_block();
      run_block(block);
      order.end_block();
    };
    arena_of(thread_count()).execute([&] {
      tbb::parallel_for(std::size_t{0}, blocks, run_ordered);
    });
    return;
  }
#elif defined(SINEW_WITH_THREADS)
  if (blocks > 1 && thread_count() > 1) {
    ThreadPool::instance().run(blocks, thread_count(), run_block);
    return;
  }
#endif
  for (std::size_t block = 0; block < blocks; ++block) run_block(block);
}

}  // namespace sinew
