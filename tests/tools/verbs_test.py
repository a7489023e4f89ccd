"""info, env, doctor, completion, and wrong arguments of every verb."""
import json
import os
import pty
import shutil
import subprocess
import unittest

from command import BUILD, CONVOY, CommandTest, main


class Arguments(CommandTest):
    def test_help_names_every_verb(self):
        output = self.convoy("--help").stdout
        for verb in ["info", "run", "env", "bench", "trace", "replay", "doctor", "completion"]:
            self.assertIn(verb, output)

    def test_no_verb_is_one_sentence(self):
        self.assert_one_sentence(self.convoy(), 2, "see convoy --help")

    def test_unknown_verb_lists_known_verbs(self):
        self.assert_one_sentence(self.convoy("tarce"), 2, "tarce", "trace", "doctor")

    def test_unknown_option_is_one_sentence(self):
        for verb in ["info", "bench", "doctor"]:
            self.assert_one_sentence(self.convoy(verb, "--nonsense"), 2, f"see convoy {verb} --help")

    def test_range_error_is_one_sentence(self):
        self.assert_one_sentence(self.convoy("run", "--devices", "0", "--", "true"), 2, "--devices")

    def test_missing_file_is_one_sentence(self):
        self.assert_one_sentence(self.convoy("replay", "none.trace"), 2, "none.trace")


class Info(CommandTest):
    def test_shows_machine_devices_and_every_variable(self):
        output = self.convoy("info", env={"CONVOY_DEVICES": "3"})
        self.assertEqual(output.returncode, 0, output.stderr)
        for words in ["CPUs", "huge pages", "device 2", "* CONVOY_DEVICES", "CONVOY_TRACE"]:
            self.assertIn(words, output.stdout)

    def test_json_output_parses(self):
        found = json.loads(self.convoy("info", "--json").stdout)
        self.assertGreaterEqual(found["machine"]["processors"], 1)
        self.assertEqual(len(found["devices"]), 2)
        self.assertEqual(found["devices"][1]["pci_bus_id"], "00000000:02:00.0")
        self.assertTrue(found["devices"][1]["uuid"].startswith("GPU-01"))
        self.assertEqual([d["name"] for d in found["drop_in_libraries"]],
                         ["ascend", "cuda", "python"])
        sources = {s["name"]: s["source"] for s in found["settings"]}
        self.assertIn(sources["CONVOY_WORKERS"], ["CPU affinity", "cgroup CPU quota"])
        self.assertEqual(sources["CONVOY_SOC"], "default")

    def test_bad_configuration_is_one_sentence(self):
        ended = self.convoy("info", env={"CONVOY_DEVICES": "many"})
        self.assert_one_sentence(ended, 1, "CONVOY_DEVICES", "it takes")

    def test_has_colours_on_a_terminal_only(self):
        self.assertNotIn("\x1b", self.convoy("info").stdout)
        reader, writer = pty.openpty()
        subprocess.run([CONVOY, "info"], stdout=writer, env={**os.environ, "TERM": "xterm"})
        os.close(writer)
        self.assertIn(b"\x1b[1m", os.read(reader, 4096))
        os.close(reader)


