/* Imported invariants. A record speaks of its own contexts; each is looked up by its chain of calls
 * in the run's table. What a record says it says of every run, so a cutpoint that it does not have
 * is unreachable, if its kind is one that the record has cutpoints of at all. */
#include "engine/import.h"

typedef struct {
  const tp_program *p;
  tp_contexts *contexts;  // of the run
  tp_imported *out;
  tp_map index;  // (context, location) -> position in out
} importer;

static uint64_t key_of(tp_context c, tp_loc l) { return (uint64_t)c.id << 32 | l.id; }

/* Adds one formula; a location that has one already gets the conjunction. */
static void add(importer *r, tp_context c, tp_loc l, tp_term formula) {
  TP_REQUIRE(c.id > 0 && c.id < r->contexts->list.n && l.id < r->p->locs.n);
  uint64_t at;
  if (tp_map_get(&r->index, key_of(c, l), &at)) {
    tp_term *old = &r->out->list.at[at].formula;
    *old = tp_mk_and(r->p->terms, *old, formula);
    return;
  }
  tp_map_set(&r->index, key_of(c, l), r->out->list.n);
  tp_vec_push(&r->out->list, (tp_imported_invariant){c, l, formula});
}

/* Contexts of the record as contexts of the run. Parents come first. */
static tp_context *enter_contexts(importer *r, const tp_invariants *v) {
  size_t n = v->contexts.list.n;
  tp_context *to = TP_NEW_ARRAY(tp_context, n + 1);
  for (size_t i = 1; i < n; i++) {
    const tp_context_info *c = &v->contexts.list.at[i];
    if (c->parent.id && to[c->parent.id].id)
      to[i] = tp_context_push(r->contexts, to[c->parent.id], c->call, c->func);
    if (!c->parent.id) to[i] = tp_context_root(r->contexts, c->func, 0);
  }
  return to;
}

static bool is_entered(const tp_invariants *v, uint32_t parent, uint32_t call, uint32_t f) {
  for (size_t i = 1; i < v->contexts.list.n; i++) {
    const tp_context_info *c = &v->contexts.list.at[i];
    if (c->func.id == f && c->parent.id == parent && c->call.id == call) return true;
  }
  return false;
}

/* Calls from a context of the record that it does not follow: no run makes them. */
static void add_calls_not_made(importer *r, const tp_invariants *v, uint32_t from, tp_context to) {
  const tp_program *p = r->p;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *call = &p->edges.at[e];
    if (call->kind != TP_E_CALL || !call->from.id ||
        p->locs.at[call->from.id].func.id != v->contexts.list.at[from].func.id)
      continue;
    for (uint32_t f = 1; f < p->funcs.n; f++) {
      bool may_call = call->callee.id ? call->callee.id == f : true;
      if (!may_call || !p->funcs.at[f].has_body || is_entered(v, from, e, f) ||
          tp_context_has(r->contexts, to, (tp_func){f}))
        continue;
      add(r, tp_context_push(r->contexts, to, (tp_edge){e}, (tp_func){f}), p->funcs.at[f].entry,
          tp_mk_false(p->terms));
    }
  }
}

/* Kinds of a record's cutpoints. Records of path formulas have none where paths merely join, and
 * none at heads of loops that another loop's cutpoint cuts as well: from those that are missing
 * there nothing follows. */
typedef enum {
  NO_CUTPOINT,
  IN_CUT_SET,
  HEAD,
  FUNCTION_END,
  BEHIND_CALL,
  JOIN,
  N_KINDS
} cutpoint_kind;
static cutpoint_kind kind_of(const tp_program *p, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(p, l);
  const tp_func_info *f = tp_func_of(p, info->func);
  tp_edge_list in = tp_in_edges(p, l);
  if (info->is_cutpoint) return IN_CUT_SET;
  if (info->is_loop_head) return HEAD;
  if (l.id == tp_func_of(p, p->main)->entry.id || !tp_is_certificate_cutpoint(p, l))
    return NO_CUTPOINT;
  if (f->entry.id == l.id || f->exit.id == l.id) return FUNCTION_END;
  for (uint32_t i = 0; i < in.n; i++)
    if (p->edges.at[in.at[i]].kind == TP_E_CALL) return BEHIND_CALL;
  return JOIN;
}

