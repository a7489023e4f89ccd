// What AscendCL keeps for each thread: its context, its last error, what went wrong.
#pragma once

#include <convoy/stream.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "outcome.hpp"

namespace convoy::ascendcl {

struct context;

struct thread_state {
  std::shared_ptr<context> current;  // null, or possibly destroyed by now

  // The handle that was found last to be a stream of `current`, so that a thread that keeps using
  // one stream looks nothing up. The engine knows when the stream is gone.
  bool knows_stream = false;
  aclrtStream known_handle = nullptr;
  stream_ref known_stream;

  aclError last_error = ACL_SUCCESS;
  std::string untold;  // sentences since the thread last asked
  std::string told;    // what it was told then

  std::uint32_t last_task = 0;
  std::map<device_id, stream> side_streams;
};

// Lives as long as the thread, and for the main thread to the end of the process: programs still
// call from static destructors.
thread_state& this_thread();

// The thread's own stream for calls that wait: nobody else's work holds it up.
found<stream_ref> side_stream(device_id on);

void make_current(std::shared_ptr<context> next);

}  // namespace convoy::ascendcl
