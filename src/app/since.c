/* Each step is a process of its own: surveys and checks of the old version run in its folder. */
#include "app/since.h"

#include "app/exit.h"
#include "app/process_guard.h"
#include "app/several.h"
#include "app/survey.h"
#include "base/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  const char *name;
  int status, before;  // exit statuses; before: of the old version, -1: it was not asked
  int equal;           // of the comparison, -1: there was none
  bool is_new;
} changed;

typedef struct {
  tp_options *o;
  const char *old;       // the folder that stands for the one of the command
  json_t *before, *now;  // surveys
  TP_VEC(changed) list;
  size_t n_kept;
} since;

static volatile sig_atomic_t is_interrupted;
static void on_signal(int signal_number) {
  (void)signal_number;
  is_interrupted = 1;
}

// --------------------------------------------------------------------- processes

/* Runs work(o) in `folder` (NULL: here); out: where its standard output goes, -1: as ours; quiet:
 * nothing is shown. */
static int in_child(tp_options *o, const char *folder, int out, bool is_quiet,
                    int (*work)(tp_options *o)) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    tp_temp_leave();  // the old version stays when the guard of a check removes its files
    const int nothing = is_quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (folder && chdir(folder) != 0) _exit(TP_EXIT_INPUT);
    if (is_quiet && (nothing < 0 || dup2(nothing, STDERR_FILENO) < 0)) _exit(TP_EXIT_MISSING);
    if (is_quiet && out < 0) out = nothing;
    if (out >= 0 && dup2(out, STDOUT_FILENO) < 0) _exit(TP_EXIT_MISSING);
    exit(work(o));
  }
  return tp_guard_wait(pid);
}

static bool run(const char *const *argv) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    fprintf(stderr, "twoproof: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  return tp_guard_wait(pid) == 0;
}

// ------------------------------------------------------------------- old version

/* The folder of the repository around, and what of this folder's path lies below it. */
static bool find_repository(tp_arena *arena, const char **top, const char **below) {
  char here[4096], path[4096], git[4200];
  if (!getcwd(here, sizeof here)) return false;
  memcpy(path, here, sizeof path);
  for (;;) {
    snprintf(git, sizeof git, "%s/.git", path);
    if (access(git, F_OK) == 0) break;
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
  }
  *top = tp_arena_strdup(arena, path);
  const char *rest = here + strlen(path);
  *below = tp_arena_strdup(arena, *rest == '/' ? rest + 1 : rest);
  return true;
}

/* The whole tree of the commit, so that headers of other folders are there, too. */
static bool extract(since *s) {
  const char *top = "", *below = "";
  tp_str folder = {0};
  if (!find_repository(&s->o->arena, &top, &below)) {
    fprintf(stderr, "twoproof: --since=%s: neither a folder nor within a Git repository\n",
            s->o->since);
    return false;
  }
  if (tp_temp_dir(&folder) != TP_OK) {
    fprintf(stderr, "twoproof: --since: temporary folder: %s\n", strerror(errno));
    return false;
  }
  const char *scratch = tp_arena_strdup(&s->o->arena, tp_str_text(&folder));
  tp_str_clear(&folder);
  const char *archive = tp_arena_printf(&s->o->arena, "%s/tree.tar", scratch);
  const char *const git[] = {"git",          "-C", top,     "archive",
                             "--format=tar", "-o", archive, "--end-of-options",
                             s->o->since,    NULL};
  const char *const tar[] = {"tar", "-xf", archive, "-C", scratch, NULL};
  s->old = tp_arena_printf(&s->o->arena, "%s/%s", scratch, below);
  return run(git) && run(tar) && remove(archive) == 0;
}

static bool find_old(since *s) {
  struct stat st;
  for (size_t i = 0; i < s->o->files.n; i++)
    if (s->o->files.at[i][0] == '/') {
      fprintf(stderr, "twoproof: --since: name %s relative to this folder\n", s->o->files.at[i]);
      return false;
    }
  if (stat(s->o->since, &st) != 0 || !S_ISDIR(st.st_mode)) return extract(s);
  char plain[4096];
  if (!realpath(s->o->since, plain)) return false;
  s->old = tp_arena_strdup(&s->o->arena, plain);
  return true;
}