class Doctor(CommandTest):
    def test_ends_with_one_line(self):
        ended = self.convoy("doctor")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertTrue(ended.stdout.splitlines()[-1].startswith("good: "), ended.stdout)

    def test_json_output_parses(self):
        self.assertTrue(json.loads(self.convoy("doctor", "--json").stdout)["sound"])

    def test_last_line_names_the_problem(self):
        ended = self.convoy("doctor", env={"CONVOY_WORKERS": "none"})
        self.assertEqual(ended.returncode, 1)
        last = ended.stdout.splitlines()[-1]
        self.assertTrue(last.startswith("bad: "), last)
        self.assertIn("CONVOY_WORKERS", last)


    def start_python(self, *files):
        script = "import ctypes, sys; [ctypes.CDLL(f) for f in sys.argv[1:]]; print(flush=True); sys.stdin.read()"
        started = subprocess.Popen([CONVOY, "run", "--", "sh", "-c", '"$@"; true', "sh", "python3", "-c",
                                    script, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(started.wait)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.stdin.close)
        started.stdout.readline()
        return started.pid

    def test_shows_libraries_of_running_process(self):
        pid = self.start_python("/no/such/folder/libcudart.so.13")

        ended = self.convoy("doctor", "--pid", str(pid))

        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertRegex(ended.stdout, r"python\S* \(PID \d+\) has loaded\n(  .*\n)*  libcudart\.so\.13 ")
        self.assertTrue(ended.stdout.splitlines()[-1].startswith("good: "), ended.stdout)

    def test_finds_second_copy_in_child(self):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        old = self.path("libcudart.so.11")
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", old], check=True)
        pid = self.start_python("libcudart.so.13", old)

        ended = self.convoy("doctor", "--pid", str(pid))

        self.assertEqual(ended.returncode, 1)
        self.assertIn("two copies of libcudart", ended.stdout)

    def test_missing_process_is_one_sentence(self):
        self.assert_one_sentence(self.convoy("doctor", "--pid", "999999999"), 1, "999999999")


class Env(CommandTest):
    SCRIPT = "import ctypes; print(ctypes.CDLL('/no/such/folder/libcudart.so.13'))"

    def check_shell(self, shell, code):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        ended = subprocess.run([shell, "-c", code], text=True, capture_output=True,
                               env={**os.environ, "C": CONVOY, "SCRIPT": self.SCRIPT})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("CDLL", ended.stdout)

    def test_sh_evaluates_exports(self):
        self.check_shell("sh", 'eval "$($C env)"; python3 -c "$SCRIPT"')

    def test_zsh_evaluates_exports(self):
        self.check_shell("zsh", 'eval "$($C env --shell zsh)"; python3 -c "$SCRIPT"')

    def test_fish_evaluates_exports(self):
        self.check_shell("fish", '$C env --shell fish | source; python3 -c "$SCRIPT"')

    def test_quotes_what_the_shell_had(self):
        odd = "/it's/$HOME/a\\b"
        for shell, code in [("sh", 'eval "$($C env)"; printenv LD_LIBRARY_PATH'),
                            ("fish", "$C env --shell fish | source; printenv LD_LIBRARY_PATH")]:
            if not shutil.which(shell):
                continue
            ended = subprocess.run([shell, "-c", code], text=True, capture_output=True,
                                   env={**os.environ, "C": CONVOY, "LD_LIBRARY_PATH": odd})
            self.assertTrue(ended.stdout.strip().endswith(":" + odd), shell + ended.stdout)

    def test_files_hold_convoys_values_alone(self):
        env = {"LD_LIBRARY_PATH": "/of/this/machine"}
        text = self.convoy("env", "--format", "docker", env=env).stdout
        found = json.loads(self.convoy("env", "--format", "json", env=env).stdout)

        self.assertEqual(dict(line.split("=", 1) for line in text.splitlines()), found)
        self.assertNotIn("/of/this/machine", text)
        self.assertTrue(os.path.exists(found["LD_AUDIT"]), text)

    def test_unknown_shell_is_one_sentence(self):
        self.assert_one_sentence(self.convoy("env", "--shell", "csh"), 2, "--shell")


class Completion(CommandTest):
    def check(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        text = self.convoy("completion", shell).stdout
        self.assertIn("replay", text)
        file = self.path("completion")
        with open(file, "w") as out:
            out.write(text)
        subprocess.run([shell, "-n", file], check=True)

    def test_bash_accepts_its_completion(self):
        self.check("bash")

    def test_zsh_accepts_its_completion(self):
        self.check("zsh")

    def test_fish_accepts_its_completion(self):
        self.check("fish")

    def test_bash_completes_verbs_and_options(self):
        code = ('source <("$0" completion bash); COMP_WORDS=(convoy be); COMP_CWORD=1; _convoy; '
                'echo "${COMPREPLY[@]}"; COMP_WORDS=(convoy bench --qu); COMP_CWORD=2; _convoy; '
                'echo "${COMPREPLY[@]}"')
        output = subprocess.run(["bash", "-c", code, CONVOY], text=True, capture_output=True).stdout
        self.assertEqual(output.split(), ["bench", "--quick"])


class Installed(CommandTest):
    def test_works_from_moved_install_tree(self):
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.path("first")], check=True,
                       stdout=subprocess.DEVNULL)
        os.rename(self.path("first"), self.path("second"))
        moved = self.path("second/bin/convoy")
        found = json.loads(subprocess.run([moved, "info", "--json"], check=True,
                                          capture_output=True).stdout)
        self.assertTrue(found["library"].startswith(self.path("second")), found["library"])
        self.assertTrue(os.path.exists(self.path("second/share/man/man1/convoy.1")))
        shown = subprocess.run([moved, "env", "--format", "json"], check=True, capture_output=True)
        audit = json.loads(shown.stdout)["LD_AUDIT"]
        self.assertTrue(audit.startswith(self.path("second")), audit)


if __name__ == "__main__":
    main()
