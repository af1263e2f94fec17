/* Line by line; every reference is checked when it is read, and each object of a heap is listed
 * once. */
#include "certify/heaps/heap_cert.h"

#include "certify/certificate_lines.h"
#include "certify/certify_limits.h"
#include "term/text.h"

enum { N_FIELDS = 8, DIGITS = 9 };

typedef struct {
  tp_chk_lines text;
  const tp_program *p;
  tp_chk_heap_cert *c;
  tp_map named;                // number of a symbol -> term, of the heap that is read
  TP_VEC(tp_map) of_contract;  // the same of heaps before calls, for all heaps of the contract
  bool is_of_cells;            // the term that is read is a statement about cells,
  bool is_of_neighbours;       // or about two of them
} reader;

static bool fail(reader *r, const char *what) { return tp_chk_lines_fail(&r->text, what); }

static bool number(const char *text, uint64_t *out) { return tp_chk_number(text, DIGITS, out); }

static bool is(const char *field, const char *word) { return field && strcmp(field, word) == 0; }

static bool below(reader *r, const char *text, size_t n, const char *what, uint32_t *out) {
  uint64_t k;
  if (!number(text, &k) || k == 0 || k >= n) return fail(r, what);
  *out = (uint32_t)k;
  return true;
}

static tp_chk_heap_entry *last(reader *r) {
  return r->c->entries.n > 1 ? &tp_vec_last(&r->c->entries) : NULL;
}

// ------------------------------------------------------------------------ kinds

/* cell K SIZE START [back OFFSET] */
static bool cell_line(reader *r, int n, char **f) {
  uint64_t k, size = 0, start, back = 0;
  if ((n != 4 && n != 6) || !number(f[1], &k) || k != r->c->kinds.n)
    return fail(r, "cells are numbered from 1 on");
  if (r->c->entries.n > 1) return fail(r, "cells stand before heaps");
  if ((!is(f[2], "any") && (!number(f[2], &size) || size == 0)) || !number(f[3], &start))
    return fail(r, "a size and the byte that pointers lead to were expected");
  if (n == 6 && (!is(f[4], "back") || !number(f[5], &back))) return fail(r, "'back' was expected");
  tp_vec_push(
      &r->c->kinds,
      ((tp_chk_cell_kind){.size_bytes = size, .start = start, .has_back = n == 6, .back = back}));
  return true;
}

static bool is_taken(const tp_chk_cell_kind *k, uint64_t offset, uint64_t n_bytes,
                     uint64_t n_link) {
  bool taken = k->has_back && tp_chk_heap_meet(offset, n_bytes, k->back, n_link);
  for (size_t i = 0; i < k->links.n; i++)
    taken |= tp_chk_heap_meet(offset, n_bytes, k->links.at[i].offset, n_link);
  return taken;
}

/* link K OFFSET J null|cell; link K OFFSET 0 null; link K OFFSET J upto END */
static bool link_line(reader *r, int n, char **f) {
  const uint64_t bytes = r->p->ptr_bits / 8;
  uint32_t k = 0;
  uint64_t offset, j, end = 0;
  const bool has_end = n == 6 && is(f[4], "upto");
  if (n != 5 && !has_end)
    return fail(r, "a link has a cell, an offset, a cell, and 'null', 'cell', or 'upto' a link");
  if (!below(r, f[1], r->c->kinds.n, "no such cell", &k)) return false;
  if (!number(f[2], &offset) || !number(f[3], &j) || j > TP_CERTIFY_HEAP_KINDS ||
      (has_end && !number(f[5], &end)))
    return fail(r, "an offset and a cell were expected");
  tp_chk_cell_kind *kind = &r->c->kinds.at[k];
  if (kind->size_bytes && offset + bytes > kind->size_bytes)
    return fail(r, "the link does not fit into the cell");
  if (!kind->size_bytes) return fail(r, "a cell of any size has no links");
  if (is_taken(kind, offset, bytes, bytes)) return fail(r, "two links meet");
  if (!has_end && !is(f[4], "null") && (!is(f[4], "cell") || j == 0))
    return fail(r, "'null' or 'cell' was expected");
  if (r->c->entries.n > 1) return fail(r, "links stand before heaps");
  tp_vec_push(&kind->links, ((tp_chk_cell_link){.offset = offset,
                                                .to = (uint32_t)j,
                                                .is_cell = is(f[4], "cell"),
                                                .has_end = has_end,
                                                .end = end}));
  return true;
}

