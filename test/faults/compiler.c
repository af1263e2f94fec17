/* A compiler that remembers: in front of clang-19 and gcc in PATH it copies what the same command made of the same sources before. Campaigns
 * build the same few harnesses ten thousands of times.
 *
 * Key: the name it is called by, its arguments with the run's temporary folder left out, the content of sources in that folder.
 * Folder: $TP_COMPILED. A command that makes no file, or fails, goes to the compiler every time. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t hash = 14695981039346656037u;
static void add(const char *p, size_t n) {
  for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)p[i]) * 1099511628211u;
}

static void add_file(const char *path) {
  char buffer[1 << 16];
  FILE *f = fopen(path, "rb");
  for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;) add(buffer, n);
  if (f) fclose(f);
}

/* Below the temporary folder names are random up to the last slash. */
static void add_argument(const char *argument, const char *tmp, const char *output) {
  const char *at = strstr(argument, tmp), *name = at ? strrchr(at, '/') : NULL;
  if (!at) {
    add(argument, strlen(argument) + 1);
    return;
  }
  add(argument, (size_t)(at - argument));
  add(name, strlen(name) + 1);
  if (argument != output) add_file(at);
}

static int copy(const char *from, const char *to) {
  struct stat st;
  int in = open(from, O_RDONLY), out = in >= 0 && fstat(in, &st) == 0 ? open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755) : -1;
  int ok = out >= 0 && sendfile(out, in, NULL, (size_t)st.st_size) == st.st_size;
  if (in >= 0) close(in);
  if (out >= 0 && close(out) != 0) ok = 0;
  return ok;
}

int main(int argc, char **argv) {
  const char *tmp = getenv("TMPDIR"), *folder = getenv("TP_COMPILED"), *output = NULL, *name = strrchr(argv[0], '/');
  char *path = getenv("PATH"), *rest = path ? strchr(path, ':') : NULL, kept[4096], fresh[4200];
  if (!tmp || !folder || !rest) return 127;
  name = name ? name + 1 : argv[0];
  add(name, strlen(name) + 1);
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "-o") == 0 && strcmp(argv[i + 1], "-") != 0) output = argv[i + 1];
  for (int i = 1; i < argc; i++) add_argument(argv[i], tmp, output);
  snprintf(kept, sizeof kept, "%s/%016llx", folder, (unsigned long long)hash);
  if (output && copy(kept, output)) return 0;
  setenv("PATH", rest + 1, 1);
  pid_t child = output ? fork() : 0;
  if (child == 0) {
    execvp(name, argv);
    _exit(127);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 126;
  snprintf(fresh, sizeof fresh, "%s.%d", kept, (int)getpid());
  if (WEXITSTATUS(status) == 0 && copy(output, fresh)) rename(fresh, kept);
  return WEXITSTATUS(status);
}
