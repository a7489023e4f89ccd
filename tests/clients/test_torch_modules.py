"""Modules, optimizers and autocast: results and gradients as on the CPU."""

import copy

import pytest
import torch
from torch import nn

MODULES = {
    "linear": (lambda: nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)), (3, 8)),
    "conv1d": (lambda: nn.Conv1d(3, 8, 3), (2, 3, 16)),
    "conv2d": (lambda: nn.Conv2d(3, 8, 3, padding=1), (2, 3, 16, 16)),
    "conv3d": (lambda: nn.Conv3d(3, 8, 3), (2, 3, 6, 6, 6)),
    "depthwise": (lambda: nn.Conv2d(4, 4, 3, groups=4), (2, 4, 8, 8)),
    "transposed": (lambda: nn.ConvTranspose2d(3, 8, 3, stride=2), (2, 3, 8, 8)),
    "batch norm": (lambda: nn.BatchNorm2d(3), (2, 3, 8, 8)),
    "batch norm, eval": (lambda: nn.BatchNorm2d(3).eval(), (2, 3, 8, 8)),
    "layer norm": (lambda: nn.LayerNorm(16), (2, 3, 16)),
    "group norm": (lambda: nn.GroupNorm(2, 4), (2, 4, 16)),
    "RMS norm": (lambda: nn.RMSNorm(16), (2, 3, 16)),
    "LSTM": (lambda: nn.LSTM(8, 16, 2), (5, 2, 8)),
    "GRU": (lambda: nn.GRU(8, 16, 2, bidirectional=True), (5, 2, 8)),
    "RNN": (lambda: nn.RNN(8, 16, 2), (5, 2, 8)),
    "pooling": (lambda: nn.Sequential(nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(2)), (2, 3, 16, 16)),
    "transformer": (lambda: nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True), (2, 5, 16)),
}


@pytest.mark.parametrize("name", MODULES)
def test_module_equals_cpu(name, compare):
    make, shape = MODULES[name]

    compare(make(), torch.randn(shape))


def test_embedding_equals_cpu(compare):
    compare(nn.Embedding(10, 4), torch.randint(0, 10, (3, 4)))


def test_attention_equals_cpu(compare):
    inputs = [torch.randn(2, 5, 16) for _ in range(3)]

    compare(nn.MultiheadAttention(16, 4, batch_first=True), *inputs)


@pytest.mark.parametrize("causal", [False, True])
def test_scaled_attention_equals_cpu(causal):
    query, key, value = (torch.randn(2, 4, 6, 8) for _ in range(3))
    attend = torch.nn.functional.scaled_dot_product_attention

    found = attend(query.cuda(), key.cuda(), value.cuda(), is_causal=causal)

    torch.testing.assert_close(found.cpu(), attend(query, key, value, is_causal=causal))


@pytest.mark.parametrize("mode", [{}, {"foreach": True}, {"fused": True}], ids=["default", "foreach", "fused"])
@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW"])
def test_optimizer_equals_cpu(kind, mode):
    model, batch, parameters = nn.Linear(8, 4), torch.randn(3, 8), []
    for device in ("cpu", "cuda"):
        own = copy.deepcopy(model).to(device)
        optimizer = getattr(torch.optim, kind)(own.parameters(), lr=0.01, **mode)
        for _ in range(3):
            optimizer.zero_grad()
            own(batch.to(device)).square().mean().backward()
            optimizer.step()
        parameters.append([each.detach().cpu() for each in own.parameters()])

    torch.testing.assert_close(parameters[1], parameters[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast_computes_in_dtype(dtype):
    model, batch = nn.Linear(8, 4), torch.randn(3, 8)
    expected = nn.functional.linear(batch.to(dtype), model.weight.to(dtype), model.bias.to(dtype))

    with torch.autocast("cuda", dtype=dtype):
        found = model.cuda()(batch.cuda())

    assert found.dtype == dtype
    torch.testing.assert_close(found.cpu(), expected, rtol=1e-2, atol=1e-2)


def test_gradient_scaler_skips_infinite_step():
    weight = nn.Parameter(torch.ones(4, device="cuda"))
    scaler, optimizer = torch.amp.GradScaler("cuda"), torch.optim.SGD([weight], lr=1.0)

    scaler.scale((weight * float("inf")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()

    assert weight.detach().cpu().tolist() == [1.0] * 4
    assert scaler.get_scale() < 65536


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_layer_norm_takes_half_precision(dtype):
    values = torch.arange(16, dtype=dtype).reshape(2, 8)
    wanted = torch.nn.functional.layer_norm(values, (8,))

    found = torch.nn.functional.layer_norm(values.cuda(), (8,))

    assert torch.equal(found.cpu(), wanted)
