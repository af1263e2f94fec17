/* Paths from each start to the next cutpoints. */
#include "certify/heaps/check_heaps.h"

#include "certify/certify_limits.h"
#include "certify/heaps/heap_calls.h"
#include "certify/heaps/heap_exec.h"
#include "certify/inductive/check_inductive.h"

// ------------------------------------------------------------------------ starts

static void add_static(tp_chk_heaps *c, tp_chk_heap_state *s, uint32_t k) {
  const tp_static *o = &c->p->statics.at[k];
  tp_terms *tt = c->w.tt;
  const tp_term size = tp_program_static_ghost(c->p, tp_var_of(c->p, c->p->ghost_size)->term, k);
  if (!tp_term_is(size) || o->kind == TP_O_FUNCTION) return;
  tp_chk_heap_object *n = tp_chk_heap_add_object(s, tp_mk_bv(tt, TP_OBJ_BITS, k), size, o->kind);
  bool is_zero = !o->is_extern && o->absence == TP_PRESENT;
  for (uint64_t i = 0; is_zero && o->image && i < o->size_bytes; i++) is_zero = o->image[i] == 0;
  n->is_zero = is_zero;
  for (uint32_t i = 0; i < o->n_relocs && !o->is_extern; i++)
    tp_chk_heap_write(&c->w, n, o->relocs[i].offset,
                      tp_mk_ptr_const(tt, o->relocs[i].object, o->relocs[i].addend));
}

static void start_of_main(tp_chk_heaps *c) {
  tp_chk_heap_state *s = tp_chk_heap_new(c->p);
  s->context = c->cert.main;
  s->loc = tp_func_of(c->p, c->p->main)->entry;
  for (uint32_t k = 1; k < c->p->statics.n; k++) add_static(c, s, k);
  for (uint32_t v = 1; v < c->p->vars.n; v++)
    if (tp_var_of(c->p, (tp_var){v})->kind == TP_V_GLOBAL)
      s->vars[v] = tp_var_of(c->p, (tp_var){v})->initial;
  tp_vec_push(&c->todo, s);
}

/* The symbols of the heap before a call mean the same in all heaps of the body. */
static void add_logical(tp_chk_heap_state *s, const tp_chk_heap_entry *pre) {
  for (size_t i = 0; i < pre->symbols.n; i++) {
    const tp_term symbol = {(uint32_t)pre->symbols.entries[i].key};
    tp_vec_push(&s->logical, ((tp_chk_heap_binding){symbol, symbol}));
  }
}

/* Slots that have a value of their own are slots, apart from each other and from fields. */
static void assume_places(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_chk_heap_object *o) {
  tp_terms *tt = c->w.tt;
  for (size_t i = 0; i < o->open.n && !s->is_impossible; i++) {
    const tp_term at = o->open.at[i].offset;
    tp_chk_heap_assume(&c->w, s, tp_chk_heap_is_slot_term(&c->w, &o->slots, at));
    for (size_t k = 0; k < i && !s->is_impossible; k++)
      tp_chk_heap_assume(&c->w, s, tp_mk_not(tt, tp_mk_eq(tt, at, o->open.at[k].offset)));
    for (size_t k = 0; k < o->fields.n && !s->is_impossible; k++) {
      const uint64_t place = o->fields.at[k].offset;
      if (tp_chk_heap_meets_slots(&c->w, &o->slots, place, 1))
        tp_chk_heap_assume(&c->w, s,
                           tp_mk_not(tt, tp_mk_eq(tt, at, tp_mk_bv(tt, c->p->ptr_bits, place))));
    }
  }
}

static void start_of_entry(tp_chk_heaps *c, const tp_chk_heap_entry *e) {
  tp_chk_heap_state *s = tp_chk_heap_copy(c->p, e->s);
  s->is_inside = true;
  if (e->role == TP_CHK_HEAP_PRE) {
    s->context = c->cert.contracts.at[e->contract].root;
    s->loc = tp_func_of(c->p, c->cert.contracts.at[e->contract].func)->entry;
    s->is_inside = false;
  }
  if (e->contract) add_logical(s, &c->cert.entries.at[c->cert.contracts.at[e->contract].pre]);
  for (size_t i = 0; i < e->given.n; i++)
    tp_chk_heap_equate(&c->w, s, e->given.at[i].symbol, e->given.at[i].value);
  s->facts.n = 0;
  for (size_t i = 0; i < e->s->facts.n && !s->is_impossible; i++)
    tp_chk_heap_assume(&c->w, s, e->s->facts.at[i]);
  for (size_t i = 0; i < e->s->objects.n; i++) assume_places(c, s, &e->s->objects.at[i]);
  tp_chk_heap_settle(&c->w, s);
  if (s->is_impossible)
    tp_chk_heap_free(s);
  else
    tp_vec_push(&c->todo, s);
}

