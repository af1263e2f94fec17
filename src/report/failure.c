/* The failed check is an ASSUME edge into the error location; the operation that it guards stands
 * behind the edge beside it. Its operands are evaluated in the state before the check: nothing but
 * checks lies between. What they say is only told if it is a reason to fail. For arithmetic the
 * operation may have been folded into other terms: a sum or product that does not fit is looked for
 * among the terms of the check and of the next edge. */
#include "report/failure.h"

#include "program/access.h"
#include "report/value_text.h"
#include "report/report_limits.h"

// -------------------------------------------------------------------- lifetimes

static tp_lifetime *lifetime_of(tp_lifetimes *l, uint64_t object) {
  if (object == 0 || object >= TP_REPORT_LIFETIMES) return NULL;
  if (l->of.n <= object) tp_vec_resize(&l->of, object + 1);
  return &l->of.at[object];
}

void tp_lifetimes_record(tp_lifetimes *l, const tp_program *p, const tp_state *s, tp_edge edge,
                         tp_pos pos) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  tp_value v;
  tp_lifetime *life;
  if (e->kind == TP_E_ALLOC) {
    life = lifetime_of(l, tp_state_n_objects(s) + 1);  // ids are handed out in order
    if (life) *life = (tp_lifetime){.made = pos, .maker = e->name, .type = e->type};
  } else if ((e->kind == TP_E_FREE || e->kind == TP_E_END_SCOPE) &&
             tp_state_eval(s, e->a, &v) == TP_OK) {
    life = lifetime_of(l, v.object);
    if (life) life->ended = pos;
  }
}

void tp_lifetimes_clear(tp_lifetimes *l) { tp_vec_clear(&l->of); }

// ---------------------------------------------------------------------- pieces

typedef struct {
  const tp_program *p;
  const tp_state *s;
  const tp_lifetimes *l;
  tp_str *what, *notes;
} writer;

static void note(const writer *t, tp_pos pos, const char *text) {
  if (!tp_pos_known(pos)) return;
  tp_pos_print(t->p->diag, pos, t->notes);
  tp_str_printf(t->notes, ": note: %s\n", text);
}

static void note_lifetime(const writer *t, uint32_t object) {
  if (object > 0 && object < t->p->statics.n) {
    note(t, t->p->statics.at[object].pos, "declared here");
  } else if (object < t->l->of.n) {
    const tp_lifetime *life = &t->l->of.at[object];
    tp_object_info o;
    bool is_heap = tp_state_object_info(t->s, object, &o) && o.kind == TP_O_HEAP;
    note(t, life->made, is_heap ? "allocated here" : "declared here");
    note(t, life->ended, is_heap ? "freed here" : "its scope ended here");
  }
}

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* " of 40 bytes", or, where the elements are known, " of 40 bytes (10 short)". */
static void add_size(const writer *t, uint64_t size, tp_type element, tp_str *out) {
  const tp_type_info *e = element.id ? tp_type_of(t->p, element) : NULL;
  tp_str_printf(out, " of %llu byte%s", (unsigned long long)size, plural(size));
  if (e && e->size_bytes > 1 && size > e->size_bytes && size % e->size_bytes == 0 && e->name[0])
    tp_str_printf(out, " (%llu %s)", (unsigned long long)(size / e->size_bytes), e->name);
}

/* "'a' (int[4])", "a string literal of 4 bytes", "an allocated object of 40 bytes (10 short)".
 * element: what the program takes an allocated object to consist of, or NONE. */
static void add_object(const writer *t, uint32_t object, const tp_object_info *o, tp_type element) {
  const bool is_static = object < t->p->statics.n, is_recorded = object < t->l->of.n;
  const tp_static *s = is_static ? &t->p->statics.at[object] : NULL;
  const char *name = is_static                              ? s->name
                     : is_recorded && o->kind == TP_O_STACK ? t->l->of.at[object].maker
                                                            : NULL;
  const tp_type type = is_static ? s->type : is_recorded ? t->l->of.at[object].type : TP_TYPE_NONE;
  if (s && tp_static_is_string(s)) {
    tp_str_add(t->what, "a string literal");
    add_size(t, o->size, TP_TYPE_NONE, t->what);
  } else if (name && name[0] && type.id && tp_type_of(t->p, type)->name[0] &&
             o->kind != TP_O_HEAP) {
    tp_str_printf(t->what, "'%s' (%s%s)", name, o->is_const ? "const " : "",
                  tp_type_of(t->p, type)->name);
  } else {
    if (name && name[0])
      tp_str_printf(t->what, "'%s'", name);
    else
      tp_str_add(t->what, o->kind == TP_O_HEAP ? "an allocated object" : "an object");
    add_size(t, o->size, o->kind == TP_O_HEAP ? element : TP_TYPE_NONE, t->what);
  }
}

