/* Monitoring calls in assembly.
 *
 * Compilers at -O0 leave every call of the source as one instruction whose arguments lie where the
 * calling convention wants them. A call of tp_before just before the instruction observes what the
 * callee will observe, and a call of tp_after just after it the result; both save every register
 * that may carry something. tp_before gets the number of the called function, or the target of an
 * indirect call, which is looked up in a table of addresses (section tp_watched) that every
 * rewritten file contributes to, static functions included.
 *
 *       pushq $3; call tp_before; leaq 8(%rsp), %rsp       the number of the function
 *       call lock
 *       call tp_after
 *
 * The stack is as the call left it when tp_before runs, so arguments on the stack are found too. A
 * stack of frames keeps the arguments until the call returns. */
#include "certify/runs/native_monitors.h"

#include "certify/runs/native_replay_priv.h"

#include <stdio.h>

// --------------------------------------------------------------------- assembly

typedef struct {
  const tp_monitors *m;
  bool is64;
  tp_str *out;
} rewriter;

static bool is_symbol_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

/* The monitored function of this name; builtins that the build had to rename carry a prefix. */
static uint32_t function_of(const tp_monitors *m, const char *name, size_t n) {
  for (uint32_t i = 1; i < m->functions.n; i++) {
    const char *f = m->functions.at[i].name;
    size_t k = strlen(f);
    if ((n == k && memcmp(name, f, k) == 0) ||
        (n == k + 3 && memcmp(name, "tp_", 3) == 0 && memcmp(name + 3, f, k) == 0))
      return i;
  }
  return 0;
}

/* The operand of a call instruction, or NULL. */
static const char *call_operand(const char *line, size_t n) {
  static const char *const words[] = {"call", "callq", "calll"};
  size_t at = 0;
  while (at < n && (line[at] == ' ' || line[at] == '\t')) at++;
  for (size_t i = 0; i < 3; i++) {
    size_t k = strlen(words[i]);
    if (n - at <= k || memcmp(line + at, words[i], k) != 0 ||
        (line[at + k] != ' ' && line[at + k] != '\t'))
      continue;
    at += k;
    while (at < n && (line[at] == ' ' || line[at] == '\t')) at++;
    return line + at;
  }
  return NULL;
}

static bool contains(const char *text, size_t n, const char *word) {
  size_t k = strlen(word);
  for (size_t i = 0; i + k <= n; i++)
    if (memcmp(text + i, word, k) == 0) return true;
  return false;
}

static void write_call(rewriter *r, const char *line, size_t n, const char *push, size_t n_push,
                       const char *hook) {
  TP_REQUIRE(n_push > 0);
  tp_str_printf(r->out, "\tpush%c\t%.*s\n\tcall\t%s\n\tlea%c\t%d(%%%s), %%%s\n",
                r->is64 ? 'q' : 'l', (int)n_push, push, hook, r->is64 ? 'q' : 'l', r->is64 ? 8 : 4,
                r->is64 ? "rsp" : "esp", r->is64 ? "rsp" : "esp");
  tp_str_add_n(r->out, line, n);
  tp_str_add(r->out, "\n\tcall\ttp_after\n");
}

/* One line without its end. */
static bool rewrite_line(rewriter *r, const char *line, size_t n) {
  const char *operand = call_operand(line, n);
  size_t room = operand ? n - (size_t)(operand - line) : 0, k = 0;
  if (operand && *operand == '*') {
    while (k < room && operand[k] != '#' && operand[k] != ';') k++;
    while (k > 0 && (operand[k - 1] == ' ' || operand[k - 1] == '\t')) k--;
    if (contains(operand, k, "%rsp") || contains(operand, k, "%esp"))
      return false;  // the push would move it
    write_call(r, line, n, operand + 1, k - 1, "tp_before_pointer");
    return true;
  }
  while (operand && k < room && is_symbol_char(operand[k])) k++;
  uint32_t f = operand ? function_of(r->m, operand, k) : 0;
  if (f) {
    char number[16];
    int digits = snprintf(number, sizeof number, "$%u", f);
    write_call(r, line, n, number, (size_t)digits, "tp_before");
  } else {
    tp_str_add_n(r->out, line, n);
    tp_str_add_char(r->out, '\n');
  }
  return true;
}

