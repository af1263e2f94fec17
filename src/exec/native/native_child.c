/* Requests go through the child's standard input, answers come through its channel: a record, words
 * of visits, a state, decisions. Both processes are copies of each other, so records are sent as
 * they are laid out in memory.
 *
 * In the child LLVM works before the sandbox is closed, code afterwards. In the parent every
 * wait is bounded: the child's limits are checked all the time, and the CPU time of a stay is at
 * most what its steps could need in the worst case. */
#include "exec/native/native_child.h"

#include "base/process.h"
#include "base/sandbox.h"
#include "exec/exec_limits.h"
#include "exec/machine_state.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct {
  uint64_t number, root, has_code, n_words, n_state;
  tp_run_limits limits;
  tp_child_fault fault;
} request;

typedef enum { ANSWER_READY, ANSWER_UNABLE, ANSWER_DONE, ANSWER_NOT_HERE } answer_kind;
typedef struct {
  uint64_t number, kind, steps, last, n_words, n_state, n_bits;
} answer;

struct tp_child {
  const tp_program *p;
  const tp_visits *like;
  tp_process process;
  bool is_running, is_unable;
  uint32_t n_lost;
  uint64_t number;   // of the last stay
  double charged_s;  // of the process's CPU time
  tp_str why;
  tp_child_fault fault;
  uint64_t fault_at, room_bytes;
};

// ------------------------------------------------------------------ in the child

