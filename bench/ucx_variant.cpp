// One ucp_put_nbx to the own process for each copy, then a flush. Transports within the machine
// only.

#include <ucp/api/ucp.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "variant.hpp"

namespace convoy::bench {
namespace {

void expect(ucs_status_t code, const char* call) {
  if (code == UCS_OK) return;
  std::fprintf(stderr, "UCX: %s: %s\n", call, ucs_status_string(code));
  std::exit(1);
}

class self_endpoint {
 public:
  // False when UCX cannot reach this process without a network.
  bool open() { return make_context() && make_worker() && connect(); }

  void expose(const pools& memory) {
    ucp_mem_map_params_t region = {};
    region.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH;
    region.address = memory.dst;
    region.length = memory.bytes;
    ucp_mem_h handle = nullptr;
    expect(ucp_mem_map(context_, &region, &handle), "ucp_mem_map");
    void* packed = nullptr;
    std::size_t size = 0;
    expect(ucp_rkey_pack(context_, handle, &packed, &size), "ucp_rkey_pack");
    expect(ucp_ep_rkey_unpack(endpoint_, packed, &key_), "ucp_ep_rkey_unpack");
    ucp_rkey_buffer_release(packed);
  }

  void run(std::span<const copy> batch) {
    ucp_request_param_t defaults = {};
    for (const copy& c : batch) {
      const auto address = reinterpret_cast<std::uint64_t>(c.dst);
      finish_later(ucp_put_nbx(endpoint_, c.src, c.bytes, address, key_, &defaults));
    }
    wait_for(ucp_worker_flush_nbx(worker_, &defaults));
  }

 private:
  bool make_context() {
    ucp_config_t* config = nullptr;
    expect(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
    expect(ucp_config_modify(config, "TLS", "self,sm"), "ucp_config_modify");
    ucp_params_t params = {};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_RMA;
    const ucs_status_t code = ucp_init(&params, config, &context_);
    ucp_config_release(config);
    return code == UCS_OK;
  }

  bool make_worker() {
    ucp_worker_params_t params = {};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_SINGLE;
    return ucp_worker_create(context_, &params, &worker_) == UCS_OK;
  }

  bool connect() {
    ucp_address_t* address = nullptr;
    std::size_t length = 0;
    if (ucp_worker_get_address(worker_, &address, &length) != UCS_OK) return false;
    ucp_ep_params_t params = {};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = address;
    const ucs_status_t code = ucp_ep_create(worker_, &params, &endpoint_);
    ucp_worker_release_address(worker_, address);
    return code == UCS_OK;
  }

  // The flush waits for the request; only its handle is freed.
  static void finish_later(ucs_status_ptr_t request) {
    if (UCS_PTR_IS_ERR(request)) expect(UCS_PTR_STATUS(request), "ucp_put_nbx");
    if (request != nullptr) ucp_request_free(request);
  }

  void wait_for(ucs_status_ptr_t request) {
    if (request == nullptr) return;
    if (UCS_PTR_IS_ERR(request)) expect(UCS_PTR_STATUS(request), "ucp_worker_flush_nbx");
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker_);
    ucp_request_free(request);
  }

  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  ucp_rkey_h key_ = nullptr;
};

const bool added = add_variant([]() -> variant_or_reason {
  const auto self = std::make_shared<self_endpoint>();
  if (!self->open()) return "UCX is left out: it cannot connect to its own process here.";
  return variant{.name = "UCX put to self",
                 .kind = family::queue,
                 .run = [self](std::span<const copy> batch) { self->run(batch); },
                 .set_up = [self](const pools& memory) { self->expose(memory); }};
});

}  // namespace
}  // namespace convoy::bench