/* Notes the monitored functions that a line of code or data names. */
static void note_symbols(const rewriter *r, const char *line, size_t n, tp_map *named) {
  static const char *const texts[] = {".ascii", ".asciz", ".string", ".file", ".ident", ".section"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (contains(line, n, texts[i])) return;
  for (size_t i = 0; i < n && line[i] != '#';) {
    size_t k = 0;
    if (line[i] == '$') i++;  // an immediate: $lock
    while (i + k < n && is_symbol_char(line[i + k])) k++;
    uint32_t f = k ? function_of(r->m, line + i, k) : 0;
    if (f) tp_map_set(named, f, k > strlen(r->m->functions.at[f].name));  // with the prefix?
    i += k ? k : 1;
  }
}

bool tp_chk_monitor_assembly(const tp_monitors *m, uint32_t ptr_bits, const char *text,
                             tp_str *out) {
  rewriter r = {m, ptr_bits == 64, out};
  tp_map named = {0};
  bool ok = true;
  for (const char *line = text; *line && ok;) {
    size_t n = strcspn(line, "\n");
    ok = rewrite_line(&r, line, n);
    note_symbols(&r, line, n, &named);
    line += n + (line[n] == '\n');
  }
  if (named.n) tp_str_add(out, "\t.section\ttp_watched,\"a\",@progbits\n\t.balign\t8\n");
  for (size_t i = 0; i < named.n; i++) {
    const char *name = m->functions.at[named.entries[i].key].name,
               *word = r.is64 ? ".quad" : ".long";
    tp_str_printf(out, "\t%s\t%s%s\n\t%s\t%u\n", word, named.entries[i].value ? "tp_" : "", name,
                  word, (unsigned)named.entries[i].key);
  }
  tp_map_clear(&named);
  return ok;
}

// ---------------------------------------------------------------------- harness

// Made by the Makefile from lib/harness.
static const char *const frames[] = {
#include "certify/runs/monitor_frames.inc"
};
static const char *const events[] = {
#include "certify/runs/monitor_events.inc"
};

/* Arguments by the calling convention, up to the first one of unknown size. */
static void write_values64(const tp_monitored_function *f, tp_str *out) {
  uint32_t integers = 0, floats = 0, slots = 0;
  for (uint32_t i = 0; i < f->n_values; i++) {
    tp_value_format s = f->values[i];
    if (s.bits == 0 || s.bits > 64) return;
    bool in_register = s.is_float ? floats < 8 : integers < 6;
    if (!s.is_float) {
      tp_str_printf(out, "      e->v[%u] = tp_%s(%s[%u], %u);\n", i,
                    s.is_signed ? "signed" : "unsigned", in_register ? "regs" : "stack",
                    in_register ? integers : slots, s.bits);
    }
    if (!in_register)
      slots++;
    else if (s.is_float)
      floats++;
    else
      integers++;
  }
}
static void write_values32(const tp_monitored_function *f, tp_str *out) {
  uint32_t slot = 0;
  for (uint32_t i = 0; i < f->n_values; i++) {
    tp_value_format s = f->values[i];
    if (s.bits == 0 || s.bits > 64) return;
    const char *how = s.is_signed ? "signed" : "unsigned";
    if (!s.is_float && s.bits <= 32)
      tp_str_printf(out, "      e->v[%u] = tp_%s(stack[%u], %u);\n", i, how, slot, s.bits);
    if (!s.is_float && s.bits > 32)
      tp_str_printf(out, "      e->v[%u] = tp_%s(stack[%u] | (tp_u64)stack[%u] << 32, %u);\n", i,
                    how, slot, slot + 1, s.bits);
    slot += s.bits > 32 ? 2 : 1;
  }
}

/* Is argument i among those that tp_take_values reads? */
static bool is_found(const tp_monitored_function *f, int64_t i) {
  for (int64_t k = 0; k <= i; k++)
    if (k >= f->n_values || f->values[k].bits == 0 || f->values[k].bits > 64) return false;
  return !f->values[i].is_float;
}

static tp_value_format shape_of(const tp_monitors *m, const tp_monitor *mon, const tp_transition *t,
                                const tp_operand *o) {
  const tp_monitored_function *f = &m->functions.at[t->function];
  if (o->kind == TP_OPERAND_RESULT) return f->result;
  if (o->kind == TP_OPERAND_ARGUMENT)
    return o->number < f->n_values ? f->values[o->number] : (tp_value_format){0};
  for (size_t i = 0; o->kind == TP_OPERAND_NAME && i < mon->transitions.n;
       i++) {  // a name: as it was bound
    const tp_transition *b = &mon->transitions.at[i];
    const tp_monitored_function *g = &m->functions.at[b->function];
    if (b->bound != o->number + 1 || !g->is_called) continue;
    return b->value.kind == TP_OPERAND_RESULT ? g->result
           : b->value.number < g->n_values    ? g->values[b->value.number]
                                              : (tp_value_format){0};
  }
  return (tp_value_format){.bits = 64, .is_signed = true};
}

static void write_operand(const tp_monitors *m, size_t monitor, const tp_transition *t,
                          const tp_operand *o, tp_str *out) {
  const tp_monitored_function *f = &m->functions.at[t->function];
  bool seen = o->kind != TP_OPERAND_ARGUMENT || is_found(f, o->number);
  if (o->kind == TP_OPERAND_RESULT)
    seen = f->result.bits > 0 && f->result.bits <= 64 && !f->result.is_float;
  if (!seen)
    tp_str_add(out, "tp_unseen()");
  else if (o->kind == TP_OPERAND_CONSTANT)
    tp_str_printf(out, "0x%llxull", (unsigned long long)o->number);
  else if (o->kind == TP_OPERAND_ARGUMENT)
    tp_str_printf(out, "v[%lld]", (long long)o->number);
  else if (o->kind == TP_OPERAND_NAME)
    tp_str_printf(out, "tp_name%zu_%lld", monitor, (long long)o->number);
  else
    tp_str_printf(out, "tp_%s(result, %u)", f->result.is_signed ? "signed" : "unsigned",
                  f->result.bits);
}

/* Values are 64-bit numbers, extended as their types say; so is the constant. */
static void write_test(const tp_monitors *m, size_t monitor, const tp_transition *t,
                       const tp_monitor_test *test, tp_str *out) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
  const tp_monitor *mon = &m->list.at[monitor];
  tp_value_format s = shape_of(m, mon, t, &test->left);
  if (test->right.kind == TP_OPERAND_CONSTANT && !s.is_signed && !s.is_pointer &&
      test->right.number < 0) {
    // every unsigned value is greater
    bool holds =
        test->how == TP_COMPARE_NE || test->how == TP_COMPARE_GT || test->how == TP_COMPARE_GE;
    tp_str_add(out, holds ? "1" : "0");
    return;
  }
  const char *cast = s.is_signed ? "(long long)" : "";
  tp_str_add(out, cast);
  write_operand(m, monitor, t, &test->left, out);
  tp_str_printf(out, " %s %s", signs[test->how], cast);
  tp_operand right = test->right;
  if (s.is_pointer && s.bits == 32 && right.kind == TP_OPERAND_CONSTANT) right.number &= 0xffffffff;
  write_operand(m, monitor, t, &right, out);
}

