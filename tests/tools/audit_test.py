"""The audit library, with a tree of small libraries in place of Convoy's and of a vendor's."""
import os
import shutil
import subprocess
import sys
import time
import unittest

from command import BUILD, CommandTest, main

AUDIT = os.path.join(BUILD, "lib/convoy/libconvoy-audit.so")
# What the libraries of the tree are built from: each answers whose it is.
LIBRARY = 'const char* owner(void) { return "%s"; }'
# Opens each argument in turn, and prints the owner of the last.
OPENER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int count, char** names) {
  void* last = NULL;
  for (int i = 1; i != count; ++i) {
    const int elsewhere = strcmp(names[i], "--elsewhere") == 0;
    if (elsewhere) ++i;
    last = elsewhere ? dlmopen(LM_ID_NEWLM, names[i], RTLD_NOW) : dlopen(names[i], RTLD_NOW);
    if (last == NULL) return puts("not found"), 0;
  }
  const char* (*owner)(void) = (const char* (*)(void))dlsym(last, "owner");
  return puts(owner()), 0;
}
"""
NEEDER = '#include <stdio.h>\nconst char* owner(void);\nint main(void) { puts(owner()); }'


@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class AuditTest(CommandTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("convoy/lib/convoy"))
        self.audit = shutil.copy(AUDIT, self.path("convoy/lib/convoy/libconvoy-audit.so"))
        self.opener = self.compile("opener", OPENER)

    def compile(self, name, source, *flags):
        made = self.path(name)
        os.makedirs(os.path.dirname(made), exist_ok=True)
        subprocess.run(["cc", "-x", "c", "-", "-x", "none", "-o", made, *flags], input=source,
                       text=True, check=True, cwd=self.folder)
        return made

    def library(self, name, owner, *flags):
        """A library with a versioned symbol, as CUDA's runtime has."""
        with open(self.path("versions"), "w") as file:
            file.write("libcudart { global: owner; };")
        return self.compile(name, LIBRARY % owner, "-shared", "-fPIC", "-Wl,-soname," +
                            os.path.basename(name), "-Wl,--version-script=versions", *flags)

    def ours(self, name):
        return self.library(f"convoy/lib/convoy/{name}", "convoy")

    def vendor(self, name):
        return self.library(f"vendor/{name}", "vendor")

    def output(self, *command, **variables):
        """Output of a program that runs with the audit library."""
        ended = subprocess.run(command, text=True, capture_output=True, timeout=60,
                               env={**os.environ, "LD_AUDIT": self.audit, **variables})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout.strip()


class Requests(AuditTest):
    def test_every_name_is_replaced(self):
        for target, name in [("cuda/libcudart.so.13", "libcudart.so.13"),
                             ("cuda/libcudart.so.13", "libcudart.so"),
                             ("cuda/libcudart.so.13", "libcudart.so.13.2.86"),
                             ("cuda/libcudart.so.13", "libcudart-d0da41ae.so.13.0.48"),
                             ("cuda/libcudart.so.12", "libcudart-d0da41ae.so.12.8.90"),
                             ("cuda/libcuda.so.1", "libcuda.so.1"),
                             ("cuda/libcuda.so.1", "libcuda.so"),
                             ("cuda/libcuda.so.1", "libcuda.so.580.65.06"),
                             ("cuda/libnvidia-ml.so.1", "libnvidia-ml.so.1"),
                             ("ascend/libascendcl.so", "libascendcl.so"),
                             ("ascend/libacl_rt.so", "libacl_rt.so")]:
            self.ours(target)
            for request in [name, self.vendor(name)]:
                self.assertEqual(self.output(self.opener, request), "convoy", request)
            os.remove(self.path(f"convoy/lib/convoy/{target}"))

    def test_similar_names_are_left_alone(self):
        for each in ["cuda/libcudart.so.13", "cuda/libcudart.so.12", "cuda/libcuda.so.1"]:
            self.ours(each)
        for name in ["libcudart.so.11", "libcudart.so.130", "libcudartx.so.13", "libcudart-13",
                     "libcuda.so1", "libcudadebugger.so.1", "libcuda"]:
            self.assertEqual(self.output(self.opener, self.vendor(name)), "vendor", name)

    def test_missing_file_leaves_request_alone(self):
        self.ours("cuda/libcudart.so.13")

        self.assertEqual(self.output(self.opener, self.vendor("libcudart.so.12")), "vendor")
        self.assertEqual(self.output(self.opener, self.vendor("libcuda.so.1")), "vendor")
        self.assertEqual(self.output(self.opener, "libascendcl.so"), "not found")

    def test_own_file_is_loaded_by_path(self):
        own = self.ours("cuda/libcudart.so.13")

        self.assertEqual(self.output(self.opener, own), "convoy")

    def test_very_long_path_is_replaced(self):
        self.ours("cuda/libcudart.so.13")

        long = "/folder" * 5000 + "/libcudart.so.13"

        self.assertEqual(self.output(self.opener, long), "convoy")
        self.assertEqual(self.output(self.opener, "/folder" * 5000 + "/other.so"), "not found")

    def test_second_namespace_gets_replacement(self):
        own = self.ours("cuda/libcudart.so.13")

        for before in [[], [own]]:
            found = self.output(self.opener, *before, "--elsewhere", "libcudart.so.13")
            self.assertEqual(found, "convoy")
        self.assertEqual(self.output(self.opener, "--elsewhere", self.vendor("libx.so")), "vendor")


