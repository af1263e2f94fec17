/* Tests of summaries: is the end of a random run inside of the computed summary?
 *
 * A batch is one file of random functions, read by the front end and summarised; each function is
 * run by contracts/summarise/random_heap_programs.h from random heaps. The new objects of a summary
 * may be any objects that the run made, or none where the summary does not say that all runs make
 * one; one choice must fit all relations. How precise the bounds are is counted, too. */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARIES_LAW_H
#define TP_CONTRACTS_SUMMARISE_SUMMARIES_LAW_H

#include "contracts/summarise/random_heap_programs.h"
#include "contracts/summarise/relational_bound_eval.h"
#include "contracts/summarise/summarise_priv.h"
#include "front/front.h"

#include <stdio.h>
#include <unistd.h>

enum { N_NEW_ATOMS = 8, DEFAULT_BATCHES = 24 };

typedef struct {
  uint64_t runs, outside;
  uint64_t cells, exact_cells, any_cells;  // (object, member): one value possible, all values
  uint64_t unknown;                        // functions of which nothing is said
  uint64_t walks;                          // runs of functions with exact searches
} law_counts;

typedef struct {
  tp_rsums *s;
  const tp_rsum_template *f;
  const small_heap_state *before, *after;
  const uint32_t *args;
  uint32_t result;
  uint32_t n_new, basics[N_NEW_ATOMS], binding[N_NEW_ATOMS];  // binding: atom, or 0
} law_run;

// ------------------------------------------------------------------------- meaning

static inline int field_of_name(const char *text) {
  for (int f = 0; f < N_FIELDS; f++)
    if (strcmp(text, field_names[f]) == 0) return f;
  return -1;
}

static inline bool has_tuples(const small_heap_state *h, uint32_t o, int f) {
  const bool is_typed =
      o < FIRST_INT && o >= FIRST_N && owner_of_field(f) == (o < FIRST_M ? TYPE_N : TYPE_M);
  return is_typed && (h->exists[o] || h->is_old[o]);
}

static inline small_value relation_of(const small_heap_state *h, int f) {
  small_value v = {0};
  for (uint32_t o = 0; o < N_HEAP_ATOMS; o++)
    if (has_tuples(h, o, f)) v.of[o] = (small_set)1 << h->fields[f][o];
  return v;
}

static inline small_set existing(const small_heap_state *h) {
  small_set s = 0;
  for (uint32_t o = 0; o < FIRST_INT; o++) s |= (small_set)h->exists[o] << o;
  return s;
}

static inline small_value law_name(void *ctx, const tp_rbound_name_info *name) {
  const law_run *r = ctx;
  static const char *const params[] = {"x", "y", "z", "i"};
  for (int i = 0; i < 4; i++)
    if (strcmp(name->text, params[i]) == 0) return (small_value){.set = (small_set)1 << r->args[i]};
  if (strcmp(name->text, "g") == 0) return (small_value){.set = (small_set)1 << r->before->g};
  if (name->text[0] == '\\') return (small_value){.set = existing(r->before)};
  return relation_of(r->before, field_of_name(name->text));
}

static inline bool is_basic_n(const law_run *r, uint32_t basic) {
  return strcmp(r->s->u->basics.at[basic].name, "struct n") == 0;
}

static inline small_set law_new_object(void *ctx, uint32_t number) {
  const law_run *r = ctx;
  return number < N_NEW_ATOMS && r->binding[number] ? (small_set)1 << r->binding[number] : 0;
}
static inline small_set law_new_set(void *ctx, uint32_t basic) {
  const law_run *r = ctx;
  small_set s = 0;
  const bool is_n = is_basic_n(r, basic);
  for (uint32_t o = is_n ? FIRST_N : FIRST_M; o < (is_n ? (uint32_t)FIRST_M : FIRST_INT); o++)
    if (!r->before->exists[o]) s |= (small_set)1 << o;
  return s;
}
static inline small_set law_integer(void *ctx, int64_t v) {
  (void)ctx;
  const int64_t atom = FIRST_INT - LEAST_INT + v;
  return atom >= FIRST_INT && atom < N_HEAP_ATOMS ? (small_set)1 << atom : 0;
}
static inline int64_t law_integer_of(void *ctx, small_set one) {
  (void)ctx;
  for (int i = 0; i < N_HEAP_ATOMS; i++)
    if (one >> i & 1) return i;
  return 0;
}

static inline small_state law_state(law_run *r) {
  return (small_state){N_HEAP_ATOMS,
                       1,
                       ((small_set)1 << N_HEAP_ATOMS) - ((small_set)1 << FIRST_INT),
                       law_name,
                       law_new_object,
                       law_new_set,
                       law_integer,
                       law_integer_of,
                       r};
}

// -------------------------------------------------------------------------- checks

static inline bool is_between(const law_run *r, const small_state *s, tp_rinterval i,
                              const small_value *is, bool is_set) {
  const small_value low = small_eval(r->s->t, i.lower, s), high = small_eval(r->s->t, i.upper, s);
  if (is_set) return !(low.set & ~is->set) && !(is->set & ~high.set);
  for (uint32_t o = 0; o < N_HEAP_ATOMS; o++)
    if ((low.of[o] & ~is->of[o]) || (is->of[o] & ~high.of[o])) return false;
  return true;
}

