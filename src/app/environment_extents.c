/* How many elements of an argument's object the function's code names.
 *
 * Where neither a type nor a number beside a pointer says how large its object is, the code may:
 * key[15], out[i] with i < 20, a block of 16 bytes that is copied, in the function or in one that
 * it calls.
 * Pointers of the parameter's value are followed through assignments and calls, with their offset.
 * An access counts if its offset is bounded: by constants, and by indices that the function
 * compares with constants. Others say nothing: the result is a size for an environment, which is
 * one of its assumptions, and never a fact about the function.
 *
 * An object that is written at other places, too, is an output: only its user knows how much room
 * the function needs, so it has as much as no function needs for such small inputs. */
#include "app/app_limits.h"
#include "app/environment_priv.h"

typedef struct {
  const tp_program *p;
  bool counts_reads;
  tp_map seen;  // function << 32 | parameter
  uint32_t depth;
  uint64_t end;  // bytes from the pointer on
  bool is_read;
  bool is_string;            // a function for strings reads it
  bool is_scanned;           // read through a pointer that is moved on
  bool is_written_anywhere;  // at a place that nothing bounds
} extent_search;

/* One function: which symbols are pointers from the parameter on, with their offset plus 1; which
 * of them have several, or one that nothing bounds; which are indices, with the largest value that
 * a comparison with a constant leaves them, plus 1. */
typedef struct {
  const tp_program *p;
  tp_map offsets, moving, bounds;
} function_search;

static uint64_t entry_of(const tp_map *m, tp_term symbol) {
  uint64_t value = 0;
  return tp_map_get(m, symbol.id, &value) ? value : 0;
}

static tp_term without_extensions(const tp_terms *tt, tp_term t) {
  while (tp_kind(tt, t) == TP_OP_BV_ZEXT || tp_kind(tt, t) == TP_OP_BV_SEXT) t = tp_arg(tt, t, 0);
  return t;
}

/* symbol < constant, or <=; an extended symbol counts as itself. */
static void note_bound(function_search *s, tp_term t) {
  const tp_terms *tt = s->p->terms;
  const tp_order order = tp_kind_order(tp_kind(tt, t));
  uint64_t limit = 0;
  if (!order.is_order || !tp_bv_value_u64(tt, tp_arg(tt, t, 1), &limit)) return;
  const tp_term symbol = without_extensions(tt, tp_arg(tt, t, 0));
  if (tp_kind(tt, symbol) != TP_OP_VAR || limit == 0 || limit > TP_APP_ENTRY_EXTENT) return;
  const uint64_t largest = order.is_strict ? limit - 1 : limit;
  if (entry_of(&s->bounds, symbol) < largest + 1) tp_map_set(&s->bounds, symbol.id, largest + 1);
}

/* The largest value of an offset; false: it is not bounded so. */
static bool bound_of(const function_search *s, tp_term t, uint64_t *out) {
  const tp_terms *tt = s->p->terms;
  uint64_t a = 0, b = 0;
  if (tp_bv_value_u64(tt, t, out)) return *out <= TP_APP_ENTRY_EXTENT;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_VAR:
      a = entry_of(&s->bounds, t);
      *out = a - 1;
      return a > 0;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return bound_of(s, tp_arg(tt, t, 0), out);
    case TP_OP_BV_ADD:
    case TP_OP_BV_MUL:
      if (!bound_of(s, tp_arg(tt, t, 0), &a) || !bound_of(s, tp_arg(tt, t, 1), &b)) return false;
      *out = tp_kind(tt, t) == TP_OP_BV_ADD ? a + b : a * b;
      return *out <= TP_APP_ENTRY_EXTENT;
    default: return false;
  }
}

/* The largest offset of a pointer that is made of the parameter's value; false: it is another one,
 * or not bounded. */
static bool place_of(const function_search *s, tp_term t, uint64_t *out) {
  const tp_terms *tt = s->p->terms;
  uint64_t sum = 0, by = 0;
  for (; tp_kind(tt, t) == TP_OP_PTR_ADD; t = tp_arg(tt, t, 0)) {
    if (!bound_of(s, tp_arg(tt, t, 1), &by)) return false;
    sum += by;
  }
  const uint64_t base = entry_of(&s->offsets, t);
  *out = base - 1 + sum;
  return base > 0 && *out <= TP_APP_ENTRY_EXTENT;
}

static tp_term base_of(const tp_terms *tt, tp_term t) {
  while (tp_kind(tt, t) == TP_OP_PTR_ADD) t = tp_arg(tt, t, 0);
  return t;
}

/* Does the pointer lead to the parameter's object, and to a place that nothing bounds? */
static bool leads_anywhere(const function_search *s, tp_term pointer) {
  uint64_t place = 0;
  if (!tp_term_is(pointer)) return false;
  const tp_term base = base_of(s->p->terms, pointer);
  return tp_map_has(&s->moving, base.id) ||
         (tp_map_has(&s->offsets, base.id) && !place_of(s, pointer, &place));
}

