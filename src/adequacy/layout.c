/* Candidates speak of one pointer or two, so there are few of them; those that are not inductive
 * are dropped. What a pointer variable may lead to is the abstraction's business: only what kind of
 * cutpoint that is gets said here. Without that a model has its objects at cutpoints where no
 * machine has any (of no kind, larger than memory, entered in the middle), and no state can be made
 * of it. */
#include "adequacy/layout.h"

#include "adequacy/adequacy_limits.h"
#include "program/cells.h"
#include "program/liveness.h"
#include "expression/c_value.h"

/* A pointer that exists at a node: a variable, or one in a static object. */
typedef struct {
  tp_term term;
  tp_type target;   // NONE: not known
  bool is_address;  // of a local
} known_pointer;

typedef struct {
  const tp_blocks *b;
  const tp_program *p;
  tp_terms *tt;
  tp_node_formulas candidates;
  TP_VEC(known_pointer) pointers;  // of the node at hand
  tp_liveness *live;
} finder;

static tp_term object_of(const finder *f, tp_term at) { return tp_mk1(f->tt, TP_OP_PTR_OBJ, at); }
static tp_term offset_of(const finder *f, tp_term at) { return tp_mk1(f->tt, TP_OP_PTR_OFF, at); }
static tp_term ghost_of(const finder *f, tp_var ghost, tp_term at) {
  return tp_mk2(f->tt, TP_OP_SELECT, tp_var_of(f->p, ghost)->term, object_of(f, at));
}
static tp_term number(const finder *f, uint64_t n) { return tp_mk_bv(f->tt, f->p->ptr_bits, n); }
static void add(finder *f, uint32_t node, tp_term t) {
  tp_node_formulas_add(&f->candidates, f->b, node, t);
}

static tp_type element_of(const tp_program *p, tp_type t) {
  return t.id && tp_type_of(p, t)->kind == TP_T_POINTER ? tp_type_of(p, t)->element : TP_TYPE_NONE;
}
static bool is_struct(const finder *f, tp_type t) {
  return t.id && tp_type_of(f->p, t)->kind == TP_T_STRUCT && tp_type_of(f->p, t)->size_bytes;
}
static uint64_t size_of(const tp_program *p, tp_type t) {
  return t.id ? tp_type_of(p, t)->size_bytes : 0;
}

// ----------------------------------------------------------------------- pointers

static void find_variables(finder *f, uint32_t node) {
  f->pointers.n = 0;
  for (int addresses = 1; addresses >= 0; addresses--) {
    for (uint32_t v = 1; v < f->p->vars.n && f->pointers.n < TP_ADEQUACY_LAYOUT_POINTERS; v++) {
      const tp_var_info *info = &f->p->vars.at[v];
      bool is_pointer = tp_sort_kind_of(f->tt, tp_sort_of(f->tt, info->term)) == TP_SORT_PTR &&
                        info->kind != TP_V_GHOST;
      if (!is_pointer || info->is_address != (addresses == 1) ||
          (info->kind == TP_V_TEMP && !addresses))
        continue;
      if (!tp_block_node_may_use(f->b, node, info->term)) continue;
      tp_vec_push(
          &f->pointers,
          (known_pointer){info->term, info->is_address ? info->type : element_of(f->p, info->type),
                          info->is_address});
    }
  }
}

/* Pointers in objects that are there from the start. */
static void find_statics(finder *f) {
  for (uint32_t o = 1; o < f->p->statics.n && f->pointers.n < TP_ADEQUACY_LAYOUT_POINTERS; o++) {
    const tp_static *s = &f->p->statics.at[o];
    bool is_pointer = s->kind == TP_O_GLOBAL && !s->is_const && s->type.id &&
                      tp_type_of(f->p, s->type)->kind == TP_T_POINTER;
    if (is_pointer)
      tp_vec_push(&f->pointers,
                  (known_pointer){tp_cell(f->p, tp_sort_ptr(f->tt), tp_mk_ptr_const(f->tt, o, 0)),
                                  element_of(f->p, s->type), false});
  }
}

