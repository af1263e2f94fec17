/* Temporary directories: one root per run of the tool, removed by the process that made it.
 *
 * Its maker locks the root. When maker and keeper (app/process_guard.h) are both killed, the root
 * stays; the next run that makes one in the same folder removes the roots that nobody has locked.
 * Only what has the mark of a root is removed with its content: a user may have folders of such
 * names.
 */
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char root[256];
static pid_t root_owner;
static int lock = -1;  // of the root, open until its maker ends

// ---------------------------------------------------------------- left by others

static bool is_own_directory(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static const char mark[] = "run";

/* Descriptor of the locked directory; -1: somebody has it. */
static int lock_directory(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

static void remove_if_abandoned(const char *path) {
  const int fd = is_own_directory(path) ? lock_directory(path) : -1;
  if (fd < 0) return;
  if (faccessat(fd, mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
    tp_remove_tree(path);
  else
    rmdir(path);  // its maker came no further, or it is none of ours and not empty
  close(fd);
}

static void remove_abandoned(const char *base) {
  DIR *d = opendir(base);
  for (struct dirent *e; d && (e = readdir(d));) {
    char path[sizeof root];
    const int n = snprintf(path, sizeof path, "%s/%s", base, e->d_name);
    const bool is_named_so =
        strncmp(e->d_name, "twoproof-", 9) == 0 && strlen(e->d_name) == 15;  // as mkdtemp made it
    if (is_named_so && n > 0 && (size_t)n < sizeof path) remove_if_abandoned(path);
  }
  if (d) closedir(d);
}

/* Another run may find the new root before it is locked, and remove it. False: so it was, or there
 * is no room for the mark. */
static bool lock_root(void) {
  TP_REQUIRE(root[0] == '/');
  struct stat st;
  lock = lock_directory(root);
  if (lock < 0 || fstat(lock, &st) != 0 || st.st_nlink == 0) return false;
  const int fd = openat(lock, mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool make_root(const char *base) {
  errno = ENAMETOOLONG;
  int n = snprintf(root, sizeof root, "%s/twoproof-XXXXXX", base);
  if (n < 0 || (size_t)n >= sizeof root || !mkdtemp(root)) {
    root[0] = 0;
    return false;
  }
  root_owner = getpid();
  if (lock_root()) return true;
  const int saved = errno;
  tp_temp_remove_all();
  errno = saved;
  return false;
}

tp_status tp_temp_root(const char **out) {
  if (!root[0]) {
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/') base = "/tmp";
    remove_abandoned(base);
    if (!make_root(base) && !make_root(base)) return TP_ERR_SYSTEM;
  }
  *out = root;
  return TP_OK;
}

tp_status tp_temp_dir(tp_str *out) {
  const char *base;
  TP_TRY(tp_temp_root(&base));
  char path[sizeof root + 16];
  snprintf(path, sizeof path, "%s/XXXXXX", base);
  if (!mkdtemp(path)) return TP_ERR_SYSTEM;
  tp_str_add(out, path);
  return TP_OK;
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* Remove what can be removed from a directory. A subdirectory that has to be emptied first is
 * returned in `sub`. Allocates nothing: trees are also removed after memory is exhausted, so no
 * opendir. */
static bool empty_directory(int dir, char sub[NAME_MAX + 1]) {
  char entries[4096] __attribute__((aligned(8)));
  long n;
  bool changed = true;
  while (changed) {  // removing entries may hide others from the same pass
    changed = false;
    if (lseek(dir, 0, SEEK_SET) != 0) return false;
    while ((n = syscall(SYS_getdents64, dir, entries, sizeof entries)) > 0)
      for (long at = 0; at < n;) {
        const struct dirent64 *e = (const struct dirent64 *)(const void *)(entries + at);
        at += e->d_reclen;
        if (is_dots(e->d_name)) continue;
        if (unlinkat(dir, e->d_name, 0) == 0 ||
            ((errno == EISDIR || errno == EPERM) && unlinkat(dir, e->d_name, AT_REMOVEDIR) == 0)) {
          changed = true;
        } else if (errno == ENOTEMPTY) {
          const size_t length = strnlen(e->d_name, NAME_MAX);
          memcpy(sub, e->d_name, length);
          sub[length] = 0;
          return true;
        }
      }
  }
  return false;
}

static int open_directory(int at, const char *path) {
  return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* An explicit walk, down to the first directory that can be emptied, then up: a program under test
 * may have made the tree deep. */
void tp_remove_tree(const char *path) {
  TP_REQUIRE(path[0] && strcmp(path, "/") != 0);
  char sub[NAME_MAX + 1];
  struct stat st = {0};
  ino_t left = 0;  // the directory that was emptied last
  int next = open_directory(AT_FDCWD, path);
  for (int dir = next, depth = 0; dir >= 0; dir = next) {
    const bool is_down = empty_directory(dir, sub);
    if (is_down && fstatat(dir, sub, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == left)
      next = -1;  // no permission: do not loop on it
    else if (is_down)
      next = open_directory(dir, sub);
    else
      next = depth > 0 && fstat(dir, &st) == 0 ? open_directory(dir, "..") : -1;
    left = is_down ? 0 : st.st_ino;
    depth += is_down ? 1 : -1;
    close(dir);
  }
  (void)rmdir(path);
}

void tp_temp_leave(void) {
  TP_REQUIRE(!root[0] || root_owner != getpid());
  if (lock >= 0) close(lock);  // the maker's descriptor keeps the lock
  lock = -1;
  root[0] = 0;
}

void tp_temp_share(void) { root_owner = getpid(); }

void tp_temp_remove_all(void) {
  if (!root[0] || root_owner != getpid()) return;
  if (lock >= 0) close(lock);  // first: removing needs a descriptor, and there may be no other
  lock = -1;
  tp_remove_tree(root);
  root[0] = 0;
}
