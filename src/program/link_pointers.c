/* Splitting of pointers to links: see link_pointers.h.
 *
 * Variables are split one at a time, so that a copy of a split one (before = at) is a candidate in
 * its turn. A fixed place has to be fixed: a constant address; the address of an object of the
 * function, where the pointer is not live behind edges that make or end the object; or what a
 * parameter leads to that is never assigned. A parameter that is a cursor itself leads to the place
 * that the caller named until it is assigned. */
#include "program/link_pointers.h"

#include "program/access.h"
#include "program/constant_params.h"
#include "program/liveness.h"
#include "program/program_limits.h"

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_liveness *liveness;
  tp_var var;      // the candidate
  tp_term base;    // address of the fixed place; NONE: not seen
  tp_term offset;  // of the member, a constant; NONE: not seen
  bool has_other;  // values of another origin: null, or read from memory
  tp_type cell_type;
  tp_var flag, cell;  // what replaces the variable
} split;

// -------------------------------------------------------------------- candidates

static bool is_linked(const tp_edge_info *e) { return e->from.id != 0; }

/* Edges of the function that has the variable; of a global variable all. */
static bool may_use(const split *s, const tp_edge_info *e) {
  const tp_func f = tp_var_of(s->p, s->var)->func;
  return is_linked(e) && (!f.id || tp_loc_of(s->p, e->from)->func.id == f.id);
}

static bool mentions(const split *s, tp_term t) {
  return tp_term_is(t) && tp_occurs(s->tt, tp_var_of(s->p, s->var)->term, t);
}

static bool is_end(const split *s, const tp_edge_info *e) {
  return e->kind == TP_E_ASSIGN && tp_term_eq(e->a, tp_mk_null(s->tt));
}

/* Is the variable written by no edge but ends of its lifetime? */
static bool is_never_assigned(const split *s, tp_var v) {
  for (uint32_t i = 1; i < s->p->edges.n; i++) {
    const tp_edge_info *e = &s->p->edges.at[i];
    if (is_linked(e) && e->var.id == v.id && !is_end(s, e)) return false;
  }
  return true;
}

/* Does the pointer lead to objects of the kind whose members the candidate leads to? */
static bool leads_to_cells(const split *s, tp_var q) {
  const tp_program *p = s->p;
  const tp_type mine = tp_var_of(p, s->var)->type, its = tp_var_of(p, q)->type;
  if (!its.id || tp_type_of(p, its)->kind != TP_T_POINTER) return true;
  const tp_type link = tp_type_of(p, mine)->element;
  const tp_type cell = tp_type_of(p, link)->element;
  return cell.id && tp_type_of(p, its)->element.id == cell.id;
}

/* The place does not change while the candidate has the place's address. */
static bool is_fixed(const split *s, const tp_access *a) {
  const tp_program *p = s->p;
  if (!a->var.id) return p->statics.at[a->object].kind == TP_O_GLOBAL;
  const tp_func of = tp_var_of(p, s->var)->func;
  if (!of.id || tp_var_of(p, a->var)->func.id != of.id) return false;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (is_linked(e) && e->var.id == a->var.id && tp_is_live(s->liveness, e->to, s->var))
      return false;
  }
  return true;
}

static bool is_place(const split *s, const tp_access *a) {
  if (!a->var.id) return true;
  const tp_var_info *v = tp_var_of(s->p, a->var);
  return v->is_address ||
         (v->kind == TP_V_PARAM && !leads_to_cells(s, a->var) && is_never_assigned(s, a->var));
}

static bool add_place(split *s, tp_term address) {
  if (tp_term_is(s->base) && !tp_term_eq(s->base, address)) return false;
  s->base = address;
  return true;
}

/* Another pointer to a link, whatever that leads to. */
static bool is_elsewhere(const split *s, const tp_access *a) {
  return a->offset == 0 && !leads_to_cells(s, a->var);
}

/* The value is the address of the place, or of the member of a cell. */
static bool see_value(split *s, tp_term value) {
  tp_access a;
  if (!tp_access_of(s->p, value, &a) || tp_term_is(a.index) || a.offset < 0 ||
      a.var.id == s->var.id)
    return false;
  if (is_place(s, &a)) return is_fixed(s, &a) && add_place(s, value);
  if (is_elsewhere(s, &a)) return s->has_other = true;
  const tp_term offset = tp_mk_bv(s->tt, s->p->ptr_bits, (uint64_t)a.offset);
  if (tp_term_is(s->offset) && !tp_term_eq(s->offset, offset)) return false;
  if (!tp_term_is(s->offset)) s->cell_type = tp_var_of(s->p, a.var)->type;
  s->offset = offset;
  return true;
}

