"""PyTorch computes on Convoy's devices: `import convoy.torch` before CUDA tensors are used.

Operators run their CPU kernels in stream order on memory of the device. docs/pytorch.md says what
works and what does not. Programs under `convoy run` have it without the import, and CONVOY_TORCH=off
turns it off there.
"""

from . import cuda  # before torch, which would load another runtime
from ._torch_bridge import Unavailable, activate, first_failure, synchronous_calls

__all__ = ["Unavailable", "first_failure", "operators", "synchronous_calls"]

operators: int = activate()
