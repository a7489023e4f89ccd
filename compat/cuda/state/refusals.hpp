// What was refused lately and why, in sentences.
//
// CUDA's strings for codes are fixed, so the sentence that names the function and the pointer goes
// elsewhere: into the log that cudaLogsDumpToMemory() reads, to registered callbacks, to the file
// or stream that CUDA_LOG_FILE names, and with CONVOY_LOG=failures to standard error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "state/outcome.hpp"

namespace convoy::cuda {

// Notes that `function` answers `why`.
void note_refusal(const char* function, const outcome& why) noexcept;

// The same, with a sentence of the caller's own.
void note_refusal(const char* function, std::string_view sentence) noexcept;

// The number of the next refusal; those before it can be read while they are remembered.
std::uint32_t next_refusal() noexcept;

// The sentences from number `first` on, a line each, and at most `most` bytes of whole lines.
std::string refusals_since(std::uint32_t first, std::size_t most);

// `listener` hears of every later refusal; the answer is for forget_listener().
using refusal_listener =
    std::function<void(void* context, int level, char* sentence, std::size_t length)>;
std::uint64_t add_listener(refusal_listener listener, void* context);
bool forget_listener(std::uint64_t which);

}  // namespace convoy::cuda
