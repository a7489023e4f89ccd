// Makes the dynamic linker load Convoy's libraries wherever a program asks for the vendors'.
//
// The dynamic linker loads this library into every process that inherits LD_AUDIT, in a namespace
// of its own, and asks la_objsearch() for each library before it searches: for one given by name
// or by path, and for each path it tries. A request for a library that Convoy replaces is answered
// with Convoy's file, if that is installed; any other request is left as it is.
//
// There is no libc here, because the namespace would get a copy of its own. Convoy's files are
// found relative to this one, at the first request that needs them. The dynamic linker holds its
// lock during every call, so variables need none.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#define AUDIT_CALL __attribute__((visibility("default")))

enum { path_size = 4096, newest_version = 2 };

// The libraries of Convoy that replace others, and their files relative to this one.
enum library { cudart_13, cudart_12, driver, nvml, ascendcl, acl_rt, none };

static const char files[none][32] = {
    [cudart_13] = "cuda/libcudart.so.13", [cudart_12] = "cuda/libcudart.so.12",
    [driver] = "cuda/libcuda.so.1",       [nvml] = "cuda/libnvidia-ml.so.1",
    [ascendcl] = "ascend/libascendcl.so", [acl_rt] = "ascend/libacl_rt.so",
};
static char paths[none][path_size];

static long system_call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
  long result = number;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long which __asm__("x8") = number;
  register long result __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  __asm__ volatile("svc 0"
                   : "+r"(result)
                   : "r"(which), "r"(second), "r"(third), "r"(fourth)
                   : "memory");
  return result;
#endif
}

static long open_file(const char* path, int flags) {
  return system_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0600);
}

static void close_file(long file) { system_call(SYS_close, file, 0, 0, 0); }

static bool exists(const char* path) {
  return system_call(SYS_faccessat, AT_FDCWD, (long)path, 0, 0) == 0;
}

static bool equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// The rest of a text behind a prefix; null if it has another one.
static const char* after(const char* text, const char* prefix) {
  while (*prefix != '\0' && *text == *prefix) ++text, ++prefix;
  return *prefix == '\0' ? text : NULL;
}

static const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

static bool ends_component(const char* text) { return *text == '\0' || *text == '.'; }

static bool begins_component(const char* text, const char* prefix) {
  const char* const rest = after(text, prefix);
  return rest != NULL && ends_component(rest);
}

// By what follows "libcudart": ".so.13", or "-d0da41ae.so.12.8.90" in a repaired wheel. The name
// without a version is that of the newest.
static enum library runtime_of(const char* rest) {
  if (*rest != '-' && *rest != '.') return none;
  while (*rest != '\0' && after(rest, ".so") == NULL) ++rest;
  if (equal(rest, ".so") || begins_component(rest, ".so.13")) return cudart_13;
  return begins_component(rest, ".so.12") ? cudart_12 : none;
}

// The library that Convoy has in place of the one with this name or path.
static enum library replacement_of(const char* path) {
  const char* const name = file_name(path);
  const char* const runtime = after(name, "libcudart");
  if (runtime != NULL) return runtime_of(runtime);
  if (begins_component(name, "libcuda.so")) return driver;
  if (begins_component(name, "libnvidia-ml.so")) return nvml;
  if (begins_component(name, "libascendcl.so")) return ascendcl;
  return begins_component(name, "libacl_rt.so") ? acl_rt : none;
}

static unsigned hex_digit(char text) {
  return (unsigned)(text <= '9' ? text - '0' : text - 'a' + 10);
}

// One line of /proc/self/maps, taken a character at a time: `start-end … path`.
struct mapping {
  uintptr_t bounds[2];
  int bounds_read;
  size_t length;  // of the path; path_size if it is too long
};

static void take(struct mapping* line, char each, char* path) {
  if (line->bounds_read != 2) {
    uintptr_t* const bound = &line->bounds[line->bounds_read];
    if (each == '-' || each == ' ') {
      ++line->bounds_read;
    } else {
      *bound = *bound * 16 + hex_digit(each);
    }
  } else if ((line->length != 0 || each == '/') && line->length != path_size) {
    path[line->length++] = each;
  }
}

static bool contains(const struct mapping* line, uintptr_t address) {
  return line->length != 0 && line->length != path_size && line->bounds[0] <= address &&
         address < line->bounds[1];
}

// The file that is mapped at an address, whatever name it was asked for by.
static bool find_mapped_file(uintptr_t address, char* path) {
  const long maps = open_file("/proc/self/maps", O_RDONLY);
  if (maps < 0) return false;
  struct mapping line = {{0, 0}, 0, 0};
  bool found = false;
  char block[1024];
  for (long size;
       !found && (size = system_call(SYS_read, maps, (long)block, sizeof block, 0)) > 0;) {
    for (long i = 0; i != size && !found; ++i) {
      if (block[i] != '\n') {
        take(&line, block[i], path);
        continue;
      }
      found = contains(&line, address);
      if (found) path[line.length] = '\0';
      line = (struct mapping){{0, 0}, 0, 0};
    }
  }
  close_file(maps);
  return found;
}

