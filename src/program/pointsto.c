/* Points-to analysis by unification, with offsets.
 *
 * A *node* stands for a set of objects laid over each other; a *cell* is a
 * node and an offset. Every value has a cell: what it points to if it is a
 * pointer. A flow between two values makes their cells one: nodes are merged,
 * shifted so that the offsets meet (union-find with a distance on each link).
 * If two cells of one node with different offsets must become one, the node
 * folds: offsets count modulo the greatest common divisor of all such
 * distances. An array of structs so folds to one struct, an array of int to
 * one int, and a node of modulus 1 has one field only. What is stored at
 * [lo, hi) of a node is a *field* with the cell of its content; accesses that
 * overlap without being equal join their fields.
 *
 * Integers can carry pointers (casts, bytes of pointers), but following every
 * integer would unify all data of a program. So a first round follows
 * pointers only and records fields through which an integer could become a
 * pointer: an integer stored where a pointer is read. If no field is like that and no
 * integer is cast to a pointer, the round is sound: the first pointer value of
 * a run that it does not cover would have to come through such a field or cast.
 * Otherwise a second round follows integers too.
 *
 * Terminates: each step merges two nodes or makes a modulus smaller. */
#include "program/pointsto.h"

#include "program/finish_priv.h"
#include "program/program_limits.h"

typedef struct {
  uint32_t node;  // 0: points to nothing
  int64_t offset;
} cell;
#define NO_CELL ((cell){0, 0})
typedef struct {
  cell a, b;  // to become one
} pending;

enum { INT_STORED = 1, PTR_LOADED = 2, LOADED = 4 };

typedef struct {
  int64_t lo, hi;
  cell content;
  uint8_t marks;
  uint32_t region;
} field;

typedef struct {
  uint32_t parent;       // itself: a root
  int64_t delta;         // our offset x is the parent's x + delta
  uint64_t modulus;      // 0: none
  TP_VEC(field) fields;  // of a root: sorted, disjoint
  tp_class id;           // of a root with objects
  tp_type struct_type;   // of a root; see type_conflict
  bool type_conflict;
} node;

struct tp_pointsto {
  const tp_program *p;
  tp_arena arena;
  bool follows_integers;
  TP_VEC(node) nodes;  // [0] unused
  TP_VEC(pending) pending;
  cell *of_term;  // by term id
  size_t n_terms;
  bool *used;
  const bool *is_run;                  // by function id: its edges count; NULL: all do
  uint32_t *static_node, *alloc_node;  // by object id, by edge id
  uint32_t n_classes, n_regions;
  tp_func_list *callees;  // by edge id, indirect calls only
  tp_type *struct_types;  // by class
};

// ----------------------------------------------------------------------- nodes

static uint32_t new_node(tp_pointsto *pt) {
  uint32_t id = (uint32_t)pt->nodes.n;
  tp_vec_push(&pt->nodes, (node){.parent = id});
  return id;
}
static cell new_cell(tp_pointsto *pt) { return (cell){new_node(pt), 0}; }

/* Root of n; *delta becomes the distance to it. Links on the way are shortened. */
static uint32_t find(const tp_pointsto *pt, uint32_t n, int64_t *delta) {
  TP_REQUIRE(n && n < pt->nodes.n);
  node *at = pt->nodes.at;
  uint32_t root = n;
  int64_t total = 0;
  for (; at[root].parent != root; root = at[root].parent) total += at[root].delta;
  *delta = total;
  while (at[n].parent != root && n != root) {
    uint32_t next = at[n].parent;
    int64_t step = at[n].delta;
    at[n].parent = root;
    at[n].delta = total;
    total -= step;
    n = next;
  }
  // the rest of the distance is that of the last link: no node has moved against the root
  TP_INVARIANT(n == root ? total == 0 : total == at[n].delta);
  return root;
}

static int64_t fold(const node *r, int64_t offset) {
  if (r->modulus == 0) return offset;
  int64_t m = (int64_t)r->modulus, rest = offset % m;
  return rest < 0 ? rest + m : rest;
}

/* The cell in terms of its root. */
static cell resolve(const tp_pointsto *pt, cell c) {
  if (c.node == 0) return c;
  int64_t delta;
  uint32_t root = find(pt, c.node, &delta);
  return (cell){root, fold(&pt->nodes.at[root], c.offset + delta)};
}