static void add_record(importer *r, const tp_invariants *v) {
  tp_context *to = enter_contexts(r, v);
  tp_map formula_at = {0};  // (context, location) -> disjunction
  // every record has the cut set's locations that runs come to
  bool has_kind[N_KINDS] = {[IN_CUT_SET] = true};
  for (size_t i = 0; i < v->list.n; i++) {
    const tp_invariant *x = &v->list.at[i];
    has_kind[kind_of(r->p, x->loc)] = true;
    uint64_t key = key_of(x->context, x->loc), before;
    tp_term all = tp_map_get(&formula_at, key, &before)
                      ? tp_mk_or(r->p->terms, (tp_term){(uint32_t)before}, x->formula)
                      : x->formula;
    tp_map_set(&formula_at, key, all.id);
  }
  for (size_t c = 1; c < v->contexts.list.n; c++) {
    for (uint32_t l = 1; to[c].id && l < r->p->locs.n; l++) {
      uint64_t formula;
      if (r->p->locs.at[l].func.id != v->contexts.list.at[c].func.id) continue;
      if (tp_map_get(&formula_at, key_of((tp_context){(uint32_t)c}, (tp_loc){l}), &formula))
        add(r, to[c], (tp_loc){l}, (tp_term){(uint32_t)formula});
      else if (kind_of(r->p, (tp_loc){l}) != NO_CUTPOINT && has_kind[kind_of(r->p, (tp_loc){l})])
        add(r, to[c], (tp_loc){l}, tp_mk_false(r->p->terms));
    }
    if (to[c].id) add_calls_not_made(r, v, (uint32_t)c, to[c]);
  }
  tp_map_clear(&formula_at);
  tp_free(to);
}

// --------------------------------------------------------------------- records

typedef struct {
  const tp_program *p;
  const tp_contexts *contexts;
  tp_context at;
  bool is_met;
} scope;

static void check_var(void *ctx, tp_term var) {
  scope *s = ctx;
  s->is_met = s->is_met && tp_invariant_may_use(s->p, s->contexts, s->at, var);
}

/* Does each formula speak of what exists where it stands? The reader of texts sees to that. */
static bool is_in_scope(const tp_invariants *v, const tp_program *p) {
  scope s = {.p = p, .contexts = &v->contexts, .is_met = true};
  for (size_t i = 0; i < v->list.n && s.is_met; i++) {
    s.at = v->list.at[i].context;
    tp_for_vars(p->terms, v->list.at[i].formula, check_var, &s);
  }
  return s.is_met;
}

static void import(importer *r, const tp_invariants *v) {
  const bool has_contracts = v->contracts.list.n > 1;  // [0] is none
  if (!has_contracts && !v->shapes && is_in_scope(v, r->p)) add_record(r, v);
}

static void index_list(importer *r) {
  for (size_t i = 0; i < r->out->list.n; i++) {
    const tp_imported_invariant *x = &r->out->list.at[i];
    tp_map_set(&r->index, key_of(x->context, x->loc), i);
  }
}

void tp_import_record(const tp_invariants *v, const tp_program *p, tp_contexts *contexts,
                      tp_imported *out) {
  importer r = {.p = p, .contexts = contexts, .out = out};
  if (!v) return;
  TP_REQUIRE(v->fingerprint == tp_program_fingerprint(p));
  index_list(&r);
  import(&r, v);
  tp_map_clear(&r.index);
}

/* The end of the certificate that starts at text: behind its line "end". */
static const char *end_of(const char *text) {
  static const char mark[] = "\nend\n";
  const char *end = strstr(text, mark);
  return end ? end + sizeof mark - 1 : text + strlen(text);
}

void tp_import_read(const char *text, const tp_program *p, tp_contexts *contexts,
                    tp_imported *out) {
  importer r = {.p = p, .contexts = contexts, .out = out};
  index_list(&r);
  while (text && *text) {
    const char *end = end_of(text);
    tp_str one = {0}, why = {0};
    tp_invariants v;
    tp_invariants_init(&v);
    tp_str_add_n(&one, text, (size_t)(end - text));
    // the reader makes terms and nothing else in the program
    bool ok = tp_invariants_read(one.text, (tp_program *)(uintptr_t)p, &v, &why) == TP_OK;
    if (ok && v.folds.n == 0) import(&r, &v);  // only the checker knows what a fold is
    tp_invariants_clear(&v);
    tp_str_clear(&one);
    tp_str_clear(&why);
    text = end;
  }
  tp_map_clear(&r.index);
}

void tp_imported_clear(tp_imported *f) { tp_vec_clear(&f->list); }

const char *tp_import_compose(const char *composition, tp_arena *arena) {
  static const char name[] = "analysis";
  for (const char *at = composition; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    at += strspn(at, " \t");
    const char *equals =
        at + strlen(name) +
        strspn(strncmp(at, name, strlen(name)) == 0 ? at + strlen(name) : "", " \t");
    if (strncmp(at, name, strlen(name)) != 0 || *equals != '=') continue;
    return tp_arena_printf(arena, "%.*s facts %s", (int)(equals + 1 - composition), composition,
                           equals + 1);
  }
  return composition;
}
