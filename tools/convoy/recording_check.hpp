// Refuses a recording that cannot be replayed, before memory is allocated for it.
#pragma once

#include "byte_budget.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct replay_budgets {
  byte_budget& memory;
  byte_budget& copied;
};

// About what a step, its event and its place in the lists occupy, and each of its copies.
inline constexpr std::uint64_t bytes_per_step = 1024;
inline constexpr std::uint64_t bytes_per_copy = 128;

// Throws bad_trace when no program can have recorded an allocation, a step or a box, whatever it
// costs to replay the others; takes time for each record, not for each copy. Ranges of copies are
// checked by replay_memory.
void check_records(const trace::recording& from);

// Throws bad_trace when the copies exceed a limit. Takes their memory from the budgets.
void take_copies(const trace::recording& from, const replay_budgets& budgets);

}  // namespace convoy::tools