static void unify(tp_pointsto *pt, cell a, cell b) {
  if (a.node && b.node) tp_vec_push(&pt->pending, (pending){a, b});
}
/* The pointer may have been moved by any multiple of `stride`. */
static void move_by_multiples(tp_pointsto *pt, cell c, uint64_t stride) {
  if (stride >> TP_PROGRAM_DISTANCE_BITS) stride = 1;
  unify(pt, c, (cell){c.node, c.offset + (int64_t)stride});
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

// ---------------------------------------------------------------------- fields

/* The field that covers [lo, lo + size) of a root; joins those that overlap. New content: `seed`,
 * or a new cell. */
static field *field_at(tp_pointsto *pt, uint32_t root, int64_t lo, uint64_t size, cell seed) {
  TP_REQUIRE(root && pt->nodes.at[root].parent == root && size > 0);
  int64_t m = (int64_t)pt->nodes.at[root].modulus;
  lo = fold(&pt->nodes.at[root], lo);
  int64_t hi = lo + (int64_t)size;
  if (m && hi > m) lo = 0, hi = m;
  cell content = seed.node ? seed : new_cell(pt);  // may move the nodes
  node *r = &pt->nodes.at[root];
  size_t first = 0, past = r->fields.n;
  while (first < past) {  // first field that ends behind lo
    size_t mid = (first + past) / 2;
    if (r->fields.at[mid].hi > lo)
      past = mid;
    else
      first = mid + 1;
  }
  for (past = first; past < r->fields.n && r->fields.at[past].lo < hi; past++) {
  }
  if (past == first) {
    tp_vec_push(&r->fields, (field){0});
    memmove(r->fields.at + first + 1, r->fields.at + first,
            (r->fields.n - 1 - first) * sizeof(field));
    r->fields.at[first] = (field){.lo = lo, .hi = hi, .content = content};
    return &r->fields.at[first];
  }
  field *f = &r->fields.at[first];
  unify(pt, f->content, seed);
  if (past == first + 1 && f->lo == lo && f->hi == hi) return f;
  for (size_t i = first + 1; i < past; i++) {
    unify(pt, f->content, r->fields.at[i].content);
    f->marks |= r->fields.at[i].marks;
  }
  move_by_multiples(pt, f->content, 1);  // fragments: any offset
  int64_t last_hi = r->fields.at[past - 1].hi;
  if (lo < f->lo) f->lo = lo;
  f->hi = last_hi > hi ? last_hi : hi;
  memmove(f + 1, r->fields.at + past, (r->fields.n - past) * sizeof(field));
  r->fields.n -= past - first - 1;
  return f;
}

/* Add fields of another node to a root, moved by delta. */
static void add_fields(tp_pointsto *pt, uint32_t root, const field *fields, size_t n,
                       int64_t delta) {
  for (size_t i = 0; i < n; i++) {
    field *f = field_at(pt, root, fields[i].lo + delta, (uint64_t)(fields[i].hi - fields[i].lo),
                        fields[i].content);
    f->marks |= fields[i].marks;
  }
}

static void set_modulus(tp_pointsto *pt, uint32_t root, uint64_t modulus) {
  node *r = &pt->nodes.at[root];
  if (r->modulus == modulus) return;
  TP_REQUIRE(r->parent == root && modulus && (r->modulus == 0 || r->modulus % modulus == 0));
  field *fields = r->fields.at;
  size_t n = r->fields.n;
  r->fields.at = NULL;
  r->fields.n = r->fields.cap = 0;
  r->modulus = modulus;
  add_fields(pt, root, fields, n, 0);
  tp_free(fields);
}

// ----------------------------------------------------------------------- merge

static void join_types(node *into, const node *from) {
  into->type_conflict |= from->type_conflict;
  if (from->struct_type.id == 0) return;
  if (into->struct_type.id && into->struct_type.id != from->struct_type.id)
    into->type_conflict = true;
  into->struct_type = from->struct_type;
}

static uint64_t distance(int64_t a, int64_t b) {
  uint64_t d = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  return d >> TP_PROGRAM_DISTANCE_BITS ? 1 : d;
}

static void merge_roots(tp_pointsto *pt, cell a, cell b) {
  if (pt->nodes.at[a.node].fields.n < pt->nodes.at[b.node].fields.n) {
    cell t = a;
    a = b;
    b = t;
  }
  TP_REQUIRE(a.node != b.node && pt->nodes.at[a.node].parent == a.node &&
             pt->nodes.at[b.node].parent == b.node);
  int64_t delta = a.offset - b.offset;
  uint64_t modulus = gcd(pt->nodes.at[a.node].modulus, pt->nodes.at[b.node].modulus);
  if (distance(delta, 0) != (uint64_t)(delta < 0 ? -delta : delta)) delta = 0, modulus = 1;
  node *from = &pt->nodes.at[b.node];
  field *fields = from->fields.at;
  size_t n = from->fields.n;
  from->fields.at = NULL;
  from->fields.n = from->fields.cap = 0;
  from->parent = a.node;
  from->delta = delta;
  join_types(&pt->nodes.at[a.node], from);
  set_modulus(pt, a.node, modulus);
  add_fields(pt, a.node, fields, n, delta);
  tp_free(fields);
}

static void process_pending(tp_pointsto *pt) {
  while (pt->pending.n) {
    pending next = tp_vec_pop(&pt->pending);
    int64_t da, db;
    cell a = {find(pt, next.a.node, &da), 0}, b = {find(pt, next.b.node, &db), 0};
    a.offset = next.a.offset + da;
    b.offset = next.b.offset + db;
    if (a.node != b.node)
      merge_roots(pt, a, b);
    else if (a.offset != b.offset)
      set_modulus(pt, a.node, gcd(pt->nodes.at[a.node].modulus, distance(a.offset, b.offset)));
  }
}

/* Content of the memory that a value with cell `at` points to. */
static cell content_at(tp_pointsto *pt, cell at, uint64_t size, uint8_t marks) {
  process_pending(pt);
  cell c = resolve(pt, at);
  field *f = field_at(pt, c.node, c.offset, size, NO_CELL);
  f->marks |= marks;
  cell content = f->content;
  process_pending(pt);
  return content;
}

// ----------------------------------------------------------------------- terms

static tp_sort_kind sort_kind(const tp_pointsto *pt, tp_term t) {
  return tp_sort_kind_of(pt->p->terms, tp_sort_of(pt->p->terms, t));
}

/* Can values of this term carry pointers, as far as this round follows them? */
static bool is_carrier(const tp_pointsto *pt, tp_term t) {
  tp_sort_kind k = sort_kind(pt, t);
  return k == TP_SORT_PTR || (pt->follows_integers && (k == TP_SORT_BV || k == TP_SORT_FP));
}

static bool signed_const(const tp_terms *tt, tp_term t, int64_t *out) {
  uint64_t v;
  if (!tp_bv_value_u64(tt, t, &v)) return false;
  uint32_t w = tp_width(tt, t);
  *out = w < 64 && (v >> (w - 1) & 1) ? (int64_t)(v | UINT64_MAX << w) : (int64_t)v;
  return true;
}

/* Every value of a non-constant summand is a multiple of this. A product with a number that is no
 * power of two keeps that number only where it cannot wrap around: for an index of at most half the
 * width of pointers. */
static uint64_t stride_of(const tp_pointsto *pt, tp_term t) {
  const tp_terms *tt = pt->p->terms;
  int64_t factor;
  if (tp_kind(tt, t) == TP_OP_BV_SHL && signed_const(tt, tp_arg(tt, t, 1), &factor))
    return factor >= 0 && factor < 30 ? (uint64_t)1 << factor : 1;
  if (tp_kind(tt, t) != TP_OP_BV_MUL) return 1;
  tp_term index = tp_arg(tt, t, 0);
  if (!signed_const(tt, tp_arg(tt, t, 1), &factor)) {
    index = tp_arg(tt, t, 1);
    if (!signed_const(tt, tp_arg(tt, t, 0), &factor)) return 1;
  }
  uint64_t size = distance(factor, 0);
  bool is_narrow = (tp_kind(tt, index) == TP_OP_BV_SEXT || tp_kind(tt, index) == TP_OP_BV_ZEXT) &&
                   tp_width(tt, tp_arg(tt, index, 0)) * 2 <= pt->p->ptr_bits &&
                   size < (uint64_t)1 << 30;
  return size == 0 ? 1 : is_narrow && pt->p->ptr_bits == 64 ? size : size & -size;
}

/* c moved by the sum `offset`. */
static cell moved(tp_pointsto *pt, cell c, tp_term offset) {
  const tp_terms *tt = pt->p->terms;
  int64_t constant = 0, k;
  while (true) {
    bool is_sum = tp_kind(tt, offset) == TP_OP_BV_ADD;
    tp_term summand = offset;
    if (is_sum) {  // a chain to one side
      tp_term a = tp_arg(tt, offset, 0), b = tp_arg(tt, offset, 1);
      bool is_left_deep = tp_kind(tt, a) == TP_OP_BV_ADD;
      summand = is_left_deep ? b : a;
      offset = is_left_deep ? a : b;
    }
    if (signed_const(tt, summand, &k))
      constant = (int64_t)((uint64_t)constant + (uint64_t)k);
    else
      move_by_multiples(pt, c, tp_kind(tt, summand) == TP_OP_BV_ADD ? 1 : stride_of(pt, summand));
    if (!is_sum) break;
  }
  if (distance(constant, 0) !=
      (uint64_t)(constant < 0 ? -(uint64_t)constant : (uint64_t)constant)) {
    move_by_multiples(pt, c, 1);
    constant = 0;
  }
  return (cell){c.node, c.offset + constant};
}

/* One cell for all arguments, at any offset. */
static cell mixed(tp_pointsto *pt, tp_term t) {
  cell c = NO_CELL;
  for (uint32_t i = 0; i < tp_n_args(pt->p->terms, t); i++) {
    cell a = pt->of_term[tp_arg(pt->p->terms, t, i).id];
    unify(pt, c, a);
    if (a.node) c = a;
  }
  if (c.node) move_by_multiples(pt, c, 1);
  return c;
}

static cell cell_of_const(const tp_pointsto *pt, tp_term t) {
  uint32_t object = tp_ptr_const_object(pt->p->terms, t);
  if (object == 0 || object >= pt->p->statics.n) return NO_CELL;
  uint64_t offset = tp_ptr_const_offset(pt->p->terms, t);
  if (pt->p->ptr_bits == 32) return (cell){pt->static_node[object], (int32_t)(uint32_t)offset};
  return (cell){pt->static_node[object], (int64_t)offset};
}

static cell cell_of_sum(tp_pointsto *pt, tp_term t) {
  const tp_terms *tt = pt->p->terms;
  int64_t k;
  for (uint32_t i = 0; i < 2; i++) {
    cell c = pt->of_term[tp_arg(tt, t, 1 - i).id];
    if (tp_width(tt, t) == pt->p->ptr_bits && signed_const(tt, tp_arg(tt, t, i), &k) && c.node)
      return moved(pt, c, tp_arg(tt, t, i));
  }
  return mixed(pt, t);
}

/* Arguments have their cells already. */
static cell cell_of(tp_pointsto *pt, tp_term t) {
  const tp_terms *tt = pt->p->terms;
  tp_sort_kind sort = sort_kind(pt, t);
  if (sort == TP_SORT_BOOL || sort == TP_SORT_ARRAY || sort == TP_SORT_INT) return NO_CELL;
  tp_term_kind kind = tp_kind(tt, t);
  cell first = tp_n_args(tt, t) ? pt->of_term[tp_arg(tt, t, 0).id] : NO_CELL;
  switch ((int)kind) {
    case TP_OP_PTR_CONST: return cell_of_const(pt, t);
    case TP_OP_VAR: return is_carrier(pt, t) ? new_cell(pt) : NO_CELL;
    case TP_OP_PTR_ADD: return first.node ? moved(pt, first, tp_arg(tt, t, 1)) : NO_CELL;
    case TP_OP_ITE: {
      cell a = pt->of_term[tp_arg(tt, t, 1).id], b = pt->of_term[tp_arg(tt, t, 2).id];
      unify(pt, a, b);
      return a.node ? a : b;
    }
    case TP_OP_PTR_OFF:
    case TP_OP_SELECT: return NO_CELL;  // ghosts contain no pointers
    case TP_OP_PTR_TO_INT: return pt->follows_integers ? first : NO_CELL;
    case TP_OP_INT_TO_PTR: return first;
    case TP_OP_FP_OF_BITS:
    case TP_OP_FP_TO_BITS: return first;
    case TP_OP_BV_ADD: return pt->follows_integers ? cell_of_sum(pt, t) : NO_CELL;
    case TP_OP_BV_MUL:  // only sums keep what an integer points to
    case TP_OP_BV_NEG:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM: return NO_CELL;
    case TP_OP_PTR_MK: return mixed(pt, t);
    default: return sort == TP_SORT_PTR || pt->follows_integers ? mixed(pt, t) : NO_CELL;
  }
}

static cell of(const tp_pointsto *pt, tp_term t) {
  return tp_term_is(t) ? pt->of_term[t.id] : NO_CELL;
}

static cell of_var(tp_pointsto *pt, tp_var v) {
  tp_term t = tp_var_of(pt->p, v)->term;
  if (pt->of_term[t.id].node == 0 && is_carrier(pt, t)) pt->of_term[t.id] = new_cell(pt);
  return pt->of_term[t.id];
}

// ----------------------------------------------------------------------- edges

static uint64_t size_of_sort(const tp_pointsto *pt, tp_term t) {
  uint64_t n = tp_sort_bytes(pt->p->terms, tp_sort_of(pt->p->terms, t));
  return n ? n : 1;
}

static void visit_load(tp_pointsto *pt, const tp_edge_info *e) {
  cell at = of(pt, e->a);
  tp_term var = tp_var_of(pt->p, e->var)->term;
  if (at.node == 0) return;
  cell content = content_at(pt, at, size_of_sort(pt, var),
                            LOADED | (sort_kind(pt, var) == TP_SORT_PTR ? PTR_LOADED : 0));
  if (is_carrier(pt, var)) unify(pt, of_var(pt, e->var), content);
}

static void visit_store(tp_pointsto *pt, const tp_edge_info *e) {
  cell at = of(pt, e->a);
  if (at.node == 0) return;
  bool is_number = sort_kind(pt, e->b) != TP_SORT_PTR && !tp_is_const(pt->p->terms, e->b);
  cell content = content_at(pt, at, size_of_sort(pt, e->b), is_number ? INT_STORED : 0);
  if (is_carrier(pt, e->b)) unify(pt, content, of(pt, e->b));
}

static void visit_call(tp_pointsto *pt, const tp_edge_info *e, tp_func callee) {
  const tp_func_info *f = tp_func_of(pt->p, callee);
  if (!f->has_body) return;
  for (uint32_t i = 0; i < e->n_args && i < f->n_params; i++) {
    tp_term param = tp_var_of(pt->p, f->params[i])->term;
    if (is_carrier(pt, param)) unify(pt, of_var(pt, f->params[i]), of(pt, e->args[i]));
  }
  if (e->var.id && f->result.id && is_carrier(pt, tp_var_of(pt->p, e->var)->term))
    unify(pt, of_var(pt, e->var), of_var(pt, f->result));
}

static void add_type(tp_pointsto *pt, uint32_t n, tp_type type) {
  if (type.id == 0) return;
  const tp_type_info *t = tp_type_of(pt->p, type);
  if (t->kind == TP_T_ARRAY && t->element.id) t = tp_type_of(pt->p, type = t->element);
  if (t->kind != TP_T_STRUCT && t->kind != TP_T_VOID) pt->nodes.at[n].type_conflict = true;
  if (t->kind == TP_T_STRUCT) join_types(&pt->nodes.at[n], &(node){.struct_type = type});
}

static bool is_run(const tp_pointsto *pt, uint32_t edge) {
  const tp_loc from = pt->p->edges.at[edge].from;
  return from.id && (!pt->is_run || pt->is_run[tp_loc_of(pt->p, from)->func.id]);
}

static void visit_edge(tp_pointsto *pt, uint32_t id) {
  const tp_edge_info *e = &pt->p->edges.at[id];
  switch (e->kind) {
    case TP_E_ASSIGN:
      if (is_carrier(pt, tp_var_of(pt->p, e->var)->term))
        unify(pt, of_var(pt, e->var), of(pt, e->a));
      break;
    case TP_E_LOAD: visit_load(pt, e); break;
    case TP_E_STORE: visit_store(pt, e); break;
    case TP_E_ALLOC:
      pt->alloc_node[id] = new_node(pt);
      add_type(pt, pt->alloc_node[id], e->type);
      unify(pt, of_var(pt, e->var), (cell){pt->alloc_node[id], 0});
      break;
    case TP_E_COPY: unify(pt, of(pt, e->a), of(pt, e->b)); break;  // equal layout from here on
    case TP_E_CALL:
      if (e->callee.id) visit_call(pt, e, e->callee);
      break;
    case TP_E_RETURN: {
      tp_var result = tp_func_of(pt->p, tp_loc_of(pt->p, e->from)->func)->result;
      if (tp_term_is(e->a) && is_carrier(pt, e->a)) unify(pt, of_var(pt, result), of(pt, e->a));
      break;
    }
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_FREE:
    case TP_E_SET:
    case TP_E_HAVOC:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: break;  // no new pointer value
  }
  process_pending(pt);
}

// ------------------------------------------------------------------- the round

static void visit_statics(tp_pointsto *pt) {
  const tp_program *p = pt->p;
  pt->static_node = tp_arena_array(&pt->arena, uint32_t, p->statics.n);
  for (size_t i = 1; i < p->statics.n; i++) {
    pt->static_node[i] = new_node(pt);
    add_type(pt, pt->static_node[i], p->statics.at[i].type);
  }
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    for (uint32_t k = 0; k < s->n_relocs; k++) {
      cell at = {pt->static_node[i], (int64_t)s->relocs[k].offset};
      cell to = {pt->static_node[s->relocs[k].object], (int64_t)s->relocs[k].addend};
      unify(pt, content_at(pt, at, p->ptr_bits / 8, 0), to);
      process_pending(pt);
    }
  }
}

