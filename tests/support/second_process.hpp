// A second process for a test: the test program itself, started again in a role.
//
// A role is a function that is registered before main() and runs instead of it. The processes
// exchange values through two pipes; sender and receiver agree on the types.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace convoy::test {

// One end of the pair of pipes. receive() fails the test when the other process has ended.
class message_pipe {
 public:
  message_pipe(int in, int out) : in_(in), out_(out) {}

  template <class T>
  void send(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    EXPECT_EQ(::write(out_, &value, sizeof value), static_cast<ssize_t>(sizeof value));
  }

  template <class T>
  T receive() {
    T value{};
    auto* start = reinterpret_cast<char*>(&value);
    for (std::size_t have = 0; have != sizeof value;) {
      const auto got = ::read(in_, start + have, sizeof value - have);
      if (got <= 0) {
        ADD_FAILURE() << "the other process has ended";
        return {};
      }
      have += static_cast<std::size_t>(got);
    }
    return value;
  }

 protected:
  int in_;
  int out_;
};

constexpr const char* role_variable = "TEST_ROLE";

// Registers a role; in a process started for it, runs it and ends the process.
class role {
 public:
  role(const char* name, void (*run)(message_pipe& parent)) {
    const char* const wanted = std::getenv(role_variable);
    if (wanted == nullptr || std::string_view(wanted) != name) return;
    message_pipe parent(STDIN_FILENO, STDOUT_FILENO);
    run(parent);
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
};

class second_process : public message_pipe {
 public:
  explicit second_process(const char* role) : message_pipe(-1, -1) {
    std::array<int, 2> to_child{};
    std::array<int, 2> from_child{};
    EXPECT_EQ(::pipe(to_child.data()), 0);
    EXPECT_EQ(::pipe(from_child.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(to_child[0], STDIN_FILENO);
      ::dup2(from_child[1], STDOUT_FILENO);
      for (const int each : {to_child[0], to_child[1], from_child[0], from_child[1]}) ::close(each);
      ::setenv(role_variable, role, 1);
      ::execl("/proc/self/exe", "second_process", nullptr);
      ::_exit(127);
    }
    ::close(to_child[0]);
    ::close(from_child[1]);
    in_ = from_child[0];
    out_ = to_child[1];
  }
  ~second_process() {
    EXPECT_TRUE(ended_well());
    ::close(in_);
    ::close(out_);
  }
  second_process(const second_process&) = delete;
  second_process& operator=(const second_process&) = delete;

  [[nodiscard]] std::int32_t pid() const { return child_; }

  // Waits until the process ends.
  bool ended_well() {
    if (child_ > 0 && ::waitpid(child_, &status_, 0) == child_) child_ = 0;
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

  // Kills the process at whatever it does.
  void kill() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
    child_ = 0;
    status_ = 0;
  }

 private:
  pid_t child_ = 0;
  int status_ = 0;
};

}  // namespace convoy::test