// ------------------------------------------------------------------------- paths

/* The structure that a variable leads to; UINT32_MAX: there is none. */
static uint32_t named_part(const tp_chk_heaps *c, const tp_chk_heap_state *s) {
  for (uint32_t v = 1; v < c->p->vars.n; v++)
    for (uint32_t i = 0; tp_term_is(s->vars[v]) && i < s->parts.n; i++)
      if (tp_term_eq(s->parts.at[i].at, s->vars[v])) return i;
  return UINT32_MAX;
}

static bool is_covered(tp_chk_heaps *c, tp_chk_heap_state *s, uint32_t n_splits);

/* Takes the case. */
static bool is_case_covered(tp_chk_heaps *c, tp_chk_heap_state *s, uint32_t n_splits) {
  const bool is = s->is_impossible || is_covered(c, s, n_splits);
  tp_chk_heap_free(s);
  return is;
}

/* By one heap; or, where a variable leads to a structure, by one for each of its cases. */
static bool is_covered(tp_chk_heaps *c, tp_chk_heap_state *s, uint32_t n_splits) {
  uint64_t i = 0;
  (void)tp_map_get(&c->cert.at, (uint64_t)s->context << 32 | s->loc.id, &i);
  for (; i; i = c->cert.entries.at[i].other)
    if (tp_chk_heaps_is_described(c, s, &c->cert.entries.at[i])) return true;
  if (tp_chk_heaps_is_impossible(c, s)) return true;
  const uint32_t part = n_splits ? named_part(c, s) : UINT32_MAX;
  if (part == UINT32_MAX) return false;
  bool ok = true;
  for (uint32_t way = 0; way < tp_chk_heap_n_ways(&c->w, &s->parts.at[part]) && ok; way++)
    ok = is_case_covered(c, tp_chk_heap_unfold(&c->w, s, part, false, way), n_splits - 1);
  if (!ok) return false;
  tp_chk_heap_state *empty = tp_chk_heap_copy(c->p, s);
  tp_chk_heap_empty(&c->w, empty, part);
  return is_case_covered(c, empty, n_splits - 1);
}

static bool is_cutpoint(const tp_chk_heaps *c, const tp_chk_heap_state *s) {
  return !s->is_inside && tp_map_has(&c->cert.at, (uint64_t)s->context << 32 | s->loc.id);
}

