/* Reading with limits. A pipe that nobody writes to, or a device without end, must not hold up or
 * fill a process: what is no regular file is opened without waiting, and read as its bytes come. */
#include "base/files.h"

#include "base/process.h"
#include "base/base_limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// --------------------------------------------------------------------- reading

/* Bytes until the end; errno EFBIG: more than most. */
static tp_status read_regular(int fd, size_t most, tp_str *out) {
  char buffer[1 << 16];
  for (size_t sum = 0;;) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? TP_ERR_SYSTEM : TP_OK;
    sum += (size_t)n;
    if (sum > most) {
      errno = EFBIG;
      return TP_ERR_SYSTEM;
    }
    tp_str_add_n(out, buffer, (size_t)n);
  }
}

/* Wait for bytes or for the end. False: none came in time. A pipe that nobody has opened for
 * writing looks like one that has ended, but poll is silent about it. */
static bool wait_for_bytes(int fd, double until_s) {
  for (;;) {
    const double left_s = until_s - tp_wall_s();
    if (left_s <= 0) return false;
    struct pollfd p = {fd, POLLIN, 0};
    const int n = poll(&p, 1, (int)(1000 * left_s) + 1);
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return true;  // reading says what is wrong
  }
}

/* errno EFBIG: too much; ETIME: too late. */
static tp_status read_stream(int fd, tp_str *out) {
  char buffer[1 << 16];
  const double end_s = tp_wall_s() + (double)TP_BASE_STREAM_S;
  for (size_t sum = 0;;) {
    const double idle_s = tp_wall_s() + (double)TP_BASE_STREAM_IDLE_S;
    if (!wait_for_bytes(fd, idle_s < end_s ? idle_s : end_s)) {
      errno = ETIME;
      return TP_ERR_SYSTEM;
    }
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return n < 0 ? TP_ERR_SYSTEM : TP_OK;
    sum += (size_t)n;
    if (sum > TP_BASE_STREAM_BYTES) {
      errno = EFBIG;
      return TP_ERR_SYSTEM;
    }
    tp_str_add_n(out, buffer, (size_t)n);
  }
}

tp_status tp_read_file(const char *path, tp_str *out) {
  const tp_str *taken = tp_intake_text(path);
  if (taken) {
    tp_str_add(out, "");
    tp_str_add_n(out, tp_str_text(taken), taken->n);
    return TP_OK;
  }
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat st;
  if (fd < 0) return TP_ERR_SYSTEM;
  const bool had_text = out->text;
  const size_t n_before = out->n;
  tp_str_add(out, "");  // 0-terminated also where the file is empty
  const tp_status status = fstat(fd, &st) != 0 ? TP_ERR_SYSTEM
                           : S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)
                               ? read_regular(fd, (size_t)TP_BASE_REGULAR_MB << 20, out)
                               : read_stream(fd, out);
  const int saved = errno;
  close(fd);
  if (status != TP_OK && had_text)
    out->text[out->n = n_before] = '\0';
  else if (status != TP_OK)
    tp_str_clear(out);
  errno = saved;
  return status;
}

tp_status tp_write_file(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f) return TP_ERR_SYSTEM;
  bool ok = fwrite(text, 1, n, f) == n;
  ok = fclose(f) == 0 && ok;
  return ok ? TP_OK : TP_ERR_SYSTEM;
}

// ------------------------------------------------------------------- taken in

typedef struct {
  char *name, *compiled, *directory;  // the last two: NULL, or as the functions give them
  bool has_text;
  tp_str text;
} intake;

static TP_VEC(intake) taken_in;

static const intake *find(const char *path) {
  for (size_t i = 0; i < taken_in.n; i++)
    if (strcmp(taken_in.at[i].name, path) == 0) return &taken_in.at[i];
  return NULL;
}

const tp_str *tp_intake_text(const char *path) {
  const intake *in = find(path);
  return in && in->has_text ? &in->text : NULL;
}

const char *tp_intake_compiled(const char *path) {
  const intake *in = find(path);
  return in && in->compiled ? in->compiled : path;
}

const char *tp_intake_directory(const char *path) {
  const intake *in = find(path);
  return in ? in->directory : NULL;
}

static char *printed(const char *first, const char *second) {
  tp_str s = {0};
  tp_str_printf(&s, "%s%s", first, second);
  return s.text;
}

