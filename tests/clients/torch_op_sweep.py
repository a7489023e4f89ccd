"""Compares operators on Convoy's device with the CPU, over torch's own table of operators, op_db.

    python torch_op_sweep.py run --into results.jsonl [--samples 6] [--only REGEX] [--list FILE]
    python torch_op_sweep.py table results.jsonl > table.md

Each operator is run for each dtype, on contiguous and strided inputs: forward, backward and out=.
A case is *right* if it equals the CPU's result, *refused* if the error names the operator and
Convoy, and *wrong* otherwise. Operators run in child processes, since a failed stream ends its
process's context; results are appended, and operators that the file has are not run again.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import warnings

DTYPES = ["float32", "int64", "bool", "complex64"]
# By Convoy, and by PyTorch for operators that no GPU has either.
REFUSAL = re.compile(r"aten::[\w.]+ is not supported on Convoy|Could not run 'aten::[\w.]+' with arguments from the '\w*CUDA'")


class Mismatch(Exception):
    """The device's result is not the CPU's."""


def operators(torch):
    from torch.testing._internal.common_methods_invocations import op_db

    return {f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}": op for op in op_db}


class Case:
    """One operator with one dtype."""

    def __init__(self, torch, op, dtype, samples):
        self.torch, self.op, self.samples = torch, op, samples
        self.dtype = getattr(torch, dtype)
        self.random = self._is_random()

    def _is_random(self):
        names = ("empty", "rand", "normal", "bernoulli", "multinomial", "dropout", "rrelu", "uniform",
                 "exponential", "cauchy", "geometric", "log_normal", "poisson", "alpha_dropout", "svd_lowrank",
                 "pca_lowrank", "scaled_dot_product", "fractional_max_pool", "multi_head_attention")
        return any(part in self.op.name for part in names)

    def to_device(self, value):
        torch = self.torch
        if isinstance(value, torch.Tensor):
            return self.whole_storage(value).requires_grad_(value.requires_grad)
        if isinstance(value, torch.device) or value == "cpu":
            return torch.device("cuda") if isinstance(value, torch.device) else "cuda"
        if isinstance(value, (list, tuple)):
            made = [self.to_device(each) for each in value]
            return type(value)(made) if not hasattr(value, "_fields") else type(value)(*made)
        if isinstance(value, dict):
            return {key: self.to_device(each) for key, each in value.items()}
        return value

    def whole_storage(self, value):
        """The tensor on the device with the bytes between its elements too, which as_strided() reads."""
        torch = self.torch
        value = value.detach()
        if value.layout != torch.strided or value.is_conj() or value.is_neg():
            return value.to("cuda")
        elements = value.untyped_storage().nbytes() // value.element_size()
        flat = torch.as_strided(value, (elements,), (1,), 0).to("cuda")
        return flat.as_strided(value.size(), value.stride(), value.storage_offset())

    def leaves(self, value):
        if isinstance(value, self.torch.Tensor):
            return [value]
        if isinstance(value, (list, tuple)):
            return [leaf for each in value for leaf in self.leaves(each)]
        if isinstance(value, dict):
            return [leaf for each in value.values() for leaf in self.leaves(each)]
        return []

    def compare(self, expected, actual, what):
        torch = self.torch
        expected, actual = self.leaves(expected), self.leaves(actual)
        if len(expected) != len(actual):
            raise Mismatch(f"{what}: {len(actual)} tensors instead of {len(expected)}")
        for one, other in zip(expected, actual):
            if one.shape != other.shape or one.dtype != other.dtype:
                raise Mismatch(f"{what}: {other.dtype} {tuple(other.shape)} instead of {one.dtype} {tuple(one.shape)}")
            if self.random or bool(one.isnan().all() if one.is_floating_point() or one.is_complex() else False):
                continue
            if one.layout != torch.strided:
                one, other = one.to_dense(), other.to_dense()
            try:
                torch.testing.assert_close(other.detach().cpu(), one.detach(), rtol=2e-4, atol=2e-4, equal_nan=True)
            except AssertionError as error:
                raise Mismatch(f"{what}: {str(error).splitlines()[0]} {str(error).splitlines()[2:3]}") from None

    def inputs(self, requires_grad):
        made = []
        for number, sample in enumerate(self.op.sample_inputs("cpu", self.dtype, requires_grad=requires_grad)):
            if number >= self.samples:
                break
            made.append(sample)
            try:
                made.append(sample.noncontiguous())
            except Exception:
                pass
        return made

    def call(self, sample, op=None):
        return (op or self.op)(sample.input, *sample.args, **sample.kwargs)

    def backward(self, result, sample):
        torch = self.torch
        outputs = [each for each in self.leaves(result) if each.requires_grad]
        inputs = [each for each in self.leaves([sample.input, sample.args, sample.kwargs]) if each.requires_grad]
        if not outputs or not inputs:
            return []
        seeds = [torch.ones_like(each) for each in outputs]
        found = torch.autograd.grad(outputs, inputs, seeds, allow_unused=True)
        return [each for each in found if each is not None]

    def moved(self, sample):
        from torch.testing._internal.opinfo.core import SampleInput

        # The sections of tensor_split are on the CPU for every device.
        args = sample.args if self.op.name == "tensor_split" else self.to_device(sample.args)
        return SampleInput(self.to_device(sample.input), args=args, kwargs=self.to_device(sample.kwargs))

    def forward_and_backward(self, counts):
        grad = self.op.supports_autograd and (self.dtype.is_floating_point or self.dtype.is_complex)
        for sample in self.inputs(grad):
            device_sample = self.moved(sample)
            try:
                expected = self.call(sample)
            except Exception:
                continue
            self.compare(expected, self.call(device_sample), "forward")
            counts["forward"] += 1
            if grad and not self.random:
                try:
                    expected_gradients = self.backward(expected, sample)
                except Exception:
                    continue
                device_sample = self.moved(sample)
                self.compare(expected_gradients, self.backward(self.call(device_sample), device_sample), "backward")
                counts["backward"] += 1

    def out_on_cpu(self, sample, expected, fill):
        """What the CPU writes to out=, which is not always what it returns; none where it takes no out=."""
        torch = self.torch
        outs = [torch.full_like(each, fill) for each in self.leaves(expected)]
        out = outs[0] if isinstance(expected, torch.Tensor) else tuple(outs)
        try:
            self.op(sample.input, *sample.args, **{**sample.kwargs, "out": out})
        except Exception:
            return None
        return outs

    def defined_out(self, sample, expected):
        """The CPU's out=, or none where it depends on what out= held: strided batch norm leaves it unwritten."""
        first, second = (self.out_on_cpu(sample, expected, fill) for fill in (0, 1))
        if first is None or second is None:
            return None
        same = [self.torch.allclose(one, other, equal_nan=True) for one, other in zip(first, second)]
        return first if all(same) else None

    def out(self, counts):
        torch = self.torch
        if not self.op.supports_out:
            return
        for sample in self.inputs(False)[:4]:
            device_samples = [self.moved(sample), self.moved(sample)]
            try:
                expected = self.call(sample)
            except Exception:
                continue
            leaves = self.leaves(expected)
            if not leaves:
                continue
            written = self.defined_out(sample, expected)
            if written is None:
                continue
            makes = (lambda t: torch.empty_like(t, device="cuda"), lambda t: torch.empty(0, dtype=t.dtype, device="cuda"))
            for make, device_sample in zip(makes, device_samples):
                outs = [make(each) for each in leaves]
                device_sample.kwargs["out"] = outs[0] if isinstance(expected, torch.Tensor) else tuple(outs)
                self.call(device_sample)
                self.compare(written, outs, "out")
                counts["out"] += 1

    def run(self):
        counts = collections.Counter()
        for name, step in (("forward", self.forward_and_backward), ("out", self.out)):
            step(counts)
        self.torch.cuda.synchronize()
        return counts


