"""convoy trace and convoy replay, as processes."""
import glob
import json
import os
import signal
import unittest

from command import SUBJECT, CommandTest, main


class Trace(CommandTest):
    def steps_of(self, name):
        with open(self.path(name)) as file:
            events = json.load(file)["traceEvents"]
        return [e for e in events if e["ph"] == "X" and "ticket" in e.get("args", {})]

    def test_writes_page_events_and_trace(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.html", "out.json", "out.trace"])
        steps = self.steps_of("out.json")
        self.assertEqual(len(steps), 4)  # two steps, each in the track of its stream and its thread
        self.assertEqual(steps[0]["args"]["items"], 64)
        self.assertEqual(steps[0]["args"]["bytes"], 64 * 4096)
        self.assertEqual({s["args"]["direction"] for s in steps},
                         {"host to device", "device to host"})

    def test_steps_have_names(self):
        self.convoy("trace", "-o", "out", "--", SUBJECT, "reduce")
        names = [s["name"] for s in self.steps_of("out.json")]
        self.assertIn("fill 4 KiB", names)
        self.assertIn("reduction 4 KiB", names)

    def test_page_has_no_external_references(self):
        self.convoy("trace", "-o", "out.html", "--", SUBJECT)
        with open(self.path("out.html")) as file:
            page = file.read()
        for word in ["src=", "href=", "@import", "url(", "fetch("]:
            self.assertNotIn(word, page)

    def test_passes_the_exit_status_through(self):
        self.assertEqual(self.convoy("trace", "--", SUBJECT, "exit", "9").returncode, 9)

    def test_shows_steps_before_a_crash(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "abort")
        self.assertEqual(ended.returncode, -signal.SIGABRT, ended.stderr)
        self.assertEqual(len(self.steps_of("out.json")), 4)

    def test_shows_every_process_after_fork(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "fork")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len({s["pid"] for s in self.steps_of("out.json")}), 4)
        self.assertEqual(len(glob.glob(self.path("out*.trace"))), 2)

    def test_program_without_convoy_is_reported(self):
        ended = self.convoy("trace", "--", "true")
        self.assertEqual(ended.returncode, 0)
        self.assert_one_sentence(ended, 0, "nothing to show")

    def test_missing_folder_is_refused_before_running(self):
        ended = self.convoy("trace", "-o", "none/out", "--", "touch", "ran")
        self.assert_one_sentence(ended, 1, "no folder none")
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_program_or_trace_is_required(self):
        self.assert_one_sentence(self.convoy("trace"), 1, "--from")

    def test_interrupted_program_leaves_whole_files(self):
        started = self.start("trace", "-o", "out", "--", SUBJECT, "wait")
        self.assertEqual(started.stdout.readline(), "ready\n")
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(timeout=60), -signal.SIGINT)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.html", "out.json", "out.trace"])
        self.assertEqual(len(self.steps_of("out.json")), 4)

    def test_shows_recorded_traces(self):
        env = {"CONVOY_TRACE": self.path("own.trace")}
        self.assertEqual(self.convoy("run", "--", SUBJECT, env=env).returncode, 0)
        ended = self.convoy("trace", "--from", "own.trace", "-o", "shown")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len(self.steps_of("shown.json")), 4)


class Replay(CommandTest):
    def setUp(self):
        super().setUp()
        self.convoy("trace", "-o", "out", "--", SUBJECT)

    def test_runs_again_and_checks_every_byte(self):
        ended = self.convoy("replay", "out.trace")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("every byte right", ended.stdout)

    def test_reductions_run_again(self):
        self.convoy("trace", "-o", "sums", "--", SUBJECT, "reduce")
        found = json.loads(self.convoy("replay", "--json", "sums.trace").stdout)
        self.assertTrue(found["verified"])
        self.assertEqual(found["left_out"], 0)
        self.assertEqual(found["bytes"], 2 * 64 * 4096 + 2 * 4096)

    def test_json_output_parses(self):
        found = json.loads(self.convoy("replay", "--json", "out.trace").stdout)
        self.assertTrue(found["verified"])
        self.assertEqual(found["bytes"], 2 * 64 * 4096)
        for each in found["suggestions"]:
            self.assertGreater(each["gain"], 0)

    def test_works_in_isolation(self):
        ended = self.convoy("replay", "--no-advice", "out.trace", env={"CONVOY_ISOLATE": "1"})
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_invalid_trace_is_one_sentence(self):
        with open(self.path("bad.trace"), "w") as file:
            file.write("hello")
        self.assert_one_sentence(self.convoy("replay", "bad.trace"), 2, "not a trace")
        self.assert_one_sentence(self.convoy("trace", "--from", "bad.trace"), 2, "not a trace")
        self.assert_one_sentence(self.convoy("replay", "/dev/zero"), 2, "not a trace")

    def test_limits_are_one_sentence(self):
        for option, value in [("--memory-limit", "100K"), ("--copy-limit", "4096")]:
            ended = self.convoy("replay", option, value, "out.trace")
            self.assert_one_sentence(ended, 2, "out.trace", option)
        ended = self.convoy("trace", "--from", "out.trace", "--memory-limit", "100K")
        self.assert_one_sentence(ended, 2, "out.trace", "limit")


if __name__ == "__main__":
    main()