/* A segment up to what another link holds is one of other cells, which lead to each other, and of
 * which nothing is said that this cell would have to hold. */
static bool has_right_end(reader *r, uint32_t kind, const tp_chk_cell_link *l) {
  const tp_chk_cell_kind *k = &r->c->kinds.at[kind], *to = &r->c->kinds.at[l->to];
  bool is_link = false, has_way = false;
  for (size_t i = 0; i < k->links.n; i++)
    is_link |= k->links.at[i].offset == l->end && l->end != l->offset;
  for (size_t i = 0; i < to->links.n; i++)
    has_way |= to->links.at[i].to == l->to && !to->links.at[i].has_end;
  return (l->to && l->to != kind && !to->has_back && is_link && has_way) ||
         fail(r, "a segment in a cell leads along other cells, up to what another link holds");
}

static bool links_lead_to_kinds(reader *r) {
  for (size_t k = 1; k < r->c->kinds.n; k++) {
    const tp_chk_cell_kind *kind = &r->c->kinds.at[k];
    if (kind->has_back && kind->size_bytes && kind->back + r->p->ptr_bits / 8 > kind->size_bytes)
      return fail(r, "the back link does not fit into the cell");
    if (kind->size_bytes && kind->start >= kind->size_bytes)
      return fail(r, "a cell that pointers do not lead into");
    for (size_t i = 0; i < kind->links.n; i++) {
      if (kind->links.at[i].to >= r->c->kinds.n) return fail(r, "a link to no cell");
      if (kind->links.at[i].has_end && !has_right_end(r, (uint32_t)k, &kind->links.at[i]))
        return false;
    }
  }
  return true;
}

// --------------------------------------------------------------- contexts, contracts

bool tp_chk_heap_is_active(const tp_chk_heap_cert *c, uint32_t context, tp_func f) {
  for (; context; context = c->contexts.at[context].parent)
    if (c->contexts.at[context].func.id == f.id) return true;
  return false;
}

uint32_t tp_chk_heap_contract_of(const tp_chk_heap_cert *c, tp_func f) {
  for (uint32_t k = 1; k < c->contracts.n; k++)
    if (c->contracts.at[k].func.id == f.id) return k;
  return 0;
}

uint32_t tp_chk_heap_context_of(const tp_chk_heap_cert *c, uint32_t parent, tp_edge call,
                                tp_func callee) {
  uint64_t context = 0;
  (void)tp_map_get(&c->calls, (uint64_t)parent << 32 | call.id, &context);
  while (context && c->contexts.at[context].func.id != callee.id)
    context = c->contexts.at[context].other;
  return (uint32_t)context;
}

/* contract K FUNCTION */
static bool contract_line(reader *r, int n, char **f) {
  uint64_t k;
  if (n != 3 || !number(f[1], &k) || k != r->c->contracts.n)
    return fail(r, "contracts are numbered from 1 on");
  if (r->c->contexts.n > 1) return fail(r, "contracts stand before contexts");
  const tp_func func = tp_chk_func_named(r->p, f[2]);
  if (!func.id || tp_chk_heap_contract_of(r->c, func))
    return fail(r, "no such function, or several, or a second contract");
  tp_vec_push(&r->c->contracts, ((tp_chk_heap_contract){.func = func}));
  tp_vec_push(&r->of_contract, (tp_map){0});
  return true;
}