class Links(AuditTest):
    def needer(self, name, file, *flags):
        """A program that needs a vendor's library, with a fixed path to it (DT_RPATH)."""
        return self.compile(name, NEEDER, file, "-Wl,--disable-new-dtags",
                            f"-Wl,-rpath,{self.path('vendor')}", *flags)

    def test_fixed_path_is_replaced(self):
        program = self.needer("program", self.vendor("libcudart.so.13"))
        self.assertEqual(self.output(program), "vendor")

        self.ours("cuda/libcudart.so.13")

        self.assertEqual(self.output(program), "convoy")

    def test_two_renamed_files_are_one(self):
        # The dynamic linker looks for versioned symbols by each of the names.
        self.ours("cuda/libcudart.so.13")
        first = self.vendor("libcudart-aaaa.so.13.0.48")
        second = self.vendor("libcudart-bbbb.so.13.0.88")
        plain = self.vendor("libcudart.so.13")
        user = 'const char* owner(void); const char* f(void) { return owner(); }'
        for name, file in [("libone.so", first), ("libtwo.so", second)]:
            self.compile(f"vendor/{name}", user, "-shared", "-fPIC", file,
                         f"-Wl,-rpath,{self.path('vendor')}", f"-Wl,-soname,{name}")

        program = self.needer("program", plain, "-Wl,--no-as-needed", self.path("vendor/libone.so"),
                              self.path("vendor/libtwo.so"))

        self.assertEqual(self.output(program), "convoy")


class Processes(AuditTest):
    def test_children_inherit_it(self):
        self.ours("cuda/libcudart.so.13")
        request = self.vendor("libcudart.so.13")

        self.assertEqual(self.output("sh", "-c", '"$@"; exit $?', "sh", self.opener, request), "convoy")
        self.assertEqual(self.output("env", "sh", "-c", 'exec "$@"', "sh", self.opener, request),
                         "convoy")

    def test_other_audit_libraries_stay(self):
        self.ours("cuda/libcudart.so.13")
        other = self.compile("other.so", r"""
            #include <unistd.h>
            unsigned la_version(unsigned version) { return write(1, "other ", 6), version; }
            """, "-shared", "-fPIC")

        found = self.output(self.opener, self.vendor("libcudart.so.13"),
                            LD_AUDIT=f"{self.audit}:{other}")

        self.assertEqual(found, "other convoy")

    def test_needs_no_library(self):
        dynamic = subprocess.run(["readelf", "-d", AUDIT], text=True, capture_output=True).stdout
        self.assertNotIn("NEEDED", dynamic)

    def test_report_names_mapped_files(self):
        own = self.ours("cuda/libcudart.so.13")
        old = self.vendor("libcudart.so.11")
        report = self.path("report")
        open(report, "w").close()

        self.output("sh", "-c", '"$@"; true', "sh", self.opener, self.vendor("libcudart.so.13"), old,
                    _CONVOY_LOADED_REPORT=report)

        with open(report) as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
        self.assertEqual([line[1:] for line in lines], [[self.opener, own], [self.opener, old]])
        self.assertEqual(len({line[0] for line in lines}), 1)

    def test_start_of_process_stays_cheap(self):
        def seconds(**variables):
            started = time.perf_counter()
            for _ in range(50):
                subprocess.run(["true"], env={**os.environ, **variables}, check=True)
            return (time.perf_counter() - started) / 50

        plain = min(seconds() for _ in range(3))
        audited = min(seconds(LD_AUDIT=self.audit) for _ in range(3))

        print(f"start of a process: {plain * 1e6:.0f} us, audited {audited * 1e6:.0f} us",
              file=sys.stderr)
        self.assertLess(audited, plain + 0.005)


if __name__ == "__main__":
    main()
