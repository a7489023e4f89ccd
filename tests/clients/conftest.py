"""Tests over PyTorch as PyPI has it, under `convoy run`. What cannot run is skipped with a reason."""

import copy

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")


def pytest_collection_modifyitems(items):
    if not torch.cuda.is_available():
        raise pytest.UsageError("torch sees no device: run these tests with scripts/clients")


@pytest.fixture(autouse=True)
def fixed_seed():
    torch.manual_seed(0)


@pytest.fixture
def compare():
    """Compares a module's results and gradients on the device with those on the CPU."""

    def run(module, *inputs):
        outcomes = []
        for device in ("cpu", "cuda"):
            model = copy.deepcopy(module).to(device)
            own = [each.detach().clone().to(device) for each in inputs]
            own = [each.requires_grad_() if each.is_floating_point() else each for each in own]
            result = model(*own)
            result = result[0] if isinstance(result, tuple) else result
            result.square().mean().backward()
            gradients = [each.grad for each in (*own, *model.parameters()) if each.grad is not None]
            buffers = list(model.buffers())
            outcomes.append([each.detach().cpu() for each in (result, *gradients, *buffers)])
        torch.testing.assert_close(outcomes[1], outcomes[0], rtol=1e-4, atol=1e-5)

    return run
