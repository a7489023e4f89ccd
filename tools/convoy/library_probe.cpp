#include "library_probe.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <convoy/convoy.hpp>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "loaded_libraries.hpp"
#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

constexpr std::size_t block = 4096;
constexpr std::size_t blocks = 8;

class shared_library {
 public:
  explicit shared_library(const std::filesystem::path& file)
      : handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw failure(fmt::format("cannot be loaded: {}", ::dlerror()));
  }

  // Calls a function that returns 0 on success.
  template <class... Parameters, class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    using function = int (*)(Parameters...);
    const auto found = reinterpret_cast<function>(::dlsym(handle_, name));
    if (found == nullptr) throw failure(fmt::format("has no function {}", name));
    if (const int answer = found(arguments...); answer != 0) {
      throw failure(fmt::format("{} returned {}", name, answer));
    }
  }

 private:
  void* handle_;
};

// Every drop-in library must use the engine that this command uses; otherwise a pointer from one
// library means nothing to another.
void check_one_engine() {
  std::set<std::string> engines;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash != line.npos && line.find("/libconvoy.so", slash) != line.npos) {
      engines.insert(line.substr(slash));
    }
  }
  if (engines.size() > 1) {
    throw failure(fmt::format("two engines are loaded, {} and {}; install them together",
                              *engines.begin(), *engines.rbegin()));
  }
}

// The memory of a batch to the device and of one back.
struct probe_memory {
  std::array<void*, blocks> host{};
  std::array<void*, blocks> device{};
  std::array<void*, blocks> back{};

  probe_memory(void* from, void* remote, void* to) {
    for (std::size_t i = 0; i != blocks; ++i) {
      host[i] = static_cast<std::byte*>(from) + i * block;
      device[i] = static_cast<std::byte*>(remote) + (i * 5 % blocks) * block;
      back[i] = static_cast<std::byte*>(to) + i * block;
      std::memset(host[i], static_cast<int>(i + 1), block);
      std::memset(back[i], 0, block);
    }
  }

  void check() const {
    for (std::size_t i = 0; i != blocks; ++i) {
      if (std::memcmp(host[i], back[i], block) != 0) throw failure("the bytes of a batch differ");
    }
  }
};

template <class Probe>
std::string problem_in(const Probe& probe) {
  try {
    probe();
  } catch (const failure& error) {
    return error.what();
  }
  return "";
}

// Layouts of the vendors' headers.
struct ascend_location {
  std::uint32_t id = 0;
  int type = 0;  // host; 1 is a device
};
struct ascend_attributes {
  ascend_location dst;
  ascend_location src;
  std::uint8_t reserved[16] = {};
};
struct cuda_attributes {
  int order = 1;  // in stream order
  int src_hint[2] = {};
  int dst_hint[2] = {};
  unsigned flags = 0;
};

void ascend_batch(const shared_library& acl, std::array<void*, blocks> to,
                  std::array<void*, blocks> from, bool to_device, void* stream) {
  ascend_attributes attributes;
  attributes.dst.type = to_device ? 1 : 0;
  attributes.src.type = to_device ? 0 : 1;
  std::array<std::size_t, blocks> sizes;
  sizes.fill(block);
  std::size_t first = 0;
  std::size_t failed = 0;
  acl.call<void**, std::size_t*, void**, std::size_t*, std::size_t, ascend_attributes*,
           std::size_t*, std::size_t, std::size_t*, void*>(
      "aclrtMemcpyBatchAsync", to.data(), sizes.data(), from.data(), sizes.data(), blocks,
      &attributes, &first, std::size_t{1}, &failed, stream);
}

void cuda_batch(const shared_library& cuda, std::array<void*, blocks> to,
                std::array<void*, blocks> from, void* stream) {
  cuda_attributes attributes;
  std::array<std::size_t, blocks> sizes;
  sizes.fill(block);
  std::size_t first = 0;
  cuda.call<void**, void**, std::size_t*, std::size_t, cuda_attributes*, std::size_t*, std::size_t,
            void*>("cudaMemcpyBatchAsync", to.data(), from.data(), sizes.data(), blocks,
                   &attributes, &first, std::size_t{1}, stream);
}

}  // namespace

std::string probe_native() {
  return problem_in([] {
    const stream queue = must(make_stream(device_id{0}));
    const buffer device = must(make_device_buffer(device_id{0}, block * blocks));
    const buffer from = must(make_pinned_buffer(block * blocks));
    const buffer to = must(make_pinned_buffer(block * blocks));
    const probe_memory in(from.data(), device.data(), to.data());
    std::vector<copy> out;
    std::vector<copy> back;
    for (std::size_t i = 0; i != blocks; ++i) {
      out.push_back({in.device[i], in.host[i], block});
      back.push_back({in.back[i], in.device[i], block});
    }
    must(submit(queue, out));
    must(submit(queue, back));
    must(queue.synchronize());
    in.check();
  });
}

std::string probe_ascend(const drop_in_library& library) {
  return problem_in([&] {
    const shared_library acl(library.file);
    check_one_engine();
    void* stream = nullptr;
    void* device = nullptr;
    void* from = nullptr;
    void* to = nullptr;
    acl.call<const char*>("aclInit", nullptr);
    acl.call<int>("aclrtSetDevice", 0);
    acl.call<void**>("aclrtCreateStream", &stream);
    acl.call<void**, std::size_t, int>("aclrtMalloc", &device, block * blocks, 0);
    acl.call<void**, std::size_t>("aclrtMallocHost", &from, block * blocks);
    acl.call<void**, std::size_t>("aclrtMallocHost", &to, block * blocks);
    const probe_memory in(from, device, to);
    ascend_batch(acl, in.device, in.host, true, stream);
    ascend_batch(acl, in.back, in.device, false, stream);
    acl.call<void*>("aclrtSynchronizeStream", stream);
    in.check();
    acl.call<>("aclFinalize");
  });
}

std::string probe_cuda(const drop_in_library& library) {
  return problem_in([&] {
    const shared_library cuda(library.file);
    check_one_engine();
    void* stream = nullptr;
    void* device = nullptr;
    void* from = nullptr;
    void* to = nullptr;
    cuda.call<int>("cudaSetDevice", 0);
    cuda.call<void**>("cudaStreamCreate", &stream);
    cuda.call<void**, std::size_t>("cudaMalloc", &device, block * blocks);
    cuda.call<void**, std::size_t>("cudaMallocHost", &from, block * blocks);
    cuda.call<void**, std::size_t>("cudaMallocHost", &to, block * blocks);
    const probe_memory in(from, device, to);
    cuda_batch(cuda, in.device, in.host, stream);
    cuda_batch(cuda, in.back, in.device, stream);
    cuda.call<void*>("cudaStreamSynchronize", stream);
    in.check();
  });
}

std::string probe_loaded(const install_tree& tree) {
  return problem_in([&] {
    for (const drop_in_library& each : {tree.ascend, tree.cuda}) {
      if (!each.present) continue;
      for (const auto& entry : std::filesystem::directory_iterator(each.folder)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("libcuda") && !name.starts_with("libacl_rt") &&
            !name.starts_with("libascendcl") && !name.starts_with("libnvidia-ml")) {
          continue;
        }
        const shared_library asked("/a folder that does not exist/" + name);
      }
    }
    const std::vector<std::string> problems = problems_of(this_process(), tree);
    if (!problems.empty()) throw failure(problems.front());
  });
}

}  // namespace convoy::tools