static bool reads(const split *s, const tp_edge_info *e) {
  bool is_read = mentions(s, e->a) || mentions(s, e->b) || mentions(s, e->c);
  for (uint32_t i = 0; i < e->n_args; i++) is_read |= mentions(s, e->args[i]);
  return is_read;
}

/* Reads are addresses of accesses, conditions, arguments, and values of other variables. */
static bool see_reads(const split *s, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_LOAD:
    case TP_E_ASSUME:
    case TP_E_ASSIGN: return true;
    case TP_E_STORE: return !mentions(s, e->b);
    case TP_E_CALL: return !mentions(s, e->a);
    case TP_E_SKIP:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC:
    case TP_E_HAVOC_MEMORY:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
  return !reads(s, e);
}

static bool see_write(split *s, const tp_edge_info *e) {
  if (e->kind == TP_E_LOAD || e->kind == TP_E_HAVOC || is_end(s, e)) {
    s->has_other |= e->kind != TP_E_ASSIGN || !e->name;
    return true;
  }
  return e->kind == TP_E_ASSIGN && see_value(s, e->a);
}

static bool is_pointer_to_pointer(const split *s) {
  const tp_program *p = s->p;
  const tp_var_info *v = tp_var_of(p, s->var);
  if (v->is_address || !v->type.id || tp_type_of(p, v->type)->kind != TP_T_POINTER ||
      tp_sort_kind_of(s->tt, tp_sort_of(s->tt, v->term)) != TP_SORT_PTR)
    return false;
  const tp_type to = tp_type_of(p, v->type)->element;
  if (!to.id || tp_type_of(p, to)->kind != TP_T_POINTER) return false;
  if (v->kind == TP_V_GLOBAL) return tp_term_is(v->initial) && tp_is_const(s->tt, v->initial);
  return v->kind == TP_V_LOCAL || v->kind == TP_V_TEMP || v->kind == TP_V_PARAM;
}

static bool is_result(const split *s) {
  const tp_func f = tp_var_of(s->p, s->var)->func;
  return f.id && tp_func_of(s->p, f)->result.id == s->var.id;
}

/* Is the variable worth it: has it addresses of both kinds, and no use that has no meaning for two
 * variables? */
static bool qualifies(split *s) {
  if (!is_pointer_to_pointer(s) || is_result(s)) return false;
  if (tp_var_of(s->p, s->var)->kind == TP_V_PARAM)
    s->base = tp_var_of(s->p, s->var)->term;                    // as the caller has it
  s->has_other = tp_var_of(s->p, s->var)->kind == TP_V_GLOBAL;  // its initial value
  for (uint32_t i = 1; i < s->p->edges.n; i++) {
    const tp_edge_info *e = &s->p->edges.at[i];
    if (!may_use(s, e)) continue;
    if ((e->var.id == s->var.id && !see_write(s, e)) || !see_reads(s, e)) return false;
  }
  return tp_term_is(s->base) && tp_term_is(s->offset);
}

// ---------------------------------------------------------------------- rewriting

/* A copy of the edge from `from` to `to`. */
static void add(split *s, tp_edge_info e, tp_loc from, tp_loc to) {
  e.from = from;
  e.to = to;
  (void)tp_program_add_edge(s->p, e);
}

static tp_loc location_at(split *s, const tp_edge_info *e) {
  return tp_program_add_loc(s->p, (tp_loc_info){.func = tp_loc_of(s->p, e->from)->func,
                                                .pos = tp_loc_of(s->p, e->from)->pos});
}

static tp_edge_info assignment(const tp_edge_info *like, tp_var v, tp_term value) {
  return (tp_edge_info){.kind = TP_E_ASSIGN,
                        .pos = like->pos,
                        .var = v,
                        .a = value,
                        .name = like->kind == TP_E_ASSIGN ? like->name : NULL};
}

/* What the variable leads to: a number, as analyses follow those that only ever get constants. */
typedef enum { LEADS_TO_CELL, LEADS_TO_PLACE, LEADS_ELSEWHERE } target;
static tp_term flag_value(const split *s, target t) {
  return tp_mk_bv(s->tt, TP_PROGRAM_FLAG_BITS, t);
}

/* Edge i writes the variable: now the flag and the cell, and the variable itself if it has values
 * of another origin. What is not used is null, as pointers keep memory from being lost. */
