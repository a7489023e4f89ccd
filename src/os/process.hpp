// The process and its threads.
#pragma once

namespace convoy::os {

// Notices forks from now on. In a child, forked() is true for ever.
void watch_forks() noexcept;
[[nodiscard]] bool forked() noexcept;

// Processors this process may run on.
int processors() noexcept;

// Lets another thread have this processor.
void yield() noexcept;

void name_thread(const char* name) noexcept;

}  // namespace convoy::os