/* Declared types of pointers give the type of a class; address variables name an object, not a
 * pointer. */
static void visit_declared_types(tp_pointsto *pt) {
  for (uint32_t v = 1; v < pt->p->vars.n; v++) {
    const tp_var_info *info = &pt->p->vars.at[v];
    cell c = pt->of_term[info->term.id];
    if (c.node == 0 || info->type.id == 0 || sort_kind(pt, info->term) != TP_SORT_PTR) continue;
    const tp_type_info *t = tp_type_of(pt->p, info->type);
    tp_type target = info->is_address ? info->type : t->element;
    c = resolve(pt, c);
    if (target.id && tp_type_of(pt->p, target)->kind != TP_T_VOID) add_type(pt, c.node, target);
  }
}

static bool is_target(const tp_pointsto *pt, const tp_edge_info *call, uint32_t object,
                      uint32_t root) {
  const tp_static *s = &pt->p->statics.at[object];
  if (s->kind != TP_O_FUNCTION) return false;
  const tp_func_info *f = tp_func_of(pt->p, s->func);
  if (f->has_body && f->n_params != call->n_args) return false;
  return resolve(pt, (cell){pt->static_node[object], 0}).node == root;
}

/* Callees of one call through a pointer; true if there are more than before. */
static bool resolve_call(tp_pointsto *pt, uint32_t id) {
  const tp_edge_info *e = &pt->p->edges.at[id];
  cell at = resolve(pt, of(pt, e->a));
  if (at.node == 0) return false;
  uint32_t n = 0;
  for (uint32_t s = 1; s < pt->p->statics.n; s++) n += is_target(pt, e, s, at.node);
  if (n == pt->callees[id].n) return false;
  tp_func *funcs = tp_arena_array(&pt->arena, tp_func, n);
  n = 0;
  for (uint32_t s = 1; s < pt->p->statics.n; s++)
    if (is_target(pt, e, s, at.node)) funcs[n++] = pt->p->statics.at[s].func;
  pt->callees[id] = (tp_func_list){funcs, n};
  for (uint32_t i = 0; i < n; i++) visit_call(pt, e, funcs[i]);
  process_pending(pt);
  return true;
}

