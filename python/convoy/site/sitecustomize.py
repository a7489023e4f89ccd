"""Runs at the start of every Python under `convoy run`: activates convoy.torch when the program
imports torch, then runs the sitecustomize that this one hides."""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

FOLDER = os.path.dirname(os.path.abspath(__file__))


class TorchFinder:
    """Finds torch as it is, with a loader that activates the bridge afterwards."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(cls)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_activate(module):
                execute(module)
                load_bridge().activate_or_warn()

            spec.loader.exec_module = execute_and_activate
        return spec


def load_bridge():
    """The file of the package, under its own name: the program's Python may lack the package."""
    known = sys.modules.get("convoy._torch_bridge")
    if known is not None:
        return known
    file = os.path.join(os.path.dirname(FOLDER), "_torch_bridge.py")
    spec = importlib.util.spec_from_file_location("convoy._torch_bridge", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["convoy._torch_bridge"] = module
    spec.loader.exec_module(module)
    return module


def run_hidden_sitecustomize():
    paths = [each for each in sys.path if os.path.abspath(each or ".") != FOLDER]
    spec = PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("CONVOY_TORCH", "on") != "off":
    os.environ.setdefault("TRITON_INTERPRET", "1")
    sys.meta_path.insert(0, TorchFinder)
run_hidden_sitecustomize()