static bool call_context(reader *r, char **f) {
  tp_chk_heap_cert *c = r->c;
  uint32_t parent = 0, edge = 0;
  if (!below(r, f[3], c->contexts.n, "no such context", &parent) ||
      !below(r, f[4], r->p->edges.n, "no such edge", &edge))
    return false;
  const tp_edge_info *call = &r->p->edges.at[edge];
  if (!call->from.id || call->kind != TP_E_CALL) return fail(r, "no call");
  const tp_func func = call->callee.id ? call->callee : tp_chk_func_named(r->p, f[5]);
  if (!func.id) return fail(r, "no such function, or several");
  const tp_func_info *callee = tp_func_of(r->p, func);
  if (tp_loc_of(r->p, call->from)->func.id != c->contexts.at[parent].func.id)
    return fail(r, "the call is not in the function on top");
  if (!is(callee->name, f[5]) || !callee->has_body || callee->n_params != call->n_args)
    return fail(r, "this is no call of that function");
  if (tp_chk_heap_contract_of(c, func))
    return fail(r, "a function with a contract is entered by a call");
  if (tp_chk_heap_is_active(c, parent, func)) return fail(r, "a function is active twice");
  if (tp_chk_heap_context_of(c, parent, (tp_edge){edge}, func))
    return fail(r, "a second context for this call");
  const uint64_t key = (uint64_t)parent << 32 | edge;
  uint64_t other = 0;
  (void)tp_map_get(&c->calls, key, &other);
  tp_map_set(&c->calls, key, c->contexts.n);
  tp_vec_push(&c->contexts,
              ((tp_chk_heap_context){
                  .parent = parent, .call = {edge}, .func = func, .other = (uint32_t)other}));
  return true;
}

static bool context_line(reader *r, int n, char **f) {
  tp_chk_heap_cert *c = r->c;
  uint64_t k;
  uint32_t contract = 0;
  if (n < 3 || !number(f[1], &k) || k != c->contexts.n)
    return fail(r, "contexts are numbered from 1 on");
  if (n == 6 && is(f[2], "call")) return call_context(r, f);
  if (n == 3 && is(f[2], "main")) {
    if (c->main || !r->p->main.id) return fail(r, "a second context of main, or there is no main");
    c->main = (uint32_t)c->contexts.n;
    tp_vec_push(&c->contexts, ((tp_chk_heap_context){.func = r->p->main}));
    return true;
  }
  if (n != 4 || !is(f[2], "contract")) return fail(r, "a context was expected");
  if (!below(r, f[3], c->contracts.n, "no such contract", &contract)) return false;
  if (c->contracts.at[contract].root) return fail(r, "a second context for this contract");
  c->contracts.at[contract].root = (uint32_t)c->contexts.n;
  tp_vec_push(&c->contexts, ((tp_chk_heap_context){.func = c->contracts.at[contract].func,
                                                   .contract = contract}));
  return true;
}

// ------------------------------------------------------------------------ terms

static bool may_stand(const tp_terms *tt, tp_sort sort) {
  const tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  return kind == TP_SORT_BOOL || kind == TP_SORT_BV || kind == TP_SORT_PTR || kind == TP_SORT_FP;
}

/* WORD NUMBER SORT, of a sort that values may have. */
static bool numbered(const reader *r, const char *text, size_t n, const char *word, uint64_t *out,
                     tp_sort *sort) {
  const size_t start = strlen(word) + 1;
  size_t i = start;
  if (n <= start || strncmp(text, word, start - 1) != 0 || text[start - 1] != ' ') return false;
  for (*out = 0; i < n && i < start + DIGITS && text[i] >= '0' && text[i] <= '9'; i++)
    *out = *out * 10 + (uint64_t)(text[i] - '0');
  return i > start && i < n && text[i] == ' ' &&
         tp_sort_read(r->p->terms, text + i + 1, n - i - 1, sort) == n - i - 1 &&
         may_stand(r->p->terms, *sort);
}

/* cell OFFSET SORT: what stands in the cell that a statement about cells speaks of. next OFFSET
 * SORT: in the one that a link of it leads to. */
static tp_chk_cell_value cell_value(reader *r, uint64_t offset, tp_sort sort) {
  for (size_t k = 0; k < r->c->values.n; k++) {
    const tp_chk_cell_value *v = &r->c->values.at[k];
    if (v->offset == offset && tp_sort_eq(tp_sort_of(r->p->terms, v->symbol), sort)) return *v;
  }
  tp_vec_push(&r->c->values, ((tp_chk_cell_value){offset, tp_mk_var(r->p->terms, "cell", sort),
                                                  tp_mk_var(r->p->terms, "next", sort)}));
  return tp_vec_last(&r->c->values);
}