static void write_text(const char *text, tp_str *out) {
  tp_str_add_char(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\' || *c == '?')
      tp_str_printf(out, "\\%03o", *c);
    else
      tp_str_add_char(out, (char)*c);
  }
  tp_str_add_char(out, '"');
}

static void write_transition(const tp_monitors *m, size_t monitor, const tp_transition *t,
                             tp_str *out) {
  TP_REQUIRE(t->function < m->functions.n && t->target < 256);  // states are bytes in the harness
  static const char *const kinds[] = {"TP_CALL", "TP_RETURN", "TP_EXIT_EVENT"};
  tp_str_printf(out, "    if (tp_state%zu == %u && kind == %s && f == %uu", monitor, t->state,
                kinds[t->event], t->function);
  for (uint32_t i = 0; i < t->n_tests; i++) {
    tp_str_add(out, i == 0 ? " && (" : t->tests[i].is_alternative ? " || " : " && ");
    write_test(m, monitor, t, &t->tests[i], out);
  }
  tp_str_printf(out, "%s%s) {\n", t->n_tests ? ")" : "",
                t->is_optional ? " && " TP_MONITOR_CHOICE "()" : "");
  if (t->error) {
    tp_str_add(out, "      if (tp_site) tp_violated_at(");
    write_text(t->error, out);
    tp_str_add(out, ", 0, tp_site);\n      tp_end(107, \"violated: \", ");
    write_text(t->error, out);
    tp_str_add(out, ");\n");
  }
  if (t->bound) {
    tp_str_printf(out, "      tp_name%zu_%u = ", monitor, t->bound - 1);
    write_operand(m, monitor, t, &t->value, out);
    tp_str_add(out, ";\n");
  }
  tp_str_printf(out, "      tp_state%zu = %u;\n      break;\n    }\n", monitor,
                t->error ? t->state : t->target);
}

