/* A forward analysis of must-written bytes: at each location of a function the bytes of the object
 * that every path to it has written; where paths meet, those of both. A call is analysed with the
 * bytes that are written in front of it. Symbols that hold the object's address are found first,
 * without regard to order, each with its offset; a symbol with two offsets has an unknown one.
 *
 * Ends since sets of bytes only shrink, and since calls count against a limit. */
#include "app/initialisers.h"

#include "app/app_limits.h"

enum { WORDS = (TP_APP_INITIALISER_BYTES + 63) / 64 };
#define UNKNOWN_OFFSET UINT64_MAX

typedef struct {
  uint64_t at[WORDS];
} byte_set;

typedef struct {
  const tp_program *p;
  uint64_t size;      // of the object
  byte_set may;       // written on some path
  uint64_t n_edges;   // looked at
  uint32_t depth;     // calls around what is looked at
  bool reads_before;  // something is read that is not written, or what a call does is not known
} initialiser_search;

/* One function, with the offset that its parameter has in the object. */
typedef struct {
  initialiser_search *x;
  tp_map offsets;    // symbol: offset plus 1, or UNKNOWN_OFFSET
  tp_map locations;  // location: index plus 1 in `written`
  TP_VEC(byte_set) written;
  TP_VEC(uint32_t) edges;
  bool is_final;  // sets are those of all paths: reads count
} function_pass;

// ------------------------------------------------------------------------- bytes

static bool has_all(const byte_set *s, uint64_t from, uint64_t n) {
  for (uint64_t i = from; i < from + n; i++)
    if (i / 64 >= WORDS || !(s->at[i / 64] >> i % 64 & 1)) return false;
  return true;
}

static void add_bytes(byte_set *s, uint64_t from, uint64_t n) {
  for (uint64_t i = from; i < from + n && i / 64 < WORDS; i++)
    s->at[i / 64] |= UINT64_C(1) << i % 64;
}

/* Returns whether anything has left the set. */
static bool intersect(byte_set *s, const byte_set *other) {
  bool is_smaller = false;
  for (size_t i = 0; i < WORDS; i++) {
    is_smaller |= (s->at[i] & ~other->at[i]) != 0;
    s->at[i] &= other->at[i];
  }
  return is_smaller;
}

// ---------------------------------------------------------------------- pointers

/* The offset in the object of a pointer's value, plus 1; 0: it leads elsewhere. */
static uint64_t place_of(const function_pass *f, tp_term t) {
  const tp_terms *tt = f->x->p->terms;
  uint64_t sum = 0, by = 0, base = 0;
  bool is_known = true;
  if (!tp_term_is(t)) return 0;
  for (; tp_kind(tt, t) == TP_OP_PTR_ADD; t = tp_arg(tt, t, 0)) {
    is_known &= tp_bv_value_u64(tt, tp_arg(tt, t, 1), &by) && by <= f->x->size;
    sum += by;
  }
  if (!tp_map_get(&f->offsets, t.id, &base)) return 0;
  if (base == UNKNOWN_OFFSET || !is_known || base + sum > f->x->size) return UNKNOWN_OFFSET;
  return base + sum;
}

static void find_pointers(function_pass *f) {
  const tp_program *p = f->x->p;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (size_t i = 0; i < f->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[f->edges.at[i]];
      const uint64_t place = e->kind == TP_E_ASSIGN && e->var.id ? place_of(f, e->a) : 0;
      uint64_t before = 0;
      if (!place) continue;
      const uint32_t symbol = tp_var_of(p, e->var)->term.id;
      const bool is_known = tp_map_get(&f->offsets, symbol, &before);
      if (is_known && (before == place || before == UNKNOWN_OFFSET)) continue;
      tp_map_set(&f->offsets, symbol, is_known ? UNKNOWN_OFFSET : place);
      has_more = true;
    }
  }
}

// ------------------------------------------------------------------------- edges

static void note_read(function_pass *f, const byte_set *written, tp_term pointer, uint64_t n) {
  const uint64_t place = place_of(f, pointer);
  if (place && f->is_final && (place == UNKNOWN_OFFSET || !has_all(written, place - 1, n)))
    f->x->reads_before = true;
}

static void note_write(function_pass *f, byte_set *written, tp_term pointer, uint64_t n) {
  const uint64_t place = place_of(f, pointer);
  if (!place || place == UNKNOWN_OFFSET) return;
  add_bytes(written, place - 1, n);
  if (f->is_final) add_bytes(&f->x->may, place - 1, n);
}

static bool pass_function(initialiser_search *x, tp_func func, uint32_t parameter, uint64_t place,
                          bool is_final, byte_set *written);

/* Two arguments that lead to the object are analysed one after the other. */
static void pass_call(function_pass *f, const tp_edge_info *e, byte_set *written) {
  for (uint32_t i = 0; i < e->n_args; i++) {
    const uint64_t place = place_of(f, e->args[i]);
    if (!place) continue;
    const bool is_known = e->callee.id && place != UNKNOWN_OFFSET &&
                          pass_function(f->x, e->callee, i, place, f->is_final, written);
    if (!is_known) f->x->reads_before = true;
  }
}

static uint32_t width_bytes(const tp_program *p, tp_term t) {
  return tp_sort_bytes(p->terms, tp_sort_of(p->terms, t));
}