static long long signed_offset(const writer *t, tp_value v) {
  TP_REQUIRE(t->p->ptr_bits == 32 || t->p->ptr_bits == 64);
  return t->p->ptr_bits == 32 ? (int32_t)(uint32_t)v.bits : (long long)(uint64_t)v.bits;
}

/* All terms below the roots, each once, nearest first, up to a limit. */
typedef TP_VEC(tp_term) term_list;
static void list_below(const writer *t, const tp_term *roots, size_t n_roots, term_list *out) {
  const tp_terms *tt = t->p->terms;
  tp_map seen = {0};
  for (size_t i = 0; i < n_roots; i++)
    if (tp_term_is(roots[i])) tp_vec_push(out, roots[i]);
  for (size_t i = 0; i < out->n && out->n < TP_REPORT_CAUSE_NODES; i++) {
    tp_term term = out->at[i];
    for (uint32_t k = 0; k < tp_n_args(tt, term); k++) {
      tp_term arg = tp_arg(tt, term, k);
      if (tp_map_has(&seen, arg.id)) continue;
      tp_map_set(&seen, arg.id, 1);
      tp_vec_push(out, arg);
    }
  }
  tp_map_clear(&seen);
}

// --------------------------------------------------------------------- accesses

/* What an operation does with memory. */
typedef struct {
  const char *verb;  // "read", "write"
  tp_term address;
  uint64_t n_bytes;
  bool writes;
  tp_type type;    // of the value, or NONE: bytes
  bool is_lvalue;  // the program names it, as in a[i]; else it is a block
} access;

static void describe_wild(const writer *t, const access *a, uint64_t offset) {
  if (offset == 0)
    tp_str_printf(t->what, "%s through a null pointer", a->verb);
  else if (offset < TP_REPORT_NULL_PAGE_BYTES)
    tp_str_printf(t->what, "%s at offset %llu from a null pointer", a->verb,
                  (unsigned long long)offset);
  else
    tp_str_printf(t->what, "%s through 0x%llx, which is not the address of an object", a->verb,
                  (unsigned long long)offset);
}

static void visit_temporary(void *ctx, tp_term var) {
  struct {
    const tp_program *p;
    bool found;
  } *w = ctx;
  const tp_var v = tp_program_var_of(w->p, var);
  w->found |= v.id && tp_var_of(w->p, v)->kind == TP_V_TEMP;
}

static bool has_temporary(const writer *t, tp_term term) {
  struct {
    const tp_program *p;
    bool found;
  } w = {t->p, false};
  tp_for_vars(t->p->terms, term, visit_temporary, &w);
  return w.found;
}

/* The access as the user wrote it, "a[i]"; where the index is no variable of the user's, by its
 * value, "a[4]". False: types do not tell. element: of the index, or -1: the access has none. */
static bool add_lvalue(const writer *t, const access *a, long long offset, long long *element,
                       tp_str *out) {
  tp_access how;
  *element = -1;
  if (!a->is_lvalue || !tp_access_of(t->p, a->address, &how)) return false;
  const bool is_indexed = tp_term_is(how.index) && how.stride > 0 && offset % how.stride == 0;
  if (has_temporary(t, a->address)) {
    const char *base = how.var.id   ? tp_var_of(t->p, how.var)->name
                       : how.object ? t->p->statics.at[how.object].name
                                    : "";
    const bool is_plain = is_indexed && (uint64_t)how.stride == a->n_bytes && base[0] &&
                          !(how.var.id && tp_var_of(t->p, how.var)->kind == TP_V_TEMP);
    if (is_plain) tp_str_printf(out, "%s[%lld]", base, offset / how.stride);
    return is_plain;
  }
  tp_str text = {0};
  tp_access_print(t->p, a->address, a->type, a->n_bytes, &text);
  const bool is_readable = text.n > 0 && text.text[0] != '*' && text.text[0] != '"';
  if (is_readable) tp_str_add(out, text.text);
  if (is_readable && is_indexed) *element = offset / how.stride;
  tp_str_clear(&text);
  return is_readable;
}