// ----------------------------------------------------------------------- surveys

static json_t *survey_of(since *s, const char *folder, const char *name) {
  const int fd = memfd_create("twoproof-survey", MFD_CLOEXEC);
  if (fd < 0) {
    perror("twoproof: survey");
    return NULL;
  }
  const int status = in_child(s->o, folder, fd, false, tp_survey_options);
  json_error_t error;
  if (lseek(fd, 0, SEEK_SET) != 0) {
    close(fd);
    return NULL;
  }
  json_t *answer = status == 0 ? json_loadfd(fd, 0, &error) : NULL;
  close(fd);
  if (!answer) fprintf(stderr, "twoproof: the %s version cannot be read\n", name);
  return answer;
}

static const json_t *target_of(const json_t *survey, const char *name) {
  const json_t *targets = json_object_get(survey, "targets");
  for (size_t i = 0; i < json_array_size(targets); i++) {
    const json_t *t = json_array_get(targets, i);
    const char *other = json_string_value(json_object_get(t, "name"));
    if (other && strcmp(other, name) == 0) return t;
  }
  return NULL;
}

static const char *identity_of(const json_t *target) {
  const char *text = json_string_value(json_object_get(target, "identity"));
  return text ? text : "";
}

static void find_changed(since *s) {
  const json_t *targets = json_object_get(s->now, "targets");
  for (size_t i = 0; i < json_array_size(targets); i++) {
    const json_t *t = json_array_get(targets, i);
    const char *name = json_string_value(json_object_get(t, "name"));
    const json_t *old = name ? target_of(s->before, name) : NULL;
    if (old && strcmp(identity_of(old), identity_of(t)) == 0)
      s->n_kept++;
    else if (name)
      tp_vec_push(&s->list, ((changed){.name = name, .before = -1, .equal = -1, .is_new = !old}));
  }
}

// ------------------------------------------------------------------------ answers

static const char *behaviour_of(const changed *c) {
  if (c->is_new) return "new";
  if (c->equal == TP_EXIT_TRUE) return "same behaviour (proved)";
  if (c->equal == TP_EXIT_FALSE) return "behaviour changed";
  return c->equal < 0 ? "not compared" : "behaviour: not decided";
}

static bool is_lost(const changed *c) { return c->before == TP_EXIT_TRUE; }

static bool is_json(const since *s) { return strcmp(s->o->format, "json") == 0; }

/* The word of a status as answers in JSON have it. */
static void print_member(const char *name, int status) {
  printf(", \"%s\": \"", name);
  for (const char *at = tp_exit_word(status); *at; at++) putchar(tolower((unsigned char)*at));
  putchar('"');
}

/* What stands behind the answers of a function in JSON. */
static void print_members(const changed *c) {
  const char *behaviour = c->is_new                   ? "new"
                          : c->equal == TP_EXIT_TRUE  ? "same"
                          : c->equal == TP_EXIT_FALSE ? "changed"
                                                      : "open";
  print_member("now", c->status);
  if (c->before >= 0) print_member("before", c->before);
  printf(", \"behaviour\": \"%s\"", behaviour);
  printf(", \"lost\": %s}", is_lost(c) ? "true" : "false");
}

// ------------------------------------------------------------------------ checks

