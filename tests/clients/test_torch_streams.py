"""Operators run in stream order: races show where a GPU would show them, and only there."""

import ctypes
import subprocess
import sys
import threading

import pytest
import torch

HOLD = 20_000_000  # cycles: long enough for the host to queue everything behind it
ROUNDS = 50


def test_sleep_holds_stream_not_host():
    done = torch.cuda.Event()

    torch.cuda._sleep(HOLD)
    done.record()

    assert not done.query()
    torch.cuda.synchronize()
    assert done.query()


def test_operator_waits_in_its_stream():
    target = torch.zeros(1000, device="cuda")
    torch.cuda.synchronize()
    done = torch.cuda.Event()

    torch.cuda._sleep(HOLD)
    target.add_(1)
    done.record()

    assert not done.query()
    assert target.sum().item() == 1000


class Gate:
    """Holds a stream until it is opened, however long the host takes."""

    def __init__(self, stream):
        self.value = torch.zeros(1, dtype=torch.int32, pin_memory=True)
        wait = ctypes.CDLL("libcuda.so.1").cuStreamWaitValue32_v2
        wait.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint]
        assert wait(stream.cuda_stream, self.value.data_ptr(), 1, 0) == 0

    def open(self):
        self.value.fill_(1)


def read_in_other_stream(with_event):
    source = torch.zeros(1000, device="cuda")
    torch.cuda.synchronize()
    writer, reader = torch.cuda.Stream(), torch.cuda.Stream()
    gate = Gate(writer)
    with torch.cuda.stream(writer):
        source.fill_(7)
    if with_event:
        reader.wait_stream(writer)
        gate.open()
    with torch.cuda.stream(reader):
        found = source.clone()
    reader.synchronize()
    gate.open()
    torch.cuda.synchronize()
    return found.cpu().unique().tolist()


def test_missing_event_reads_stale_bytes():
    for _ in range(ROUNDS):
        assert read_in_other_stream(with_event=False) == [0]


def test_event_orders_streams():
    for _ in range(ROUNDS):
        assert read_in_other_stream(with_event=True) == [7]


def use_after_free(with_record_stream):
    other = torch.cuda.Stream()
    source = torch.full((5000,), 3.0, device="cuda")
    torch.cuda.synchronize()
    gate = Gate(other)
    with torch.cuda.stream(other):
        found = source * 1
    if with_record_stream:
        source.record_stream(other)
    del source
    reused = torch.full((5000,), 9.0, device="cuda")
    torch.cuda.current_stream().synchronize()
    gate.open()
    torch.cuda.synchronize()
    del reused
    return found.cpu().unique().tolist()


def test_missing_record_stream_shows():
    for _ in range(ROUNDS):
        assert use_after_free(with_record_stream=False) == [9.0]


def test_record_stream_keeps_memory():
    for _ in range(ROUNDS):
        assert use_after_free(with_record_stream=True) == [3.0]


def test_memory_falls_when_tensor_is_deleted():
    before = torch.cuda.memory_allocated()
    torch.cuda._sleep(HOLD)
    source = torch.ones(1000, 1000, device="cuda")
    product = source @ source

    del source, product

    assert torch.cuda.memory_allocated() == before
    torch.cuda.synchronize()


def test_operators_use_device_of_their_tensors():
    if torch.cuda.device_count() < 2:
        pytest.skip("one device only: CONVOY_DEVICES is 1")
    weight = torch.ones(10, device="cuda:1", requires_grad=True)

    (weight * 3).sum().backward()

    assert weight.grad.device == torch.device("cuda:1")
    assert weight.grad.cpu().tolist() == [3.0] * 10


def test_cpu_operand_is_read_at_call():
    factor = torch.tensor(2.0)
    source = torch.ones(10, device="cuda")
    torch.cuda._sleep(HOLD)

    found = source * factor
    factor.fill_(5)

    assert found.cpu().tolist() == [2.0] * 10


def test_data_dependent_shapes_synchronise():
    source = torch.zeros(10, device="cuda")
    torch.cuda._sleep(HOLD)
    source[3] = 1

    assert source.nonzero().cpu().tolist() == [[3]]
    assert source[source > 0].cpu().tolist() == [1.0]
    assert torch.unique(source).cpu().tolist() == [0.0, 1.0]


def test_index_by_device_scalar():
    source = torch.arange(10, device="cuda")

    assert source[torch.tensor(4, device="cuda")].item() == 4


def test_synchronise_while_gil_is_held():
    runtime = ctypes.PyDLL("libcudart.so.13")
    source = torch.ones(1000, device="cuda")
    torch.cuda._sleep(HOLD)
    source.add_(1)

    assert runtime.cudaDeviceSynchronize() == 0
    assert source.sum().item() == 2000


def test_threads_compute_on_their_streams():
    results = {}

    def work(number):
        with torch.cuda.stream(torch.cuda.Stream()):
            value = torch.full((1000,), float(number), device="cuda")
            for _ in range(50):
                value = value + 1
            results[number] = value.sum().item()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert results == {number: (number + 50) * 1000.0 for number in range(4)}


def test_exit_with_pending_work():
    code = "import torch; x = torch.ones(1000, device='cuda'); torch.cuda._sleep(100_000_000); x.add_(1)"

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)

    assert (ended.returncode, ended.stderr) == (0, "")