// ---------------------------------------------------------------------- candidates

/* The object of a local. */
static void add_local(finder *f, uint32_t node, const known_pointer *a) {
  add(f, node, tp_mk_eq(f->tt, offset_of(f, a->term), number(f, 0)));
  add(f, node, ghost_of(f, f->p->ghost_live, a->term));
  add(f, node,
      tp_mk2(f->tt, TP_OP_BV_ULE, tp_mk_bv(f->tt, TP_OBJ_BITS, f->p->statics.n),
             object_of(f, a->term)));
  add(f, node,
      tp_mk_eq(f->tt, ghost_of(f, f->p->ghost_kind, a->term), tp_mk_bv(f->tt, 8, TP_O_STACK)));
  if (size_of(f->p, a->target))
    add(f, node,
        tp_mk_eq(f->tt, ghost_of(f, f->p->ghost_size, a->term),
                 number(f, size_of(f->p, a->target))));
}

static void add_unless_null(finder *f, uint32_t node, tp_term pointer, tp_term t) {
  add(f, node, tp_mk_or(f->tt, tp_mk_eq(f->tt, pointer, tp_mk_null(f->tt)), t));
}

/* An object of the program's own, of this kind, that was not there from the start. */
static tp_term is_made(const finder *f, tp_term t, tp_object_kind kind) {
  tp_term is_new =
      tp_mk2(f->tt, TP_OP_BV_ULE, tp_mk_bv(f->tt, TP_OBJ_BITS, f->p->statics.n), object_of(f, t));
  return tp_mk_and(f->tt, is_new,
                   tp_mk_eq(f->tt, ghost_of(f, f->p->ghost_kind, t), tp_mk_bv(f->tt, 8, kind)));
}

/* Null, or inside of a live object that may be written. */
static void add_valid(finder *f, uint32_t node, tp_term t, tp_type target) {
  uint64_t n = size_of(f->p, target) ? size_of(f->p, target) : 1;
  add_unless_null(f, node, t, tp_access_is_valid(f->p, t, n));
  add_unless_null(f, node, t,
                  tp_mk_not(f->tt, tp_mk_eq(f->tt, ghost_of(f, f->p->ghost_kind, t),
                                            tp_mk_bv(f->tt, 8, TP_O_LITERAL))));
}

/* A pointer that structures are made of: never null, or to an object of one kind, no larger than
 * objects can be; a struct all of it. */
static void add_shape(finder *f, uint32_t node, tp_term t, tp_type target) {
  tp_term size = ghost_of(f, f->p->ghost_size, t);
  add(f, node, tp_mk_not(f->tt, tp_mk_eq(f->tt, t, tp_mk_null(f->tt))));
  add_unless_null(f, node, t, is_made(f, t, TP_O_HEAP));
  add_unless_null(f, node, t, is_made(f, t, TP_O_STACK));
  if (is_struct(f, target))
    add_unless_null(f, node, t,
                    tp_mk_and(f->tt, tp_mk_eq(f->tt, offset_of(f, t), number(f, 0)),
                              tp_mk_eq(f->tt, size, number(f, size_of(f->p, target)))));
  else
    add_unless_null(f, node, t, tp_mk2(f->tt, TP_OP_BV_SLE, number(f, 0), size));
}

/* A parameter that is still read is what was passed, as long as neither is changed: what is known
 * of the one is known of the other when the call returns. */