static void append(char* text, size_t size, size_t* length, const char* more) {
  while (*more != '\0' && *length + 1 < size) text[(*length)++] = *more++;
  text[*length] = '\0';
}

static char folder[path_size];  // of this library, with a slash; empty where it is unknown

static void find_folder(void) {
  static bool done = false;
  if (done) return;
  done = true;
  if (!find_mapped_file((uintptr_t)&find_folder, folder)) folder[0] = '\0';
  *(char*)file_name(folder) = '\0';
}

// Completes its path, and tells whether the file exists.
static bool is_installed(enum library library) {
  find_folder();
  if (folder[0] == '\0') return false;
  size_t length = 0;
  append(paths[library], path_size, &length, folder);
  append(paths[library], path_size, &length, files[library]);
  return length + 1 < path_size && exists(paths[library]);
}

// In the namespace of an object.
static bool is_loaded(const char* path, const struct link_map* object) {
  while (object->l_prev != NULL) object = object->l_prev;
  for (; object != NULL; object = object->l_next) {
    if (equal(object->l_name, path)) return true;
  }
  return false;
}

// The value of the variable that names the file to report to; empty if it is not set.
static const char* report_file(void) {
  static const char name[] = "_CONVOY_LOADED_REPORT=";
  static char value[path_size];
  static bool done = false;
  if (done) return value;
  done = true;
  const long variables = open_file("/proc/self/environ", O_RDONLY);
  if (variables < 0) return value;
  size_t matched = 0;  // characters of the name; above its length in another variable
  size_t length = 0;
  char block[1024];
  for (long size; (size = system_call(SYS_read, variables, (long)block, sizeof block, 0)) > 0;) {
    for (long i = 0; i != size; ++i) {
      if (block[i] == '\0') {
        matched = 0;
      } else if (matched == sizeof name - 1) {
        if (length + 1 < path_size) value[length++] = block[i];
      } else if (matched < sizeof name) {
        matched = block[i] == name[matched] ? matched + 1 : sizeof name;
      }
    }
  }
  close_file(variables);
  return value;
}

// Appends a line: PID, program and library, with a tab between them.
static void report(const struct link_map* object) {
  static char line[3 * path_size];
  static char path[path_size];
  if (report_file()[0] == '\0') return;
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  for (long pid = system_call(SYS_getpid, 0, 0, 0, 0); pid > 0; pid /= 10)
    digits[--at] = (char)('0' + pid % 10);
  size_t length = 0;
  append(line, sizeof line, &length, digits + at);
  append(line, sizeof line, &length, "\t");
  const long size =
      system_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path, path_size - 1);
  path[size > 0 ? size : 0] = '\0';
  append(line, sizeof line, &length, path);
  append(line, sizeof line, &length, "\t");
  const bool mapped = find_mapped_file((uintptr_t)object->l_ld, path);
  append(line, sizeof line, &length, mapped ? path : object->l_name);
  append(line, sizeof line, &length, "\n");
  const long file = open_file(report_file(), O_WRONLY | O_APPEND);
  if (file < 0) return;
  system_call(SYS_write, file, (long)line, (long)length, 0);
  close_file(file);
}

// Libraries that Convoy replaces in any version, and Convoy's own.
static bool is_reported(const char* path) {
  const char* const name = file_name(path);
  return replacement_of(path) != none || after(name, "libcudart.so") != NULL ||
         after(name, "libcudart-") != NULL || after(name, "libconvoy.so") != NULL ||
         after(name, "_native.") != NULL;
}

AUDIT_CALL unsigned la_version(unsigned version) {
  return version < newest_version ? version : newest_version;
}

AUDIT_CALL unsigned la_objopen(struct link_map* object, Lmid_t space, uintptr_t* cookie) {
  (void)space;
  *cookie = (uintptr_t)object;
  if (object->l_name != NULL && is_reported(object->l_name)) report(object);
  return 0;  // no symbol bindings
}

AUDIT_CALL char* la_objsearch(const char* name, uintptr_t* cookie, unsigned stage) {
  const enum library ours = name == NULL ? none : replacement_of(name);
  if (ours == none || !is_installed(ours)) return (char*)name;
  // A library that needs versioned symbols is checked against the name it needs them from, and the
  // dynamic linker adds no such name to a file that is loaded already under another one, unless the
  // name itself is searched: then each path it tries is answered with the file.
  const bool first = stage == LA_SER_ORIG && file_name(name) == name;
  if (first && is_loaded(paths[ours], (const struct link_map*)*cookie)) return (char*)name;
  return paths[ours];
}
