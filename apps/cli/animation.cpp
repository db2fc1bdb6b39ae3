// SPDX-License-Identifier: Apache-2.0
#include "animation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/image/gif.h"
#include "sinew/image/png.h"

extern char** environ;

namespace sinew::cli {
namespace {

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

template <class Encoder>
class EncodedAnimation : public Animation {
 public:
  EncodedAnimation(Outputs& outputs, std::filesystem::path path, Encoder encoder)
      : outputs_(outputs), path_(std::move(path)), encoder_(std::move(encoder)) {}
  void add(const Image& frame) override { encoder_.add(frame); }
  void finish() override { outputs_.add(path_, encoder_.finish()); }

 private:
  Outputs& outputs_;
  std::filesystem::path path_;
  Encoder encoder_;
};

class FolderAnimation : public Animation {
 public:
  FolderAnimation(Outputs& outputs, std::filesystem::path folder, int first)
      : outputs_(outputs), folder_(std::move(folder)), first_(first), next_(first) {
    outputs_.make_folder(folder_);
  }
  void add(const Image& frame) override {
    outputs_.add(folder_ / fmt::format("frame_{:04}.png", next_++), encode_png(frame));
  }
  // Frames of an earlier animation that was longer would be taken for this one's.
  void finish() override {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      int number = 0, read = 0;
      if (std::sscanf(name.c_str(), "frame_%d.png%n", &number, &read) == 1 &&
          read == static_cast<int>(name.size()) && (number < first_ || number >= next_)) {
        outputs_.erase(entry.path());
      }
    }
  }

 private:
  Outputs& outputs_;
  std::filesystem::path folder_;
  int first_, next_;
};

// The encoder that runs now, or 0; locked while one starts and while one is waited for in the end.
std::mutex encoder_guard;
pid_t running_encoder = 0;

// Raw pixels through a pipe to ffmpeg, which writes beside the file until all went well.
class VideoAnimation : public Animation {
 public:
  VideoAnimation(Outputs& outputs, const std::filesystem::path& path, double frames_per_second)
      : path_(path), part_(outputs.reserve(path)), rate_(fmt::format("{}", frames_per_second)) {}
  ~VideoAnimation() override {
    if (process_ > 0) end();
  }

  void add(const Image& frame) override {
    if (process_ <= 0) start(frame);
    const char* bytes = reinterpret_cast<const char*>(frame.pixels().data());
    std::size_t left = frame.pixels().size() * sizeof(Pixel);
    while (left > 0) {
      const ssize_t written = ::write(pipe_, bytes, left);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw FileError(path_.string() + ": ffmpeg stopped");
      bytes += written;
      left -= static_cast<std::size_t>(written);
    }
  }

  void finish() override {
    if (end() != 0)
      throw FileError(path_.string() + ": ffmpeg failed; it may lack the x264 encoder");
  }

 private:
  void start(const Image& frame) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw FileError("a pipe cannot be created");
    const std::string size = fmt::format("{}x{}", frame.width(), frame.height());
    const Pixel corner = frame.at(frame.width() - 1, frame.height() - 1);
    // Players require even sizes and this pixel format.
    const std::string even = fmt::format("pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{:02x}{:02x}{:02x}",
                                         corner.r, corner.g, corner.b);
    // A name with a colon would be a URL.
    std::vector<std::string> words{"ffmpeg",
                                   "-y",
                                   "-loglevel",
                                   "error",
                                   "-f",
                                   "rawvideo",
                                   "-pixel_format",
                                   "rgba",
                                   "-video_size",
                                   size,
                                   "-framerate",
                                   rate_,
                                   "-i",
                                   "-",
                                   "-vf",
                                   even,
                                   "-pix_fmt",
                                   "yuv420p",
                                   "-movflags",
                                   "+faststart",
                                   "-f",
                                   "mp4",
                                   "file:" + part_.string()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    // It heeds the signals that our own threads leave to one of them.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failure = 0;
    {
      const std::lock_guard lock(encoder_guard);
      failure =
          ::posix_spawnp(&process_, "ffmpeg", &actions, &attributes, arguments.data(), environ);
      if (failure == 0) running_encoder = process_;
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    pipe_ = ends[1];
    if (failure == 0) return;
    process_ = 0;
    ::close(pipe_);
    throw UsageError(path_.string() +
                     ": .mp4 needs ffmpeg, which is not installed; write a .gif or .png instead");
  }

  // Closes the pipe, waits for ffmpeg and returns its exit status.
  int end() {
    int status = 0;
    ::close(pipe_);
    // Not reaped before it is known that nobody else will end it.
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR) {
      continue;
    }
    const std::lock_guard lock(encoder_guard);
    running_encoder = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return status;
  }

  std::filesystem::path path_, part_;
  std::string rate_;
  pid_t process_ = 0;
  int pipe_ = -1;
};

}  // namespace

void end_encoders() {
  encoder_guard.lock();  // for good: the program ends
  if (running_encoder == 0) return;
  ::kill(running_encoder, SIGKILL);
  ::waitpid(running_encoder, nullptr, 0);
}

void check_animation_output(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  for (const char* known : {"", ".gif", ".png", ".mp4"}) {
    if (extension == known) return;
  }
  throw UsageError(path.string() + ": an animation is a .gif, .png, .mp4 or a folder");
}

std::unique_ptr<Animation> make_animation(Outputs& outputs, const std::filesystem::path& path,
                                          int first, int count, double frames_per_second) {
  const std::string extension = extension_of(path);
  const double seconds = 1 / frames_per_second;
  if (extension == ".gif") {
    // Its times are hundredths of a second, two at least and 65535 at most.
    if (frames_per_second > 50 || frames_per_second < 0.0016) {
      throw UsageError(path.string() + ": a GIF has from 0.0016 to 50 frames a second");
    }
    return std::make_unique<EncodedAnimation<GifEncoder>>(outputs, path, GifEncoder(seconds));
  }
  if (extension == ".png") {
    return std::make_unique<EncodedAnimation<ApngEncoder>>(
        outputs, path, ApngEncoder(static_cast<std::size_t>(count), seconds));
  }
  if (extension == ".mp4")
    return std::make_unique<VideoAnimation>(outputs, path, frames_per_second);
  return std::make_unique<FolderAnimation>(outputs, path, first);
}

}  // namespace sinew::cli