static void pass_edge(function_pass *f, const tp_edge_info *e, byte_set *written) {
  const tp_program *p = f->x->p;
  uint64_t n = 0;
  switch (e->kind) {
    case TP_E_LOAD: note_read(f, written, e->a, width_bytes(p, tp_var_of(p, e->var)->term)); break;
    case TP_E_STORE: note_write(f, written, e->a, width_bytes(p, e->b)); break;
    case TP_E_COPY:
      if (!tp_bv_value_u64(p->terms, e->c, &n)) n = f->x->size + 1;
      note_read(f, written, e->b, n);
      if (n <= f->x->size) note_write(f, written, e->a, n);
      break;
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
      if (tp_term_is(e->c) && tp_bv_value_u64(p->terms, e->c, &n) && n <= f->x->size)
        note_write(f, written, e->a, n);
      break;
    case TP_E_FREE:
      if (place_of(f, e->a)) f->x->reads_before = true;
      break;
    case TP_E_CALL: pass_call(f, e, written); break;
    case TP_E_HAVOC:  // a function without body
      for (uint32_t i = 0; i < e->n_args; i++)
        if (place_of(f, e->args[i])) f->x->reads_before = true;
      break;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
}

// --------------------------------------------------------------------- functions

static byte_set *set_at(function_pass *f, tp_loc l) {
  uint64_t index = 0;
  return tp_map_get(&f->locations, l.id, &index) ? &f->written.at[index - 1] : NULL;
}

/* Every edge once, from the sets of its start. Returns whether a set has changed. */
static bool pass_edges(function_pass *f) {
  bool has_changed = false;
  for (size_t i = 0; i < f->edges.n; i++) {
    const tp_edge_info *e = &f->x->p->edges.at[f->edges.at[i]];
    const byte_set *before = set_at(f, e->from);
    if (!before) continue;
    if (++f->x->n_edges > TP_APP_INITIALISER_EDGES) {
      f->x->reads_before = true;
      return false;
    }
    byte_set now = *before;
    pass_edge(f, e, &now);
    byte_set *after = set_at(f, e->to);
    if (after) {
      has_changed |= intersect(after, &now);
      continue;
    }
    tp_vec_push(&f->written, now);
    tp_map_set(&f->locations, e->to.id, f->written.n);
    has_changed = true;
  }
  return has_changed;
}

/* written: what is written at the entry, then what is at the exit. place: of the parameter, plus 1.
 * False: the function has no code, or the parameter is not found. */
static bool pass_function(initialiser_search *x, tp_func func, uint32_t parameter, uint64_t place,
                          bool is_final, byte_set *written) {
  const tp_func_info *info = tp_func_of(x->p, func);
  if (!info->has_body || parameter >= info->n_params || x->depth > TP_APP_ENTRY_CALLS) return false;
  x->depth++;
  function_pass f = {.x = x};
  tp_map_set(&f.offsets, tp_var_of(x->p, info->params[parameter])->term.id, place);
  for (uint32_t e = 1; e < x->p->edges.n; e++)
    if (tp_loc_of(x->p, x->p->edges.at[e].from)->func.id == func.id) tp_vec_push(&f.edges, e);
  find_pointers(&f);
  tp_vec_push(&f.written, *written);
  tp_map_set(&f.locations, info->entry.id, 1);
  while (!x->reads_before && pass_edges(&f)) {
  }
  f.is_final = is_final;
  if (is_final && !x->reads_before) (void)pass_edges(&f);
  const byte_set *at_exit = set_at(&f, info->exit);
  if (at_exit) *written = *at_exit;
  tp_map_clear(&f.offsets);
  tp_map_clear(&f.locations);
  tp_vec_clear(&f.written);
  tp_vec_clear(&f.edges);
  x->depth--;
  return true;
}

// ----------------------------------------------------------------------- members

/* Members that hold one value: how many there are, and how many of them are written. */
static void count_members(const initialiser_search *x, tp_type type, uint64_t offset_bits,
                          uint32_t *n, uint32_t *n_written) {
  const tp_type_info *t = tp_type_of(x->p, type);
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *of = tp_type_of(x->p, m->type);
    const uint64_t at = offset_bits + m->offset_bits;
    if (of->kind == TP_T_STRUCT) {
      count_members(x, m->type, at, n, n_written);
    } else if (of->kind != TP_T_ARRAY && of->kind != TP_T_UNION) {
      ++*n;
      *n_written += has_all(&x->may, at / 8, m->width_bits ? 1 : of->size_bytes);
    }
  }
}

bool tp_initialises(const tp_program *p, tp_func f, uint32_t parameter) {
  TP_REQUIRE(p && f.id && f.id < p->funcs.n);
  const tp_func_info *info = tp_func_of(p, f);
  if (!info->has_body || !info->type.id || parameter >= tp_type_of(p, info->type)->n_params)
    return false;
  const tp_type_info *pointer = tp_type_of(p, tp_type_of(p, info->type)->params[parameter]);
  const tp_type object = pointer->kind == TP_T_POINTER ? pointer->element : TP_TYPE_NONE;
  if (!object.id || tp_type_of(p, object)->kind != TP_T_STRUCT) return false;
  initialiser_search x = {.p = p, .size = tp_type_of(p, object)->size_bytes};
  byte_set written = {0};
  if (x.size == 0 || x.size > TP_APP_INITIALISER_BYTES ||
      !pass_function(&x, f, parameter, 1, true, &written) || x.reads_before)
    return false;
  uint32_t n = 0, n_written = 0;
  count_members(&x, object, 0, &n, &n_written);
  return n_written > 0 && n_written * 2 >= n;
}