/* NULL, or what does not fit with this choice of new objects. */
static inline const char *outside_of(law_run *r) {
  const small_state s = law_state(r);
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    const char *name = r->s->places.at[i].symbol->name;
    const int f = field_of_name(name);
    if (f < 0) continue;
    const small_value is = relation_of(r->after, f);
    if (!is_between(r, &s, r->f->after.places[i], &is, false)) return name;
  }
  const small_value alloc = {.set = existing(r->after)};
  if (!is_between(r, &s, r->f->after.alloc, &alloc, true)) return "the objects that exist";
  for (size_t i = 0; i < r->s->globals.n; i++) {
    const small_value g = {.set = (small_set)1 << r->after->g};
    if (!is_between(r, &s, r->f->after.vars[i].at, &g, true)) return "g";
  }
  const small_value result = {.set = (small_set)1 << r->result};
  return is_between(r, &s, r->f->result.at, &result, true) ? NULL : "the result";
}

static inline void collect_new(law_run *r, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(r->s->t, b);
  if (n->kind == TP_RBOUND_NEW && n->number < N_NEW_ATOMS) {
    if (n->number >= r->n_new) r->n_new = (uint32_t)n->number + 1;
    r->basics[n->number] = n->basic;
  }
  for (uint32_t i = 0; i < n->n_kids; i++) collect_new(r, n->kids[i]);
}

static inline bool is_bound(const law_run *r, uint32_t n, uint32_t atom) {
  for (uint32_t i = 0; i < n; i++)
    if (r->binding[i] == atom) return true;
  return false;
}

/* Is there a choice of the new objects from the n-th on that fits? *why: what did not. */
static inline bool fits_from(law_run *r, uint32_t n, const char **why) {
  if (n == r->n_new) return !(*why = outside_of(r));
  const bool is_n = r->basics[n] && is_basic_n(r, r->basics[n]);
  for (uint32_t o = is_n ? FIRST_N : FIRST_M; o < (is_n ? (uint32_t)FIRST_M : FIRST_INT); o++) {
    const bool was_made = !r->before->exists[o] &&
                          (r->after->exists[o] || r->after->fields[FIELD_A][o] == UINT32_MAX);
    if (!r->basics[n] || !was_made || is_bound(r, n, o)) continue;
    r->binding[n] = o;
    if (fits_from(r, n + 1, why)) return true;
  }
  r->binding[n] = 0;
  return fits_from(r, n + 1, why);
}

/* With the choice that fits: how many values each member may have. */
static inline void count_cells(law_run *r, law_counts *c) {
  const small_state s = law_state(r);
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    const int f = field_of_name(r->s->places.at[i].symbol->name);
    if (f < 0) continue;
    const small_value high = small_eval(r->s->t, r->f->after.places[i].upper, &s);
    const small_type t = type_of_field(f);
    const small_set possible =
        (existing(r->after) & (t == TYPE_N   ? ((small_set)1 << FIRST_M) - 1
                               : t == TYPE_M ? ~(((small_set)1 << FIRST_M) - 1)
                                             : 0)) |
        (t == TYPE_INT ? s.ints : 1);
    for (uint32_t o = 0; o < N_HEAP_ATOMS; o++) {
      if (!has_tuples(r->after, o, f)) continue;
      const small_set may = high.of[o] & possible;
      c->cells++;
      c->exact_cells += !(may & (may - 1));
      c->any_cells += may == possible && (may & (may - 1));
    }
  }
}

static inline void mark_callees(const small_program *p, const small_statement *s, bool *is_called) {
  for (; s; s = s->next) {
    mark_callees(p, s->first, is_called);
    mark_callees(p, s->second, is_called);
    if (s->kind != S_CALL || is_called[s->callee]) continue;
    is_called[s->callee] = true;
    mark_callees(p, p->bodies[s->callee], is_called);
  }
}

static inline void report(const small_program *p, uint32_t f, const law_run *r, const char *why) {
  tp_str text = {0};
  tp_str_printf(&text, "outside of the summary: %s\n", why);
  bool is_called[64] = {false};
  is_called[f] = true;
  mark_callees(p, p->bodies[f], is_called);
  for (uint32_t i = 0; i < p->n; i++)
    if (is_called[i]) print_function(p, i, &text);
  tp_str_printf(&text, "in f%u(%u, %u, %u, %u), g = %u -> %u, result %u\n", f, r->args[0],
                r->args[1], r->args[2], r->args[3], r->before->g, r->after->g, r->result);
  for (uint32_t o = 1; o < FIRST_INT; o++)
    for (int x = 0; x < N_FIELDS; x++)
      if (has_tuples(r->after, o, x))
        tp_str_printf(&text, "%u.%s: %u -> %u%s\n", o, field_names[x], r->before->fields[x][o],
                      r->after->fields[x][o], r->after->exists[o] ? "" : " gone");
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    tp_str_printf(&text, "%s in ", r->s->places.at[i].symbol->name);
    tp_rbound_print(r->s->t, r->f->after.places[i].lower, &text);
    tp_str_add(&text, "   ..   ");
    tp_rbound_print(r->s->t, r->f->after.places[i].upper, &text);
    tp_str_add_char(&text, '\n');
  }
  tp_rbound_print(r->s->t, r->f->result.at.upper, &text);
  fprintf(stderr, "%s\n", tp_str_text(&text));
  tp_str_clear(&text);
}