/* sym N SORT: a symbol of the heap. No program variables. */
static tp_term parse_symbol(void *ctx, const char *text, size_t n) {
  reader *r = ctx;
  tp_chk_heap_entry *e = last(r);
  tp_sort sort;
  uint64_t k, known;
  if (r->is_of_cells && numbered(r, text, n, "cell", &k, &sort))
    return cell_value(r, k, sort).symbol;
  if (r->is_of_neighbours && numbered(r, text, n, "next", &k, &sort))
    return cell_value(r, k, sort).next;
  if (!e || r->is_of_neighbours || !numbered(r, text, n, "sym", &k, &sort)) return TP_TERM_NONE;
  tp_map *shared = &r->of_contract.at[e->contract],
         *own = e->role == TP_CHK_HEAP_PRE ? shared : &r->named;
  if (!tp_map_get(shared, k, &known) && !tp_map_get(own, k, &known)) {
    known = tp_mk_var(r->p->terms, "sym", sort).id;
    tp_map_set(own, k, known);
  }
  const tp_term out = {(uint32_t)known};
  if (!tp_sort_eq(tp_sort_of(r->p->terms, out), sort)) return TP_TERM_NONE;
  tp_map_set(&e->symbols, out.id, 1);
  return out;
}

static bool is_quantifier(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  const tp_term_kind k = tp_kind(tt, t);
  return k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND ||
         tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_ARRAY ||
         tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_INT;
}

static bool term(reader *r, const char *text, tp_term *out) {
  tp_str why = {0};
  const tp_text_vars vars = {.ctx = r, .parse = parse_symbol};
  const tp_status st = tp_term_read(r->p->terms, text, vars, out, &why);
  if (st != TP_OK) (void)fail(r, tp_str_text(&why));
  tp_str_clear(&why);
  if (st != TP_OK) return false;
  return !tp_any_subterm(r->p->terms, *out, is_quantifier, NULL) ||
         fail(r, "quantifiers, arrays and mathematical integers are not understood");
}

/* The next of the terms of a line: it ends at the parenthesis that closes it, or at a space. */
static bool next_term(reader *r, char **at, tp_term *out) {
  char *start = *at + strspn(*at, " ");
  int depth = 0;
  char *end = start;
  while (*end && (depth > 0 || *end != ' ')) {
    depth += (*end == '(') - (*end == ')');
    end++;
  }
  if (end == start) return fail(r, "a term was expected");
  *at = *end ? end + 1 : end;
  *end = 0;
  return term(r, start, out);
}

static bool has_sort(reader *r, tp_term t, tp_sort sort) {
  return tp_sort_eq(tp_sort_of(r->p->terms, t), sort) ||
         fail(r, "a term of another sort was expected");
}

// ------------------------------------------------------------------------ heaps

static bool new_entry(reader *r, tp_chk_heap_entry e) {
  if (r->c->entries.n == 1 && !links_lead_to_kinds(r)) return false;  // kinds are complete
  e.s = tp_chk_heap_new(r->p);
  e.s->loc = e.loc;
  e.s->context = e.context;
  tp_map_clear(&r->named);
  tp_vec_push(&r->c->entries, e);
  return true;
}

uint32_t tp_chk_heap_contract_at_bottom(const tp_chk_heap_cert *c, uint32_t context) {
  while (c->contexts.at[context].parent) context = c->contexts.at[context].parent;
  return c->contexts.at[context].contract;
}

/* at C LOCATION; pre K; post K */
static bool heap_line(reader *r, int n, char **f) {
  tp_chk_heap_entry e = {0};
  if (is(f[0], "at")) {
    if (n != 3 || !below(r, f[1], r->c->contexts.n, "no such context", &e.context) ||
        !below(r, f[2], r->p->locs.n, "no such location", &e.loc.id))
      return n == 3 ? false : fail(r, "a context and a location were expected");
    if (r->p->locs.at[e.loc.id].func.id != r->c->contexts.at[e.context].func.id)
      return fail(r, "the location is not in the function on top");
    const uint64_t place = (uint64_t)e.context << 32 | e.loc.id;
    (void)tp_map_get(&r->c->at, place, &e.other);
    tp_map_set(&r->c->at, place, r->c->entries.n);
    e.contract = tp_chk_heap_contract_at_bottom(r->c, e.context);
    return new_entry(r, e);
  }
  e.role = is(f[0], "pre") ? TP_CHK_HEAP_PRE : TP_CHK_HEAP_POST;
  if (n != 2) return fail(r, "a contract was expected");
  if (!below(r, f[1], r->c->contracts.n, "no such contract", &e.contract)) return false;
  tp_chk_heap_contract *c = &r->c->contracts.at[e.contract];
  if (e.role == TP_CHK_HEAP_PRE) {
    if (c->pre) return fail(r, "a second heap before calls");
    c->pre = (uint32_t)r->c->entries.n;
  } else if (!c->pre) {
    return fail(r, "the heap before calls stands before those behind them");
  }
  return new_entry(r, e);
}

