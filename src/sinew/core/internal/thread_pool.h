// SPDX-License-Identifier: Apache-2.0
// Threads that wait for loops, where there is no oneTBB (SINEW_WITH_THREADS).
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sinew {

// One loop runs at a time. A loop inside of a block, and one that another thread begins meanwhile,
// runs on the thread that begins it alone. No loop allocates.
class ThreadPool {
 public:
  // Threads are started on the first call and end with the process.
  static ThreadPool& instance() {
    static ThreadPool pool;
    return pool;
  }

  // How many threads work on a loop at most, the caller included.
  static int size() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

  // Calls block(i) for i in [0, count), on at most `threads` threads. An exception ends the loop
  // and is rethrown here.
  template <class Block>
  void run(std::size_t count, int threads, const Block& block) {
    std::unique_lock only(loop_, std::defer_lock);
    if (is_worker || !only.try_lock()) {
      for (std::size_t i = 0; i < count; ++i) block(i);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      call_ = [](const void* body, std::size_t i) { (*static_cast<const Block*>(body))(i); };
      body_ = &block;
      count_ = count;
      next_ = 0;
      wanted_ = std::min<int>(threads - 1, static_cast<int>(workers_.size()));
      failure_ = nullptr;
    }
    begin_.notify_all();
    is_worker = true;
    work();
    is_worker = false;
    std::unique_lock lock(mutex_);
    wanted_ = 0;  // who has not come yet is not needed
    end_.wait(lock, [&] { return working_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  ThreadPool() {
    for (int i = 1; i < size(); ++i) workers_.emplace_back([this] { wait_for_loops(); });
  }
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    begin_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void wait_for_loops() {
    is_worker = true;
    std::unique_lock lock(mutex_);
    while (true) {
      begin_.wait(lock, [&] { return ends_ || wanted_ > 0; });
      if (ends_) return;
      --wanted_;
      ++working_;
      lock.unlock();
      work();
      lock.lock();
      if (--working_ == 0) end_.notify_all();
    }
  }

  void work() {
    for (std::size_t i; (i = next_.fetch_add(1)) < count_;) {
      try {
        call_(body_, i);
      } catch (...) {
        next_ = count_;
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  // Also set for the caller of a loop while it works on it.
  static inline thread_local bool is_worker = false;

  std::mutex loop_, mutex_;
  std::condition_variable begin_, end_;
  void (*call_)(const void* body, std::size_t i) = nullptr;
  const void* body_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  int wanted_ = 0, working_ = 0;
  bool ends_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace sinew
