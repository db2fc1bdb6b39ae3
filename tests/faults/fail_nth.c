/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the program (LD_PRELOAD), makes one of its calls fail: SINEW_FAULT is a kind, a
 * colon and a number, as in "write:3" for the third call. Kinds: alloc, open (of files to be
 * written), write, fsync, rename, link, chmod, close, unlink, rmdir, or "file" for all but the
 * first. "alloc+" lets all from that one on fail. With SINEW_FAULT_STOP the program is stopped
 * (SIGSTOP) before that call, which then does what it should. Counts from when the command begins,
 * which is when it holds signals back: before that it only looks at its arguments.
 * SINEW_FAULT_COUNT names a file that gets the number of calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static char kind[16];
static long target;
static int goes_on, stops, armed;
static atomic_long calls;

static int fails(const char* what, int code) {
  if (!armed) return 0;
  const int is_counted =
      strcmp(kind, what) == 0 || (strcmp(kind, "file") == 0 && strcmp(what, "alloc") != 0);
  if (!is_counted) return 0;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  if (number != target && !(goes_on && number > target)) return 0;
  if (stops) {
    raise(SIGSTOP);
    return 0;
  }
  errno = code;
  return 1;
}

void* malloc(size_t size) { return fails("alloc", ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return fails("alloc", ENOMEM) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails("alloc", ENOMEM) ? NULL : __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails("alloc", ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = fails("alloc", ENOMEM) ? NULL : __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fails("open", EMFILE)) return -1;
  }
  return openat(AT_FDCWD, path, flags, mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* bytes, size_t size) {
  return fails("write", ENOSPC) ? -1 : REAL(write)(file, bytes, size);
}
int fsync(int file) { return fails("fsync", EIO) ? -1 : REAL(fsync)(file); }
int rename(const char* from, const char* to) {
  return fails("rename", EIO) ? -1 : REAL(rename)(from, to);
}
int link(const char* from, const char* to) {
  return fails("link", EPERM) ? -1 : REAL(link)(from, to);
}
int chmod(const char* path, mode_t mode) {
  return fails("chmod", EPERM) ? -1 : REAL(chmod)(path, mode);
}
int unlink(const char* path) { return fails("unlink", EPERM) ? -1 : REAL(unlink)(path); }
int rmdir(const char* path) { return fails("rmdir", EPERM) ? -1 : REAL(rmdir)(path); }
int close(int file) {
  /* The file is closed all the same, as by the system. */
  const int result = REAL(close)(file);
  return fails("close", EIO) ? -1 : result;
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  const int result = REAL(pthread_sigmask)(how, set, old);
  armed = 1;
  return result;
}

static int (*real_main)(int, char**, char**);
static int counted_main(int count, char** arguments, char** environment) {
  const char* fault = getenv("SINEW_FAULT");
  if (fault != NULL && sscanf(fault, "%15[a-z]", kind) == 1) {
    goes_on = strchr(fault, '+') != NULL;
    target = atol(strchr(fault, ':') + 1);
    stops = getenv("SINEW_FAULT_STOP") != NULL;
  }
  const int status = real_main(count, arguments, environment);
  armed = 0;
  const char* file = getenv("SINEW_FAULT_COUNT");
  FILE* out = file == NULL ? NULL : fopen(file, "w");
  if (out != NULL) {
    fprintf(out, "%ld", atomic_load(&calls));
    fclose(out);
  }
  return status;
}

int __libc_start_main(int (*program)(int, char**, char**), int count, char** arguments,
                      void (*init)(void), void (*fini)(void), void (*end)(void), void* stack);
int __libc_start_main(int (*program)(int, char**, char**), int count, char** arguments,
                      void (*init)(void), void (*fini)(void), void (*end)(void), void* stack) {
  real_main = program;
  return REAL(__libc_start_main)(counted_main, count, arguments, init, fini, end, stack);
}
