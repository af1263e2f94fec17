/* In front of each edge that accesses memory, or says that a call has no target, a branch leads to
 * an error. */
#include "app/structure_accesses.h"

#include "front/front.h"

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_property error;
  TP_VEC(tp_var) places;  // of structures with facts
} guard;

/* Below that no object begins: a pointer made of null and the offset of a member. */
enum { FIRST_PAGE_BYTES = 4096 };

static tp_term size_term(const guard *g, uint64_t n) { return tp_mk_bv(g->tt, g->p->ptr_bits, n); }

static tp_term object_of(const guard *g, tp_term pointer) {
  return tp_mk1(g->tt, TP_OP_PTR_OBJ, pointer);
}

// --------------------------------------------------------------------- conditions

static tp_term is_set(const guard *g, tp_term pointer) {
  return tp_mk_not(g->tt, tp_mk_eq(g->tt, pointer, tp_mk_null(g->tt)));
}

/* The pointer, or the one that an offset was added to, is a number that is not null. */
static tp_term is_number(const guard *g, tp_term pointer) {
  tp_terms *tt = g->tt;
  while (tp_kind(tt, pointer) == TP_OP_PTR_ADD) pointer = tp_arg(tt, pointer, 0);
  return tp_mk_and(
      tt, tp_mk_eq(tt, object_of(g, pointer), tp_mk_bv(tt, TP_OBJ_BITS, 0)),
      tp_mk2(tt, TP_OP_BV_ULE, size_term(g, FIRST_PAGE_BYTES), tp_mk1(tt, TP_OP_PTR_OFF, pointer)));
}

/* n bytes there are in the object of a structure, and not all of them in the structure. */
static tp_term is_beside(const guard *g, tp_var place, tp_term pointer, tp_term n) {
  tp_terms *tt = g->tt;
  const tp_type handle = tp_var_of(g->p, place)->type;
  const tp_type_info *structure =
      tp_type_of(g->p, handle.id ? tp_type_of(g->p, handle)->element : TP_TYPE_NONE);
  const tp_term at = tp_var_of(g->p, place)->term, size = size_term(g, structure->size_bytes),
                offset = tp_mk1(tt, TP_OP_PTR_OFF, pointer),
                fits = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, n, size),
                                 tp_mk2(tt, TP_OP_BV_ULE, offset, tp_mk_sub(tt, size, n)));
  return tp_mk_and(
      tt, is_set(g, at),
      tp_mk_and(tt, tp_mk_eq(tt, object_of(g, pointer), object_of(g, at)), tp_mk_not(tt, fits)));
}

static tp_term is_unknown(const guard *g, tp_term pointer, tp_term n) {
  tp_term unknown = is_number(g, pointer);
  for (size_t i = 0; i < g->places.n; i++)
    unknown = tp_mk_or(g->tt, unknown, is_beside(g, g->places.at[i], pointer, n));
  return tp_mk_and(g->tt, tp_mk_not(g->tt, tp_mk_eq(g->tt, n, size_term(g, 0))), unknown);
}

static tp_term bytes_of(const guard *g, tp_term value) {
  return size_term(g, tp_sort_bytes(g->tt, tp_sort_of(g->tt, value)));
}

/* A structure that ends is freed by its start. */
static tp_term is_free_unknown(const guard *g, tp_term pointer) {
  tp_terms *tt = g->tt;
  tp_term unknown = is_number(g, pointer);
  const tp_term is_inside =
      tp_mk_not(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, pointer), size_term(g, 0)));
  for (size_t i = 0; i < g->places.n; i++) {
    const tp_term at = tp_var_of(g->p, g->places.at[i])->term;
    const tp_term is_it =
        tp_mk_and(tt, is_set(g, at), tp_mk_eq(tt, object_of(g, pointer), object_of(g, at)));
    unknown = tp_mk_or(tt, unknown, tp_mk_and(tt, is_inside, is_it));
  }
  return unknown;
}

/* It is not null, and no function. */
static tp_term leads_to_no_function(const guard *g, tp_term pointer) {
  tp_terms *tt = g->tt;
  if (!g->p->ghost_kind.id) return tp_mk_true(tt);
  const tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(g->p, g->p->ghost_kind)->term,
                              object_of(g, pointer)),
                is_start = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, pointer), size_term(g, 0)),
                is_function =
                    tp_mk_and(tt, is_start, tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_FUNCTION)));
  return tp_mk_and(tt, is_set(g, pointer), tp_mk_not(tt, is_function));
}

