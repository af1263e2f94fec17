#include "engine/import.h"

#include "engine/invariants.h"

typedef struct {
  const tp_program *p;
  tp_contexts *contexts;  // of the run
  tp_imported *out;
  tp_map index;  // place -> position in out
} reader;

static uint64_t key_of(tp_context c, tp_loc l) { return (uint64_t)c.id << 32 | l.id; }

/* Adds the facts of one certificate; places that are there already get the conjunction. */
static void add(reader *r, tp_context c, tp_loc l, tp_term formula) {
  uint64_t at;
  if (tp_map_get(&r->index, key_of(c, l), &at)) {
    tp_term *old = &r->out->list.at[at].formula;
    *old = tp_mk_and(r->p->terms, *old, formula);
    return;
  }
  tp_map_set(&r->index, key_of(c, l), r->out->list.n);
  tp_vec_push(&r->out->list, (tp_imported_invariant){c, l, formula});
}

/* Contexts of the certificate as contexts of the run. Parents come first. */
static tp_context *enter_contexts(reader *r, const tp_invariants *v) {
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

/* Calls from a context of the certificate that it does not follow: no run makes them. */
static void add_calls_not_made(reader *r, const tp_invariants *v, uint32_t from, tp_context to) {
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

/* Kinds of places that labels stand at. Certificates of path formulas have none where ways merely
 * meet, and none at heads of loops that another loop's cutpoint cuts as well; such places are then
 * no places that no run comes to. */
typedef enum { NOWHERE, CUTPOINT, HEAD, FUNCTION_END, BEHIND_CALL, MEETING, N_KINDS } place_kind;
static place_kind kind_of_place(const tp_program *p, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(p, l);
  const tp_func_info *f = tp_func_of(p, info->func);
  tp_edge_list in = tp_in_edges(p, l);
  if (info->is_cutpoint) return CUTPOINT;
  if (info->is_loop_head) return HEAD;
  if (l.id == tp_func_of(p, p->main)->entry.id || !tp_is_certificate_cutpoint(p, l)) return NOWHERE;
  if (f->entry.id == l.id || f->exit.id == l.id) return FUNCTION_END;
  for (uint32_t i = 0; i < in.n; i++)
    if (p->edges.at[in.at[i]].kind == TP_E_CALL) return BEHIND_CALL;
  return MEETING;
}

static void add_record(reader *r, const tp_invariants *v) {
  tp_context *to = enter_contexts(r, v);
  tp_map said = {0};  // place -> disjunction
  bool is_labelled[N_KINDS] = {[CUTPOINT] =
                                   true};  // every certificate labels those that runs come to
  for (size_t i = 0; i < v->list.n; i++) {
    const tp_invariant *x = &v->list.at[i];
    is_labelled[kind_of_place(r->p, x->loc)] = true;
    uint64_t key = key_of(x->context, x->loc), before;
    tp_term all = tp_map_get(&said, key, &before)
                      ? tp_mk_or(r->p->terms, (tp_term){(uint32_t)before}, x->formula)
                      : x->formula;
    tp_map_set(&said, key, all.id);
  }
  for (size_t c = 1; c < v->contexts.list.n; c++) {
    for (uint32_t l = 1; to[c].id && l < r->p->locs.n; l++) {
      uint64_t formula;
      if (r->p->locs.at[l].func.id != v->contexts.list.at[c].func.id) continue;
      if (tp_map_get(&said, key_of((tp_context){(uint32_t)c}, (tp_loc){l}), &formula))
        add(r, to[c], (tp_loc){l}, (tp_term){(uint32_t)formula});
      else if (kind_of_place(r->p, (tp_loc){l}) != NOWHERE &&
               is_labelled[kind_of_place(r->p, (tp_loc){l})])
        add(r, to[c], (tp_loc){l}, tp_mk_false(r->p->terms));
    }
    if (to[c].id) add_calls_not_made(r, v, (uint32_t)c, to[c]);
  }
  tp_map_clear(&said);
  tp_free(to);
}

/* The end of the certificate that starts at text: behind its line "end". */
static const char *end_of(const char *text) {
  static const char mark[] = "\nend\n";
  const char *end = strstr(text, mark);
  return end ? end + sizeof mark - 1 : text + strlen(text);
}

void tp_import_read(const char *text, const tp_program *p, tp_contexts *contexts,
                    tp_imported *out) {
  reader r = {.p = p, .contexts = contexts, .out = out};
  while (text && *text) {
    const char *end = end_of(text);
    tp_str one = {0}, why = {0};
    tp_invariants v;
    tp_invariants_init(&v);
    tp_str_add_n(&one, text, (size_t)(end - text));
    // the reader makes terms and nothing else in the program
    bool ok = tp_invariants_read(one.text, (tp_program *)(uintptr_t)p, &v, &why) == TP_OK;
    if (ok && v.contracts.list.n <= 1) add_record(&r, &v);
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
