// Loaded into the program before the C library. Counts what it does to files below INKLINGS_FAULTS_ROOT; at the operation
// that the control file names it kills the process, fails, or does half of it. Writes what was done to
// INKLINGS_FAULTS_LOG, if that is set, and moves the wall clock. The test reads and writes the control file meanwhile.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// The same numbers stand in faults.mjs.
enum { KILL = 1, FULL = 2, BROKEN = 3, TEAR = 4 };
enum { WRITE = 1, TRUNCATE, SYNC, CREATE, MKDIR, RENAME, UNLINK, RMDIR, ALLOCATE };

struct control {
  uint64_t count;   // operations so far
  uint64_t at;      // which one meets the fault; 0 for none
  uint32_t mode;    // KILL, FULL, BROKEN, TEAR
  uint32_t lasting; // 1: every operation from there on
  uint64_t hits;    // how many met it
  int64_t clock;    // seconds that are added to the wall clock
  char hit[64];     // the first one that met it
};
struct record {
  uint32_t kind, first, second, zero; // the kind of operation, and the lengths of its names
  uint64_t ino, offset, length, index;
};

static struct control none, *control = &none;
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) \
  static type (*real_##name)(__VA_ARGS__)
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, writev, int, const struct iovec *, int);
REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, ftruncate, int, off_t);
REAL(int, fallocate, int, int, off_t, off_t);
REAL(int, posix_fallocate, int, off_t, off_t);
REAL(int, rename, const char *, const char *);
REAL(int, unlink, const char *);
REAL(int, unlinkat, int, const char *, int);
REAL(int, rmdir, const char *);
REAL(int, mkdir, const char *, mode_t);
REAL(int, open, const char *, int, ...);
REAL(int, openat, int, const char *, int, ...);
REAL(int, clock_gettime, clockid_t, struct timespec *);
REAL(int, gettimeofday, struct timeval *, void *);

__attribute__((constructor)) static void begin(void) {
#define FIND(name) real_##name = (__typeof__(real_##name))dlsym(RTLD_NEXT, #name)
  FIND(write); FIND(writev); FIND(pwrite); FIND(pwritev); FIND(fsync); FIND(fdatasync); FIND(ftruncate);
  FIND(fallocate); FIND(posix_fallocate); FIND(rename); FIND(unlink); FIND(unlinkat); FIND(rmdir); FIND(mkdir);
  FIND(open); FIND(openat); FIND(clock_gettime); FIND(gettimeofday);
  const char *below = getenv("INKLINGS_FAULTS_ROOT"), *shared = getenv("INKLINGS_FAULTS_CONTROL");
  const char *kept = getenv("INKLINGS_FAULTS_LOG");
  if (!below || !shared) return;
  snprintf(root, sizeof root, "%s", below);
  root_length = strlen(root);
  int fd = real_open(shared, O_RDWR | O_CLOEXEC);
  if (fd < 0) abort();
  void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) abort();
  control = map;
  close(fd);
  if (kept && (log_fd = real_open(kept, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) < 0) abort();
}