static void rewrite_write(split *s, uint32_t i) {
  tp_program *p = s->p;
  const tp_edge_info e = p->edges.at[i];
  const tp_term null = tp_mk_null(s->tt);
  const bool is_null = is_end(s, &e), is_assignment = e.kind == TP_E_ASSIGN;
  const bool is_place = is_assignment && tp_term_eq(e.a, s->base);
  tp_access a = {0};
  bool is_other = !is_assignment || (is_null && !e.name);
  if (!is_other && !is_place && !is_null)
    is_other = tp_access_of(p, e.a, &a) && is_elsewhere(s, &a);
  TP_INVARIANT(is_other || is_place || is_null || a.var.id);
  const tp_term cell = is_other || !a.var.id ? null : tp_var_of(p, a.var)->term;
  tp_edge_info steps[3];
  size_t n = 0;
  if (s->has_other) {
    steps[n] = e;
    if (!is_other) steps[n].a = null;
    n++;
  }
  steps[n++] = assignment(&e, s->cell, cell);
  const target t = is_other ? LEADS_ELSEWHERE : is_place ? LEADS_TO_PLACE : LEADS_TO_CELL;
  steps[n++] = assignment(&(tp_edge_info){.pos = e.pos}, s->flag, flag_value(s, t));
  tp_loc at = e.from;
  for (size_t k = 0; k < n; k++) {
    const tp_loc to = k + 1 < n ? location_at(s, &e) : e.to;
    steps[k].from = at;
    steps[k].to = to;
    if (k == 0)
      p->edges.at[i] = steps[k];
    else
      add(s, steps[k], at, to);
    at = to;
  }
}

typedef struct {
  tp_term from, to;
} substitution;
static tp_term replace(void *ctx, tp_term symbol) {
  const substitution *x = ctx;
  return tp_term_eq(symbol, x->from) ? x->to : TP_TERM_NONE;
}

static tp_term put_value(const split *s, tp_term t, tp_term value) {
  substitution x = {tp_var_of(s->p, s->var)->term, value};
  return mentions(s, t) ? tp_program_fold_statics(s->p, tp_subst(s->tt, t, replace, &x, NULL)) : t;
}

static tp_edge_info with_value(split *s, tp_edge_info e, tp_term value) {
  e.a = put_value(s, e.a, value);
  e.b = put_value(s, e.b, value);
  e.c = put_value(s, e.c, value);
  tp_term *args = e.n_args ? tp_arena_array(&s->p->arena, tp_term, e.n_args) : NULL;
  for (uint32_t i = 0; i < e.n_args; i++) args[i] = put_value(s, e.args[i], value);
  if (args) e.args = args;
  return e;
}

static void branch(split *s, const tp_edge_info *like, tp_term condition, tp_loc from, tp_loc to) {
  add(s, (tp_edge_info){.kind = TP_E_ASSUME, .pos = like->pos, .a = condition}, from, to);
}

/* All edges out of the location, once for each value of the flag. */
static void rewrite_location(split *s, const uint32_t *edges, size_t n) {
  tp_program *p = s->p;
  const tp_edge_info like = p->edges.at[edges[0]];
  const tp_loc at_place = location_at(s, &like), at_cell = location_at(s, &like),
               at_other = s->has_other ? location_at(s, &like) : at_cell;
  const tp_term flag = tp_var_of(p, s->flag)->term,
                member = tp_mk_ptr_add(s->tt, tp_var_of(p, s->cell)->term, s->offset);
  for (size_t k = 0; k < n; k++) {
    const tp_edge_info e = p->edges.at[edges[k]];
    add(s, with_value(s, e, s->base), at_place, e.to);
    if (s->has_other) add(s, e, at_other, e.to);
    tp_edge_info own = with_value(s, e, member);
    own.from = at_cell;
    p->edges.at[edges[k]] = own;
  }
  const tp_term is_place = tp_mk_eq(s->tt, flag, flag_value(s, LEADS_TO_PLACE)),
                is_other = tp_mk_eq(s->tt, flag, flag_value(s, LEADS_ELSEWHERE)),
                is_cell = tp_mk_not(s->tt, is_place);
  branch(s, &like, is_place, like.from, at_place);
  if (s->has_other) branch(s, &like, is_other, like.from, at_other);
  branch(s, &like, s->has_other ? tp_mk_and(s->tt, is_cell, tp_mk_not(s->tt, is_other)) : is_cell,
         like.from, at_cell);
}

static void rewrite_reads(split *s) {
  tp_program *p = s->p;
  const uint32_t n_locs = (uint32_t)p->locs.n, n_edges = (uint32_t)p->edges.n;
  bool *is_reader = TP_NEW_ARRAY(bool, n_locs);
  TP_VEC(uint32_t) edges = {0};
  for (uint32_t i = 1; i < n_edges; i++)
    if (may_use(s, &p->edges.at[i]) && reads(s, &p->edges.at[i]))
      is_reader[p->edges.at[i].from.id] = true;
  for (uint32_t l = 1; l < n_locs; l++) {
    if (!is_reader[l]) continue;
    edges.n = 0;
    for (uint32_t i = 1; i < n_edges; i++)
      if (p->edges.at[i].from.id == l) tp_vec_push(&edges, i);
    rewrite_location(s, edges.at, edges.n);
  }
  tp_vec_clear(&edges);
  tp_free(is_reader);
}

