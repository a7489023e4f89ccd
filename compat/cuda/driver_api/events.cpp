// Events.
#include "calls/streams.hpp"
#include "driver_api/driver_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  return in_context(__func__,
                    [&](device_id current) { return make_event_on(current, Flags, phEvent); });
}

CONVOY_EXPORT CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return record(hEvent, hStream, cudaEventRecordDefault); });
}

CONVOY_EXPORT CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream,
                                              unsigned int flags) {
  return in_stream(__func__, hStream, [&] { return record(hEvent, hStream, flags); });
}

CONVOY_EXPORT CUresult cuEventQuery(CUevent hEvent) {
  return driver_call(__func__, [&] { return query(hEvent); });
}

CONVOY_EXPORT CUresult cuEventSynchronize(CUevent hEvent) {
  return driver_call(__func__, [&] { return synchronize(hEvent); });
}

CONVOY_EXPORT CUresult cuEventDestroy_v2(CUevent hEvent) {
  return driver_call(__func__, [&] { return destroy_event(hEvent); });
}

CONVOY_EXPORT CUresult cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return driver_call(__func__, [&] { return elapsed_time(hStart, hEnd, pMilliseconds); });
}

}  // extern "C"
