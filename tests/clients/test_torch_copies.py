"""Copies between any two tensors: dtypes, strides, overlap, conjugates, devices."""

import pytest
import torch

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int8, torch.uint8,
          torch.bool, torch.complex64]


@pytest.mark.parametrize("to", DTYPES, ids=str)
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_dtype_conversion_equals_cpu(source, to):
    values = torch.randint(0, 5, (4, 5)).to(source)

    assert torch.equal(values.cuda().to(to).cpu(), values.to(to))


@pytest.mark.parametrize("view",
                         [lambda t: t.t(), lambda t: t[::2, 1::2], lambda t: t[:, 2].expand(6, 6), lambda t: t.flip(0)],
                         ids=["transposed", "strided", "expanded", "flipped"])
def test_strided_copies_equal_cpu(view):
    values = torch.randn(6, 6)
    expected = view(values).contiguous()

    assert torch.equal(view(values.cuda()).cpu(), expected)
    assert torch.equal(view(values.cuda()).contiguous().cpu(), expected)
    assert torch.equal(view(values).cuda().cpu(), expected)


def test_copy_into_strided_target():
    target = torch.zeros(6, 6, device="cuda")

    target[:, ::2].copy_(torch.ones(6, 3))
    target.t()[1].copy_(torch.full((6,), 2.0, device="cuda"))

    assert target.cpu()[0].tolist() == [1, 2, 1, 0, 1, 0]


def test_conjugate_and_negative_bits():
    values = torch.randn(5, dtype=torch.complex64)

    assert torch.equal(values.cuda().conj().cpu(), values.conj())
    assert torch.equal(values.cuda().conj().imag.cpu(), values.conj().imag)
    assert torch.equal((values.cuda().conj() * 2).cpu(), values.conj() * 2)


def test_overlapping_copy_equals_cpu():
    values = torch.arange(10)
    on_device = values.cuda()

    on_device[1:] = on_device[:-1].clone()

    assert on_device.cpu().tolist() == [0, *range(9)]


def test_copy_between_devices():
    if torch.cuda.device_count() < 2:
        pytest.skip("one device only: CONVOY_DEVICES is 1")
    values = torch.randn(6, 6)

    assert torch.equal(values.to("cuda:0").to("cuda:1").cpu(), values)
    assert torch.equal(values.to("cuda:0").t().to("cuda:1", torch.float64).cpu(), values.t().double())


def test_pinned_non_blocking_round_trip():
    values = torch.randn(1000).pin_memory()
    back = torch.empty(1000, pin_memory=True)

    on_device = values.to("cuda", non_blocking=True)
    back.copy_(on_device * 2, non_blocking=True)
    torch.cuda.synchronize()

    assert torch.equal(back, values * 2)


def test_data_loader_pins_batches():
    data = torch.utils.data.TensorDataset(torch.arange(32.0).reshape(8, 4))
    loader = torch.utils.data.DataLoader(data, batch_size=4, pin_memory=True)

    sums = [batch.to("cuda", non_blocking=True).sum().item() for (batch,) in loader]

    assert sums == [sum(range(16)), sum(range(16, 32))]
