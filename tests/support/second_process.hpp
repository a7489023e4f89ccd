// A second real process for a test: the test's own program, started afresh in a role.
//
// A role is a function that is registered before main() and runs instead of it. The two processes
// talk through a pair of pipes, in plain values of agreed types.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace convoy::test {

// One end of the conversation. A partner that has gone ends the process or fails the test.
class wire {
 public:
  wire(int in, int out) : in_(in), out_(out) {}

  template <class T>
  void send(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    EXPECT_EQ(::write(out_, &value, sizeof value), static_cast<ssize_t>(sizeof value));
  }

  template <class T>
  T receive() {
    T value{};
    auto* at = reinterpret_cast<char*>(&value);
    for (std::size_t have = 0; have != sizeof value;) {
      const auto got = ::read(in_, at + have, sizeof value - have);
      if (got <= 0) {
        ADD_FAILURE() << "the other process has gone";
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
  role(const char* name, void (*play)(wire& first)) {
    const char* const wanted = std::getenv(role_variable);
    if (wanted == nullptr || std::string_view(wanted) != name) return;
    wire first(STDIN_FILENO, STDOUT_FILENO);
    play(first);
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
};

class second_process : public wire {
 public:
  explicit second_process(const char* role) : wire(-1, -1) {
    std::array<int, 2> to_it{};
    std::array<int, 2> from_it{};
    EXPECT_EQ(::pipe(to_it.data()), 0);
    EXPECT_EQ(::pipe(from_it.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(to_it[0], STDIN_FILENO);
      ::dup2(from_it[1], STDOUT_FILENO);
      for (const int each : {to_it[0], to_it[1], from_it[0], from_it[1]}) ::close(each);
      ::setenv(role_variable, role, 1);
      ::execl("/proc/self/exe", "second_process", nullptr);
      ::_exit(127);
    }
    ::close(to_it[0]);
    ::close(from_it[1]);
    in_ = from_it[0];
    out_ = to_it[1];
  }
  ~second_process() {
    EXPECT_TRUE(ended_well());
    ::close(in_);
    ::close(out_);
  }
  second_process(const second_process&) = delete;
  second_process& operator=(const second_process&) = delete;

  [[nodiscard]] std::int32_t number() const { return child_; }

  // Waits for its end.
  bool ended_well() {
    if (child_ > 0 && ::waitpid(child_, &how_, 0) == child_) child_ = 0;
    return WIFEXITED(how_) && WEXITSTATUS(how_) == 0;
  }

  // Ends it in the middle of what it does.
  void kill() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &how_, 0);
    child_ = 0;
    how_ = 0;
  }

 private:
  pid_t child_ = 0;
  int how_ = 0;
};

}  // namespace convoy::test