static void write_automata(const tp_monitors *m, tp_str *out) {
  for (size_t i = 0; i < m->list.n; i++) {
    tp_str_printf(out, "static unsigned char tp_state%zu;   // of %s\n", i, m->list.at[i].name);
    for (size_t k = 0; k < m->list.at[i].names.n; k++)
      tp_str_printf(out, "static tp_u64 tp_name%zu_%zu;\n", i, k);
  }
  tp_str_add(out,
             "QUIET static void tp_event(int kind, unsigned f, const tp_u64 *v, tp_u64 result) {\n "
             " (void)kind, (void)f, (void)v, (void)result;\n");
  for (size_t i = 0; i < m->list.n; i++) {
    tp_str_add(out, "  do {\n");
    for (size_t k = 0; k < m->list.at[i].transitions.n; k++)
      write_transition(m, i, &m->list.at[i].transitions.at[k], out);
    tp_str_add(out, "  } while (0);\n");
  }
  tp_str_add(out, "}\n");
}

static bool is_asked(const tp_chk_native_request *r, const char *name) {
  for (size_t i = 0; i < r->inputs->v.n; i++)
    if (r->inputs->v.at[i].name && strcmp(r->inputs->v.at[i].name, name) == 0) return true;
  return false;
}

void tp_chk_monitor_harness(const tp_chk_native_request *r, tp_str *out) {
  const tp_monitors *m = r->monitors;
  if (!m) return;
  bool is64 = r->program->ptr_bits == 64;
  tp_chk_harness_add(frames, sizeof frames / sizeof *frames, out);
  if (m->has_choice && !is_asked(r, TP_MONITOR_CHOICE))
    tp_str_add(out, "QUIET static int " TP_MONITOR_CHOICE
                    "(void) {\n  tp_end(109, \"no input left for \", \"" TP_MONITOR_CHOICE
                    "\");\n  return 0;\n}\n");
  write_automata(m, out);
  tp_str_add(out,
             "QUIET static void tp_take_values(struct tp_frame *e, const tp_word *regs, const "
             "tp_word *stack) {\n  (void)regs, (void)stack;\n  switch (e->f) {\n");
  for (uint32_t f = 1; f < m->functions.n; f++) {
    tp_str_printf(out, "    case %u:\n", f);
    if (is64)
      write_values64(&m->functions.at[f], out);
    else
      write_values32(&m->functions.at[f], out);
    tp_str_add(out, "      break;\n");
  }
  tp_str_add(out, "  }\n}\n");
  tp_chk_harness_add(events, sizeof events / sizeof *events, out);
  if (m->observes_exit)
    tp_str_add(out,
               "__attribute__((destructor)) QUIET static void tp_watch_exit(void) {\n  tp_site = "
               "0;\n  tp_event(TP_EXIT_EVENT, 0, 0, 0);\n}\n\n");
}