/* The pointer of a call that is compared with a function; NONE: it is not seen. */
static tp_term called_pointer(const tp_terms *tt, tp_term none) {
  while (tp_kind(tt, none) == TP_OP_AND) none = tp_arg(tt, none, 0);
  if (tp_kind(tt, none) != TP_OP_NOT || tp_kind(tt, tp_arg(tt, none, 0)) != TP_OP_EQ)
    return TP_TERM_NONE;
  const tp_term a = tp_arg(tt, tp_arg(tt, none, 0), 0), b = tp_arg(tt, tp_arg(tt, none, 0), 1);
  if (tp_kind(tt, b) == TP_OP_PTR_CONST) return a;
  return tp_kind(tt, a) == TP_OP_PTR_CONST ? b : TP_TERM_NONE;
}

/* No function is where the call leads, and the pointer is not null. */
static tp_term is_call_unknown(const guard *g, const tp_edge_info *e) {
  const tp_edge_list in = tp_in_edges(g->p, e->from);
  const tp_edge_info *none = in.n == 1 ? tp_edge_of(g->p, (tp_edge){in.at[0]}) : NULL;
  const tp_term pointer =
      none && none->kind == TP_E_ASSUME ? called_pointer(g->tt, none->a) : TP_TERM_NONE;
  return tp_term_is(pointer) ? is_set(g, pointer) : tp_mk_true(g->tt);
}

/* When the edge is an error; NONE: never. */
static tp_term error_of(const guard *g, const tp_edge_info *e) {
  tp_terms *tt = g->tt;
  switch (e->kind) {
    case TP_E_LOAD: return is_unknown(g, e->a, bytes_of(g, tp_var_of(g->p, e->var)->term));
    case TP_E_STORE: return is_unknown(g, e->a, bytes_of(g, e->b));
    case TP_E_FREE: return is_free_unknown(g, e->a);
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: {
      if (!tp_term_is(e->c)) return TP_TERM_NONE;
      const tp_term n = tp_mk_resize(tt, g->p->ptr_bits, false, e->c), to = is_unknown(g, e->a, n);
      return e->kind == TP_E_COPY ? tp_mk_or(tt, to, is_unknown(g, e->b, n)) : to;
    }
    case TP_E_CALL: return e->callee.id ? TP_TERM_NONE : leads_to_no_function(g, e->a);
    case TP_E_ASSUME:
      return e->name && strcmp(e->name, TP_CALL_WITHOUT_TARGET) == 0 ? is_call_unknown(g, e)
                                                                     : TP_TERM_NONE;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
  return TP_TERM_NONE;
}

// ------------------------------------------------------------------------ program

static void add_branch(const guard *g, size_t edge, tp_term error) {
  tp_program *p = g->p;
  const tp_loc from = p->edges.at[edge].from;
  const tp_pos pos = p->edges.at[edge].pos;
  const tp_func f = tp_loc_of(p, from)->func;
  const tp_loc good = tp_program_add_loc(p, (tp_loc_info){.func = f, .pos = pos}),
               bad = tp_program_add_loc(
                   p, (tp_loc_info){.func = f,
                                    .pos = pos,
                                    .error = g->error,
                                    .message = "a pointer of which no fact of the structures says "
                                               "where it leads"});
  p->edges.at[edge].from = good;
  (void)tp_program_add_edge(
      p,
      (tp_edge_info){
          .kind = TP_E_ASSUME, .from = from, .to = good, .pos = pos, .a = tp_mk_not(g->tt, error)});
  (void)tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_ASSUME, .from = from, .to = bad, .pos = pos, .a = error});
}

static void list_places(guard *g) {
  for (uint32_t i = 1; i < g->p->vars.n; i++) {
    const tp_var_info *v = &g->p->vars.at[i];
    if (v->kind == TP_V_GLOBAL &&
        strncmp(v->name, TP_STRUCTURE_PLACE, strlen(TP_STRUCTURE_PLACE)) == 0)
      tp_vec_push(&g->places, (tp_var){i});
  }
}

void tp_structure_accesses_are_errors(tp_program *p, tp_property error) {
  TP_REQUIRE(p && error != TP_P_NONE);
  guard g = {.p = p, .tt = p->terms, .error = error};
  list_places(&g);
  const size_t n = p->edges.n;
  tp_term *errors = TP_NEW_ARRAY(tp_term, n);
  for (size_t e = 1; e < n; e++)
    if (p->edges.at[e].from.id) errors[e] = error_of(&g, &p->edges.at[e]);
  for (size_t e = 1; e < n; e++)
    if (tp_term_is(errors[e]) && !tp_is_false(p->terms, errors[e])) add_branch(&g, e, errors[e]);
  tp_free(errors);
  tp_vec_clear(&g.places);
  tp_program_finish(p);
  tp_program_require_checked(p);
}
