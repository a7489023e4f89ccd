"""convoy run: exit status, signals, libraries, refusals."""
import os
import shutil
import signal
import subprocess
import unittest

from command import CONVOY, SUBJECT, CommandTest, main


class Run(CommandTest):
    def test_passes_the_exit_status_through(self):
        self.assertEqual(self.convoy("run", "--", SUBJECT, "exit", "7").returncode, 7)
        self.assertEqual(self.convoy("run", "-v", "--", SUBJECT, "exit", "7").returncode, 7)

    def test_dies_of_the_programs_signal(self):
        for flags in [[], ["-v"]]:
            ended = self.convoy("run", *flags, "--", SUBJECT, "abort")
            self.assertEqual(ended.returncode, -signal.SIGABRT)

    def test_forwards_signals(self):
        started = self.start("run", "-v", "--", SUBJECT, "wait")
        self.assertEqual(started.stdout.readline(), "ready\n")
        started.send_signal(signal.SIGTERM)
        self.assertEqual(started.wait(timeout=60), -signal.SIGTERM)

    def test_sets_the_devices(self):
        output = self.convoy("run", "--devices", "5", "--", SUBJECT, "devices").stdout
        self.assertEqual(output, "5\n")

    def test_passes_arguments_and_standard_streams_on(self):
        ended = self.convoy("run", "--", "cat", "-", input="as it was\n")
        self.assertEqual(ended.stdout, "as it was\n")

    def test_runs_script_without_executable_bit(self):
        with open(self.path("script.py"), "w") as file:
            file.write("import os; print(os.environ['LD_LIBRARY_PATH'])")
        ended = self.convoy("run", "--", "script.py")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(ended.stdout.strip())

    def test_puts_its_libraries_first(self):
        env = {"LD_LIBRARY_PATH": "/somewhere/else"}
        output = self.convoy("run", "--", "printenv", "LD_LIBRARY_PATH", env=env).stdout.strip()
        self.assertTrue(output.endswith(":/somewhere/else"), output)

    def test_verbose_lists_loaded_libraries(self):
        output = self.convoy("run", "-v", "--", SUBJECT).stderr
        self.assertRegex(output, r"libconvoy\.so\S* +/\S+libconvoy")
        output = self.convoy("run", "-v", "--", "true").stderr
        self.assertIn("loaded none", output)

    def test_survives_a_program_that_forks(self):
        self.assertEqual(self.convoy("run", "-v", "--", SUBJECT, "fork").returncode, 0)

    def test_missing_program_is_refused(self):
        self.assert_one_sentence(self.convoy("run", "--", "no_such_program"), 1, "no_such_program")

    def test_program_is_required(self):
        self.assert_one_sentence(self.convoy("run"), 2, "PROGRAM")


class StaticRuntime(CommandTest):
    def test_refusal_tells_how_to_relink(self):
        if not shutil.which("objcopy"):
            self.skipTest("objcopy is not installed")
        with open(self.path("code"), "wb") as file:
            file.write(b"device code")
        # nvcc adds such a section to every program; this one needs no shared runtime.
        subprocess.run(["objcopy", "--add-section", f".nv_fatbin={self.path('code')}",
                        shutil.which("true"), self.path("server")], check=True)
        ended = self.convoy("run", "--", "./server")
        self.assert_one_sentence(ended, 1, "server", "-cudart shared")

    def test_is_recognised_by_its_functions(self):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        with open(self.path("server.c"), "w") as file:
            file.write("int cudaMalloc(void) { return 0; } int main(void) { return cudaMalloc(); }")
        subprocess.run(["cc", "server.c", "-o", "server"], cwd=self.folder, check=True)
        self.assert_one_sentence(self.convoy("run", "--", "./server"), 1, "-cudart shared")


if __name__ == "__main__":
    main()