static void add_parameters(finder *f, uint32_t node) {
  const tp_contexts *all = f->b->contexts;
  tp_loc here = f->b->nodes.at[node].loc;
  for (tp_context at = f->b->nodes.at[node].context; at.id; at = tp_context_of(all, at)->parent) {
    const tp_context_info *info = tp_context_of(all, at);
    if (!info->call.id) return;
    const tp_edge_info *call = tp_edge_of(f->p, info->call);
    const tp_func_info *callee = tp_func_of(f->p, info->func);
    for (uint32_t i = 0; i < callee->n_params && i < call->n_args; i++) {
      tp_term own = tp_var_of(f->p, callee->params[i])->term;
      bool is_same_sort = tp_sort_eq(tp_sort_of(f->tt, own), tp_sort_of(f->tt, call->args[i]));
      if (is_same_sort && tp_is_live(f->live, here, callee->params[i]))
        add(f, node, tp_mk_eq(f->tt, own, call->args[i]));
    }
    here = call->to;
  }
}

/* Pointers among the members of a struct that `base` leads to: somewhere else than the struct
 * itself. */
static void add_members(finder *f, uint32_t node, tp_term base, tp_type type) {
  if (!is_struct(f, type)) return;
  const tp_type_info *info = tp_type_of(f->p, type);
  for (uint32_t i = 0; i < info->n_members && i < TP_ADEQUACY_LAYOUT_MEMBERS; i++) {
    if (tp_type_of(f->p, info->members[i].type)->kind != TP_T_POINTER) continue;
    tp_term cell = tp_cell(f->p, tp_sort_ptr(f->tt),
                           tp_mk_ptr_add(f->tt, base, number(f, info->members[i].offset_bits / 8)));
    add(f, node, tp_mk_not(f->tt, tp_mk_eq(f->tt, object_of(f, cell), object_of(f, base))));
    add(f, node, tp_mk_eq(f->tt, offset_of(f, cell), number(f, 0)));
    add_valid(f, node, cell, element_of(f->p, info->members[i].type));
    add_shape(f, node, cell, element_of(f->p, info->members[i].type));
  }
}

static void add_node(finder *f, uint32_t node) {
  find_variables(f, node);
  find_statics(f);
  add_parameters(f, node);
  for (size_t i = 0; i < f->pointers.n; i++) {
    const known_pointer *a = &f->pointers.at[i];
    if (a->is_address)
      add_local(f, node, a);
    else
      add_valid(f, node, a->term, a->target);
    if (is_struct(f, a->target) && !a->is_address) add_shape(f, node, a->term, a->target);
    for (size_t k = 0; k < i && a->is_address; k++)
      add(f, node,
          tp_mk_not(f->tt,
                    tp_mk_eq(f->tt, object_of(f, a->term), object_of(f, f->pointers.at[k].term))));
    add_members(f, node, a->term, a->target);
  }
  for (uint32_t o = 1; o < f->p->statics.n; o++)
    if (f->p->statics.at[o].kind == TP_O_GLOBAL && !f->p->statics.at[o].is_const)
      add_members(f, node, tp_mk_ptr_const(f->tt, o, 0), f->p->statics.at[o].type);
}

void tp_layout_find(const tp_blocks *b, tp_houdini_options o, tp_term *out) {
  finder f = {.b = b, .p = b->paths->p, .tt = b->paths->tt, .live = tp_liveness_new(b->paths->p)};
  tp_node_formulas found;
  bool any = false;
  tp_node_formulas_init(&f.candidates, b);
  tp_node_formulas_init(&found, b);
  for (uint32_t n = 1; n < b->nodes.n; n++)
    if (!tp_block_node_is_bad(b, n)) add_node(&f, n);
  for (uint32_t n = 0; n < b->nodes.n; n++) any |= f.candidates.at[n].n > 0;
  if (any) (void)tp_houdini(b, NULL, NULL, &f.candidates, o, &found);
  for (uint32_t n = 0; n < b->nodes.n; n++)
    out[n] = tp_mk_and_n(f.tt, found.at[n].at, found.at[n].n);
  tp_liveness_free(f.live);
  tp_vec_clear(&f.pointers);
  tp_node_formulas_clear(&f.candidates);
  tp_node_formulas_clear(&found);
}