// -------------------------------------------------------------------------- batches

static inline bool has_walk(const tp_rbounds *t, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  bool any = n->kind == TP_RBOUND_FIRST;
  for (uint32_t i = 0; i < n->n_kids && !any; i++) any = has_walk(t, n->kids[i]);
  return any;
}

static inline bool searches(const tp_rsums *s, const tp_rsum_template *f) {
  bool any = !f->after.is_dead && has_walk(s->t, f->result.at.upper);
  for (uint32_t i = 0; i < s->places.n && !any && !f->after.is_dead; i++)
    any = has_walk(s->t, f->after.places[i].upper);
  return any;
}

static inline void check_run(small_program *p, uint32_t f, const tp_rsum_template *t, tp_rsums *s,
                             law_counts *c, bool is_quiet) {
  small_heap_state before, after;
  draw_heap(p, &before);
  after = before;
  small_run run = {.p = p, .h = &after, .fuel = 200};
  uint32_t args[4];
  for (int i = 0; i < 4; i++) args[i] = any_atom(&run, i < 2 ? TYPE_N : i == 2 ? TYPE_M : TYPE_INT);
  const uint32_t result = run_call(&run, f, args);
  if (run.is_over) return;
  c->runs++;
  c->walks += searches(s, t);
  law_run r = {.s = s, .f = t, .before = &before, .after = &after, .args = args, .result = result};
  const char *why = "a run that returns, of a function that never does";
  for (uint32_t i = 0; i < s->places.n && !t->after.is_dead; i++) {
    collect_new(&r, t->after.places[i].upper);
    collect_new(&r, t->after.places[i].lower);
  }
  for (size_t i = 0; i < s->globals.n && !t->after.is_dead; i++)
    collect_new(&r, t->after.vars[i].at.upper);
  if (!t->after.is_dead) collect_new(&r, t->after.alloc.upper), collect_new(&r, t->result.at.upper);
  if (!t->after.is_dead && fits_from(&r, 0, &why)) {
    count_cells(&r, c);
    return;
  }
  c->outside++;
  if (!is_quiet && c->outside == 1) report(p, f, &r, why);
}

/* Rules in the place of the right ones; NULL: the right one. */
typedef struct {
  void (*transfer)(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e);
  bool (*is_unreferenced)(const tp_summariser *r, const tp_rsum_state *s, tp_rinterval at);
} law_plant;

/* One file of functions, `heaps` heaps for each. planted: NULL: nothing. */
static inline bool check_batch(uint64_t seed, uint32_t n, uint32_t heaps, const law_plant *planted,
                               law_counts *c) {
  small_program p = {0};
  char path[] = "/tmp/summaries-test-XXXXXX.c";
  tp_str text = {0};
  tp_arena_init(&p.arena);
  tp_rng_init(&p.rng, seed);
  for (uint32_t i = 0; i < n; i++) draw_function(&p);
  print_program(&p, &text);
  const int fd = mkstemps(path, 2);
  bool is_read = fd >= 0 && write(fd, text.text, text.n) == (ssize_t)text.n;
  if (fd >= 0) close(fd);
  const char *files[] = {path};
  const tp_front_options front = {.files = files,
                                  .n_files = 1,
                                  .property = TP_P_UNREACH_CALL,
                                  .without_models = true,
                                  .calls_by_name = true};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *program = NULL;
  uint32_t n_exported;
  is_read = is_read && tp_front_load_module(&front, diag, &program, &n_exported) == TP_OK;
  if (is_read) {
    tp_object_model u;
    tp_object_model_init(&u, program);
    tp_rsums *s = tp_rsums_new(&u, (tp_rsum_limits){200, 2, 3, 5});
    if (planted && planted->transfer) s->transfer = planted->transfer;
    if (planted && planted->is_unreferenced) s->is_unreferenced = planted->is_unreferenced;
    for (uint32_t i = 1; i < program->funcs.n; i++) {
      const tp_func_info *f = &program->funcs.at[i];
      if (f->name[0] != 'f' || f->name[1] < '0' || f->name[1] > '9' || !f->has_body) continue;
      const tp_rsum_template *t = tp_rsums_of(s, (tp_func){i});
      c->unknown += t->refused || t->forgotten.n;
      for (uint32_t h = 0; h < heaps && !t->refused; h++)
        check_run(&p, (uint32_t)atoi(f->name + 1), t, s, c, planted != NULL);
    }
    tp_rsums_free(s);
    tp_object_model_clear(&u);
  }
  if (program) tp_program_free(program);
  tp_diag_free(diag);
  unlink(path);
  tp_str_clear(&text);
  tp_arena_clear(&p.arena);
  return is_read;
}

#endif
