/* Building the program model: tables that only grow, indexed by handle.
 *
 * Each add function copies the names and arrays it is given into the program's
 * arena, so that a caller may build them in scratch memory. Entries can be
 * completed later through the tables (a recursive struct learns its members
 * after its pointer type exists); tp_program_finish and tp_program_check see
 * the result. */
#include "program/finish_priv.h"

static const char *const property_names[TP_N_PROPERTIES] = {
    [TP_P_NONE] = "none",
    [TP_P_UNREACH_CALL] = "unreach-call",
    [TP_P_VALID_DEREF] = "valid-deref",
    [TP_P_VALID_FREE] = "valid-free",
    [TP_P_VALID_MEMTRACK] = "valid-memtrack",
    [TP_P_VALID_MEMCLEANUP] = "valid-memcleanup",
    [TP_P_NO_OVERFLOW] = "no-overflow",
    [TP_P_UNDEFINED] = "undefined",
    [TP_P_VALID_MEMSAFETY] = "valid-memsafety",
    [TP_P_EQUAL] = "equal",
};

const char *tp_property_name(tp_property p) {
  TP_REQUIRE((unsigned)p < TP_N_PROPERTIES);
  return property_names[p];
}

bool tp_property_parse(const char *name, tp_property *out) {
  for (int p = TP_P_NONE + 1; p < TP_N_PROPERTIES; p++) {
    if (strcmp(property_names[p], name) != 0) continue;
    *out = (tp_property)p;
    return true;
  }
  return false;
}

bool tp_property_covers(tp_property asked, tp_property error) {
  if (error == TP_P_NONE) return false;
  if (asked == TP_P_VALID_MEMSAFETY)
    return error == TP_P_VALID_DEREF || error == TP_P_VALID_FREE || error == TP_P_VALID_MEMTRACK ||
           error == asked;
  if (asked == TP_P_EQUAL)
    return error == TP_P_UNREACH_CALL || error == TP_P_VALID_DEREF || error == TP_P_VALID_FREE ||
           error == TP_P_UNDEFINED || error == asked;
  return asked == error;
}

// -------------------------------------------------------------------- building

/* The ghost variables of the memory model (program.h). */
static void add_ghosts(tp_program *p) {
  tp_terms *tt = p->terms;
  tp_sort object = tp_sort_bv(tt, TP_OBJ_BITS), size = tp_sort_bv(tt, p->ptr_bits);
  tp_sort boolean = tp_sort_bool(tt), byte = tp_sort_bv(tt, 8);
  const struct {
    tp_var *var;
    const char *name;
    tp_sort sort;
  } ghosts[] = {
      {&p->ghost_size, "@size", tp_sort_array(tt, object, size)},
      {&p->ghost_live, "@live", tp_sort_array(tt, object, boolean)},
      {&p->ghost_kind, "@kind", tp_sort_array(tt, object, byte)},
      {&p->ghost_heap, "@heap", object},
      {&p->ghost_leaked, "@lost", boolean},
  };
  for (size_t i = 0; i < sizeof ghosts / sizeof ghosts[0]; i++)
    *ghosts[i].var = tp_program_add_var(
        p, (tp_var_info){.name = ghosts[i].name, .kind = TP_V_GHOST}, ghosts[i].sort);
}

tp_program *tp_program_new(tp_diag *diag, uint32_t ptr_bits) {
  TP_REQUIRE(ptr_bits == 32 || ptr_bits == 64);
  tp_program *p = TP_NEW(tp_program);
  tp_arena_init(&p->arena);
  p->terms = tp_terms_new(ptr_bits);
  p->diag = diag;
  p->ptr_bits = ptr_bits;
  tp_vec_resize(&p->types, 1);
  tp_vec_resize(&p->vars, 1);
  tp_vec_resize(&p->statics, 1);
  tp_vec_resize(&p->locs, 1);
  tp_vec_resize(&p->edges, 1);
  tp_vec_resize(&p->funcs, 1);
  tp_vec_resize(&p->loops, 1);
  tp_vec_resize(&p->unsupported, 1);
  tp_vec_resize(&p->assumptions, 1);
  add_ghosts(p);
  tp_program_add_memories(p);
  return p;
}

void tp_program_free(tp_program *p) {
  if (!p) return;
  tp_vec_clear(&p->types);
  tp_vec_clear(&p->vars);
  tp_vec_clear(&p->statics);
  tp_vec_clear(&p->locs);
  tp_vec_clear(&p->edges);
  tp_vec_clear(&p->funcs);
  tp_vec_clear(&p->loops);
  tp_vec_clear(&p->unsupported);
  tp_vec_clear(&p->input_restrictions);
  tp_vec_clear(&p->remarks);
  tp_vec_clear(&p->assumptions);
  tp_map_clear(&p->var_of_term);
  tp_terms_free(p->terms);
  tp_arena_clear(&p->arena);
  tp_free(p);
}

bool tp_program_allocates(const tp_program *p) {
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id && p->edges.at[i].kind == TP_E_ALLOC &&
        p->edges.at[i].object_kind == TP_O_HEAP)
      return true;
  return false;
}

tp_term tp_program_static_ghost(const tp_program *p, tp_term array, uint64_t object) {
  if (object == 0 || object >= p->statics.n) return TP_TERM_NONE;
  const tp_static *s = &p->statics.at[object];
  if (tp_term_eq(array, tp_var_of(p, p->ghost_size)->term))
    return s->is_extern ? TP_TERM_NONE : tp_mk_bv(p->terms, p->ptr_bits, s->size_bytes);
  if (tp_term_eq(array, tp_var_of(p, p->ghost_live)->term)) return tp_mk_true(p->terms);
  if (tp_term_eq(array, tp_var_of(p, p->ghost_kind)->term)) return tp_mk_bv(p->terms, 8, s->kind);
  return TP_TERM_NONE;
}

