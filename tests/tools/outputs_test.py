"""Where the command writes to, and what a program with raised privileges traces."""
import os
import resource
import shutil
import subprocess
import unittest

from command import CONVOY, SUBJECT, CommandTest, main

RESULTS = ('{"machine": {}, "results": [{"bytes": 64, "count": 1, "gbps": 1, "ratio_to_limit": 1,'
           ' "ratio_to_memcpy": 1, "ratio_to_loop": 1}]}')
UNPRIVILEGED = 65534


class Outputs(CommandTest):
    def setUp(self):
        super().setUp()
        with open(self.path("results.json"), "w") as file:
            file.write(RESULTS)

    def bench(self, *arguments, **more):
        return self.convoy("bench", "--from", "results.json", *arguments, **more)

    def link_to_precious(self, name):
        with open(self.path("precious"), "w") as file:
            file.write("precious")
        os.symlink("precious", self.path(name))

    def assert_precious(self):
        with open(self.path("precious")) as file:
            self.assertEqual(file.read(), "precious")

    def test_regular_file_is_replaced(self):
        for name in ["out.json", "out.png", "out.svg"]:
            with open(self.path(name), "w") as file:
                file.write("earlier")
            os.link(self.path(name), self.path(name + ".link"))
        ended = self.bench("--json", "out.json", "--plot", "out.png", "--plot", "out.svg")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for name, start in [("out.json", b"{"), ("out.png", b"\x89PNG"), ("out.svg", b"<?xml")]:
            with open(self.path(name), "rb") as file:
                self.assertTrue(file.read().startswith(start))
            self.assertEqual(os.path.getsize(self.path(name + ".link")), len("earlier"))

    def test_links_are_refused(self):
        self.link_to_precious("out.json")
        self.assert_one_sentence(self.bench("--json", "out.json"), 1, "out.json", "symbolic link")
        os.symlink("precious", self.path("out.svg"))
        self.assert_one_sentence(self.bench("--plot", "out.svg"), 1, "out.svg", "symbolic link")
        self.assert_precious()

    def test_refused_link_prevents_the_run(self):
        for ending in ["trace", "json", "html"]:
            self.link_to_precious(f"{ending}.{ending}")
            ended = self.convoy("trace", "-o", ending, "--", "touch", "ran")
            self.assert_one_sentence(ended, 1, f"{ending}.{ending}", "symbolic link")
        self.assertFalse(os.path.exists(self.path("ran")))
        self.assert_precious()

    def unprivileged(self):
        """Not as root, who would replace the devices of the machine if the command were wrong."""
        os.chmod(self.folder, 0o777)
        return {"user": UNPRIVILEGED, "group": UNPRIVILEGED, "extra_groups": []} if os.geteuid() == 0 else {}

    def test_standard_output_can_be_named(self):
        user = self.unprivileged()
        try:
            self.assertIn('"results"', self.bench("--json", "-", **user).stdout)
        except PermissionError:
            self.skipTest("the build is not readable for other users")
        self.assertIn('"results"', self.bench("--json", "/dev/stdout", **user).stdout)
        self.assertIn('"results"', self.bench("--json", "/dev/fd/1", **user).stdout)
        self.assertIn('"results"', self.bench("--json", "/dev/stderr", **user).stderr)
        ended = self.bench("--json", "/dev/null", **user)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_redirected_standard_output_is_appended(self):
        user = self.unprivileged()
        with open(self.path("all"), "w") as file:
            file.write("before\n")
            file.flush()
            try:
                subprocess.run([CONVOY, "bench", "--from", "results.json", "--json", "/dev/stdout"],
                               cwd=self.folder, stdout=file, check=True, **user)
            except PermissionError:
                self.skipTest("the build is not readable for other users")
        with open(self.path("all")) as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n"), text)
        self.assertIn('"results"', text)


class LostTraces(CommandTest):
    def mount_small(self, size):
        """A file system of that size, unmounted with the test."""
        folder = self.path("small")
        os.mkdir(folder)
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder],
                              capture_output=True, text=True)
        if made.returncode != 0:
            self.skipTest(f"mounting a tmpfs needs root: {made.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    def test_full_disk_keeps_the_status(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "end", "9",
                            env={"TMPDIR": self.mount_small("32k")})
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("the disk is full", ended.stderr)
        self.assertNotIn("out.html", os.listdir(self.folder))

    def test_filling_disk_keeps_earlier_records(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "many", "9",
                            env={"TMPDIR": self.mount_small("5m")})
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("records of the trace", ended.stderr)
        self.assertIn("the disk is full", ended.stderr)
        self.assertIn("lacks its last records", ended.stderr)
        self.assertIn("out.html", os.listdir(self.folder))

    def test_little_disk_space_keeps_the_start(self):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "many", "9",
                            env={"TMPDIR": self.mount_small("300k")})
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("records of the trace", ended.stderr)
        self.assertIn("lacks its last records", ended.stderr)
        self.assertIn("out.html", os.listdir(self.folder))

    def test_views_without_space_keep_status(self):
        small = self.mount_small("16k")
        ended = self.convoy("trace", "-o", f"{small}/out", "--", SUBJECT, "end", "9")
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("No space left on device", ended.stderr)
        self.assertEqual(os.listdir(small), [])

    def test_file_size_limit_keeps_status(self):
        limit = 1 << 14
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "end", "9",
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                  (limit, limit)))
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("limit of file sizes", ended.stderr)

    def test_truncated_trace_lets_program_finish(self):
        env = {"CONVOY_TRACE": self.path("own.trace")}
        ended = self.convoy("run", "--", SUBJECT, "truncate", self.path("own.trace"), env=env)
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertIn("another process has truncated it", ended.stderr)


class RaisedPrivileges(CommandTest):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("making a setuid program needs root")
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest(f"{self.folder} is mounted nosuid")
        with open("/proc/self/status") as file:
            if "NoNewPrivs:\t1" in file.read():
                self.skipTest("this process cannot gain privileges (no_new_privs)")
        os.chmod(self.folder, 0o777)
        self.program = self.path("program")
        shutil.copy(SUBJECT, self.program)
        os.chmod(self.program, 0o4755)

    def run_unprivileged(self, **variables):
        return subprocess.run([self.program, "devices"], cwd=self.folder, env=variables,
                              user=UNPRIVILEGED, group=UNPRIVILEGED, extra_groups=[], text=True,
                              capture_output=True)

    def test_setuid_program_reads_no_variables(self):
        with open(self.path("victim"), "w") as file:
            file.write("precious")
        os.chmod(self.path("victim"), 0o600)
        os.symlink("victim", self.path("link.trace"))
        for name in ["link.trace", "new.trace"]:
            ended = self.run_unprivileged(CONVOY_TRACE=self.path(name), CONVOY_DEVICES="7")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(ended.stdout, "2\n")
        self.assertFalse(os.path.exists(self.path("new.trace")))
        with open(self.path("victim")) as file:
            self.assertEqual(file.read(), "precious")

    def test_program_without_privileges_reads_them(self):
        os.chmod(self.program, 0o755)
        ended = self.run_unprivileged(CONVOY_DEVICES="7")
        if ended.returncode == 127:
            self.skipTest("the build is not readable for other users")
        self.assertEqual(ended.stdout, "7\n", ended.stderr)


if __name__ == "__main__":
    main()