static void resolve_calls(tp_pointsto *pt) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t e = 1; e < pt->p->edges.n; e++) {
      const tp_edge_info *edge = &pt->p->edges.at[e];
      if (edge->kind == TP_E_CALL && is_run(pt, e) && !edge->callee.id)
        changed |= resolve_call(pt, e);
    }
  }
}

static void run_round(tp_pointsto *pt) {
  const tp_program *p = pt->p;
  tp_vec_push(&pt->nodes, (node){0});
  pt->alloc_node = tp_arena_array(&pt->arena, uint32_t, p->edges.n);
  pt->callees = tp_arena_array(&pt->arena, tp_func_list, p->edges.n);
  pt->of_term = tp_arena_array(&pt->arena, cell, pt->n_terms + 1);
  visit_statics(pt);
  for (uint32_t t = 1; t <= pt->n_terms; t++)
    if (pt->used[t]) pt->of_term[t] = cell_of(pt, (tp_term){t});
  process_pending(pt);
  for (uint32_t v = 1; v < p->vars.n; v++)
    if (tp_term_is(p->vars.at[v].initial))
      unify(pt, of_var(pt, (tp_var){v}), of(pt, p->vars.at[v].initial));
  process_pending(pt);
  for (uint32_t e = 1; e < p->edges.n; e++)
    if (is_run(pt, e)) visit_edge(pt, e);
  resolve_calls(pt);
}

