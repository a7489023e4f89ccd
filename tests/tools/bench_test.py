"""convoy bench as a process; times are not checked."""
import json
import os
import pty
import signal
import subprocess
import unittest

from command import CONVOY, CommandTest, main

SMALL = ["--sizes", "1K,64K", "--counts", "1,16"]


class Bench(CommandTest):
    def test_writes_json_and_both_pictures(self):
        ended = self.convoy("bench", *SMALL, "--json", "b.json", "--plot", "b.png", "--plot",
                            "b.svg")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with open(self.path("b.json")) as file:
            found = json.load(file)
        self.assertGreaterEqual(found["machine"]["processors"], 1)
        self.assertEqual([(r["bytes"], r["count"]) for r in found["results"]],
                         [(1024, 1), (1024, 16), (65536, 1), (65536, 16)])
        for row in found["results"]:
            for key in ["gbps", "ratio_to_limit", "ratio_to_memcpy", "ratio_to_loop"]:
                self.assertGreater(row[key], 0)
        with open(self.path("b.png"), "rb") as file:
            self.assertTrue(file.read().startswith(b"\x89PNG"))
        with open(self.path("b.svg")) as file:
            self.assertIn("<svg", file.read())

    def test_crossover_is_reported_in_words(self):
        with open(self.path("b.json"), "w") as file:
            rows = [{"bytes": 1 << b, "count": c, "gbps": 1.0, "ratio_to_limit": 1,
                     "ratio_to_memcpy": 1, "ratio_to_loop": 3.0 if b < 14 and c >= 64 else 1.0}
                    for b in [10, 12, 14] for c in [1, 64, 256]]
            json.dump({"machine": {}, "results": rows}, file)
        output = self.convoy("bench", "--from", "b.json").stdout
        self.assertIn("Below 16 KiB a batch of 64 or more is 3.0x as fast as a loop", output)

    def test_invalid_size_is_one_sentence(self):
        self.assert_one_sentence(self.convoy("bench", "--sizes", "big"), 1, "big", "64K")

    def test_unknown_plot_format_is_refused_first(self):
        self.assert_one_sentence(self.convoy("bench", "--plot", "b.gif"), 1, ".png or .svg")

    def test_refuses_a_file_without_results(self):
        with open(self.path("b.json"), "w") as file:
            file.write("{}")
        self.assert_one_sentence(self.convoy("bench", "--from", "b.json"), 1, "no results")

    def test_interrupted_leaves_nothing_behind(self):
        reader, writer = pty.openpty()
        self.addCleanup(os.close, reader)
        started = subprocess.Popen([CONVOY, "bench", "--json", "b.json", "--plot", "b.png"],
                                   cwd=self.folder, stderr=writer,
                                   env={**os.environ, "TERM": "xterm"})
        os.close(writer)
        self.assertIn(b"measuring", os.read(reader, 4096))
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(timeout=60), -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder), [])

    def test_unwritable_file_is_one_sentence(self):
        ended = self.convoy("bench", *SMALL, "--json", "none/b.json")
        self.assert_one_sentence(ended, 1, "none/b.json cannot be written")


if __name__ == "__main__":
    main()
