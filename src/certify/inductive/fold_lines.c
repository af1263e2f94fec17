/* Reading of folds. The symbols of index and value before are the certificate's, one for each sort:
 * equal steps are equal terms. */
#include "certify/inductive/fold_lines.h"

#include "program/cells.h"
#include "program/variables_text.h"

typedef enum { INDEX, BEFORE } place;

static tp_term symbol_of(tp_chk_cert *e, tp_terms *tt, place which, tp_sort sort) {
  uint64_t known, key = (uint64_t)which << 32 | sort.id;
  if (tp_map_get(&e->place_of, key, &known)) return (tp_term){(uint32_t)known};
  const tp_term symbol = tp_mk_var(tt, which == INDEX ? "index of fold" : "fold before", sort);
  tp_map_set(&e->place_of, key, symbol.id);
  tp_map_set(&e->is_place, symbol.id, which);
  return symbol;
}

// ------------------------------------------------------------------------- names

static const char *after_word(const char *text, size_t n, const char *word) {
  const size_t k = strlen(word);
  return n > k + 1 && memcmp(text, word, k) == 0 && text[k] == ' ' ? text + k + 1 : NULL;
}

static tp_term fold_named(const tp_chk_cert *e, const char *digits, const char *end) {
  uint64_t k = 0;
  for (const char *c = digits; c < end; c++) {
    if (*c < '0' || *c > '9' || k >= e->folds.n) return TP_TERM_NONE;
    k = k * 10 + (uint64_t)(*c - '0');
  }
  return k > 0 && k < e->folds.n ? e->folds.at[k].symbol : TP_TERM_NONE;
}

static tp_term place_named(const tp_chk_fold_names *x, place which, const char *text,
                           const char *end) {
  tp_sort sort;
  const size_t n = (size_t)(end - text);
  if (tp_sort_read(x->p->terms, text, n, &sort) != n ||
      tp_sort_kind_of(x->p->terms, sort) != TP_SORT_BV)
    return TP_TERM_NONE;
  return symbol_of(x->e, x->p->terms, which, sort);
}

static tp_term parse(void *ctx, const char *text, size_t n) {
  const tp_chk_fold_names *x = ctx;
  const tp_text_vars program = tp_program_text_vars(x->p);
  const char *rest = after_word(text, n, "fold");
  if (rest) return x->is_step ? TP_TERM_NONE : fold_named(x->e, rest, text + n);
  if (x->is_step && (rest = after_word(text, n, "index")) != NULL)
    return place_named(x, INDEX, rest, text + n);
  if (x->is_step && (rest = after_word(text, n, "before")) != NULL)
    return place_named(x, BEFORE, rest, text + n);
  return program.parse(program.ctx, text, n);
}

tp_text_vars tp_chk_fold_text_vars(tp_chk_fold_names *names) {
  return (tp_text_vars){.ctx = names, .parse = parse};
}

// ----------------------------------------------------------------------- reading

typedef struct {
  const tp_program *p;
  const tp_chk_cert *e;
  tp_term of[2];  // symbols by place
  bool ok;
} step_scope;

static void see_symbol(void *ctx, tp_term t) {
  step_scope *s = ctx;
  uint64_t which;
  tp_sort sort;
  if (tp_map_get(&s->e->is_place, t.id, &which)) {
    s->ok = s->ok && !tp_term_is(s->of[which]);  // of one sort only
    s->of[which] = t;
    return;
  }
  const tp_var v = tp_program_var_of(s->p, t);
  s->ok =
      s->ok && (tp_is_memory(s->p, t, &sort) || (v.id && tp_var_of(s->p, v)->kind != TP_V_GHOST));
}

static bool makes_pointer(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_INT_TO_PTR;
}

const char *tp_chk_folds_add(tp_chk_cert *e, const tp_program *p, tp_term step) {
  tp_terms *tt = p->terms;
  step_scope s = {.p = p, .e = e, .ok = true};
  const tp_sort sort = tp_sort_of(tt, step);
  if (tp_sort_kind_of(tt, sort) != TP_SORT_BV) return "a fold is a number";
  if (tp_any_subterm(tt, step, makes_pointer, NULL))
    return "the step of a fold makes a pointer of an integer";
  tp_for_vars(tt, step, see_symbol, &s);
  if (!s.ok) return "the step of a fold is over variables, cells, one index and one value before";
  if (!tp_term_is(s.of[INDEX])) return "the step of a fold has no index";
  if (!tp_term_is(s.of[BEFORE])) s.of[BEFORE] = symbol_of(e, tt, BEFORE, sort);
  if (!tp_sort_eq(tp_sort_of(tt, s.of[BEFORE]), sort))
    return "the value before is of another sort than the fold";
  const tp_sort index = tp_sort_of(tt, s.of[INDEX]);
  tp_vec_push(&e->folds,
              ((tp_chk_fold){.symbol = tp_mk_var(tt, "fold", tp_sort_array(tt, index, sort)),
                             .step = step,
                             .index = s.of[INDEX],
                             .before = s.of[BEFORE]}));
  return NULL;
}

// ------------------------------------------------------------------------ looking

const tp_chk_fold *tp_chk_fold_of(const tp_chk_cert *e, tp_term symbol) {
  for (size_t k = 1; k < e->folds.n; k++)
    if (tp_term_eq(e->folds.at[k].symbol, symbol)) return &e->folds.at[k];
  return NULL;
}

bool tp_chk_folds_are_read(const tp_chk_cert *e, const tp_terms *tt, tp_term t) {
  for (size_t k = 1; k < e->folds.n; k++)
    if (tp_occurs(tt, e->folds.at[k].symbol, t)) return true;
  return false;
}

bool tp_chk_fold_is_place(const tp_chk_cert *e, tp_term t) {
  return tp_map_has(&e->is_place, t.id);
}