/* Can an integer become a pointer to an object, by cast or through memory? */
static bool needs_integers(const tp_pointsto *pt) {
  const tp_terms *tt = pt->p->terms;
  for (uint32_t t = 1; t <= pt->n_terms; t++)
    if (pt->used[t] && (tp_kind(tt, (tp_term){t}) == TP_OP_INT_TO_PTR ||
                        tp_kind(tt, (tp_term){t}) == TP_OP_PTR_MK))
      return true;
  for (size_t n = 1; n < pt->nodes.n; n++) {
    const node *r = &pt->nodes.at[n];
    for (size_t i = 0; r->parent == n && i < r->fields.n; i++)
      if ((r->fields.at[i].marks & (INT_STORED | PTR_LOADED)) == (INT_STORED | PTR_LOADED))
        return true;
  }
  return false;
}

static void clear_nodes(tp_pointsto *pt) {
  for (size_t n = 0; n < pt->nodes.n; n++) tp_vec_clear(&pt->nodes.at[n].fields);
  tp_vec_clear(&pt->nodes);
}

// --------------------------------------------------------------------- classes

static void number_root(tp_pointsto *pt, uint32_t member) {
  if (member == 0) return;
  int64_t delta;
  node *r = &pt->nodes.at[find(pt, member, &delta)];
  if (r->id.id) return;
  TP_INVARIANT(pt->pending.n == 0);  // all merges are done
  r->id = (tp_class){++pt->n_classes};
  for (size_t i = 0; i < r->fields.n; i++) r->fields.at[i].region = ++pt->n_regions;
}

