// A program for the command to run: copies, and then ends as its argument says.
#include <sys/wait.h>
#include <unistd.h>

#include <convoy/convoy.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t block = 4096;
constexpr std::size_t blocks = 64;

// Two batches, to the device and back, in one stream.
bool copy_some() {
  const auto stream = convoy::make_stream(convoy::device_id{0});
  const auto device = convoy::make_device_buffer(convoy::device_id{0}, block * blocks);
  const auto host = convoy::make_pinned_buffer(block * blocks);
  if (!stream || !device || !host) return false;
  std::vector<convoy::copy> out;
  std::vector<convoy::copy> in;
  for (std::size_t i = 0; i != blocks; ++i) {
    out.push_back({device->data() + i * 5 % blocks * block, host->data() + i * block, block});
    in.push_back({host->data() + i * block, device->data() + i * 5 % blocks * block, block});
  }
  return convoy::submit(*stream, out) && convoy::submit(*stream, in) && stream->synchronize().ok();
}

bool copy_often(int times) {
  while (times != 0 && copy_some()) --times;
  return times == 0;
}

// A fill and a reduction in one stream.
bool reduce_some() {
  const auto stream = convoy::make_stream(convoy::device_id{0});
  const auto sums = convoy::make_device_buffer(convoy::device_id{0}, block);
  const auto parts = convoy::make_device_buffer(convoy::device_id{0}, block);
  return stream && sums && parts && convoy::fill(*stream, sums->data(), block, {}) &&
         convoy::reduce(*stream, {sums->data(), parts->data(), block}) &&
         stream->synchronize().ok();
}

// Parent and child use Convoy independently.
int fork_and_copy() {
  const pid_t child = ::fork();
  if (child == 0) std::exit(copy_some() ? 0 : 1);
  int wait_status = 0;
  ::waitpid(child, &wait_status, 0);
  return copy_some() && wait_status == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view action = count > 1 ? arguments[1] : "copy";
  if (action == "exit") return std::atoi(arguments[2]);
  if (action == "fork") return fork_and_copy();
  if (!copy_some()) return 1;
  if (action == "end") return std::atoi(arguments[2]);
  if (action == "many") return copy_often(5000) ? std::atoi(arguments[2]) : 1;
  if (action == "truncate") {
    return ::truncate(arguments[2], 0) == 0 && copy_often(1000) ? 9 : 1;
  }
  if (action == "reduce") return reduce_some() ? 0 : 1;
  if (action == "abort") std::abort();
  if (action == "crash") std::raise(SIGSEGV);
  if (action == "wait") {
    std::puts("ready");
    std::fflush(stdout);
    ::pause();
  }
  if (action == "devices") std::printf("%d\n", *convoy::device_count());
  return 0;
}