/* "write to a[i], element 4 of 'a' (int[4])", "read of 6 bytes at offset 2 of 's' (char[4])" */
static void describe_outside(const writer *t, const access *a, tp_value v,
                             const tp_object_info *o) {
  TP_REQUIRE(v.object && a->n_bytes > 0);
  tp_str lvalue = {0};
  const long long offset = signed_offset(t, v);
  long long element;
  const unsigned long long n = (unsigned long long)a->n_bytes;
  if (add_lvalue(t, a, offset, &element, &lvalue)) {
    tp_str_printf(t->what, "%s %s, ", a->writes ? "write to" : "read of", lvalue.text);
    if (offset < 0)
      tp_str_printf(t->what, "%lld byte%s before ", -offset, plural((uint64_t)-offset));
    else if (element >= 0)
      tp_str_printf(t->what, "element %lld of ", element);
    else
      tp_str_add(t->what, "outside of ");
  } else {
    tp_str_printf(t->what, "%s of %llu byte%s at offset %lld of ", a->verb, n, plural(n), offset);
  }
  add_object(t, v.object, o, a->type);
  tp_str_clear(&lvalue);
}

/* False: the access is fine, or what is wrong is not known. */
static bool describe_access(const writer *t, const access *a) {
  tp_value v;
  tp_object_info o;
  const uint64_t n = a->n_bytes;
  if (n == 0 || tp_state_eval(t->s, a->address, &v) != TP_OK) return false;
  uint64_t offset = (uint64_t)v.bits;
  if (v.object == 0) {
    describe_wild(t, a, offset);
    return true;
  }
  if (!tp_state_object_info(t->s, v.object, &o) || o.kind == TP_O_FUNCTION) return false;
  if (!o.live) {
    tp_str_printf(t->what, "%s of %s", a->verb,
                  o.kind == TP_O_HEAP ? "a freed object" : "an object whose scope has ended");
  } else if (n > o.size || offset > o.size - n) {
    describe_outside(t, a, v, &o);
  } else if (a->writes && o.is_const) {
    const bool is_string =
        v.object < t->p->statics.n && tp_static_is_string(&t->p->statics.at[v.object]);
    tp_str_printf(t->what, "%s to %s", a->verb,
                  is_string ? "a string literal" : "a constant object");
  } else {
    return false;
  }
  note_lifetime(t, v.object);
  return true;
}

static uint64_t value_of(const writer *t, tp_term term) {
  tp_value v;
  return tp_term_is(term) && tp_state_eval(t->s, term, &v) == TP_OK ? (uint64_t)v.bits : 0;
}

static bool describe_free(const writer *t, tp_term address) {
  tp_value v;
  tp_object_info o;
  if (tp_state_eval(t->s, address, &v) != TP_OK || (v.object == 0 && v.bits == 0)) return false;
  if (v.object == 0) {
    tp_str_printf(t->what, "free of 0x%llx, which is not the address of an object",
                  (unsigned long long)v.bits);
    return true;
  }
  if (!tp_state_object_info(t->s, v.object, &o)) return false;
  if (o.kind != TP_O_HEAP) {
    tp_str_add(t->what, "free of an address that malloc did not return: ");
    if (o.kind == TP_O_FUNCTION)
      tp_str_add(t->what, "that of a function");
    else
      add_object(t, v.object, &o, TP_TYPE_NONE);
  } else if (!o.live) {
    tp_str_add(t->what, "freed twice");
  } else if (v.bits != 0) {
    tp_str_printf(t->what, "free of an address %lld bytes into ", signed_offset(t, v));
    add_object(t, v.object, &o, TP_TYPE_NONE);
  } else {
    return false;
  }
  note_lifetime(t, v.object);
  return true;
}