/* Does the path end here, or the check? */
static bool ends(tp_chk_heaps *c, tp_chk_heap_state *s) {
  const tp_loc_info *l = tp_loc_of(c->p, s->loc);
  if (l->is_unsupported && !tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(c, s, "an operation that has no model is not excluded");
  if (tp_property_covers(c->prop, l->error) && !tp_chk_heaps_is_impossible(c, s))
    tp_chk_heaps_fail(c, s, "an error is not excluded");
  if (l->is_unsupported || l->error != TP_P_NONE) return true;
  if (!is_cutpoint(c, s)) return false;
  if (!is_covered(c, s, TP_CERTIFY_HEAP_SPLITS))
    tp_chk_heaps_fail(c, s, "no heap describes what comes to a cutpoint");
  return true;
}

static void follow_edge(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e) {
  c->report->edges++;
  s->is_inside = false;
  if (++s->depth > TP_CERTIFY_HEAP_DEPTH) tp_chk_heaps_fail(c, s, "a path meets no cutpoint");
  if (tp_edge_of(c->p, e)->kind == TP_E_CALL)
    tp_chk_heaps_call(c, s, e);
  else
    tp_chk_heaps_step(c, s, e);
}

static void follow(tp_chk_heaps *c, tp_chk_heap_state *s) {
  if (c->result != TP_CERTIFY_ACCEPTED || ends(c, s)) {
    tp_chk_heap_free(s);
    return;
  }
  if (tp_func_of(c->p, c->cert.contexts.at[s->context].func)->exit.id == s->loc.id) {
    tp_chk_heaps_leave(c, s);
    return;
  }
  const tp_edge_list out = tp_out_edges(c->p, s->loc);
  if (out.n == 0 || !tp_chk_heaps_split(c, s)) {
    tp_chk_heap_free(s);
    return;
  }
  for (uint32_t i = 0; i + 1 < out.n; i++)
    follow_edge(c, tp_chk_heap_copy(c->p, s), (tp_edge){out.at[i]});
  follow_edge(c, s, (tp_edge){out.at[out.n - 1]});
}

static void follow_all(tp_chk_heaps *c) {
  const uint64_t most = c->limits->edges ? c->limits->edges : TP_CERTIFY_EDGES;
  uint64_t n_steps = 0;
  while (c->todo.n) {
    tp_chk_heap_state *s = tp_vec_pop(&c->todo);
    if (c->report->edges > most) tp_chk_heaps_fail(c, s, "too many steps");
    if (c->limits->cpu_s > 0 && n_steps++ % 64 == 0 && tp_cpu_s() - c->start_s > c->limits->cpu_s)
      tp_chk_heaps_fail(c, s, "out of time");
    follow(c, s);
  }
}

/* What is said of neighbours is said of cells that are farther apart, too, where one of them is
 * told from the others. */
static void check_transitivity(tp_chk_heaps *c) {
  tp_map done = {0};
  for (size_t i = 1; i < c->cert.entries.n; i++) {
    const tp_chk_heap_state *s = c->cert.entries.at[i].s;
    const tp_chk_heap_state nothing = {.loc = s->loc, .context = s->context};
    for (size_t k = 0; k < s->parts.n; k++) {
      const tp_term said = s->parts.at[k].neighbours;
      if (!tp_term_is(said) || tp_map_has(&done, said.id)) continue;
      tp_map_set(&done, said.id, 1);
      if (!tp_chk_heaps_holds(c, &nothing, tp_chk_heap_transitivity(&c->w, said)))
        tp_chk_heaps_fail(c, s, "what is said of neighbours is not transitive");
    }
  }
  tp_map_clear(&done);
}

static void check_all(tp_chk_heaps *c) {
  check_transitivity(c);
  if (c->result != TP_CERTIFY_ACCEPTED) return;
  start_of_main(c);
  follow_all(c);
  for (size_t i = 1; i < c->cert.entries.n && c->result == TP_CERTIFY_ACCEPTED; i++) {
    if (c->cert.entries.at[i].role == TP_CHK_HEAP_POST) continue;
    start_of_entry(c, &c->cert.entries.at[i]);
    follow_all(c);
  }
}

tp_certify_result tp_chk_check_heaps(const tp_program *p, tp_property prop, const char *certificate,
                                     const tp_certify_limits *limits, tp_stats *stats,
                                     tp_certify_report *report) {
  tp_chk_heaps c = {
      .p = p, .prop = prop, .limits = limits, .report = report, .start_s = tp_cpu_s()};
  c.result = TP_CERTIFY_REJECTED;
  if (tp_chk_heap_cert_read(&c.cert, p, prop, certificate, &report->why)) {
    c.result = TP_CERTIFY_ACCEPTED;
    c.w = (tp_chk_heap_world){p, p->terms, &c.cert.kinds, &c.cert.values};
    c.solver =
        tp_chk_solver_new(p->terms,
                          (tp_smt_options){.backend = limits->backend,
                                           .command = limits->command,
                                           .rlimit = limits->solver_rlimit ? limits->solver_rlimit
                                                                           : TP_CERTIFY_HEAP_RLIMIT,
                                           .stats = stats},
                          limits->proofs, &report->obligations);
    tp_locals_init(&c.locals, p);
    tp_effects_init(&c.effects, p);
    check_all(&c);
    if (c.result == TP_CERTIFY_ACCEPTED) tp_chk_list_assumptions(p, &c.listed, report);
    tp_effects_clear(&c.effects);
    tp_locals_clear(&c.locals);
    tp_chk_solver_free(c.solver);
    tp_map_clear(&c.listed);
    tp_vec_clear(&c.todo);
  }
  tp_chk_heap_cert_clear(&c.cert);
  return c.result;
}
