"""convoy run: exit status, signals, libraries, refusals."""
import os
import shutil
import signal
import subprocess
import unittest

from command import BUILD, CONVOY, SUBJECT, CommandTest, main


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

    def test_verbose_tells_each_process_apart(self):
        script = 'import ctypes, sys; ctypes.CDLL(sys.argv[1])'
        shell = f'"$0"; exec python3 -c "{script}" /no/such/folder/libcudart.so.13'
        output = self.convoy("run", "-v", "--", "sh", "-c", shell, SUBJECT).stderr
        self.assertRegex(output, r"tools_subject \(PID \d+\) has loaded\n.*libconvoy")
        self.assertRegex(output, r"python\S* \(PID \d+\) has loaded\n.*/cuda/libcudart\.so\.13\n")
        self.assertNotIn("warning", output)

    def test_verbose_warns_of_second_copy(self):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        old = self.path("libcudart.so.11")
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", old], check=True)
        script = 'import ctypes, sys; [ctypes.CDLL(each) for each in sys.argv[1:]]'
        output = self.convoy("run", "-v", "--", "python3", "-c", script, "libcudart.so.13", old).stderr
        self.assertIn(f"warning: {old} is not Convoy's", output)
        self.assertIn("two copies of libcudart are loaded", output)

    def test_keeps_audit_libraries_of_program(self):
        env = {"LD_AUDIT": "/somewhere/audit.so"}
        script = "import os; print(os.environ['LD_AUDIT'])"
        ended = self.convoy("run", "--", "python3", "-c", script, env=env)
        first, second = ended.stdout.strip().split(":")
        self.assertTrue(first.endswith("/libconvoy-audit.so"), first)
        self.assertEqual(second, "/somewhere/audit.so")

    def test_inside_itself_changes_nothing(self):
        once = self.convoy("run", "--", "env").stdout
        twice = self.convoy("run", "--", CONVOY, "run", "--", "env").stdout
        names = ("LD_", "PYTHONPATH")
        self.assertEqual([each for each in once.splitlines() if each.startswith(names)],
                         [each for each in twice.splitlines() if each.startswith(names)])

    def test_survives_a_program_that_forks(self):
        self.assertEqual(self.convoy("run", "-v", "--", SUBJECT, "fork").returncode, 0)

    def test_missing_program_is_refused(self):
        self.assert_one_sentence(self.convoy("run", "--", "no_such_program"), 1, "no_such_program")

    def test_program_is_required(self):
        self.assert_one_sentence(self.convoy("run"), 2, "PROGRAM")


class Kernels(CommandTest):
    """A program with a kernel, and the plug-in that has a host function for it."""

    def setUp(self):
        super().setUp()
        self.program = os.path.join(BUILD, "examples", "cuda_kernel")
        plugin = os.path.join(BUILD, "examples", "cuda_kernel_plugin.so")
        if not os.path.exists(self.program):
            self.skipTest("the examples are not built")
        shutil.copy(plugin, self.path("plug.so"))

    def test_plugin_is_found_from_other_folders(self):
        os.mkdir(self.path("elsewhere"))
        ended = self.convoy("run", "--kernels", "plug.so", "--", "env", "-C", "elsewhere",
                            self.program)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn(" 0 wrong", ended.stdout)

    def test_plugin_works_isolated(self):
        ended = self.convoy("run", "--isolate", "--kernels", "plug.so", "--", self.program)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_launch_fails_without_a_plugin(self):
        ended = self.convoy("run", "--", self.program)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("the kernel scale was launched", ended.stderr)

    def test_skipped_launch_does_nothing(self):
        ended = self.convoy("run", "--kernels=skip", "--", self.program)
        self.assertIn("1000 wrong", ended.stdout)
        self.assertIn("launches of the kernel scale are skipped", ended.stderr)

    def test_option_may_be_repeated(self):
        ended = self.convoy("run", "--kernels", "skip", "--kernels", "plug.so", "--", self.program)
        self.assertIn(" 0 wrong", ended.stdout, ended.stderr)

    def test_missing_plugin_is_refused(self):
        ended = self.convoy("run", "--kernels", "missing.so", "--", self.program)
        self.assert_one_sentence(ended, 1, "missing.so")

    def test_damaged_plugin_is_named(self):
        with open(self.path("text.so"), "w") as file:
            file.write("no shared object")
        ended = self.convoy("run", "--kernels", "text.so", "--", self.program)
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(ended.stderr, r"the plug-in \S+/text\.so \(CONVOY_KERNELS\) cannot be loaded")


class Obstacles(CommandTest):
    def compile(self, *flags):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        subprocess.run(["cc", "-x", "c", "-", "-o", self.path("program"), *flags], check=True,
                       input="int main(void) { return 7; }", text=True)

    def check(self, *words):
        self.assert_one_sentence(self.convoy("run", "--", "./program"), 7, "program", *words)

    def test_static_program_is_named(self):
        self.compile("-static")
        self.check("statically linked")

    def test_raised_privileges_are_named(self):
        self.compile()
        os.chmod(self.path("program"), 0o4755)
        self.check("raised privileges")

    def test_musl_is_named(self):
        # The dynamic linker is glibc's, under the name that musl's has.
        interpreter = self.path("ld-musl-x86_64.so.1")
        self.compile(f"-Wl,--dynamic-linker={interpreter}")
        shutil.copy(os.path.realpath("/lib64/ld-linux-x86-64.so.2"), interpreter)
        self.check("musl")


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