/* The functions that a run of one consists of. */
typedef struct {
  const tp_program *p;
  bool *is_in;
  bool has_more, has_pointer_calls;
} run_search;

static void add_function(run_search *s, tp_func f) {
  s->has_more |= !s->is_in[f.id];
  s->is_in[f.id] = true;
}

/* Not a predicate to stop at: all functions whose address the term has. */
static bool note_function(void *ctx, const tp_terms *tt, tp_term t) {
  run_search *s = ctx;
  const uint32_t object = tp_kind(tt, t) == TP_OP_PTR_CONST ? tp_ptr_const_object(tt, t) : 0;
  if (object && object < s->p->statics.n && s->p->statics.at[object].kind == TP_O_FUNCTION)
    add_function(s, s->p->statics.at[object].func);
  return false;
}

static void note_functions(run_search *s, tp_term t) {
  if (tp_term_is(t)) (void)tp_any_subterm(s->p->terms, t, note_function, s);
}

static void search_edge(run_search *s, const tp_edge_info *e) {
  if (!e->from.id || !s->is_in[tp_loc_of(s->p, e->from)->func.id]) return;
  s->has_pointer_calls |= e->kind == TP_E_CALL && !e->callee.id;
  if (e->kind == TP_E_CALL && e->callee.id) add_function(s, e->callee);
  if (!s->has_pointer_calls) return;
  note_functions(s, e->a);
  note_functions(s, e->b);
  for (uint32_t i = 0; i < e->n_args; i++) note_functions(s, e->args[i]);
}

/* Those whose address is in memory from the start. */
static void search_images(run_search *s) {
  for (size_t i = 1; i < s->p->statics.n; i++)
    for (uint32_t k = 0; k < s->p->statics.at[i].n_relocs; k++) {
      const tp_static *to = &s->p->statics.at[s->p->statics.at[i].relocs[k].object];
      if (to->kind == TP_O_FUNCTION) add_function(s, to->func);
    }
  for (size_t v = 1; v < s->p->vars.n; v++) note_functions(s, s->p->vars.at[v].initial);
}

/* The function and those that it calls; through a pointer: those whose address is known there. */
static const bool *find_run(tp_pointsto *pt, tp_func f) {
  run_search s = {.p = pt->p, .is_in = tp_arena_array(&pt->arena, bool, pt->p->funcs.n)};
  s.is_in[f.id] = true;
  for (s.has_more = true; s.has_more;) {
    const bool had_pointer_calls = s.has_pointer_calls;
    s.has_more = false;
    for (uint32_t i = 1; i < pt->p->edges.n; i++) search_edge(&s, &pt->p->edges.at[i]);
    if (s.has_pointer_calls) search_images(&s);
    s.has_more |= s.has_pointer_calls != had_pointer_calls;
  }
  return s.is_in;
}