/* Is e what the failed check stood in front of, and what is wrong with it? */
static bool describe_memory(const writer *t, const tp_edge_info *e) {
  const tp_terms *tt = t->p->terms;
  // what a model of the library calls its operands is not the user's
  const bool is_users = !tp_func_of(t->p, tp_loc_of(t->p, e->from)->func)->is_model;
  const access block_write = {"write", e->a, value_of(t, e->c), true, TP_TYPE_NONE, false},
               block_read = {"read", e->b, value_of(t, e->c), false, TP_TYPE_NONE, false};
  access one = {"read", e->a, 0, false, e->type, is_users};
  switch (e->kind) {
    case TP_E_LOAD:
      one.n_bytes = tp_sort_bytes(tt, tp_sort_of(tt, tp_var_of(t->p, e->var)->term));
      return describe_access(t, &one);
    case TP_E_STORE:
      one.n_bytes = tp_sort_bytes(tt, tp_sort_of(tt, e->b));
      one.verb = "write";
      one.writes = true;
      return describe_access(t, &one);
    case TP_E_COPY: return describe_access(t, &block_write) || describe_access(t, &block_read);
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: return describe_access(t, &block_write);
    case TP_E_FREE: return describe_free(t, e->a);
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_CALL:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: return false;
  }
  return false;
}

/* What is left allocated at the end: the one object there is, or how many. Of several, not all need
 * be lost. */
static void describe_leak(const writer *t, bool is_lost) {
  uint64_t n = 0, bytes = 0, last = 0;
  tp_object_info o;
  for (size_t id = t->p->statics.n; id <= tp_state_n_objects(t->s); id++) {
    if (!tp_state_object_info(t->s, (uint32_t)id, &o) || o.kind != TP_O_HEAP || !o.live) continue;
    n++;
    bytes += o.size;
    last = id;
  }
  if (n == 0 || (n > 1 && is_lost)) return;
  if (n == 1)
    tp_str_printf(t->what, "an object of %llu byte%s is %s at the end of the program",
                  (unsigned long long)bytes, bytes == 1 ? "" : "s",
                  is_lost ? "neither freed nor reachable" : "not freed");
  else
    tp_str_printf(t->what,
                  "memory is not freed at the end of the program (%llu objects, %llu bytes)",
                  (unsigned long long)n, (unsigned long long)bytes);
  note_lifetime(t, (uint32_t)last);
}

// ------------------------------------------------------------------- arithmetic

__extension__ typedef __int128 wide;  // holds any product of two 64-bit numbers

static bool signed_value(const writer *t, tp_term term, wide *out) {
  TP_REQUIRE(tp_sort_kind_of(t->p->terms, tp_sort_of(t->p->terms, term)) == TP_SORT_BV);
  tp_value v;
  uint32_t w = tp_width(t->p->terms, term);
  if (w > 64 || tp_state_eval(t->s, term, &v) != TP_OK) return false;
  wide limit = (wide)1 << (w - 1);
  *out = (wide)v.bits >= limit ? (wide)v.bits - 2 * limit : (wide)v.bits;
  return true;
}

static void add_signed(tp_str *out, wide v) {
  tp_str_printf(out, "%lld", (long long)v);
}  // of at most 64 bits

/* Text of "a op b" if its value needs more than the width of a. */
static bool add_misfit(const writer *t, tp_term a, tp_term b, char op, tp_str *out) {
  TP_REQUIRE(op == '+' || op == '-' || op == '*');
  wide x, y;
  uint32_t w = tp_width(t->p->terms, a);
  if (!signed_value(t, a, &x) || !signed_value(t, b, &y)) return false;
  wide limit = (wide)1 << (w - 1), result = op == '+' ? x + y : op == '-' ? x - y : x * y;
  if (result >= -limit && result < limit) return false;
  add_signed(out, x);
  tp_str_printf(out, " %c ", op);
  add_signed(out, y);
  if (w == 32)
    tp_str_add(out, " does not fit int");
  else
    tp_str_printf(out, " does not fit %u bits", w);
  return true;
}

static bool is_signed_limit(const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV);
  tp_u128 sign = (tp_u128)1 << (tp_width(tt, t) - 1);
  return tp_is_const(tt, t) && (tp_bv_value(tt, t) == sign || tp_bv_value(tt, t) == sign - 1);
}

/* A check of a + b compares a with MAX - b or MIN - b, one of a - b with MAX + b or MIN + b. The
 * operands, if the term is a comparison of this kind. */