static const char *keep_text(tp_program *p, const char *text) {
  return text ? tp_arena_strdup(&p->arena, text) : NULL;
}

/* A copy of n elements in the arena; NULL for none. */
static const void *keep(tp_program *p, const void *from, size_t n, size_t elem_bytes) {
  if (!from || n == 0) return NULL;
  void *to = tp_arena_alloc(&p->arena, n * elem_bytes);
  memcpy(to, from, n * elem_bytes);
  return to;
}

tp_type tp_program_add_type(tp_program *p, tp_type_info info) {
  info.name = keep_text(p, info.name ? info.name : "");
  tp_member *members = (tp_member *)keep(p, info.members, info.n_members, sizeof *info.members);
  for (uint32_t i = 0; members && i < info.n_members; i++)
    members[i].name = keep_text(p, members[i].name ? members[i].name : "");
  info.members = members;
  info.params = keep(p, info.params, info.n_params, sizeof *info.params);
  tp_vec_push(&p->types, info);
  return (tp_type){(uint32_t)(p->types.n - 1)};
}

tp_var tp_program_add_var(tp_program *p, tp_var_info info, tp_sort sort) {
  tp_var v = {(uint32_t)p->vars.n};
  info.name = keep_text(p, info.name ? info.name : "");
  TP_REQUIRE(info.func.id < p->funcs.n && info.type.id < p->types.n);
  info.term = tp_mk_var(p->terms, info.name, sort);
  TP_INVARIANT(!tp_map_has(&p->var_of_term, info.term.id));  // each variable has a new symbol
  const tp_type_info *type = tp_type_of(p, info.type);
  if (info.type.id && (type->kind == TP_T_INT || type->kind == TP_T_ENUM) && !type->is_signed)
    tp_var_set_unsigned(p->terms,
                        info.term);  // so that conditions are shown as the user wrote them
  tp_vec_push(&p->vars, info);
  tp_map_set(&p->var_of_term, info.term.id, v.id);
  return v;
}

tp_func tp_program_add_func(tp_program *p, tp_func_info info) {
  info.name = keep_text(p, info.name ? info.name : "");
  info.params = keep(p, info.params, info.n_params, sizeof *info.params);
  tp_vec_push(&p->funcs, info);
  return (tp_func){(uint32_t)(p->funcs.n - 1)};
}

tp_loc tp_program_add_loc(tp_program *p, tp_loc_info info) {
  TP_REQUIRE(info.func.id && info.func.id < p->funcs.n);
  info.label = keep_text(p, info.label);
  info.message = keep_text(p, info.message);
  tp_vec_push(&p->locs, info);
  return (tp_loc){(uint32_t)(p->locs.n - 1)};
}

tp_edge tp_program_add_edge(tp_program *p, tp_edge_info info) {
  info.name = keep_text(p, info.name);
  TP_REQUIRE(info.from.id < p->locs.n && info.to.id < p->locs.n && info.var.id < p->vars.n);
  TP_REQUIRE(info.callee.id < p->funcs.n && info.type.id < p->types.n);
  TP_REQUIRE(info.n_args == 0 || info.args);
  info.args = keep(p, info.args, info.n_args, sizeof *info.args);
  tp_vec_push(&p->edges, info);
  return (tp_edge){(uint32_t)(p->edges.n - 1)};
}

uint32_t tp_program_add_static(tp_program *p, tp_static info) {
  info.name = keep_text(p, info.name ? info.name : "");
  TP_REQUIRE(info.type.id < p->types.n && info.func.id < p->funcs.n);
  info.image = keep(p, info.image, (size_t)info.size_bytes, 1);
  info.relocs = keep(p, info.relocs, info.n_relocs, sizeof *info.relocs);
  tp_vec_push(&p->statics, info);
  return (uint32_t)(p->statics.n - 1);
}

// --------------------------------------------------------------------- reading

tp_var tp_program_var_of(const tp_program *p, tp_term symbol) {
  uint64_t v;
  TP_REQUIRE(tp_term_is(symbol));
  return tp_map_get(&p->var_of_term, symbol.id, &v) ? (tp_var){(uint32_t)v} : TP_VAR_NONE;
}

static tp_edge_list list_of(const uint32_t *start, const uint32_t *edges, tp_loc l) {
  if (!start) return (tp_edge_list){NULL, 0};  // before tp_program_finish
  TP_INVARIANT(start[l.id] <= start[l.id + 1]);
  return (tp_edge_list){edges + start[l.id], start[l.id + 1] - start[l.id]};
}

tp_edge_list tp_out_edges(const tp_program *p, tp_loc l) {
  TP_REQUIRE(l.id && (!p->out_start || l.id < p->n_finished_locs));
  return list_of(p->out_start, p->out_edges, l);
}
tp_edge_list tp_in_edges(const tp_program *p, tp_loc l) {
  TP_REQUIRE(l.id && (!p->in_start || l.id < p->n_finished_locs));
  return list_of(p->in_start, p->in_edges, l);
}

uint32_t tp_sort_bytes(const tp_terms *tt, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: return 1;
    case TP_SORT_BV:
    case TP_SORT_FP: return (tp_sort_width(tt, s) + 7) / 8;
    case TP_SORT_PTR: return tp_terms_ptr_bits(tt) / 8;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return 0;
}