def first_failure():
    module = sys.modules.get("convoy._torch_bridge")
    return module.first_failure() if module else ""


def synchronous_calls():
    module = sys.modules.get("convoy._torch_bridge")
    return module.synchronous_calls() if module else 0


def outcome_of(case):
    try:
        before = synchronous_calls()
        counts = case.run()
        failure = first_failure()
        if failure:
            return {"result": "wrong", "why": failure}
        waited = synchronous_calls() != before
        return {"result": "right" if counts else "no samples", "cases": dict(counts), "waits": waited}
    except Exception as error:
        text = str(error).splitlines()[0] if str(error) else repr(error)
        failure = first_failure()
        if failure:
            text = failure
        result = "refused" if REFUSAL.search(str(error)) else "wrong"
        return {"result": result, "why": f"{type(error).__name__}: {text}"[:400]}


def run_child(names, samples):
    """Runs operators, a line each; ends early when the context has failed."""
    warnings.simplefilter("ignore")
    import torch

    torch.manual_seed(0)
    table = operators(torch)
    for name in names:
        op = table[name]
        supported = {str(each).replace("torch.", "") for each in op.supported_dtypes("cpu")}
        for dtype in DTYPES:
            if dtype not in supported:
                continue
            print(json.dumps({"start": name, "dtype": dtype}), flush=True)
            outcome = outcome_of(Case(torch, op, dtype, samples))
            print(json.dumps({"operator": name, "dtype": dtype, **outcome}), flush=True)
            if first_failure():
                os._exit(3)