/* May the heap speak of the variable? Before calls: of parameters and globals; behind them of the
 * result and globals. */
static bool may_name(const reader *r, const tp_chk_heap_entry *e, tp_var v) {
  const tp_var_info *info = tp_var_of(r->p, v);
  if (info->kind == TP_V_GHOST) return false;
  if (info->kind == TP_V_GLOBAL) return true;
  if (e->role == TP_CHK_HEAP_AT) return tp_chk_heap_is_active(r->c, e->context, info->func);
  const tp_func_info *f = tp_func_of(r->p, r->c->contracts.at[e->contract].func);
  if (e->role == TP_CHK_HEAP_POST) return f->result.id == v.id;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (f->params[i].id == v.id) return true;
  return false;
}

/* var V TERM */
static bool var_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  uint32_t v = 0;
  tp_term t;
  char *digits = tp_chk_next_field(&rest);
  if (!below(r, digits, r->p->vars.n, "no such variable", &v)) return false;
  if (!may_name(r, e, (tp_var){v})) return fail(r, "a variable that is not active here");
  if (tp_term_is(e->s->vars[v])) return fail(r, "a second value of this variable");
  if (!next_term(r, &rest, &t) || !has_sort(r, t, tp_sort_of(r->p->terms, r->p->vars.at[v].term)))
    return false;
  e->s->vars[v] = t;
  return true;
}

/* object ID SIZE KIND [zero], ID and SIZE as terms; zero: its other bytes are 0 */
static bool object_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_terms *tt = r->p->terms;
  tp_term id, size;
  uint64_t kind, statics;
  if (!next_term(r, &rest, &id) || !has_sort(r, id, tp_sort_bv(tt, TP_OBJ_BITS)) ||
      !next_term(r, &rest, &size) || !has_sort(r, size, tp_sort_bv(tt, r->p->ptr_bits)))
    return false;
  char *k = tp_chk_next_field(&rest), *zero = tp_chk_next_field(&rest);
  if (!number(k, &kind) || kind == TP_O_NONE || kind > TP_O_HEAP || (zero && !is(zero, "zero")))
    return fail(r, "the kind of the object was expected");
  if (tp_chk_heap_object_of(e->s, id) != UINT32_MAX) return fail(r, "an object that was listed");
  const bool is_static = tp_bv_value_u64(tt, id, &statics);
  if (is_static &&
      (statics == 0 || statics >= r->p->statics.n || kind == TP_O_HEAP || kind == TP_O_STACK))
    return fail(r, "no such object");
  if (!is_static && (tp_kind(tt, id) != TP_OP_VAR || (kind != TP_O_HEAP && kind != TP_O_STACK)))
    return fail(
        r, "an object is a symbol, on the heap or the stack, or one that exists from the start");
  tp_chk_heap_add_object(e->s, id, size, (tp_object_kind)kind)->is_zero = zero != NULL;
  return true;
}

/* field OFFSET TERM, of the last object */
static bool field_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  uint64_t offset;
  tp_term t;
  char *digits = tp_chk_next_field(&rest);
  if (!number(digits, &offset)) return fail(r, "an offset was expected");
  if (e->s->objects.n == 0) return fail(r, "fields stand behind their object");
  if (!next_term(r, &rest, &t)) return false;
  const tp_chk_heap_world w = {r->p, r->p->terms, &r->c->kinds, &r->c->values};
  tp_chk_heap_object *o = &tp_vec_last(&e->s->objects);
  for (size_t i = 0; i < o->fields.n; i++) {
    const uint64_t n = tp_sort_bytes(w.tt, tp_sort_of(w.tt, o->fields.at[i].value));
    if (offset < o->fields.at[i].offset + n &&
        o->fields.at[i].offset < offset + tp_sort_bytes(w.tt, tp_sort_of(w.tt, t)))
      return fail(r, "two fields meet");
  }
  const tp_chk_heap_field field = {offset, t};
  const uint64_t n = tp_sort_bytes(w.tt, tp_sort_of(w.tt, t));
  if (tp_chk_heap_meets_slots(&w, &o->slots, offset, n) &&
      (!tp_chk_heap_is_slot(&o->slots, offset) || n != r->p->ptr_bits / 8))
    return fail(r, "a field meets a slot");
  tp_vec_push(&o->fields, field);
  return true;
}

