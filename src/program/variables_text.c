/* Names of variables in texts of terms, written and parsed: numbers, because names of C are not
 * unique. A number that the program does not have is no variable. */
#include "program/variables_text.h"

#include "program/cells.h"

#include <inttypes.h>

static bool name(void *ctx, tp_term var, tp_str *out) {
  const tp_program *p = ctx;
  tp_sort sort;
  tp_var v = tp_program_var_of(p, var);
  if (v.id) {
    tp_str_printf(out, "(var %" PRIu32 ")", v.id);
    return true;
  }
  if (!tp_is_memory(p, var, &sort)) return false;
  tp_str_add(out, "(memory ");
  tp_sort_write(p->terms, sort, out);
  tp_str_add_char(out, ')');
  return true;
}

/* The rest of a text that starts with the word and a space; NULL: another text. */
static const char *after_word(const char *text, size_t n, const char *word) {
  size_t k = strlen(word);
  return n > k + 1 && memcmp(text, word, k) == 0 && text[k] == ' ' ? text + k + 1 : NULL;
}

static tp_term variable(const tp_program *p, const char *digits, const char *end) {
  uint64_t v = 0;
  for (const char *c = digits; c < end; c++) {
    if (*c < '0' || *c > '9' || v >= p->vars.n) return TP_TERM_NONE;
    v = v * 10 + (uint64_t)(*c - '0');
  }
  return v > 0 && v < p->vars.n ? p->vars.at[v].term : TP_TERM_NONE;
}

static tp_term memory(const tp_program *p, const char *text, const char *end) {
  tp_sort wanted, sort;
  size_t n = (size_t)(end - text);
  if (tp_sort_read(p->terms, text, n, &wanted) != n) return TP_TERM_NONE;
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_is_memory(p, p->memory[i], &sort) && tp_sort_eq(sort, wanted)) return p->memory[i];
  return TP_TERM_NONE;
}

static tp_term parse(void *ctx, const char *text, size_t n) {
  const tp_program *p = ctx;
  const char *rest = after_word(text, n, "var");
  if (rest) return variable(p, rest, text + n);
  rest = after_word(text, n, "memory");
  return rest ? memory(p, rest, text + n) : TP_TERM_NONE;
}

tp_text_vars tp_program_text_vars(const tp_program *p) {
  return (tp_text_vars){.ctx = (void *)(uintptr_t)p,
                        .name = name,
                        .parse = parse};  // neither direction changes the program
}
