/* Calls of a run are kept by a hash of function and arguments; a result is compared with that of
 * the last call that has the same ones. Writes are kept by object, with the serial of the edge. */
#include "certify/runs/purity.h"

typedef struct {
  tp_func f;
  const tp_value *args;   // of pointers: the address
  uint64_t answer, when;  // hash of the result; serial of the call
  uint32_t older;         // call with the same hash of arguments, + 1; 0: none
} call;

struct tp_chk_purity {
  const tp_program *p;
  tp_oracle inner;
  TP_VEC(call) calls;
  tp_map latest;                 // hash of function and arguments -> index + 1
  tp_map written;                // object -> serial of the last write
  uint64_t now, visible_to_all;  // serial; of the last write that every function may see
  tp_func asked;                 // whose result is asked for next, or NONE
  const tp_value *args;
  uint32_t n_args;
  bool has_args;
  tp_arena arena;
  tp_str why;
};

/* The function without body that this edge calls, or NONE. */
static tp_func function_of(const tp_program *p, const tp_edge_info *e) {
  if (e->kind == TP_E_SKIP) return e->callee;
  if ((e->kind != TP_E_HAVOC && e->kind != TP_E_HAVOC_MEMORY) || e->input != TP_I_EXTERN)
    return TP_FUNC_NONE;
  if (e->callee.id) return e->callee;
  for (uint32_t i = 1; e->name && i < p->funcs.n; i++)
    if (!p->funcs.at[i].has_body && strcmp(p->funcs.at[i].name, e->name) == 0) return (tp_func){i};
  return TP_FUNC_NONE;
}

static bool is_declared_pure(const tp_func_info *f) {
  return !f->has_body && f->purity != TP_IMPURE;
}

tp_chk_purity *tp_chk_purity_new(const tp_program *p, tp_oracle inner) {
  TP_REQUIRE(p && inner.ask);
  bool any = false;
  for (size_t i = 1; i < p->funcs.n; i++) any |= is_declared_pure(&p->funcs.at[i]);
  if (!any) return NULL;
  tp_chk_purity *a = TP_NEW(tp_chk_purity);
  *a = (tp_chk_purity){.p = p, .inner = inner};
  return a;
}

void tp_chk_purity_free(tp_chk_purity *a) {
  if (!a) return;
  tp_vec_clear(&a->calls);
  tp_map_clear(&a->latest);
  tp_map_clear(&a->written);
  tp_arena_clear(&a->arena);
  tp_str_clear(&a->why);
  tp_free(a);
}

const char *tp_chk_purity_why(const tp_chk_purity *a) { return a && a->why.n ? a->why.text : NULL; }

// ----------------------------------------------------------------------- writes

static void note_write_at(tp_chk_purity *a, const tp_state *s, tp_term address) {
  tp_value v;
  if (tp_state_eval(s, address, &v) != TP_OK) return;
  tp_map_set(&a->written, v.object, a->now);
  if (v.object == 0 || v.object >= a->p->statics.n) return;
  const tp_static *o = &a->p->statics.at[v.object];
  if (o->kind == TP_O_GLOBAL && !o->is_internal) a->visible_to_all = a->now;
}