static int is_ours(const char *path) {
  return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

// The name of an open file, if it lies below the root.
static int of_file(int fd, char *path) {
  if (!root_length) return 0;
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_ours(path);
}

static int of_name(int folder, const char *name, char *path) {
  if (!root_length || !name) return 0;
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
    return is_ours(path);
  }
  char parent[PATH_MAX];
  if (folder == AT_FDCWD) return 0; // the programs are started with absolute paths
  if (!of_file(folder, parent)) return 0;
  if (strlen(parent) + strlen(name) + 2 > PATH_MAX) return 0;
  strcpy(path, parent);
  strcat(path, "/");
  strcat(path, name);
  return 1;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// What becomes of the next operation: 0 to do it, -1 that it failed, 1 to do half of it and die. The caller holds `one`.
static int next(const char *what, int kind) {
  uint64_t n = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  uint64_t at = __atomic_load_n(&control->at, __ATOMIC_SEQ_CST);
  if (!at || n < at || (n > at && !control->lasting)) return 0;
  // On a full disk room can still be given back.
  int needs_room = kind == WRITE || kind == CREATE || kind == MKDIR || kind == ALLOCATE;
  if (control->mode == FULL && control->lasting && !needs_room) return 0;
  if (__atomic_fetch_add(&control->hits, 1, __ATOMIC_SEQ_CST) == 0) snprintf(control->hit, sizeof control->hit, "%s", what);
  switch (control->mode) {
  case KILL: die(); return -1;
  case FULL: errno = needs_room ? ENOSPC : EIO; return -1;
  case BROKEN: errno = EIO; return -1;
  case TEAR: return 1;
  }
  return 0;
}

static void keep(int kind, int fd, const char *first, const char *second, uint64_t offset, const void *data, uint64_t length) {
  if (log_fd < 0) return;
  int saved = errno;
  struct stat about = {0};
  if (fd >= 0) fstat(fd, &about);
  else if (first) lstat(second ? second : first, &about);
  struct record record = {kind, first ? strlen(first) : 0, second ? strlen(second) : 0, 0, about.st_ino, offset, length, control->count};
  struct iovec parts[4] = {
    {&record, sizeof record}, {(void *)first, record.first}, {(void *)second, record.second}, {(void *)data, data ? length : 0}};
  real_writev(log_fd, parts, 4);
  errno = saved;
}

static void *flat(const struct iovec *parts, int count, size_t *length) {
  *length = 0;
  for (int i = 0; i < count; i++) *length += parts[i].iov_len;
  char *all = malloc(*length ? *length : 1), *end = all;
  if (!all) abort();
  for (int i = 0; i < count; i++) end = mempcpy(end, parts[i].iov_base, parts[i].iov_len);
  return all;
}

// Every kind of write ends here; `at` is -1 for the file's own position.
static ssize_t put(const char *what, int fd, const void *data, size_t length, off_t at) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return at < 0 ? real_write(fd, data, length) : real_pwrite(fd, data, length, at);
  pthread_mutex_lock(&one);
  int fate = next(what, WRITE);
  ssize_t done = -1;
  if (fate >= 0) {
    size_t part = fate ? length / 2 : length;
    off_t where = at;
    if (at < 0) where = fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    done = at < 0 ? real_write(fd, data, part) : real_pwrite(fd, data, part, at);
    if (done > 0) keep(WRITE, fd, path, NULL, where, data, done);
    if (fate) die();
  }
  pthread_mutex_unlock(&one);
  return done;
}

ssize_t write(int fd, const void *data, size_t length) { return put("write", fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return put("pwrite", fd, data, length, at); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) { return put("pwrite", fd, data, length, at); }

static ssize_t put_all(const char *what, int fd, const struct iovec *parts, int count, off_t at) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return at < 0 ? real_writev(fd, parts, count) : real_pwritev(fd, parts, count, at);
  size_t length;
  void *all = flat(parts, count, &length);
  ssize_t done = put(what, fd, all, length, at);
  free(all);
  return done;
}
ssize_t writev(int fd, const struct iovec *parts, int count) { return put_all("writev", fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return put_all("pwritev", fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) { return put_all("pwritev", fd, parts, count, at); }

// The rest is done whole or not at all: torn, it is done, and the process dies behind it.
#define DO(what, kind, fd, first, second, offset, length, call)          \
  pthread_mutex_lock(&one);                                              \
  int fate = next(what, kind), done = -1;                                \
  if (fate >= 0) {                                                       \
    done = call;                                                         \
    if (done >= 0) keep(kind, fd, first, second, offset, NULL, length);  \
    if (fate) die();                                                     \
  }                                                                      \
  pthread_mutex_unlock(&one);                                            \
  return done

int fsync(int fd) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return real_fsync(fd);
  DO("fsync", SYNC, fd, path, NULL, 0, 0, real_fsync(fd));
}
int fdatasync(int fd) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return real_fdatasync(fd);
  DO("fdatasync", SYNC, fd, path, NULL, 0, 0, real_fdatasync(fd));
}
int ftruncate(int fd, off_t length) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return real_ftruncate(fd, length);
  DO("ftruncate", TRUNCATE, fd, path, NULL, 0, length, real_ftruncate(fd, length));
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }
int fallocate(int fd, int mode, off_t offset, off_t length) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return real_fallocate(fd, mode, offset, length);
  DO("fallocate", ALLOCATE, fd, path, NULL, offset, length, real_fallocate(fd, mode, offset, length));
}
int fallocate64(int fd, int mode, off_t offset, off_t length) { return fallocate(fd, mode, offset, length); }
// Tells its error as its answer.
static int allocate(int fd, off_t offset, off_t length) {
  char path[PATH_MAX];
  of_file(fd, path);
  DO("posix_fallocate", ALLOCATE, fd, path, NULL, offset, length,
     (errno = real_posix_fallocate(fd, offset, length)) ? -1 : 0);
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  char path[PATH_MAX];
  if (!of_file(fd, path)) return real_posix_fallocate(fd, offset, length);
  return allocate(fd, offset, length) < 0 ? errno : 0;
}
int posix_fallocate64(int fd, off_t offset, off_t length) { return posix_fallocate(fd, offset, length); }

