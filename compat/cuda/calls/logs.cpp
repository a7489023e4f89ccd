#include "calls/logs.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "state/error_log.hpp"

namespace convoy::cuda {
namespace {

constexpr std::size_t min_log_buffer = 2;

std::string read_log(cudaLogIterator* iterator, std::size_t max_bytes) {
  std::string text = log_entries_since(iterator == nullptr ? 0 : *iterator, max_bytes);
  if (iterator != nullptr) *iterator = next_log_entry();
  return text;
}

}  // namespace

call_status register_log_callback(cudaLogsCallback_t callback, void* argument,
                                  cudaLogsCallbackHandle* handle) {
  if (callback == nullptr) return cudaErrorInvalidValue;
  const std::uint64_t key = add_log_callback(callback, argument);
  if (handle != nullptr) *handle = std::bit_cast<cudaLogsCallbackHandle>(key);
  return cudaSuccess;
}

call_status unregister_log_callback(cudaLogsCallbackHandle handle) {
  const bool removed = remove_log_callback(std::bit_cast<std::uint64_t>(handle));
  return removed ? cudaSuccess : cudaErrorInvalidValue;
}

call_status current_log(cudaLogIterator* iterator, unsigned flags) {
  if (iterator == nullptr || flags != 0) return cudaErrorInvalidValue;
  *iterator = next_log_entry();
  return cudaSuccess;
}

call_status dump_log_to_file(cudaLogIterator* iterator, const char* path, unsigned flags) {
  if (path == nullptr || flags != 0) return cudaErrorInvalidValue;
  std::FILE* const file = std::fopen(path, "ae");
  if (file == nullptr) return cudaErrorInvalidValue;
  std::fputs(read_log(iterator, SIZE_MAX).c_str(), file);
  std::fclose(file);
  return cudaSuccess;
}

call_status dump_log_to_memory(cudaLogIterator* iterator, char* buffer, std::size_t* size,
                               unsigned flags) {
  const bool fits = buffer != nullptr && size != nullptr && *size >= min_log_buffer;
  if (!fits || flags != 0) return cudaErrorInvalidValue;
  const std::string text = read_log(iterator, *size - 1);
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  *size = text.size();
  return cudaSuccess;
}

}  // namespace convoy::cuda