static bool checked_operands(const writer *t, tp_term term, char op, tp_term *a, tp_term *b) {
  TP_REQUIRE(op == '+' || op == '-' || op == '*');
  const tp_terms *tt = t->p->terms;
  tp_term_kind kind = tp_kind(tt, term);
  if (op == '*' || (kind != TP_OP_BV_SLT && kind != TP_OP_BV_SLE)) return false;
  for (uint32_t k = 0; k < 2; k++) {
    tp_term bound = tp_arg(tt, term, k);
    if (tp_kind(tt, bound) != TP_OP_BV_ADD || tp_n_args(tt, bound) != 2) continue;
    bool first = tp_is_const(tt, tp_arg(tt, bound, 0));
    tp_term limit = tp_arg(tt, bound, first ? 0 : 1), rest = tp_arg(tt, bound, first ? 1 : 0);
    bool is_negated = tp_kind(tt, rest) == TP_OP_BV_NEG;
    if (!is_signed_limit(tt, limit) || is_negated != (op == '+')) continue;
    *a = tp_arg(tt, term, 1 - k);
    *b = is_negated ? tp_arg(tt, rest, 0) : rest;
    return true;
  }
  return false;
}

/* The operands of a sum, difference or product; a - b is a + -b here, and a constant comes second.
 */
static bool operands(const writer *t, tp_term term, char op, tp_term *a, tp_term *b) {
  tp_terms *tt = t->p->terms;
  if (tp_kind(tt, term) != (op == '*' ? TP_OP_BV_MUL : TP_OP_BV_ADD) || tp_n_args(tt, term) != 2)
    return false;
  tp_term x = tp_arg(tt, term, 0), y = tp_arg(tt, term, 1);
  bool swap = tp_is_const(tt, x) || (op == '-' && tp_kind(tt, x) == TP_OP_BV_NEG);
  *a = swap ? y : x;
  *b = swap ? x : y;
  if (op != '-') return true;
  if (tp_kind(tt, *b) == TP_OP_BV_NEG)
    *b = tp_arg(tt, *b, 0);
  else if (tp_is_const(tt, *b))
    *b = tp_mk1(tt, TP_OP_BV_NEG, *b);
  else
    return false;
  return true;
}

/* The operation asked for that does not fit: of the check itself, or else of one below the roots,
 * if there it is the only one. */
static bool find_misfit(const writer *t, const tp_term *roots, size_t n_roots, char op,
                        tp_str *out) {
  term_list terms = {0};
  tp_term a, b;
  list_below(t, roots, n_roots, &terms);
  bool found = false, is_only = true;
  for (size_t i = 0; i < terms.n && !found; i++)
    found = checked_operands(t, terms.at[i], op, &a, &b) && add_misfit(t, a, b, op, out);
  for (size_t i = 0; i < terms.n && !found; i++) {
    tp_str text = {0};
    if (operands(t, terms.at[i], op, &a, &b) && add_misfit(t, a, b, op, &text)) {
      if (out->n == 0) tp_str_add(out, text.text);
      is_only = is_only && strcmp(text.text, out->text) == 0;
    }
    tp_str_clear(&text);
  }
  tp_vec_clear(&terms);
  return out->n > 0 && is_only;
}

/* Values of the user's variables in the check's condition. */
static void add_variables(const writer *t, const char *message, tp_term condition) {
  const tp_terms *tt = t->p->terms;
  term_list terms = {0};
  size_t n_written = 0;
  tp_object_names names = {.program = t->p};
  list_below(t, &condition, 1, &terms);
  for (size_t i = 0; i < terms.n && n_written < TP_REPORT_NOTED_VARIABLES; i++) {
    tp_term term = terms.at[i];
    tp_var var = tp_kind(tt, term) == TP_OP_VAR ? tp_program_var_of(t->p, term) : TP_VAR_NONE;
    tp_value v;
    if (!var.id || tp_sort_kind_of(tt, tp_sort_of(tt, term)) != TP_SORT_BV ||
        tp_state_value(t->s, var, &v) != TP_OK)
      continue;
    const tp_var_info *info = tp_var_of(t->p, var);
    if (info->kind == TP_V_TEMP || info->kind == TP_V_GHOST || info->is_address) continue;
    if (n_written == 0) tp_str_add(t->what, message);
    tp_str_printf(t->what, "%s%s = ", n_written++ ? ", " : " (", info->name);
    tp_value_print(&names, info->type, tp_sort_of(tt, term), v, t->what);
  }
  if (n_written) tp_str_add_char(t->what, ')');
  tp_vec_clear(&terms);
}

static char operator_of(const char *message) {
  if (strstr(message, "signed addition")) return '+';
  if (strstr(message, "signed subtraction")) return '-';
  if (strstr(message, "signed multiplication")) return '*';
  return 0;
}