/* The parameter as the caller has it stays; a local variable of its name is the cursor. */
static void rename_parameter(split *s) {
  tp_program *p = s->p;
  const tp_var param = s->var;
  tp_var_info info = *tp_var_of(p, param);
  info.kind = TP_V_LOCAL;
  const tp_var local = tp_program_add_var(p, info, tp_sort_of(s->tt, info.term));
  const tp_term as_local = tp_var_of(p, local)->term;
  const tp_loc entry = tp_func_of(p, info.func)->entry;
  tp_edge_info like = {.from = entry, .pos = tp_loc_of(p, entry)->pos};
  const tp_loc behind = location_at(s, &like);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    tp_edge_info *e = &p->edges.at[i];
    if (!may_use(s, e)) continue;
    if (reads(s, e)) *e = with_value(s, *e, as_local);
    if (e->var.id == param.id) e->var = local;
    if (e->from.id == entry.id) e->from = behind;
    if (e->to.id == entry.id) e->to = behind;
  }
  add(s, assignment(&like, local, tp_var_of(p, param)->term), entry, behind);
  s->var = local;
}

static void make_variables(split *s) {
  tp_program *p = s->p;
  tp_var_info cell = *tp_var_of(p, s->var);
  cell.type = s->cell_type;
  if (cell.kind == TP_V_GLOBAL) cell.initial = tp_mk_null(s->tt);
  tp_var_info flag = {.name = tp_arena_printf(&p->arena, "%s_target", cell.name),
                      .kind = cell.kind == TP_V_GLOBAL ? TP_V_GLOBAL : TP_V_TEMP,
                      .func = cell.func,
                      .pos = cell.pos,
                      .is_internal = cell.is_internal,
                      .enclosing_function = cell.enclosing_function};
  if (flag.kind == TP_V_GLOBAL) flag.initial = flag_value(s, LEADS_ELSEWHERE);
  cell.name = tp_arena_printf(&p->arena, "%s_cell", cell.name);
  s->cell = tp_program_add_var(p, cell, tp_sort_ptr(s->tt));
  s->flag = tp_program_add_var(p, flag, tp_sort_bv(s->tt, TP_PROGRAM_FLAG_BITS));
}

static void rewrite(split *s) {
  if (tp_var_of(s->p, s->var)->kind == TP_V_PARAM) rename_parameter(s);
  make_variables(s);
  for (uint32_t i = 1, n = (uint32_t)s->p->edges.n; i < n; i++)
    if (is_linked(&s->p->edges.at[i]) && s->p->edges.at[i].var.id == s->var.id) rewrite_write(s, i);
  rewrite_reads(s);
  tp_program_finish(s->p);
}

/* By variable: the number of edges that give it a value, ends of its lifetime apart. */
static uint32_t *count_assignments(const tp_program *p) {
  uint32_t *n = TP_NEW_ARRAY(uint32_t, p->vars.n);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (is_linked(e) && e->kind == TP_E_ASSIGN && !e->name) n[e->var.id]++;
  }
  return n;
}

/* One look at each variable; the number of those that were split. */
static uint32_t split_some(tp_program *p, uint32_t most) {
  const uint32_t n_vars = (uint32_t)p->vars.n;
  uint32_t *n_assignments = count_assignments(p), n_split = 0;
  for (uint32_t v = 1; v < n_vars && n_split < most; v++) {
    split s = {.p = p, .tt = p->terms, .var = {v}};
    const uint32_t n_values = n_assignments[v] + (p->vars.at[v].kind == TP_V_PARAM);
    if (n_values < 2 || !is_pointer_to_pointer(&s)) continue;
    s.liveness = tp_liveness_new(p);
    if (qualifies(&s)) {
      rewrite(&s);
      n_split++;
    }
    tp_liveness_free(s.liveness);
  }
  tp_free(n_assignments);
  return n_split;
}

bool tp_program_split_link_pointers(tp_program *p) {
  uint32_t n_split = 0;
  if (!tp_program_allocates(p)) return false;
  for (uint32_t more = 1; more && n_split < TP_PROGRAM_LINK_POINTERS; n_split += more)
    more = split_some(p, TP_PROGRAM_LINK_POINTERS - n_split);
  return n_split > 0;
}