static bool write_all(int to, const void *data, size_t n) {
  for (const char *at = data; n > 0;) {
    ssize_t k = write(to, at, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

static bool read_all(void *data, size_t n) {
  for (char *at = data; n > 0;) {
    ssize_t k = read(0, at, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

/* For tests: fails in a way that code of the program could. */
static void misbehave(const request *q, answer *a, tp_str *state) {
  switch (q->fault) {
    case TP_CHILD_NONE: break;
    case TP_CHILD_CRASH: raise(SIGSEGV); break;
    case TP_CHILD_HANG:
      for (volatile int i = 0;; i = 0) (void)i;
    case TP_CHILD_NONSENSE: a->n_state = UINT64_MAX / 2; break;
    case TP_CHILD_OTHER_STATE: memset(state->text, 0x5a, state->n); break;
    case TP_CHILD_GREED:
      for (size_t n = 1 << 26;;) memset(tp_alloc(n), 1, n);
    case TP_CHILD_FORBIDDEN: (void)socket(AF_UNIX, SOCK_STREAM, 0); break;
    case TP_CHILD_EXIT: _exit(0);
  }
}

/* Appends the decisions bit by bit to the parent's path code. */
static void read_decisions(const tp_path_code *code, tp_str *out) {
  tp_path_reader r = tp_path_read(code);
  for (uint64_t left = code->n_bits; left;) {
    uint32_t n = left < 32 ? (uint32_t)left : 32, bits;
    if (!tp_path_next(&r, n, &bits)) break;
    tp_str_add_n(out, (const char *)&bits, sizeof bits);
    left -= n;
  }
}

static bool serve(tp_native *n, tp_state *s, const request *q, tp_visits *v, int channel) {
  answer a = {.number = q->number, .kind = ANSWER_NOT_HERE, .n_words = q->n_words};
  tp_state *before = tp_state_copy(s);
  tp_str state = {0}, decisions = {0};
  tp_path_code code;
  tp_edge last = TP_EDGE_NONE;
  tp_path_code_init(&code, TP_EXEC_CHILD_ANSWER_BYTES);
  if (tp_native_burst(n, s, q->limits, v, (tp_visit_block){(uint32_t)q->root},
                      q->has_code ? &code : NULL, &a.steps, &last))
    a.kind = ANSWER_DONE;
  a.last = last.id;
  if (a.kind == ANSWER_DONE) tp_state_pack(s, before, &state);
  tp_path_code_finish(&code);
  read_decisions(&code, &decisions);
  a.n_bits = code.n_bits;
  a.n_state = state.n;
  misbehave(q, &a, &state);
  bool ok = write_all(channel, &a, sizeof a) &&
            write_all(channel, v->words.at, v->words.n * sizeof *v->words.at) &&
            write_all(channel, tp_str_text(&state), state.n) &&
            write_all(channel, tp_str_text(&decisions), decisions.n);
  tp_path_code_clear(&code);
  tp_str_clear(&decisions);
  tp_str_clear(&state);
  tp_state_free(before);
  return ok;
}

typedef TP_VEC(char) byte_list;

static bool read_request(request *q, tp_visits *v, byte_list *state) {
  if (!read_all(q, sizeof *q)) return false;
  tp_vec_resize(&v->words, q->n_words);
  tp_vec_resize(state, q->n_state);
  return read_all(v->words.at, q->n_words * sizeof *v->words.at) && read_all(state->at, q->n_state);
}

static int live(void *ctx, int channel) {
  tp_child *c = ctx;
  tp_str why = {0};
  byte_list packed = {0};
  tp_native *n = tp_native_new(c->p, TP_NATIVE_RESUME, &why);
  if (n) tp_native_count_visits(n, c->like);
  answer ready = {.kind = n && tp_native_prepare(n, &why) == TP_OK ? ANSWER_READY : ANSWER_UNABLE,
                  .n_state = why.n};
  bool ok =
      write_all(channel, &ready, sizeof ready) && write_all(channel, tp_str_text(&why), why.n);
  if (!ok || ready.kind != ANSWER_READY || tp_sandbox_enter(NULL) != TP_OK) return 1;
  tp_visits v = *c->like;
  v.words.at = NULL;
  v.words.n = v.words.cap = 0;
  tp_state *s = tp_state_initial(c->p);
  request q;
  while (read_request(&q, &v, &packed) && tp_state_unpack(s, packed.at, packed.n))
    if (!serve(n, s, &q, &v, channel)) break;
  return 0;
}

// ----------------------------------------------------------------- in the parent

tp_child *tp_child_new(const tp_program *p, const tp_visits *like) {
  tp_child *c = TP_NEW(tp_child);
  c->p = p;
  c->like = like;
  c->room_bytes = (uint64_t)TP_EXEC_CHILD_MB << 20;
  return c;
}

static void charge(tp_child *c) {
  double now = tp_process_cpu_s(&c->process);
  if (now > c->charged_s) tp_process_charge(now - c->charged_s);
  if (now > c->charged_s) c->charged_s = now;
}

static void stop(tp_child *c) {
  if (!c->is_running) return;
  charge(c);
  tp_process_clear(&c->process);
  c->is_running = false;
}

void tp_child_free(tp_child *c) {
  if (!c) return;
  stop(c);
  tp_str_clear(&c->why);
  tp_free(c);
}

bool tp_child_has_given_up(const tp_child *c) {
  return c->is_unable || c->n_lost >= TP_EXEC_CHILD_LOSSES;
}
uint32_t tp_child_n_lost(const tp_child *c) { return c->n_lost; }
const char *tp_child_why(const tp_child *c) { return tp_str_text(&c->why); }

void tp_child_inject(tp_child *c, tp_child_fault fault, uint64_t at) {
  c->fault = fault;
  c->fault_at = at;
}

void tp_child_limit(tp_child *c, uint64_t bytes) { c->room_bytes = bytes; }

/* The child is lost. what NULL: the reason is how the process ended. */
static bool lose(tp_child *c, const char *what) {
  tp_str_clear(&c->why);
  if (what)
    tp_str_add(&c->why, what);
  else
    tp_process_print_end(&c->process, &c->why);
  c->n_lost++;
  stop(c);
  return false;
}

/* Waits until n bytes of the answer have arrived. */
static bool wait_for(tp_child *c, size_t n, double most_s) {
  tp_process *p = &c->process;
  double from_s = tp_process_cpu_s(p), since_s = tp_wall_s();
  while (p->channel.n < n && p->end == TP_PROCESS_RUNNING) {
    tp_process_step(&p, 1, 1000);
    if (p->channel.n >= n) break;
    if (p->channel.n > TP_EXEC_CHILD_ANSWER_BYTES)
      return lose(c, "it answers more than there is room for");
    if (tp_process_cpu_s(p) - from_s > most_s ||
        tp_wall_s() - since_s > TP_EXEC_CHILD_PATIENCE * most_s)
      return lose(c, "it takes too long");
  }
  return p->channel.n >= n || lose(c, NULL);
}

/* The record at the start of the channel, and then so many bytes behind it as it says. */
static bool take_answer(tp_child *c, double most_s, answer *a) {
  if (!wait_for(c, sizeof *a, most_s)) return false;
  memcpy(a, c->process.channel.text, sizeof *a);
  if (a->n_words > TP_EXEC_CHILD_ANSWER_BYTES / 8 || a->n_state > TP_EXEC_CHILD_ANSWER_BYTES ||
      a->n_bits > (uint64_t)TP_EXEC_CHILD_ANSWER_BYTES * 8)
    return lose(c, "its answer makes no sense");
  size_t n = sizeof *a + a->n_words * 8 + a->n_state + (a->n_bits + 31) / 32 * 4;
  if (!wait_for(c, n, TP_EXEC_CHILD_STAY_S)) return false;
  return c->process.channel.n == n || lose(c, "its answer has more than it says");
}

static bool start(tp_child *c) {
  answer a;
  tp_process_limits limits = {.resident_bytes = tp_process_own_bytes() + c->room_bytes};
  tp_process_spec spec = {.work = live,
                          .ctx = c,
                          .takes_requests = true,
                          .out = TP_STDIO_DISCARD,
                          .err = TP_STDIO_DISCARD,
                          .limits = limits};
  c->charged_s = 0;
  if (tp_sandbox_prepare() != TP_OK ||
      tp_process_start(&c->process, spec) != TP_OK) {  // prepared once for all children
    c->n_lost++;
    return false;
  }
  c->is_running = true;
  if (!take_answer(c, TP_EXEC_CHILD_COMPILE_S, &a)) return false;
  charge(c);
  c->is_unable = a.kind != ANSWER_READY;
  if (c->is_unable) {
    tp_str_clear(&c->why);
    tp_str_add_n(&c->why, c->process.channel.text + sizeof a, a.n_state);
    stop(c);
  }
  return !c->is_unable;
}

static bool ask(tp_child *c, const tp_state *s, const tp_visits *v, request q) {
  tp_str packed = {0};
  tp_state_pack(s, NULL, &packed);
  q.n_state = packed.n;
  q.n_words = v->words.n;
  c->process.channel.n = 0;
  bool ok = packed.n <= TP_EXEC_CHILD_ANSWER_BYTES &&
            tp_process_send(&c->process, &q, sizeof q) == TP_OK &&
            tp_process_send(&c->process, v->words.at, v->words.n * sizeof *v->words.at) == TP_OK &&
            tp_process_send(&c->process, packed.text, packed.n) == TP_OK;
  tp_str_clear(&packed);
  return ok || lose(c, c->process.end == TP_PROCESS_RUNNING ? "it takes no requests" : NULL);
}

static void add_decisions(const char *words, uint64_t n_bits, tp_path_code *code) {
  for (; n_bits; words += sizeof(uint32_t)) {
    uint32_t bits, n = n_bits < 32 ? (uint32_t)n_bits : 32;
    memcpy(&bits, words, sizeof bits);
    tp_path_code_add(code, bits, n);
    n_bits -= n;
  }
}

/* Accepts the answer if it is a state of the program. */
static bool apply(tp_child *c, const answer *a, const request *q, tp_state *s, tp_visits *v,
                  tp_path_code *code) {
  TP_REQUIRE(a->kind == ANSWER_DONE);
  const char *words = c->process.channel.text + sizeof *a, *state = words + a->n_words * 8;
  bool fits = a->number == q->number && a->n_words == v->words.n && a->steps <= q->limits.steps &&
              a->last < c->p->edges.n && (code || !a->n_bits);
  if (!fits || !tp_state_unpack(s, state, a->n_state)) return lose(c, "its answer makes no sense");
  for (size_t i = 0; i < v->words.n; i++) memcpy(&v->words.at[i], words + 8 * i, 8);
  if (code) add_decisions(state + a->n_state, a->n_bits, code);
  return true;
}

tp_burst_end tp_child_burst(tp_child *c, tp_state *s, tp_run_limits limits, tp_visits *v,
                            tp_visit_block root, tp_path_code *code, uint64_t *steps,
                            tp_edge *last) {
  TP_REQUIRE(s->program == c->p && root.at && root.at < v->words.n);
  answer a;
  if (tp_child_has_given_up(c) || (!c->is_running && !start(c))) return TP_BURST_LOST;
  request q = {.number = ++c->number, .root = root.at, .has_code = code != NULL, .limits = limits};
  if (c->fault_at == UINT64_MAX || c->number == c->fault_at) q.fault = c->fault;
  if (!ask(c, s, v, q) ||
      !take_answer(c, TP_EXEC_CHILD_STAY_S + (double)limits.steps * TP_EXEC_CHILD_STEP_S, &a))
    return TP_BURST_LOST;
  charge(c);
  if (a.kind == ANSWER_NOT_HERE && a.number == q.number) return TP_BURST_NO_ENTRY;
  if (a.kind != ANSWER_DONE) return lose(c, "its answer makes no sense"), TP_BURST_LOST;
  if (!apply(c, &a, &q, s, v, code)) return TP_BURST_LOST;
  *steps = a.steps;
  *last = (tp_edge){(uint32_t)a.last};
  return TP_BURST_DONE;
}