static void describe_arithmetic(const writer *t, const char *message, tp_term condition,
                                const tp_edge_info *next) {
  char op = operator_of(message);
  const tp_term roots[] = {condition, next ? next->a : TP_TERM_NONE, next ? next->b : TP_TERM_NONE};
  tp_str text = {0};
  if (op && find_misfit(t, roots, sizeof roots / sizeof *roots, op, &text))
    tp_str_printf(t->what, "%s: %s", message, text.text);
  else
    add_variables(t, message, condition);
  tp_str_clear(&text);
}

// ------------------------------------------------------------------------- all

/* The one edge out of l that does not lead to an error; NULL: none or several. */
static const tp_edge_info *way_on(const tp_program *p, tp_loc l) {
  TP_REQUIRE(l.id < p->locs.n);
  tp_edge_list out = tp_out_edges(p, l);
  const tp_edge_info *way = NULL;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(p, (tp_edge){out.at[i]});
    if (tp_loc_of(p, e->to)->error != TP_P_NONE) continue;
    if (way) return NULL;
    way = e;
  }
  return way;
}

/* The operation behind the failed check, and behind further checks of it. */
static const tp_edge_info *guarded_by(const tp_program *p, tp_edge edge) {
  const tp_edge_info *e = way_on(p, tp_edge_of(p, edge)->from);
  for (int i = 0;
       i < TP_REPORT_CHECK_EDGES && e && (e->kind == TP_E_ASSUME || e->kind == TP_E_SKIP); i++)
    e = way_on(p, e->to);
  return e;
}

static bool is_same_place(tp_pos a, tp_pos b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* The address that may not be freed: that of the FREE behind the check, or, in a model that checks
 * alone, the pointer which the check also compares with null. */
static tp_term freed_address(const writer *t, tp_edge edge, tp_pos pos) {
  const tp_program *p = t->p;
  const tp_terms *tt = p->terms;
  tp_loc todo[TP_REPORT_FREE_LOCATIONS] = {tp_edge_of(p, edge)->from};
  size_t n = 1;
  for (size_t i = 0; i < n; i++) {
    tp_edge_list out = tp_out_edges(p, todo[i]);
    for (uint32_t k = 0; k < out.n; k++) {
      const tp_edge_info *e = tp_edge_of(p, (tp_edge){out.at[k]});
      if (!is_same_place(e->pos, pos)) continue;
      if (e->kind == TP_E_FREE) return e->a;
      if (n < TP_REPORT_FREE_LOCATIONS) todo[n++] = e->to;
    }
  }
  term_list terms = {0};
  tp_term address = TP_TERM_NONE;
  list_below(t, &tp_edge_of(p, edge)->a, 1, &terms);
  for (size_t i = 0; i < terms.n && !tp_term_is(address); i++) {
    if (tp_kind(tt, terms.at[i]) != TP_OP_EQ) continue;
    tp_term a = tp_arg(tt, terms.at[i], 0), b = tp_arg(tt, terms.at[i], 1),
            null = tp_mk_null(p->terms);
    if (tp_term_eq(a, null) || tp_term_eq(b, null)) address = tp_term_eq(a, null) ? b : a;
  }
  tp_vec_clear(&terms);
  return address;
}

void tp_failure_describe(const tp_program *p, const tp_state *s, tp_edge edge,
                         const tp_lifetimes *l, tp_str *what, tp_str *notes) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  const tp_loc_info *error = tp_loc_of(p, e->to);
  writer t = {p, s, l, what, notes};
  if (e->kind != TP_E_ASSUME) return;
  const tp_edge_info *next = guarded_by(p, edge);
  tp_term address;
  switch (error->error) {
    case TP_P_VALID_FREE:
      address = freed_address(&t, edge, error->pos);
      if (tp_term_is(address)) (void)describe_free(&t, address);
      return;
    case TP_P_VALID_DEREF:
      if (next && is_same_place(next->pos, error->pos)) (void)describe_memory(&t, next);
      return;
    case TP_P_VALID_MEMTRACK: describe_leak(&t, true); return;
    case TP_P_VALID_MEMCLEANUP: describe_leak(&t, false); return;
    case TP_P_NO_OVERFLOW:
    case TP_P_UNDEFINED:
      if (error->message) describe_arithmetic(&t, error->message, e->a, next);
      return;
    case TP_P_NONE:
    case TP_P_UNREACH_CALL:
    case TP_P_VALID_MEMSAFETY:
    case TP_P_EQUAL:
    case TP_N_PROPERTIES: return;
  }
}