/* Of the new version; of the old one where the new one is not proved; of both. */
static void check_one(since *s, changed *c, int (*check_all)(tp_options *o),
                      int (*check_equal)(tp_options *o)) {
  tp_options *o = s->o;
  const char *output = o->output, *property = o->property;
  if (is_json(s))
    printf("%s{\"function\": \"%s\", \"check\":\n", c == s->list.at ? "" : ",\n", c->name);
  else
    printf("\nFUNCTION: %s\n", c->name);
  o->entry = c->name;
  if (output[0]) {
    (void)mkdir(output, 0777);
    o->output = tp_arena_printf(&o->arena, "%s/%s", output, c->name);
  }
  c->status = in_child(o, NULL, -1, false, check_all);
  o->output = "";
  if (!c->is_new && c->status != TP_EXIT_TRUE && !is_interrupted)
    c->before = in_child(o, s->old, -1, true, check_all);
  if (!c->is_new && o->files.n == 1 && !is_interrupted) {
    o->equal = tp_arena_printf(&o->arena, "%s/%s", s->old, o->files.at[0]);
    o->property = "equal";
    c->equal = in_child(o, NULL, -1, true, check_equal);
    o->equal = "";
  }
  o->property = property;
  o->output = output;
  o->entry = "";
  if (is_json(s)) print_members(c);
}

/* The next function of the old version, from *at on, that the new one has not; NULL: no more. */
static const char *next_gone(const since *s, size_t *at) {
  const json_t *targets = json_object_get(s->before, "targets");
  while (*at < json_array_size(targets)) {
    const json_t *target = json_array_get(targets, (*at)++);
    const char *name = json_string_value(json_object_get(target, "name"));
    if (name && !target_of(s->now, name)) return name;
  }
  return NULL;
}

static size_t count_lost(const since *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->list.n; i++) n += is_lost(&s->list.at[i]);
  return n;
}

/* The end of the object that starts in front of the first function. */
static void print_end(const since *s, int status) {
  const char *between = "";
  size_t at = 0;
  printf("\n], \"gone\": [");
  for (const char *name; (name = next_gone(s, &at)); between = ", ")
    printf("%s\"%s\"", between, name);
  printf("], \"kept\": %zu, \"lost\": %zu, \"status\": %d}\n", s->n_kept, count_lost(s), status);
}

static void print_table(const since *s) {
  printf("\nSINCE %s: %zu of %zu functions reach what has changed\n", s->o->since, s->list.n,
         s->list.n + s->n_kept);
  for (size_t i = 0; i < s->list.n; i++) {
    const changed *c = &s->list.at[i];
    printf("  %-12s %s: %s", tp_exit_word(c->status), c->name, behaviour_of(c));
    if (c->before >= 0) printf("; before: %s", tp_exit_word(c->before));
    printf("%s\n", is_lost(c) ? ", which it is not any more" : "");
  }
  size_t at = 0;
  for (const char *name; (name = next_gone(s, &at));) printf("  %-12s %s\n", "gone", name);
  printf(
      "%zu verified again, %zu reach nothing that has changed, %zu were proved before and are not "
      "any more\n",
      s->list.n, s->n_kept, count_lost(s));
}

static int check_changed(since *s, int (*check_all)(tp_options *o),
                         int (*check_equal)(tp_options *o)) {
  int worst = TP_EXIT_TRUE;
  find_changed(s);
  if (is_json(s)) fputs("{\"functions\": [\n", stdout);
  for (size_t i = 0; i < s->list.n && !is_interrupted; i++) {
    check_one(s, &s->list.at[i], check_all, check_equal);
    worst = tp_several_worse(worst, s->list.at[i].status);
  }
  if (is_interrupted) worst = TP_EXIT_UNKNOWN;
  if (is_json(s))
    print_end(s, worst);
  else if (!is_interrupted)
    print_table(s);
  return worst;
}

int tp_since_check(tp_options *o, int (*check_all)(tp_options *o),
                   int (*check_equal)(tp_options *o)) {
  TP_REQUIRE(o && o->since[0] && check_all && check_equal);
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  since s = {.o = o};
  int status = TP_EXIT_INPUT;
  const char *since_what = o->since;
  if (find_old(&s)) {
    o->since = "";  // no part of what functions are
    s.now = survey_of(&s, NULL, "new");
    s.before = s.now ? survey_of(&s, s.old, "old") : NULL;
    o->since = since_what;
    if (s.before) status = check_changed(&s, check_all, check_equal);
  }
  tp_temp_remove_all();
  json_decref(s.now);
  json_decref(s.before);
  tp_vec_clear(&s.list);
  return status;
}