/* slots FROM TO STRIDE KIND|null, of the last object */
static bool slots_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_chk_heap_slots slots = {0};
  uint64_t size;
  const uint64_t bytes = r->p->ptr_bits / 8;
  char *f[4];
  for (int i = 0; i < 4; i++) f[i] = tp_chk_next_field(&rest);
  if (e->s->objects.n == 0 || e->role != TP_CHK_HEAP_AT)
    return fail(r, "slots are those of an object at a location");
  if (!number(f[0], &slots.from) || !number(f[1], &slots.to) || !number(f[2], &slots.stride) ||
      slots.stride < bytes || slots.from >= slots.to ||
      (slots.to - slots.from) / slots.stride >= TP_CERTIFY_HEAP_SLOTS)
    return fail(r, "where slots are was expected");
  if (!is(f[3], "null") && !below(r, f[3], r->c->kinds.n, "no such cell", &slots.kind))
    return false;
  tp_chk_heap_object *o = &tp_vec_last(&e->s->objects);
  const uint64_t last = slots.from + (slots.to - 1 - slots.from) / slots.stride * slots.stride;
  if (o->slots.stride || o->fields.n || o->is_zero ||
      !tp_bv_value_u64(r->p->terms, o->size, &size) || size < bytes || last > size - bytes)
    return fail(r, "slots stand behind an object of this size, once");
  o->slots = slots;
  return true;
}

/* slot OFFSET TERM: what one of them holds */
static bool slot_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_terms *tt = r->p->terms;
  tp_chk_heap_slot slot;
  if (e->s->objects.n == 0 || !tp_vec_last(&e->s->objects).slots.stride)
    return fail(r, "a slot of an object without slots");
  if (!next_term(r, &rest, &slot.offset) ||
      !has_sort(r, slot.offset, tp_sort_bv(tt, r->p->ptr_bits)) ||
      !next_term(r, &rest, &slot.value) || !has_sort(r, slot.value, tp_sort_ptr(tt)))
    return false;
  if (tp_is_const(tt, slot.offset)) return fail(r, "the place is a number: this is a field");
  tp_vec_push(&tp_vec_last(&e->s->objects).open, slot);
  return true;
}

/* structure K AT BEFORE; segment K AT BEFORE END LAST */
static bool part_line(reader *r, tp_chk_heap_entry *e, char *rest, bool is_segment) {
  tp_terms *tt = r->p->terms;
  tp_chk_heap_part part = {.is_segment = is_segment, .end = tp_mk_null(tt), .last = tp_mk_null(tt)};
  char *digits = tp_chk_next_field(&rest);
  tp_term *terms[] = {&part.at, &part.before, &part.end, &part.last};
  if (!below(r, digits, r->c->kinds.n, "no such cell", &part.kind)) return false;
  for (int i = 0; i < (is_segment ? 4 : 2); i++)
    if (!next_term(r, &rest, terms[i]) || !has_sort(r, *terms[i], tp_sort_ptr(tt))) return false;
  const bool has_back = r->c->kinds.at[part.kind].has_back;
  if (!has_back &&
      (!tp_term_eq(part.before, tp_mk_null(tt)) || !tp_term_eq(part.last, tp_mk_null(tt))))
    return fail(r, "cells without a link back have none before them");
  bool has_way = !is_segment;
  for (size_t i = 0; i < r->c->kinds.at[part.kind].links.n; i++)
    has_way |= r->c->kinds.at[part.kind].links.at[i].to == part.kind;
  if (!has_way) return fail(r, "a segment of cells that do not lead to each other");
  tp_vec_push(&e->s->parts, part);
  return true;
}