bool tp_is_includable(const char *path) { return !strpbrk(path, "\"\n\r"); }

void tp_str_add_c_text(tp_str *out, const char *text) {
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c == '?')
      tp_str_printf(out, "\\%c", c);
    else if (c < ' ' || c == 127)
      tp_str_printf(out, "\\%03o", c);
    else
      tp_str_add_char(out, *text);
  }
}

/* Names of what a process has open: they mean something else in its children, even where a regular
 * file is behind them. */
static bool is_of_process(const char *path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* Where neighbours of a stream are looked for: beside a named pipe, else where the tool runs. */
static char *directory_of_stream(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash || is_of_process(path)) return printed(".", "");
  tp_str s = {0};
  tp_str_add_n(&s, path, slash == path ? 1 : (size_t)(slash - path));
  return s.text;
}

/* A copy that compilers read: messages about its lines name the file as the user did. */
static tp_status write_copy(intake *in, const char *head, tp_str *why) {
  const size_t n = strlen(in->name);
  tp_str path = {0}, text = {0};
  tp_status st = tp_temp_dir(&path);
  tp_str_add(&path, n > 2 && strcmp(in->name + n - 2, ".i") == 0 ? "/source.i" : "/source.c");
  tp_str_printf(&text, "%s#line 1 \"", head);
  tp_str_add_c_text(&text, in->name);
  tp_str_add(&text, "\"\n");
  tp_str_add_n(&text, tp_str_text(&in->text), in->text.n);
  if (st == TP_OK) st = tp_write_file(path.text, text.text, text.n);
  if (st != TP_OK) tp_str_printf(why, "no copy of it can be written: %s", strerror(errno));
  tp_str_clear(&text);
  in->compiled = path.text;
  in->directory = directory_of_stream(in->name);
  return st;
}

static void explain(int error, tp_str *why) {
  if (error == EFBIG)
    tp_str_printf(why, "is no regular file, and gives more than %d MB", TP_BASE_STREAM_BYTES >> 20);
  else if (error == ETIME)
    tp_str_printf(why,
                  "is no regular file, and its end did not come in time (%d s without a byte, or "
                  "%d s altogether)",
                  TP_BASE_STREAM_IDLE_S, TP_BASE_STREAM_S);
  else
    tp_str_add(why, strerror(error));
}

static tp_status take_stream(intake *in, tp_intake_kind kind, tp_str *why) {
  if (tp_read_file(in->name, &in->text) != TP_OK) {
    explain(errno, why);
    return TP_ERR_INPUT;
  }
  in->has_text = true;
  return kind == TP_INTAKE_SOURCE ? write_copy(in, "", why) : TP_OK;
}

tp_status tp_intake(const char *path, tp_intake_kind kind, tp_str *why) {
  struct stat st;
  if (find(path) || stat(path, &st) != 0 || S_ISDIR(st.st_mode)) return TP_OK;
  const bool is_regular = S_ISREG(st.st_mode) && !is_of_process(path),
             is_option = path[0] == '-' || path[0] == '@';
  if (is_regular && (!is_option || kind != TP_INTAKE_SOURCE)) return TP_OK;
  intake in = {.name = printed(path, "")};
  if (is_regular) in.compiled = printed("./", path);
  const tp_status status = is_regular ? TP_OK : take_stream(&in, kind, why);
  tp_vec_push(&taken_in, in);
  return status;
}

tp_status tp_intake_with_head(const char *path, const char *head, tp_str *why) {
  TP_REQUIRE(path && head && why);
  if (find(path)) return TP_OK;
  intake in = {.name = printed(path, "")};
  tp_status status = tp_read_file(path, &in.text);
  in.has_text = status == TP_OK;
  if (status == TP_OK)
    status = write_copy(&in, head, why);
  else
    tp_str_add(why, strerror(errno));
  tp_vec_push(&taken_in, in);
  return status;
}

void tp_intake_clear(void) {
  for (size_t i = 0; i < taken_in.n; i++) {
    tp_free(taken_in.at[i].name);
    tp_free(taken_in.at[i].compiled);
    tp_free(taken_in.at[i].directory);
    tp_str_clear(&taken_in.at[i].text);
  }
  tp_vec_clear(&taken_in);
}