static bool leads_there(const function_search *s, tp_term pointer) {
  return tp_term_is(pointer) &&
         (tp_map_has(&s->offsets, base_of(s->p->terms, pointer).id) || leads_anywhere(s, pointer));
}

static void note_access(extent_search *x, const function_search *s, tp_term pointer,
                        uint64_t size_bytes) {
  uint64_t place = 0;
  if (tp_term_is(pointer) && place_of(s, pointer, &place) && place + size_bytes > x->end)
    x->end = place + size_bytes;
}

static uint64_t width_bytes(const tp_program *p, tp_term t) {
  const tp_sort sort = tp_sort_of(p->terms, t);
  return ((uint64_t)tp_sort_width(p->terms, sort) + 7) / 8;
}

static void search_function(extent_search *x, tp_func f, uint32_t parameter, uint64_t offset,
                            bool is_moving);

/* strlen, strchr, ...: not those of at most n characters. */
static bool is_for_strings(const tp_func_info *f) {
  return f->is_model && strncmp(f->name, "str", 3) == 0 && f->name[3] != 'n';
}

static void search_call(extent_search *x, const function_search *s, const tp_edge_info *e) {
  for (uint32_t i = 0; e->callee.id && i < e->n_args; i++) {
    uint64_t offset = 0;
    const bool is_bounded = place_of(s, e->args[i], &offset);
    x->is_string |= leads_there(s, e->args[i]) && is_for_strings(tp_func_of(x->p, e->callee));
    if (is_bounded || leads_anywhere(s, e->args[i]))
      search_function(x, e->callee, i, is_bounded ? offset : 0, leads_anywhere(s, e->args[i]));
  }
}

static void search_access(extent_search *x, const function_search *s, const tp_edge_info *e) {
  uint64_t size = 0;
  switch ((int)e->kind) {
    case TP_E_LOAD:
      x->is_read |= leads_there(s, e->a);
      x->is_scanned |= tp_map_has(&s->moving, base_of(x->p->terms, e->a).id);
      if (x->counts_reads)
        note_access(x, s, e->a, width_bytes(x->p, tp_var_of(x->p, e->var)->term));
      return;
    case TP_E_STORE:
      x->is_written_anywhere |= leads_anywhere(s, e->a);
      note_access(x, s, e->a, width_bytes(x->p, e->b));
      return;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: {
      const bool is_bounded = tp_term_is(e->c) && bound_of(s, e->c, &size);
      x->is_read |= e->kind == TP_E_COPY && leads_there(s, e->b);
      x->is_written_anywhere |= is_bounded ? leads_anywhere(s, e->a) : leads_there(s, e->a);
      if (!is_bounded || size == 0) return;
      note_access(x, s, e->a, size);
      if (e->kind == TP_E_COPY && x->counts_reads) note_access(x, s, e->b, size);
      return;
    }
    case TP_E_CALL: search_call(x, s, e); return;
    default: return;
  }
}

/* Of two offsets of one variable the smaller one counts: a pointer that a loop moves on has no
 * bound, and starts there. Returns whether there is something new. */
static bool note_pointer(function_search *s, const tp_edge_info *e) {
  uint64_t place = 0;
  if (!e->var.id || (e->kind != TP_E_ASSIGN && e->kind != TP_E_CALL)) return false;
  const tp_term symbol = tp_var_of(s->p, e->var)->term;
  bool is_moving = false;
  if (e->kind == TP_E_CALL) {  // of an argument's object, as far as is known
    const tp_sort sort = tp_sort_of(s->p->terms, symbol);
    if (tp_sort_kind_of(s->p->terms, sort) != TP_SORT_PTR) return false;
    for (uint32_t i = 0; i < e->n_args; i++) is_moving |= leads_there(s, e->args[i]);
  } else if (place_of(s, e->a, &place) && !tp_map_has(&s->offsets, symbol.id)) {
    tp_map_set(&s->offsets, symbol.id, place + 1);
    return true;
  } else {
    is_moving = leads_anywhere(s, e->a) ||
                (place_of(s, e->a, &place) && entry_of(&s->offsets, symbol) != place + 1);
  }
  if (!is_moving || tp_map_has(&s->moving, symbol.id)) return false;
  tp_map_set(&s->moving, symbol.id, 1);
  return true;
}

static bool is_edge_of(const tp_program *p, size_t e, tp_func f) {
  return tp_loc_of(p, p->edges.at[e].from)->func.id == f.id;
}