tp_pointsto *tp_pointsto_new(const tp_program *p) { return tp_pointsto_new_of(p, TP_FUNC_NONE); }

tp_pointsto *tp_pointsto_new_of(const tp_program *p, tp_func f) {
  TP_REQUIRE(p->out_start);  // a finished program
  tp_pointsto *pt = TP_NEW(tp_pointsto);
  pt->p = p;
  tp_arena_init(&pt->arena);
  if (f.id) pt->is_run = find_run(pt, f);
  pt->n_terms = tp_terms_count(p->terms);
  pt->used = tp_program_used_terms(p, &pt->arena);
  for (uint32_t v = 1; v < p->vars.n; v++) pt->used[p->vars.at[v].term.id] = true;
  run_round(pt);
  if (needs_integers(pt)) {
    clear_nodes(pt);
    pt->follows_integers = true;
    run_round(pt);
  }
  visit_declared_types(pt);
  for (size_t s = 1; s < p->statics.n; s++) number_root(pt, pt->static_node[s]);
  for (size_t e = 1; e < p->edges.n; e++) number_root(pt, pt->alloc_node[e]);
  pt->struct_types = tp_arena_array(&pt->arena, tp_type, pt->n_classes + 1);
  for (size_t n = 1; n < pt->nodes.n; n++) {
    const node *r = &pt->nodes.at[n];
    if (r->parent == n && !r->type_conflict) pt->struct_types[r->id.id] = r->struct_type;
  }
  TP_INVARIANT(tp_pointsto_check(pt));
  return pt;
}

void tp_pointsto_free(tp_pointsto *pt) {
  if (!pt) return;
  clear_nodes(pt);
  tp_vec_clear(&pt->pending);
  tp_arena_clear(&pt->arena);
  tp_free(pt);
}

// ----------------------------------------------------------------------- check

static bool check_fields(const tp_pointsto *pt, const node *r, bool *is_region) {
  int64_t end = INT64_MIN;
  for (size_t i = 0; i < r->fields.n; i++) {
    const field *f = &r->fields.at[i];
    if (f->lo >= f->hi || f->lo < end || !f->content.node || f->content.node >= pt->nodes.n)
      return false;
    if (r->modulus && (f->lo < 0 || f->hi > (int64_t)r->modulus)) return false;
    if (f->region > pt->n_regions || (f->region != 0) != (r->id.id != 0)) return false;
    if (f->region && is_region[f->region]) return false;
    is_region[f->region] = true;
    end = f->hi;
  }
  return true;
}

static bool check_callees(const tp_pointsto *pt) {
  for (size_t e = 1; e < pt->p->edges.n; e++)
    for (uint32_t i = 0; i < pt->callees[e].n; i++)
      if (!pt->callees[e].at[i].id || pt->callees[e].at[i].id >= pt->p->funcs.n) return false;
  return true;
}

bool tp_pointsto_check(const tp_pointsto *pt) {
  bool *is_region = TP_NEW_ARRAY(bool, pt->n_regions + 1);
  bool *is_class = TP_NEW_ARRAY(bool, pt->n_classes + 1);
  bool ok = pt->pending.n == 0 && check_callees(pt);
  for (size_t n = 1; n < pt->nodes.n && ok; n++) {
    const node *r = &pt->nodes.at[n];
    ok = r->parent && r->parent < pt->nodes.n && r->id.id <= pt->n_classes;
    if (!ok) break;
    if (r->parent != n) {
      ok = r->fields.n == 0 && r->id.id == 0;
      continue;
    }
    ok = check_fields(pt, r, is_region) && !(r->id.id && is_class[r->id.id]) &&
         r->struct_type.id < pt->p->types.n;
    is_class[r->id.id] = true;
  }
  tp_free(is_region);
  tp_free(is_class);
  return ok;
}

// --------------------------------------------------------------------- queries

static tp_class class_of(const tp_pointsto *pt, uint32_t n) {
  int64_t delta;
  return n ? pt->nodes.at[find(pt, n, &delta)].id : TP_CLASS_NONE;
}

uint32_t tp_pointsto_n_classes(const tp_pointsto *pt) { return pt->n_classes; }
uint32_t tp_pointsto_n_regions(const tp_pointsto *pt) { return pt->n_regions; }

tp_class tp_pointsto_of_static(const tp_pointsto *pt, uint32_t object) {
  return class_of(pt, object < pt->p->statics.n ? pt->static_node[object] : 0);
}
tp_class tp_pointsto_of_alloc(const tp_pointsto *pt, tp_edge alloc) {
  return class_of(pt, pt->alloc_node[alloc.id]);
}

