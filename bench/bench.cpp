// convoy_bench [--quick] [--brief] [--filter TEXT] [--variants TEXT,TEXT] [--json FILE]
//
// Measures scattered copies: Convoy, its kernels alone, loops, and the queues of other libraries.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "report.hpp"
#include "rows.hpp"

namespace convoy::bench {
namespace {

struct options {
  bool quick = false;
  length row_length = length::full;
  std::string filter;
  std::vector<std::string> variants;
  std::string json;
};

[[noreturn]] void refuse(const std::string& problem) {
  fmt::print(stderr,
             "{}\nusage: convoy_bench [--quick] [--brief] [--filter TEXT] [--variants TEXT,TEXT] "
             "[--json FILE]\n",
             problem);
  std::exit(2);
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

options parse(int argc, char** argv) {
  options chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) refuse(flag + " needs a value");
      return argv[i];
    };
    if (flag == "--quick") {
      chosen.quick = true;
      chosen.row_length = length::brief;
    } else if (flag == "--brief") {
      chosen.row_length = length::brief;
    } else if (flag == "--filter") {
      chosen.filter = value();
    } else if (flag == "--variants") {
      chosen.variants = split_at_commas(value());
    } else if (flag == "--json") {
      chosen.json = value();
    } else {
      refuse("unknown option " + flag);
    }
  }
  return chosen;
}

// OpenMP threads spin after their work; the runtime reads for how long when it is loaded.
void limit_spinning_of_loops(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "10000", 1);
  ::setenv("KMP_BLOCKTIME", "1", 1);
  ::execv("/proc/self/exe", argv);
}

void select_named(std::vector<variant>& variants, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::erase_if(variants, [&](const variant& v) {
    return std::ranges::none_of(
        names, [&](const std::string& name) { return v.name.find(name) != std::string::npos; });
  });
}

class pool_cache {
 public:
  explicit pool_cache(const std::vector<variant>& variants) : variants_(variants) {}

  const pools& get(page_size pages) {
    auto [found, fresh] = made_.try_emplace(pages);
    if (fresh) {
      found->second = allocate(pages);
      fill_with_noise(found->second);
      for (const variant& v : variants_) v.set_up(found->second);
    }
    return found->second;
  }

 private:
  static constexpr std::size_t bytes = std::size_t{1} << 30;

  pools allocate(page_size pages) const {
    for (const variant& v : variants_) {
      if (pages == page_size::small) break;
      if (const auto preferred = v.allocate(bytes)) return *preferred;
    }
    return map_pools(bytes, pages);
  }

  const std::vector<variant>& variants_;
  std::map<page_size, pools> made_;
};

int run(const options& chosen) {
  variant_set all = make_variants();
  for (const char* const missing : {CONVOY_BENCH_MISSING}) {
    if (*missing != '\0') all.unavailable.emplace_back(missing);
  }
  for (const std::string& reason : all.unavailable) fmt::print("{}\n", reason);
  select_named(all.variants, chosen.variants);
  if (all.variants.empty()) refuse("no variant has this name");

  pool_cache pools_by_page_size(all.variants);
  const effort limits = chosen.quick ? effort{8, std::chrono::milliseconds(1000)} : effort{};
  std::vector<measured_row> measured;
  for (const row& each : make_rows(chosen.row_length)) {
    if (each.name.find(chosen.filter) == std::string::npos) continue;
    const workload work = each.make(each, pools_by_page_size.get(each.pages));
    measured.push_back({each.name, measure(work, all.variants, limits)});
    print_row(measured.back());
  }
  print_summary(measured);
  if (!chosen.json.empty() && !write_json(measured, chosen.json)) refuse("cannot write the file");
  return 0;
}

}  // namespace
}  // namespace convoy::bench

int main(int argc, char** argv) {
  convoy::bench::limit_spinning_of_loops(argv);
  return convoy::bench::run(convoy::bench::parse(argc, argv));
}