static void search_function(extent_search *x, tp_func f, uint32_t parameter, uint64_t offset,
                            bool is_moving) {
  const tp_func_info *info = tp_func_of(x->p, f);
  const uint64_t key = (uint64_t)f.id << 32 | (uint64_t)is_moving << 31 | parameter;
  uint64_t searched = 0;  // offset plus 1
  if (tp_map_get(&x->seen, key, &searched) && searched > offset) return;
  if (!info->has_body || parameter >= info->n_params || x->depth > TP_APP_ENTRY_CALLS) return;
  tp_map_set(&x->seen, key, offset + 1);
  x->depth++;
  function_search s = {.p = x->p};
  const uint32_t symbol = tp_var_of(x->p, info->params[parameter])->term.id;
  tp_map_set(&s.offsets, symbol, offset + 1);
  if (is_moving) tp_map_set(&s.moving, symbol, 1);
  for (size_t i = 1; i < x->p->edges.n; i++)
    if (is_edge_of(x->p, i, f) && x->p->edges.at[i].kind == TP_E_ASSUME)
      note_bound(&s, x->p->edges.at[i].a);
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (size_t i = 1; i < x->p->edges.n; i++)
      if (is_edge_of(x->p, i, f)) has_more |= note_pointer(&s, &x->p->edges.at[i]);
  }
  for (size_t i = 1; i < x->p->edges.n; i++)
    if (is_edge_of(x->p, i, f)) search_access(x, &s, &x->p->edges.at[i]);
  tp_map_clear(&s.offsets);
  tp_map_clear(&s.moving);
  tp_map_clear(&s.bounds);
  x->depth--;
}

typedef struct {
  uint32_t symbol;
  uint64_t largest;
} equality_search;

/* Symbol = constant; not a predicate to stop at: the largest constant is wanted. */
static bool note_equality(void *ctx, const tp_terms *tt, tp_term t) {
  equality_search *s = ctx;
  if (tp_kind(tt, t) != TP_OP_EQ) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term symbol = without_extensions(tt, tp_arg(tt, t, i));
    uint64_t constant = 0;
    if (symbol.id == s->symbol && tp_bv_value_u64(tt, tp_arg(tt, t, 1 - i), &constant) &&
        constant <= TP_APP_ENTRY_COUNT && constant > s->largest)
      s->largest = constant;
  }
  return false;
}

uint32_t tp_env_largest_count(const tp_environment *w, uint32_t parameter) {
  TP_REQUIRE(w && w->number.id);
  if (parameter >= w->f->n_params) return w->o->elements;  // a structure before it came in parts
  equality_search s = {.symbol = tp_var_of(w->p, w->f->params[parameter])->term.id};
  for (size_t i = 1; i < w->p->edges.n; i++) {
    const tp_edge_info *e = &w->p->edges.at[i];
    if (e->kind == TP_E_ASSUME && tp_loc_of(w->p, e->from)->func.id == w->number.id)
      (void)tp_any_subterm(w->p->terms, e->a, note_equality, &s);
  }
  return s.largest > w->o->elements ? (uint32_t)s.largest : w->o->elements;
}

static extent_search search_parameter(const tp_environment *w, uint32_t parameter,
                                      bool counts_reads) {
  extent_search x = {.p = w->p, .counts_reads = counts_reads};
  search_function(&x, w->number, parameter, 0, false);
  tp_map_clear(&x.seen);
  return x;
}

/* A string is as long as it is, and code that looks at its first characters stops at its end: only
 * what is stored behind the longest string says that there is more room. */
uint64_t tp_env_elements_named(const tp_environment *w, uint32_t parameter) {
  const tp_type element = tp_env_type(w, tp_env_param(w, parameter))->element;
  if (tp_env_is_void(w, element)) {
    const uint64_t bytes = search_parameter(w, parameter, true).end;
    return bytes > w->o->elements ? bytes : 0;
  }
  if (!tp_env_is_plain_number(w, element)) return 0;
  const uint64_t size = tp_env_type(w, element)->size_bytes;
  const bool is_string = tp_env_is_character(w, element);
  const uint64_t n = (search_parameter(w, parameter, !is_string).end + size - 1) / size;
  return n > (is_string ? w->o->elements + 1 : 1) ? n : 0;
}

bool tp_env_is_read_to_end(const tp_environment *w, uint32_t parameter) {
  const tp_type element = tp_env_type(w, tp_env_param(w, parameter))->element;
  return tp_env_is_character(w, element) && search_parameter(w, parameter, false).is_string;
}

bool tp_env_is_output(const tp_environment *w, uint32_t parameter) {
  const tp_type element = tp_env_type(w, tp_env_param(w, parameter))->element;
  if (!tp_env_is_void(w, element) && !tp_env_is_plain_number(w, element)) return false;
  const extent_search x = search_parameter(w, parameter, false);
  return x.is_written_anywhere && !(x.is_read && tp_env_is_character(w, element));
}

bool tp_env_is_text(const tp_environment *w, uint32_t parameter) {
  const tp_type element = tp_env_type(w, tp_env_param(w, parameter))->element;
  const bool is_byte = tp_env_is_integer(w, element) && tp_env_type(w, element)->size_bytes == 1;
  if (!is_byte && (!element.id || tp_env_type(w, element)->kind != TP_T_POINTER)) return false;
  const extent_search x = search_parameter(w, parameter, false);
  return x.is_scanned && !x.is_written_anywhere;
}
