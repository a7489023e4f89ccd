"""Asks NVML through nvidia-ml-py what inference servers ask at their start, unmodified.

Usage: device_queries.py

Ends with 0 when the answers agree with each other, and with 77 where nvidia-ml-py is not installed.
"""
import os
import sys

try:
    import pynvml
except ImportError:
    print("skipped: nvidia-ml-py is not installed")
    sys.exit(77)


def is_refused(function, *arguments):
    try:
        function(*arguments)
    except pynvml.NVMLError_NotSupported:
        return True
    return False


def check_device(index):
    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    uuid = pynvml.nvmlDeviceGetUUID(handle)
    assert pynvml.nvmlDeviceGetIndex(pynvml.nvmlDeviceGetHandleByUUID(uuid)) == index
    bus = pynvml.nvmlDeviceGetPciInfo(handle).busId
    assert pynvml.nvmlDeviceGetIndex(pynvml.nvmlDeviceGetHandleByPciBusId(bus)) == index
    assert pynvml.nvmlDeviceGetName(handle)
    assert pynvml.nvmlDeviceGetCudaComputeCapability(handle) >= (5, 0)
    memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
    assert memory.total > 0 and memory.free + memory.used == memory.total
    later = pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
    assert later.total == memory.total
    assert pynvml.nvmlDeviceGetComputeRunningProcesses(handle) == []
    assert pynvml.nvmlDeviceGetMigMode(handle) == [0, 0]
    assert is_refused(pynvml.nvmlDeviceGetPowerUsage, handle)


def main():
    pynvml.nvmlInit()
    count = pynvml.nvmlDeviceGetCount()
    assert count > 0
    for index in range(count):
        check_device(index)
    assert pynvml.nvmlSystemGetProcessName(os.getpid())
    pynvml.nvmlShutdown()


if __name__ == "__main__":
    main()