/* Are the values that the statement names in cells of the kind, beside their links? */
static bool are_in_cell(reader *r, const tp_chk_cell_kind *k, tp_term t) {
  for (size_t i = 0; i < r->c->values.n; i++) {
    const tp_chk_cell_value *v = &r->c->values.at[i];
    const uint64_t n = tp_sort_bytes(r->p->terms, tp_sort_of(r->p->terms, v->symbol));
    if (!tp_occurs(r->p->terms, v->symbol, t) && !tp_occurs(r->p->terms, v->next, t)) continue;
    if (!k->size_bytes || v->offset + n > k->size_bytes ||
        is_taken(k, v->offset, n, r->p->ptr_bits / 8))
      return fail(r, "a value that is no part of the cell, or a link of it");
  }
  return true;
}

/* where TERM: holds of each cell of its kind in the part before, its first one and those that links
 * to the kind lead to */
static bool where_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_term t;
  if (e->s->parts.n == 0 || tp_term_is(tp_vec_last(&e->s->parts).where))
    return fail(r, "a statement about cells stands behind their part, one for each");
  r->is_of_cells = true;
  const bool ok = next_term(r, &rest, &t) && has_sort(r, t, tp_sort_bool(r->p->terms));
  r->is_of_cells = false;
  if (!ok) return false;
  tp_chk_heap_part *part = &tp_vec_last(&e->s->parts);
  part->where = t;
  return are_in_cell(r, &r->c->kinds.at[part->kind], t);
}

/* neighbours TERM: holds of each two of these cells of which one leads to the other one; over
 * values of both alone, so that it says the same of all cells */
static bool neighbours_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_term t;
  if (e->s->parts.n == 0 || tp_term_is(tp_vec_last(&e->s->parts).neighbours))
    return fail(r, "a statement about neighbours stands behind their part, one for each");
  r->is_of_cells = r->is_of_neighbours = true;
  const bool ok = next_term(r, &rest, &t) && has_sort(r, t, tp_sort_bool(r->p->terms));
  r->is_of_cells = r->is_of_neighbours = false;
  if (!ok) return false;
  tp_chk_heap_part *part = &tp_vec_last(&e->s->parts);
  part->neighbours = t;
  return are_in_cell(r, &r->c->kinds.at[part->kind], t);
}

static bool fact_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_term t;
  if (!next_term(r, &rest, &t) || !has_sort(r, t, tp_sort_bool(r->p->terms))) return false;
  tp_vec_push(&e->s->facts, t);
  return true;
}

/* given SYMBOL TERM: a symbol of the heap before calls is that */
static bool given_line(reader *r, tp_chk_heap_entry *e, char *rest) {
  tp_chk_heap_binding g;
  if (!e->contract || e->role == TP_CHK_HEAP_PRE)
    return fail(r, "no contract has given anything here");
  if (!next_term(r, &rest, &g.symbol) || !next_term(r, &rest, &g.value)) return false;
  const tp_chk_heap_entry *pre = &r->c->entries.at[r->c->contracts.at[e->contract].pre];
  if (!r->c->contracts.at[e->contract].pre || !tp_map_has(&pre->symbols, g.symbol.id) ||
      !tp_sort_eq(tp_sort_of(r->p->terms, g.symbol), tp_sort_of(r->p->terms, g.value)))
    return fail(r, "this is no symbol of the heap before calls, or of another sort");
  tp_vec_push(&e->given, g);
  return true;
}

static bool entry_line(reader *r, char *line) {
  tp_chk_heap_entry *e = last(r);
  char *rest = line, *word = tp_chk_next_field(&rest);
  if (!e) return fail(r, "a heap was expected");
  if (is(word, "var")) return var_line(r, e, rest);
  if (is(word, "object")) return object_line(r, e, rest);
  if (is(word, "field")) return field_line(r, e, rest);
  if (is(word, "slots")) return slots_line(r, e, rest);
  if (is(word, "slot")) return slot_line(r, e, rest);
  if (is(word, "structure")) return part_line(r, e, rest, false);
  if (is(word, "segment")) return part_line(r, e, rest, true);
  if (is(word, "where")) return where_line(r, e, rest);
  if (is(word, "neighbours")) return neighbours_line(r, e, rest);
  if (is(word, "fact")) return fact_line(r, e, rest);
  if (is(word, "given")) return given_line(r, e, rest);
  if (is(word, "more")) return e->s->has_more = true;
  return fail(r, "an unknown line");
}