def finished(path):
    if not os.path.exists(path):
        return []
    return [json.loads(line) for line in open(path)]


def run(options):
    import torch

    names = sorted(operators(torch))
    if options.list:
        wanted = open(options.list).read().split()
        names = [name for name in names if name in wanted]
    if options.only:
        names = [name for name in names if re.search(options.only, name)]
    done = {row["operator"] for row in finished(options.into) if row.get("complete")}
    left = [name for name in names if name not in done]
    with open(options.into, "a") as into:
        while left:
            left = run_batch(left[:options.batch], left[options.batch:], into, options)


def run_batch(names, rest, into, options):
    """Runs a child over the names; returns those that are left."""
    child = subprocess.Popen([sys.executable, __file__, "child", "--samples", str(options.samples), *names],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    rows, started = collections.defaultdict(dict), None
    for line in child.stdout:
        if not line.startswith("{"):
            continue
        row = json.loads(line)
        if "start" in row:
            started = (row["start"], row["dtype"])
        else:
            rows[row["operator"]][row["dtype"]] = row
            started = None
    code = child.wait()
    if started:
        name, dtype = started
        why = f"the process ended with {code}"
        rows[name][dtype] = {"operator": name, "dtype": dtype, "result": "wrong", "why": why}
    last = started[0] if started else (list(rows)[-1] if code else None)
    for name in names:
        for row in rows.get(name, {}).values():
            into.write(json.dumps(row) + "\n")
        into.write(json.dumps({"operator": name, "complete": True}) + "\n")
        into.flush()
        if name == last:
            return names[names.index(name) + 1:] + rest
    return rest


TABLE_HEAD = """# PyTorch's operators on Convoy

What `tests/clients/torch_op_sweep.py` found over PyTorch's own table of operators, op_db: contiguous and strided
inputs, forward, backward and `out=`, against the CPU. Of operators that draw random numbers, sizes and dtypes are
compared. *waits*: a call waited for its stream, to learn sizes or values of results. Empty: PyTorch has no such kernel.
"""


def table(options):
    import torch

    results = collections.defaultdict(dict)
    for row in finished(options.file):
        if "result" in row:
            results[row["operator"]][row["dtype"]] = row
    counts = collections.Counter(row["result"] for rows in results.values() for row in rows.values())
    print(TABLE_HEAD)
    print(f"torch {torch.__version__}: {len(results)} operators; by operator and dtype "
          + ", ".join(f"{number} {word}" for word, number in sorted(counts.items())) + ".\n")
    print("| operator | " + " | ".join(DTYPES) + " | |")
    print("|---" * (len(DTYPES) + 2) + "|")
    for name, rows in sorted(results.items()):
        cells = [rows[dtype]["result"] if dtype in rows else "" for dtype in DTYPES]
        why = next((row["why"] for row in rows.values() if row.get("why")), "")
        note = why.split(" with arguments")[0].replace("|", "/")[:120] or ("waits" if any(row.get("waits") for row in rows.values()) else "")
        print(f"| {name} | " + " | ".join(cells) + f" | {note} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    runner = verbs.add_parser("run")
    runner.add_argument("--into", required=True)
    runner.add_argument("--samples", type=int, default=6)
    runner.add_argument("--batch", type=int, default=40)
    runner.add_argument("--only")
    runner.add_argument("--list")
    child = verbs.add_parser("child")
    child.add_argument("--samples", type=int)
    child.add_argument("names", nargs="+")
    printer = verbs.add_parser("table")
    printer.add_argument("file")
    options = parser.parse_args()
    if options.verb == "child":
        run_child(options.names, options.samples)
    else:
        {"run": run, "table": table}[options.verb](options)


if __name__ == "__main__":
    main()
