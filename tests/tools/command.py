"""Shared by the tests of the command: starting it, and a folder for each test."""
import os
import subprocess
import sys
import tempfile
import unittest

CONVOY, SUBJECT, BUILD = sys.argv[1:4]


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def convoy(self, *arguments, env=None, **more):
        """Runs the command in the test's folder and waits for it."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CONVOY_")}
        return subprocess.run([CONVOY, *arguments], cwd=self.folder, text=True, timeout=100,
                              capture_output=True, env={**clean, **(env or {})}, **more)

    def start(self, *arguments):
        started = subprocess.Popen([CONVOY, *arguments], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(started.stderr.close)
        self.addCleanup(started.stdout.close)
        return started

    def assert_one_sentence(self, ended, code, *words):
        """It ended with the code and one line on standard error that contains the words."""
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertTrue(ended.stderr.startswith("convoy: "), ended.stderr)
        for word in words:
            self.assertIn(word, ended.stderr)


def main():
    unittest.main(module="__main__", argv=[sys.argv[0]], verbosity=1)
