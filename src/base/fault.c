/* Counting of fault events, shared by all processes of a run, and the action at the chosen one. */
#include "base/fault.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const event_names[] = {
#define TP_E(name, text) text,
    TP_FAULT_EVENTS(TP_E)
#undef TP_E
};
static const char *const action_names[] = {"none",
#define TP_A(name, text) text,
                                           TP_FAULT_ACTIONS(TP_A)
#undef TP_A
};

/* Which of the names the text starts with, and behind it; n: none of them. */
static unsigned find(const char *const *names, unsigned n, const char **text) {
  size_t length = strcspn(*text, ":@;");
  unsigned i = 0;
  while (i < n && (strlen(names[i]) != length || strncmp(names[i], *text, length) != 0)) i++;
  *text += length;
  return i;
}

bool tp_fault_parse(const char *text, tp_fault *out) {
  char *end;
  *out = (tp_fault){0};
  unsigned event = find(event_names, TP_N_FAULT_EVENTS, &text);
  if (event == TP_N_FAULT_EVENTS || *text++ != ':') return false;
  out->at = strtoull(text, &end, 10);
  out->is_lasting = *end == '+';
  out->is_periodic = *end == '*';
  text = end + (out->is_lasting || out->is_periodic);
  if (*text++ != ':') return false;
  unsigned action = find(action_names, TP_N_FAULT_ACTIONS, &text);
  out->event = (tp_fault_event)event;
  out->action = (tp_fault_action)action;
  size_t length = *text == '@' ? strcspn(text + 1, ";") : 0;
  if (length < sizeof out->phase) memcpy(out->phase, text + 1, length);
  return action < TP_N_FAULT_ACTIONS && length < sizeof out->phase;
}

#ifdef TP_CHECKED
tp_faults *tp_faults_shared;
static const char *phase_now = "start";

void tp_fault_enter_phase(const char *phase) {
  phase_now = phase;
  (void)tp_fault_pass(TP_FAULT_EVENT_PHASE);
}

static _Noreturn void stop_here(tp_fault_action action) {
  volatile uint64_t turns = 0;
  for (;;) {
    if (action == TP_FAULT_ACTION_SPIN)
      turns = turns + 1;
    else if (action == TP_FAULT_ACTION_SLEEP)
      pause();
    else
      kill(getpid(), action == TP_FAULT_ACTION_KILL ? SIGKILL : SIGSEGV);
  }
}

static bool is_struck(const tp_fault *f, uint64_t number) {
  if (!f->at || number < f->at) return false;
  return number == f->at || f->is_lasting || (f->is_periodic && number % f->at == 0);
}

tp_fault_action tp_fault_count(tp_fault_event event) {
  for (int i = 0; i < TP_MOST_FAULTS; i++) {
    tp_fault *f = &tp_faults_shared->at[i];
    if (f->event != event || (f->phase[0] && strcmp(f->phase, phase_now) != 0)) continue;
    uint64_t number = __atomic_add_fetch(&f->seen, 1, __ATOMIC_RELAXED);
    if (!is_struck(f, number)) continue;
    __atomic_add_fetch(&f->struck, 1, __ATOMIC_RELAXED);
    if (f->action >= TP_FAULT_ACTION_KILL) stop_here(f->action);
    return f->action;
  }
  return TP_FAULT_ACTION_NONE;
}

tp_faults *tp_faults_share(const char *path) {
  int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (path && (fd < 0 || ftruncate(fd, sizeof(tp_faults)) != 0)) return NULL;
  void *page = mmap(NULL, sizeof(tp_faults), PROT_READ | PROT_WRITE,
                    MAP_SHARED | (path ? 0 : MAP_ANONYMOUS), fd, 0);
  if (fd >= 0) close(fd);
  return tp_faults_shared = page == MAP_FAILED ? NULL : page;
}

void tp_faults_from_environment(void) {
  const char *text = getenv("TWOPROOF_FAULT"), *file = getenv("TWOPROOF_FAULT_FILE");
  if ((!text && !file) || !tp_faults_share(file)) return;
  for (int i = 0; i < TP_MOST_FAULTS && text; i++) {
    if (!tp_fault_parse(text, &tp_faults_shared->at[i]))
      fprintf(stderr, "twoproof: TWOPROOF_FAULT: cannot read '%s'\n", text);
    text = strchr(text, ';');
    text += text != NULL;
  }
}
#endif
