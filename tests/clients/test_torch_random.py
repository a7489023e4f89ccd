"""Random numbers come from the device's generator, which is read at the call."""

import torch


def test_state_is_saved_and_restored():
    state = torch.cuda.get_rng_state()

    first = torch.rand(100, device="cuda")
    torch.cuda.set_rng_state(state)

    assert torch.equal(torch.rand(100, device="cuda"), first)


def test_calls_draw_different_numbers():
    assert not torch.equal(torch.rand(100, device="cuda"), torch.rand(100, device="cuda"))


def test_cpu_generator_is_untouched():
    before = torch.get_rng_state()

    torch.randn(10, device="cuda")
    torch.nn.functional.dropout(torch.ones(10, device="cuda"), 0.5)
    torch.randperm(10, device="cuda")
    torch.multinomial(torch.ones(10, device="cuda"), 3)

    assert torch.equal(torch.get_rng_state(), before)


def test_own_generator_is_used():
    generator = torch.Generator("cuda").manual_seed(3)
    first = torch.randn(10, device="cuda", generator=generator)

    assert torch.equal(torch.randn(10, device="cuda", generator=generator.manual_seed(3)), first)


def test_fork_restores_device_generator():
    with torch.random.fork_rng(devices=[0]):
        inside = torch.rand(5, device="cuda")

    assert torch.equal(torch.rand(5, device="cuda"), inside)


def test_generator_is_read_at_call():
    torch.cuda._sleep(20_000_000)
    first = torch.rand(5, device="cuda")
    torch.cuda.manual_seed(99)
    second = torch.rand(5, device="cuda")

    torch.cuda.manual_seed(99)
    assert torch.equal(torch.rand(5, device="cuda"), second)
    assert not torch.equal(first, second)


def test_distributions_have_their_moments():
    uniform, normal = torch.rand(20000, device="cuda"), torch.randn(20000, device="cuda")

    assert abs(uniform.mean().item() - 0.5) < 0.02
    assert abs(normal.std().item() - 1) < 0.03
    dropped = torch.nn.functional.dropout(torch.ones(20000, device="cuda"), 0.25)
    assert abs((dropped == 0).float().mean().item() - 0.25) < 0.02
