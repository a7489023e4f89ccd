"""Errors: at the call for arguments, at the next synchronisation for values, by name for the rest."""

import subprocess
import sys

import pytest
import torch


def test_wrong_shapes_raise_at_call():
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied|size"):
        torch.ones(2, 3, device="cuda") @ torch.ones(2, 3, device="cuda")


def test_tensors_of_two_devices_are_refused():
    with pytest.raises(RuntimeError, match="same device"):
        torch.ones(3, device="cuda") + torch.ones(3)


def test_missing_kernel_is_named():
    with pytest.raises(NotImplementedError, match="aten::.*batch_norm_stats is not supported on Convoy"):
        torch.batch_norm_stats(torch.ones(2, 3, device="cuda"), 1e-5)


def test_sparse_operator_is_named():
    with pytest.raises(NotImplementedError, match="aten::.* is not supported on Convoy"):
        torch.eye(3, device="cuda").to_sparse()


def test_capture_is_refused():
    with pytest.raises(RuntimeError, match="CUDA graphs are not supported on Convoy"):
        torch.cuda.CUDAGraph().capture_begin()


def test_inductor_is_refused_and_eager_works():
    def double(value):
        return value * 2

    assert torch.compile(double, backend="eager")(torch.ones(3, device="cuda")).sum().item() == 6
    with pytest.raises(Exception, match="inductor is not supported on Convoy"):
        torch.compile(double)(torch.ones(3, device="cuda"))


# A failed stream ends the context, so these run in processes of their own.
def run(code):
    return subprocess.run([sys.executable, "-c", f"import torch\n{code}"], capture_output=True, text=True, timeout=120)


def test_index_out_of_range_is_assert():
    ended = run("""
source = torch.arange(5, device="cuda")
found = source[torch.tensor([7], device="cuda")]
print("queued")
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print(error)
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print("again")
""")

    assert "queued" in ended.stdout
    assert "device-side assert triggered" in ended.stdout
    assert "again" in ended.stdout
    assert "aten::index" in ended.stderr


def test_bridge_can_be_turned_off():
    import os

    code = "import torch; print(torch.ones(3).cuda().cpu().tolist()); torch.ones(3, device='cuda')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                           env={**os.environ, "CONVOY_TORCH": "off"})

    assert "[1.0, 1.0, 1.0]" in ended.stdout
    assert ended.returncode != 0


def test_cpu_tensor_refuses_cuda_indices():
    target = torch.zeros(4)
    index = torch.tensor([1], device="cuda")

    with pytest.raises(RuntimeError, match="same device"):
        target[index] = 5.0
    with pytest.raises(RuntimeError, match="same device"):
        target[index]

    assert target.tolist() == [0, 0, 0, 0]