static void note_write(tp_chk_purity *a, const tp_state *s, const tp_edge_info *e, tp_func f) {
  switch (e->kind) {
    case TP_E_STORE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_FREE:
    case TP_E_HAVOC_MEMORY: note_write_at(a, s, e->a); break;
    case TP_E_ASSIGN:
    case TP_E_LOAD:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
      if (e->var.id && tp_var_of(a->p, e->var)->kind == TP_V_GLOBAL &&
          !tp_var_of(a->p, e->var)->is_internal)
        a->visible_to_all = a->now;
      break;
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_CALL:  // its result is written when it returns
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
  if (f.id && !is_declared_pure(tp_func_of(a->p, f))) a->visible_to_all = a->now;
}

// ------------------------------------------------------------------------ calls

/* The value of an argument: of a pointer the address, with its object beside it. */
static bool argument(const tp_program *p, const tp_state *s, tp_term t, tp_value *out) {
  if (tp_state_eval(s, t, out) != TP_OK) return false;
  if (tp_sort_kind_of(p->terms, tp_sort_of(p->terms, t)) == TP_SORT_PTR)
    out->bits += out->object ? tp_state_base(s, out->object) : 0;
  return true;
}

static bool on_edge(void *ctx, const tp_state *s, tp_edge edge) {
  tp_chk_purity *a = ctx;
  const tp_edge_info *e = tp_edge_of(a->p, edge);
  const tp_func f = function_of(a->p, e);
  a->now++;
  a->asked = TP_FUNC_NONE;
  if (f.id && is_declared_pure(tp_func_of(a->p, f))) {
    tp_value *args = tp_arena_array(&a->arena, tp_value, e->n_args + 1);
    a->has_args = e->callee.id != 0;
    for (uint32_t i = 0; i < e->n_args; i++)
      a->has_args = a->has_args && argument(a->p, s, e->args[i], &args[i]);
    a->asked = f;
    a->args = args;
    a->n_args = a->has_args ? e->n_args : 0;
  }
  note_write(a, s, e, f);
  return true;
}

static uint64_t hash_call(const tp_chk_purity *a) {
  uint64_t h = a->asked.id;
  for (uint32_t i = 0; i < a->n_args; i++)
    h = tp_hash_mix(tp_hash_mix(h, (uint64_t)a->args[i].bits), (uint64_t)(a->args[i].bits >> 64));
  return h;
}

static bool is_same_call(const tp_chk_purity *a, const call *c) {
  bool same = c->f.id == a->asked.id;
  for (uint32_t i = 0; i < a->n_args && same; i++) same = c->args[i].bits == a->args[i].bits;
  return same;
}

/* Was anything written since that call that the function may read? */
static bool may_have_changed(const tp_chk_purity *a, const call *since) {
  bool changed = a->visible_to_all > since->when;
  uint64_t when;
  for (uint32_t i = 0; i < a->n_args && !changed; i++)
    changed = a->args[i].object && tp_map_get(&a->written, a->args[i].object, &when) &&
              when > since->when;
  return changed;
}

static void compare(tp_chk_purity *a, call *before, uint64_t answer) {
  TP_REQUIRE(a->asked.id && before->when <= a->now);
  const tp_func_info *f = tp_func_of(a->p, a->asked);
  const bool is_const = f->purity == TP_CONST;
  const bool contradicts =
      before->answer != answer && (is_const || !a->has_args || !may_have_changed(a, before));
  if (contradicts && !a->why.n)
    tp_str_printf(&a->why, "%s, declared %s, gives different results for %s", f->name,
                  is_const ? "const" : "pure",
                  a->has_args ? "the same arguments" : "arguments that are not compared");
  before->answer = answer;
  before->when = a->now;
}

static bool on_ask(void *ctx, tp_input *io) {
  tp_chk_purity *a = ctx;
  if (!a->inner.ask(a->inner.ctx, io)) return false;
  if (!a->asked.id || io->kind != TP_I_EXTERN) return true;
  const uint64_t answer = io->width_bits
                              ? tp_hash_mix((uint64_t)io->bits, (uint64_t)(io->bits >> 64))
                              : tp_hash_bytes(io->bytes, io->n_bytes, 1);
  const uint64_t h = hash_call(a);
  uint64_t first = 0;
  (void)tp_map_get(&a->latest, h, &first);
  for (uint64_t i = first; i; i = a->calls.at[i - 1].older) {
    TP_INVARIANT(i <= a->calls.n && a->calls.at[i - 1].older < i);
    if (!is_same_call(a, &a->calls.at[i - 1])) continue;
    compare(a, &a->calls.at[i - 1], answer);
    return true;
  }
  tp_vec_push(&a->calls, (call){.f = a->asked,
                                .args = a->args,
                                .answer = answer,
                                .when = a->now,
                                .older = (uint32_t)first});
  tp_map_set(&a->latest, h, a->calls.n);
  return true;
}

tp_observer tp_chk_purity_observer(tp_chk_purity *a) {
  return (tp_observer){.mask = TP_OBSERVE_EDGES, .ctx = a, .edge = on_edge};
}
tp_oracle tp_chk_purity_oracle(tp_chk_purity *a) { return (tp_oracle){a, on_ask}; }