/* The cell of a term of the program, or of such a term moved by a sum. */
static bool cell_of_address(const tp_pointsto *pt, tp_term address, bool *is_exact, cell *out) {
  const tp_terms *tt = pt->p->terms;
  *is_exact = true;
  while (address.id > pt->n_terms || !pt->used[address.id]) {
    if (tp_kind(tt, address) == TP_OP_PTR_CONST) {
      *out = cell_of_const(pt, address);
      return true;
    }
    if (tp_kind(tt, address) != TP_OP_PTR_ADD) return false;
    *is_exact = false;
    address = tp_arg(tt, address, 0);
  }
  *out = pt->of_term[address.id];
  return true;
}

tp_class tp_pointsto_of_address(const tp_pointsto *pt, tp_term address) {
  cell c;
  bool is_exact;
  return cell_of_address(pt, address, &is_exact, &c) ? class_of(pt, c.node) : TP_CLASS_ANY;
}

uint32_t tp_pointsto_region(const tp_pointsto *pt, tp_term address, uint64_t size_bytes) {
  cell c;
  bool is_exact;
  if (!cell_of_address(pt, address, &is_exact, &c) || !is_exact || c.node == 0) return 0;
  c = resolve(pt, c);
  const node *r = &pt->nodes.at[c.node];
  int64_t hi = c.offset + (int64_t)size_bytes;
  if (r->modulus && hi > (int64_t)r->modulus) hi = (int64_t)r->modulus;
  for (size_t i = 0; i < r->fields.n; i++)
    if (r->fields.at[i].lo <= c.offset && hi <= r->fields.at[i].hi) return r->fields.at[i].region;
  return 0;
}

tp_type tp_pointsto_struct(const tp_pointsto *pt, tp_class c) {
  return c.id && c.id <= pt->n_classes ? pt->struct_types[c.id] : TP_TYPE_NONE;
}

tp_func_list tp_pointsto_callees(const tp_pointsto *pt, tp_edge call) {
  return pt->callees[call.id];
}

// ----------------------------------------------------------------------- reads

static tp_pointsto_place place_of_cell(const tp_pointsto *pt, cell c) {
  c = resolve(pt, c);
  return (tp_pointsto_place){c.node, c.offset};
}

tp_pointsto_place tp_pointsto_place_of(const tp_pointsto *pt, tp_var pointer) {
  return place_of_cell(pt, pt->of_term[tp_var_of(pt->p, pointer)->term.id]);
}

/* Does the field touch the bytes, where offsets count modulo the node's? */
static bool touches(const node *r, const field *f, int64_t lo, uint64_t size) {
  const int64_t m = (int64_t)r->modulus, hi = lo + (int64_t)size;
  if (m && size >= r->modulus) return true;
  return (f->lo < hi && lo < f->hi) || (m && f->lo < hi - m);
}

/* Root and offset; false: nothing is known to lead there. */
static bool root_of(const tp_pointsto *pt, tp_pointsto_place at, const node **root,
                    int64_t *offset) {
  if (!at.node) return false;
  const cell c = resolve(pt, (cell){at.node, at.offset});
  *root = &pt->nodes.at[c.node];
  *offset = c.offset;
  return true;
}

tp_pointsto_place tp_pointsto_place_behind(const tp_pointsto *pt, tp_pointsto_place at) {
  const node *r = NULL;
  int64_t lo = 0;
  if (!root_of(pt, at, &r, &lo)) return TP_POINTSTO_NOWHERE;
  for (size_t i = 0; i < r->fields.n; i++)
    if (touches(r, &r->fields.at[i], lo, pt->p->ptr_bits / 8))
      return place_of_cell(pt, r->fields.at[i].content);
  return TP_POINTSTO_NOWHERE;
}

tp_type tp_pointsto_declared(const tp_pointsto *pt, tp_pointsto_place at) {
  const node *r = NULL;
  int64_t lo = 0;
  return root_of(pt, at, &r, &lo) && !r->type_conflict && lo == 0 ? r->struct_type : TP_TYPE_NONE;
}

bool tp_pointsto_is_read(const tp_pointsto *pt, tp_pointsto_place at, uint64_t size_bytes) {
  const node *r = NULL;
  int64_t lo = 0;
  if (!root_of(pt, at, &r, &lo)) return false;
  for (size_t i = 0; i < r->fields.n; i++)
    if ((r->fields.at[i].marks & LOADED) && touches(r, &r->fields.at[i], lo, size_bytes))
      return true;
  return false;
}

bool tp_pointsto_repeats(const tp_pointsto *pt, tp_pointsto_place at, uint64_t size_bytes) {
  const node *r = NULL;
  int64_t lo = 0;
  return !root_of(pt, at, &r, &lo) || (r->modulus && size_bytes % r->modulus == 0);
}

bool tp_pointsto_extent(const tp_pointsto *pt, tp_pointsto_place at, uint64_t *bytes) {
  const node *r = NULL;
  int64_t lo = 0;
  *bytes = 0;
  if (!root_of(pt, at, &r, &lo) || r->modulus || r->fields.n == 0) return false;
  const int64_t end = r->fields.at[r->fields.n - 1].hi;
  *bytes = end > lo ? (uint64_t)(end - lo) : 0;
  return true;
}