// ------------------------------------------------------------------------ lines

static bool starts(const char *line, const char *word) {
  const size_t n = strlen(word);
  return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == 0);
}

static bool header_or_table_line(reader *r, char *line, bool *is_read) {
  static const struct {
    const char *word;
    bool (*read)(reader *r, int n, char **f);
  } words[] = {{"cell", cell_line},       {"link", link_line}, {"contract", contract_line},
               {"context", context_line}, {"at", heap_line},   {"pre", heap_line},
               {"post", heap_line}};
  char *f[N_FIELDS];
  *is_read = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!starts(line, words[i].word)) continue;
    *is_read = true;
    const int n = tp_chk_split(line, f, N_FIELDS);
    return n <= N_FIELDS ? words[i].read(r, n, f) : fail(r, "too many fields");
  }
  return true;
}

static bool read_line(void *ctx, char *line) {
  reader *r = ctx;
  char *f[N_FIELDS];
  bool is_read;
  if (r->text.line == TP_CHK_KIND_LINE) {
    const int n = tp_chk_split(line, f, N_FIELDS);
    return (n == 2 && is(f[0], "kind") && is(f[1], "symbolic-heaps")) ||
           fail(r, "no certificate of symbolic heaps");
  }
  if (r->text.line <= TP_CHK_HEADER_LINES) {
    const int n = tp_chk_split(line, f, N_FIELDS);
    return n <= N_FIELDS && tp_chk_lines_header(&r->text, n, f);
  }
  line[strcspn(line, "\r")] = 0;
  for (size_t n = strlen(line); n && line[n - 1] == ' '; n--) line[n - 1] = 0;
  if (is(line, "end")) return r->text.ended = true;
  if (r->c->entries.n > TP_CERTIFY_HEAP_ENTRIES || r->c->kinds.n > TP_CERTIFY_HEAP_KINDS)
    return fail(r, "too many heaps or cells");
  if (!header_or_table_line(r, line, &is_read)) return false;
  return is_read || entry_line(r, line);
}

static bool is_complete(reader *r) {
  if (!r->c->main) return fail(r, "no context of main");
  for (size_t k = 1; k < r->c->contracts.n; k++)
    if (!r->c->contracts.at[k].root || !r->c->contracts.at[k].pre)
      return fail(r, "a contract without a context or a heap before calls");
  return true;
}

bool tp_chk_heap_cert_is(const char *text) { return tp_chk_is_of_kind(text, "symbolic-heaps"); }

bool tp_chk_heap_cert_read(tp_chk_heap_cert *c, const tp_program *p, tp_property prop,
                           const char *text, tp_str *why) {
  *c = (tp_chk_heap_cert){0};
  reader r = {.text = {.p = p, .prop = prop, .why = why}, .p = p, .c = c};
  tp_vec_push(&c->kinds, (tp_chk_cell_kind){0});
  tp_vec_push(&c->contexts, (tp_chk_heap_context){0});
  tp_vec_push(&c->contracts, (tp_chk_heap_contract){0});
  tp_vec_push(&c->entries, (tp_chk_heap_entry){0});
  tp_vec_push(&r.of_contract, (tp_map){0});
  const bool ok = tp_chk_lines_read(&r.text, text, read_line, &r) && is_complete(&r);
  tp_map_clear(&r.named);
  for (size_t i = 0; i < r.of_contract.n; i++) tp_map_clear(&r.of_contract.at[i]);
  tp_vec_clear(&r.of_contract);
  return ok;
}

void tp_chk_heap_cert_clear(tp_chk_heap_cert *c) {
  for (size_t i = 0; i < c->kinds.n; i++) tp_vec_clear(&c->kinds.at[i].links);
  for (size_t i = 0; i < c->entries.n; i++) {
    tp_chk_heap_free(c->entries.at[i].s);
    tp_map_clear(&c->entries.at[i].symbols);
    tp_vec_clear(&c->entries.at[i].given);
  }
  tp_vec_clear(&c->kinds);
  tp_vec_clear(&c->values);
  tp_vec_clear(&c->contexts);
  tp_vec_clear(&c->contracts);
  tp_vec_clear(&c->entries);
  tp_map_clear(&c->at);
  tp_map_clear(&c->calls);
}
