#include "elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace convoy::tools {
namespace {

// A 64-bit file of this byte order; reads outside of the file are empty.
class elf_view {
 public:
  explicit elf_view(std::string_view all) : all_(all) {}

  [[nodiscard]] bool good() const {
    return all_.size() >= sizeof(Elf64_Ehdr) && all_.starts_with(ELFMAG) &&
           all_[EI_CLASS] == ELFCLASS64 && all_[EI_DATA] == ELFDATA2LSB;
  }

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > all_.size() || all_.size() - offset < sizeof(T)) return {};
    T value;
    std::memcpy(&value, all_.data() + offset, sizeof value);
    return value;
  }
  [[nodiscard]] std::string_view text_at(std::uint64_t offset) const {
    if (offset >= all_.size()) return {};
    const std::string_view rest = all_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

  [[nodiscard]] std::vector<Elf64_Shdr> sections() const {
    const auto head = *at<Elf64_Ehdr>(0);
    return table<Elf64_Shdr>(head.e_shoff, head.e_shnum);
  }
  [[nodiscard]] std::vector<Elf64_Phdr> segments() const {
    const auto head = *at<Elf64_Ehdr>(0);
    return table<Elf64_Phdr>(head.e_phoff, head.e_phnum);
  }
  template <class T>
  [[nodiscard]] std::vector<T> table(std::uint64_t offset, std::uint64_t count) const {
    std::vector<T> all;
    for (std::uint64_t i = 0; i != count; ++i) {
      const auto each = at<T>(offset + i * sizeof(T));
      if (!each) break;
      all.push_back(*each);
    }
    return all;
  }

 private:
  std::string_view all_;
};

void read_dynamic(const elf_view& file, const std::vector<Elf64_Shdr>& sections, elf_facts& into) {
  for (const Elf64_Shdr& each : sections) {
    if (each.sh_type != SHT_DYNAMIC || each.sh_link >= sections.size()) continue;
    const std::uint64_t strings = sections[each.sh_link].sh_offset;
    for (const auto& entry :
         file.table<Elf64_Dyn>(each.sh_offset, each.sh_size / sizeof(Elf64_Dyn))) {
      if (entry.d_tag == DT_NULL) break;
      const std::string_view text = file.text_at(strings + entry.d_un.d_val);
      if (entry.d_tag == DT_NEEDED) into.needs.emplace_back(text);
      if (entry.d_tag == DT_RPATH) into.fixed_path = text;
    }
  }
}

// Functions that only NVIDIA's runtime defines.
constexpr std::array<std::string_view, 4> runtime_functions{"cudaMalloc", "cudaMemcpy",
                                                            "cudaLaunchKernel", "cudaStreamCreate"};

bool defines_runtime(const elf_view& file, const std::vector<Elf64_Shdr>& sections) {
  for (const Elf64_Shdr& each : sections) {
    const bool symbols = each.sh_type == SHT_SYMTAB || each.sh_type == SHT_DYNSYM;
    if (!symbols || each.sh_link >= sections.size()) continue;
    const std::uint64_t strings = sections[each.sh_link].sh_offset;
    for (const auto& one :
         file.table<Elf64_Sym>(each.sh_offset, each.sh_size / sizeof(Elf64_Sym))) {
      if (one.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(one.st_info) != STT_FUNC) continue;
      if (std::ranges::find(runtime_functions, file.text_at(strings + one.st_name)) !=
          runtime_functions.end()) {
        return true;
      }
    }
  }
  return false;
}

// nvcc adds this section to every program; a program that has it and needs no shared runtime is
// statically linked with one.
bool has_device_code(const elf_view& file, const std::vector<Elf64_Shdr>& sections) {
  const auto head = *file.at<Elf64_Ehdr>(0);
  if (head.e_shstrndx >= sections.size()) return false;
  const std::uint64_t names = sections[head.e_shstrndx].sh_offset;
  return std::ranges::any_of(sections, [&](const Elf64_Shdr& each) {
    return file.text_at(names + each.sh_name) == ".nv_fatbin";
  });
}

}  // namespace

elf_facts inspect_elf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string contents{std::istreambuf_iterator<char>(stream), {}};
  const elf_view file(contents);
  elf_facts found;
  found.is_elf = file.good();
  if (!found.is_elf) return found;

  const auto sections = file.sections();
  for (const Elf64_Phdr& each : file.segments()) {
    if (each.p_type == PT_INTERP) found.interpreter = file.text_at(each.p_offset);
  }
  found.is_dynamic = !found.interpreter.empty();
  read_dynamic(file, sections, found);
  const bool takes_runtime = std::ranges::any_of(
      found.needs, [](const std::string& each) { return each.starts_with("libcudart.so"); });
  found.has_cuda_inside =
      !takes_runtime && (defines_runtime(file, sections) || has_device_code(file, sections));
  return found;
}

}  // namespace convoy::tools