int rename(const char *from, const char *to) {
  char first[PATH_MAX], second[PATH_MAX];
  int ours = of_name(AT_FDCWD, to, second), within = of_name(AT_FDCWD, from, first);
  if (!ours && !within) return real_rename(from, to);
  DO("rename", RENAME, -1, first, second, 0, 0, real_rename(from, to));
}
int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX];
  if (!of_name(folder, name, path)) return real_unlinkat(folder, name, flags);
  DO("unlink", flags & AT_REMOVEDIR ? RMDIR : UNLINK, -1, path, NULL, 0, 0, real_unlinkat(folder, name, flags));
}
int unlink(const char *name) {
  char path[PATH_MAX];
  if (!of_name(AT_FDCWD, name, path)) return real_unlink(name);
  DO("unlink", UNLINK, -1, path, NULL, 0, 0, real_unlink(name));
}
int rmdir(const char *name) {
  char path[PATH_MAX];
  if (!of_name(AT_FDCWD, name, path)) return real_rmdir(name);
  DO("rmdir", RMDIR, -1, path, NULL, 0, 0, real_rmdir(name));
}
int mkdir(const char *name, mode_t mode) {
  char path[PATH_MAX];
  struct stat about;
  if (!of_name(AT_FDCWD, name, path) || lstat(path, &about) == 0) return real_mkdir(name, mode);
  DO("mkdir", MKDIR, -1, path, NULL, 0, 0, real_mkdir(name, mode));
}

static int open_one(int folder, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  struct stat about;
  if (!(flags & (O_CREAT | O_TRUNC)) || !of_name(folder, name, path)) return real_openat(folder, name, flags, mode);
  int is_there = lstat(path, &about) == 0;
  if (is_there && !(flags & O_TRUNC)) return real_openat(folder, name, flags, mode);
  int kind = is_there ? TRUNCATE : CREATE;
  DO(is_there ? "truncating open" : "creating open", kind, done, path, NULL, 0, 0, real_openat(folder, name, flags, mode));
}
#define MODE(last)                         \
  mode_t mode = 0;                         \
  if (flags & (O_CREAT | O_TMPFILE)) {     \
    va_list rest;                          \
    va_start(rest, last);                  \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }
int open(const char *name, int flags, ...) { MODE(flags) return open_one(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags) return open_one(AT_FDCWD, name, flags, mode); }
int openat(int folder, const char *name, int flags, ...) { MODE(flags) return open_one(folder, name, flags, mode); }
int openat64(int folder, const char *name, int flags, ...) { MODE(flags) return open_one(folder, name, flags, mode); }

// A copy within the kernel would pass by: whoever asks for one falls back on reading and writing.
ssize_t copy_file_range(int from, off_t *in, int to, off_t *out, size_t length, unsigned flags) {
  char path[PATH_MAX];
  if (of_file(to, path)) { errno = EXDEV; return -1; }
  return syscall(SYS_copy_file_range, from, in, to, out, length, flags);
}
ssize_t copy_file_range64(int from, off_t *in, int to, off_t *out, size_t length, unsigned flags) {
  return copy_file_range(from, in, to, out, length, flags);
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  char path[PATH_MAX];
  if (of_file(to, path)) { errno = EINVAL; return -1; }
  return syscall(SYS_sendfile, to, from, offset, length);
}
ssize_t sendfile64(int to, int from, off_t *offset, size_t length) { return sendfile(to, from, offset, length); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int done = real_clock_gettime ? real_clock_gettime(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
  if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock;
  return done;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int done = real_gettimeofday ? real_gettimeofday(now, zone) : (int)syscall(SYS_gettimeofday, now, zone);
  if (done == 0) now->tv_sec += control->clock;
  return done;
}
time_t time(time_t *kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept) *kept = now.tv_sec;
  return now.tv_sec;
}
