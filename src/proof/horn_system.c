/* Columns are found backwards: what the condition of a block reads is a column where the block
 * starts; what the value of a column behind a block reads is one before it. A read through a
 * pointer is a column under the pointer's name; whether two such reads are of one cell the clauses
 * do not know unless a write between them asks.
 *
 * A clause is the block's condition, what is known where it starts, and an equation for each column
 * that changes; then every column becomes its variable, and every read that is none an input. */
#include "proof/horn_system.h"

#include "proof/proof_limits.h"

static tp_terms *terms_of(const tp_horn_system *s) { return s->b->paths->tt; }
static tp_sort_kind kind_of_sort(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t));
}
static uint64_t at_node(uint32_t node, uint64_t column) { return (uint64_t)node << 32 | column; }

// --------------------------------------------------------------------- columns

/* Is the address one whose cell can be followed: a constant, a pointer variable, what such a cell
 * holds; a distance from one of these? */
static bool is_followed(const tp_horn_system *s, tp_term address) {
  const tp_terms *tt = terms_of(s);
  for (int links = 0; links <= TP_PROOF_HORN_LINKS; links++) {
    switch ((int)tp_kind(tt, address)) {
      case TP_OP_PTR_CONST:
      case TP_OP_BV_CONST: return true;
      case TP_OP_VAR: return tp_program_var_of(s->b->paths->p, address).id != 0;
      case TP_OP_PTR_ADD:
        if (!tp_is_const(tt, tp_arg(tt, address, 1))) return false;
        address = tp_arg(tt, address, 0);
        break;
      case TP_OP_PTR_OBJ: address = tp_arg(tt, address, 0); break;  // ghosts are read by object
      case TP_OP_SELECT:
        if (tp_kind(tt, tp_arg(tt, address, 0)) != TP_OP_VAR) return false;
        address = tp_arg(tt, address, 1);
        break;
      default: return false;
    }
  }
  return false;
}

static bool is_column_read(const tp_horn_system *s, tp_term t) {
  const tp_terms *tt = terms_of(s);
  return tp_kind(tt, t) == TP_OP_SELECT && tp_paths_is_expressible(s->b->paths, t) &&
         is_followed(s, tp_arg(tt, t, 1));
}

static uint64_t column_of(tp_horn_system *s, tp_term t) {
  uint64_t at;
  tp_terms *tt = terms_of(s);
  if (tp_map_get(&s->column_of, t.id, &at)) return at;
  at = s->columns.n;
  bool is_var = tp_kind(tt, t) == TP_OP_VAR;
  tp_vec_push(&s->columns,
              (tp_horn_column){t, is_var ? t : tp_mk_var(tt, "cell", tp_sort_of(tt, t)),
                               tp_mk_var(tt, "next", tp_sort_of(tt, t))});
  tp_map_set(&s->column_of, t.id, at);
  return at;
}

static void add_column(tp_horn_system *s, uint32_t node, tp_term t) {
  if (!tp_block_node_may_use(s->b, node, t)) return;
  uint64_t c = column_of(s, t), known;
  if (tp_map_get(&s->is_at, at_node(node, c), &known) || s->at[node].n >= TP_PROOF_HORN_COLUMNS)
    return;
  tp_map_set(&s->is_at, at_node(node, c), 1);
  tp_vec_push(&s->at[node], (uint32_t)c);
}

/* A scalar, or the two parts of a pointer. */
static void add_columns(tp_horn_system *s, uint32_t node, tp_term t) {
  tp_terms *tt = terms_of(s);
  switch (kind_of_sort(tt, t)) {
    case TP_SORT_PTR:
      add_column(s, node, tp_mk1(tt, TP_OP_PTR_OBJ, t));
      add_column(s, node, tp_mk1(tt, TP_OP_PTR_OFF, t));
      break;
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_FP: add_column(s, node, t); break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
}

typedef struct {
  tp_horn_system *s;
  uint32_t node;
} read_search;

static tp_visit add_read(void *ctx, tp_term t) {
  const read_search *r = ctx;
  bool is_read = tp_kind(terms_of(r->s), t) == TP_OP_SELECT;
  if (is_read ? is_column_read(r->s, t) : tp_program_var_of(r->s->b->paths->p, t).id != 0)
    add_columns(r->s, r->node, t);
  return is_read ? TP_VISIT_SKIP_ARGS : TP_VISIT_ARGS;
}

/* Columns for all that a term over the state at the node reads. */
static void add_reads(tp_horn_system *s, uint32_t node, tp_term t) {
  read_search r = {s, node};
  tp_visitor v = {.ctx = &r, .visit = add_read, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(terms_of(s), t, &v, NULL);
}

// ----------------------------------------------------------------------- parts

static tp_term flat(const tp_horn_system *s, tp_term t) {
  return tp_flatten(&s->b->paths->flattener, terms_of(s), t, TP_PROOF_HORN_FLAT_CONDITIONS);
}

static bool takes_part(const tp_horn_system *s, const tp_block *k) {
  return s->matters[k->from] && s->matters[k->to] &&
         (k->from == 0 || !tp_block_node_is_bad(s->b, k->from));
}

/* Equations for the columns of a block's target that have none yet. False: there is none. */
static bool add_equations(tp_horn_system *s, size_t i) {
  const tp_block *k = &s->b->list.at[i];
  tp_paths *x = s->b->paths;
  tp_horn_clause_parts *parts = &s->parts[i];
  size_t before = parts->equations.n;
  while (parts->equations.n < s->at[k->to].n) {
    uint32_t c = s->at[k->to].at[parts->equations.n];
    tp_horn_column column = s->columns.at[c];
    tp_term after = tp_path_after(x, &k->path, column.term), equation = TP_TERM_NONE;
    if (tp_term_eq(after, column.term)) add_column(s, k->from, column.term);
    if (!tp_term_eq(after, column.term) || !tp_map_has(&s->is_at, at_node(k->from, c))) {
      equation = flat(s, tp_mk_eq(x->tt, column.next, after));
      add_reads(s, k->from, equation);
    }
    tp_vec_push(&parts->equations, equation);
  }
  return parts->equations.n > before;
}

static void find_what_matters(tp_horn_system *s, const tp_term *known) {
  const tp_terms *tt = terms_of(s);
  for (uint32_t n = 0; n < s->b->nodes.n; n++)
    s->matters[n] = tp_block_node_is_bad(s->b, n) && !tp_is_false(tt, known[n]);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = s->b->list.n; i-- > 0;) {
      const tp_block *k = &s->b->list.at[i];
      if (s->matters[k->from] || !s->matters[k->to] || tp_is_false(tt, known[k->from])) continue;
      s->matters[k->from] = changed = true;
    }
  }
}

static size_t size_of(const tp_horn_system *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->b->list.n; i++) {
    if (!takes_part(s, &s->b->list.at[i])) continue;
    n += tp_dag_size(terms_of(s), s->parts[i].condition);
    for (size_t j = 0; j < s->parts[i].equations.n; j++)
      if (tp_term_is(s->parts[i].equations.at[j]))
        n += tp_dag_size(terms_of(s), s->parts[i].equations.at[j]);
  }
  return n;
}

void tp_horn_system_init(tp_horn_system *s, const tp_blocks *b, const tp_term *known) {
  TP_REQUIRE(known != NULL);
  TP_INVARIANT(tp_blocks_check(b));
  *s = (tp_horn_system){.b = b};
  s->matters = TP_NEW_ARRAY(bool, b->nodes.n);
  s->at = TP_NEW_ARRAY(tp_horn_columns, b->nodes.n);
  s->parts = TP_NEW_ARRAY(tp_horn_clause_parts, b->list.n + 1);
  find_what_matters(s, known);
  for (size_t i = 0; i < b->list.n; i++) {
    if (!takes_part(s, &b->list.at[i])) continue;
    s->parts[i].condition = flat(s, tp_path_condition(b->paths, &b->list.at[i].path));
    if (b->list.at[i].from) add_reads(s, b->list.at[i].from, s->parts[i].condition);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = b->list.n; i-- > 0;)
      if (takes_part(s, &b->list.at[i]) && add_equations(s, i)) changed = true;
  }
  if (size_of(s) > TP_PROOF_HORN_TERMS)
    s->refused = "the blocks of the program are too large for Horn clauses";
}

void tp_horn_system_clear(tp_horn_system *s) {
  for (uint32_t n = 0; n < s->b->nodes.n; n++) tp_vec_clear(&s->at[n]);
  for (size_t i = 0; i < s->b->list.n; i++) tp_vec_clear(&s->parts[i].equations);
  tp_free(s->matters);
  tp_free(s->at);
  tp_free(s->parts);
  tp_vec_clear(&s->columns);
  tp_map_clear(&s->column_of);
  tp_map_clear(&s->is_at);
}

// --------------------------------------------------------------------- clauses

typedef struct {
  tp_horn_system *s;
  tp_terms *tt;
  uint32_t node;  // where the block starts
  tp_horn_abstraction how;
  tp_map made;  // term -> what stands for it
  bool is_exact;
} clause_maker;

/* Does the relation of a node have this column? Integers take neither floats nor wide words. */
static bool is_taken(const clause_maker *m, uint64_t column) {
  tp_term t = m->s->columns.at[column].term;
  tp_sort_kind k = kind_of_sort(m->tt, t);
  return m->how == TP_HORN_AS_IT_IS ||
         (k != TP_SORT_FP &&
          (k != TP_SORT_BV || tp_width(m->tt, t) <= TP_PROOF_HORN_INTEGER_WIDTH));
}

static bool is_bit(const tp_terms *tt, tp_term t) {
  if (tp_kind(tt, t) == TP_OP_BV_ZEXT) t = tp_arg(tt, t, 0);
  return tp_width(tt, t) == 1;
}

/* Is it something that linear arithmetic has no word for? */
static bool is_not_linear(const tp_terms *tt, tp_term t) {
  uint32_t n = tp_n_args(tt, t);
  bool constant_0 = n > 0 && tp_is_const(tt, tp_arg(tt, t, 0)),
       constant_1 = n > 1 && tp_is_const(tt, tp_arg(tt, t, 1));
  for (uint32_t i = 0; i < n; i++)
    if (kind_of_sort(tt, tp_arg(tt, t, i)) == TP_SORT_FP && kind_of_sort(tt, t) != TP_SORT_FP)
      return true;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_MUL: return !constant_0 && !constant_1;
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM:
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return !constant_1;
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
      return !constant_0 && !constant_1 &&
             !(is_bit(tt, tp_arg(tt, t, 0)) && is_bit(tt, tp_arg(tt, t, 1)));
    case TP_OP_PTR_TO_INT:
    case TP_OP_INT_TO_PTR: return true;
    case TP_OP_VAR:
      return kind_of_sort(tt, t) == TP_SORT_BV && tp_width(tt, t) > TP_PROOF_HORN_INTEGER_WIDTH;
    default: return false;
  }
}

static tp_term hole(clause_maker *m, tp_sort sort) {
  if (tp_sort_kind_of(m->tt, sort) != TP_SORT_PTR) return tp_mk_var(m->tt, "any", sort);
  tp_term object = tp_mk_var(m->tt, "any", tp_sort_bv(m->tt, TP_OBJ_BITS));
  return tp_mk_ptr(m->tt, object,
                   tp_mk_var(m->tt, "any", tp_sort_bv(m->tt, tp_terms_ptr_bits(m->tt))));
}

static tp_term column_at(const clause_maker *m, tp_term t) {
  uint64_t c;
  bool is = tp_map_get(&m->s->column_of, t.id, &c) &&
            tp_map_has(&m->s->is_at, at_node(m->node, c)) && is_taken(m, c);
  return is ? m->s->columns.at[c].now : TP_TERM_NONE;
}

static tp_term pointer_at(clause_maker *m, tp_term t) {
  tp_term object = column_at(m, tp_mk1(m->tt, TP_OP_PTR_OBJ, t)),
          offset = column_at(m, tp_mk1(m->tt, TP_OP_PTR_OFF, t));
  if (!tp_term_is(object)) object = tp_mk_var(m->tt, "any", tp_sort_bv(m->tt, TP_OBJ_BITS));
  if (!tp_term_is(offset))
    offset = tp_mk_var(m->tt, "any", tp_sort_bv(m->tt, tp_terms_ptr_bits(m->tt)));
  return tp_mk_ptr(m->tt, object, offset);
}

/* What stands for a term whatever its arguments become; NONE: they decide. */
static tp_term stand_in(void *ctx, tp_term t) {
  clause_maker *m = ctx;
  tp_term column = column_at(m, t);
  if (tp_term_is(column)) return column;
  tp_term_kind k = tp_kind(m->tt, t);
  bool is_read = k == TP_OP_SELECT, is_pointer = kind_of_sort(m->tt, t) == TP_SORT_PTR;
  if (is_pointer && (k == TP_OP_VAR || is_read)) {
    m->is_exact &= !is_read || is_column_read(m->s, t);
    return pointer_at(m, t);
  }
  bool is_hole = m->how == TP_HORN_LINEAR && is_not_linear(m->tt, t),
       is_counter = tp_term_eq(t, m->s->b->paths->next);
  m->s->has_holes |= is_hole;
  m->is_exact &= m->node == 0 || !(is_counter || tp_program_var_of(m->s->b->paths->p, t).id);
  if (!is_read && !is_hole) return tp_n_args(m->tt, t) ? TP_TERM_NONE : t;
  m->is_exact = false;
  return hole(m, tp_sort_of(m->tt, t));
}

/* A term over the state at the node as one over the columns. */
static tp_term over_columns(clause_maker *m, tp_term t) {
  tp_mapper how = {.ctx = m, .before = stand_in, .order = TP_RIGHT_TO_LEFT};
  return tp_map_terms(m->tt, t, &how, &m->made);
}

// ------------------------------------------------------------------------ known

typedef struct {
  const clause_maker *m;
  bool is;
} speaking;

static void look_at(void *ctx, tp_term var) {
  speaking *sp = ctx;
  uint64_t c;
  sp->is &= tp_map_get(&sp->m->s->column_of, var.id, &c) &&
            tp_map_has(&sp->m->s->is_at, at_node(sp->m->node, c));
}

/* The part of what is known that speaks of columns that are variables. */
static tp_term about_columns(const clause_maker *m, tp_term known) {
  tp_term_list conjuncts = {0};
  tp_term all = tp_mk_true(m->tt);
  tp_conjuncts(m->tt, known, &conjuncts);
  for (size_t i = 0; i < conjuncts.n; i++) {
    speaking sp = {m, true};
    tp_for_vars(m->tt, conjuncts.at[i], look_at, &sp);
    if (sp.is) all = tp_mk_and(m->tt, all, conjuncts.at[i]);
  }
  tp_vec_clear(&conjuncts);
  return all;
}

// ----------------------------------------------------------------------- system

typedef struct {
  tp_horn_system *s;
  tp_horn *horn;
  tp_horn_relation *relations;  // by node
  const tp_term *known;
  tp_horn_abstraction how;
  bool is_exact;
} asking;

static void add_relations(asking *q) {
  for (uint32_t n = 1; n < q->s->b->nodes.n; n++) {
    TP_VEC(tp_term) vars = {0};
    clause_maker m = {.s = q->s, .tt = terms_of(q->s), .node = n, .how = q->how};
    if (!q->s->matters[n] || tp_block_node_is_bad(q->s->b, n)) continue;
    for (size_t j = 0; j < q->s->at[n].n; j++)
      if (is_taken(&m, q->s->at[n].at[j]))
        tp_vec_push(&vars, q->s->columns.at[q->s->at[n].at[j]].now);
    q->relations[n] = tp_horn_add_relation(q->horn, vars.at, vars.n);
    tp_vec_clear(&vars);
  }
}

static void add_clause(asking *q, size_t i) {
  tp_horn_system *s = q->s;
  const tp_block *k = &s->b->list.at[i];
  const tp_horn_columns *columns = &s->at[k->to];
  clause_maker m = {.s = s, .tt = terms_of(s), .node = k->from, .how = q->how, .is_exact = true};
  TP_VEC(tp_term) after = {0};
  tp_term all = tp_mk_and(m.tt, s->parts[i].condition, about_columns(&m, q->known[k->from]));
  for (size_t j = 0; j < columns->n; j++) {
    tp_term equation = s->parts[i].equations.at[j];
    if (!is_taken(&m, columns->at[j])) continue;
    if (tp_term_is(equation)) all = tp_mk_and(m.tt, all, equation);
    tp_vec_push(&after, tp_term_is(equation) ? s->columns.at[columns->at[j]].next
                                             : s->columns.at[columns->at[j]].now);
  }
  all = over_columns(&m, tp_paths_query(s->b->paths, all));
  tp_horn_add_clause(q->horn, q->relations[k->from], NULL, all, q->relations[k->to], after.at);
  q->is_exact &= m.is_exact;
  tp_map_clear(&m.made);
  tp_vec_clear(&after);
}

static tp_term term_of(void *ctx, tp_term var) {
  const tp_map *of = ctx;
  uint64_t t;
  return tp_map_get(of, var.id, &t) ? (tp_term){(uint32_t)t} : TP_TERM_NONE;
}

/* What was found, in the language of the program. */
static void read_back(asking *q, tp_integers_to_bits_mode back, tp_node_formulas *candidates) {
  tp_map of = {0};
  tp_horn_set_to_bits(q->horn, back);
  for (size_t c = 0; c < q->s->columns.n; c++)
    tp_map_set(&of, q->s->columns.at[c].now.id, q->s->columns.at[c].term.id);
  for (uint32_t n = 1; n < q->s->b->nodes.n; n++) {
    tp_term_list conjuncts = {0};
    tp_term found = q->relations[n].id ? tp_horn_invariant(q->horn, q->relations[n]) : TP_TERM_NONE;
    if (tp_term_is(found))
      tp_conjuncts(terms_of(q->s), tp_subst(terms_of(q->s), found, term_of, &of, NULL), &conjuncts);
    for (size_t i = 0; i < conjuncts.n; i++)
      if (tp_paths_is_expressible(q->s->b->paths, conjuncts.at[i]))
        tp_node_formulas_add(candidates, q->s->b, n, conjuncts.at[i]);
    tp_vec_clear(&conjuncts);
  }
  tp_map_clear(&of);
}

tp_horn_outcome tp_horn_system_solve(tp_horn_system *s, const tp_term *known, tp_horn_options o,
                                     tp_horn_abstraction how, tp_node_formulas *candidates) {
  TP_REQUIRE(candidates->n_nodes == s->b->nodes.n);
  TP_REQUIRE(!s->refused);
  asking q = {.s = s,
              .horn = tp_horn_new(terms_of(s), o),
              .known = known,
              .how = how,
              .is_exact = o.encoding != TP_HORN_INTS_PLAIN};
  tp_horn_outcome r = {.answer = TP_HORN_UNKNOWN};
  q.relations = TP_NEW_ARRAY(tp_horn_relation, s->b->nodes.n);
  add_relations(&q);
  for (size_t i = 0; i < s->b->list.n; i++)
    if (takes_part(s, &s->b->list.at[i])) add_clause(&q, i);
  r.answer = tp_horn_solve(q.horn);
  r.is_exact = q.is_exact;
  if (r.answer == TP_HORN_UNREACHABLE) {
    read_back(&q, TP_BACK_MODULAR, candidates);
    if (o.encoding != TP_HORN_BITS) read_back(&q, TP_BACK_EXACT, candidates);
  }
  tp_str reason = {0};
  tp_str_printf(&reason, "%s", tp_horn_reason(q.horn));
  memcpy(r.reason, tp_str_text(&reason),
         reason.n < sizeof r.reason ? reason.n : sizeof r.reason - 1);
  tp_str_clear(&reason);
  tp_free(q.relations);
  tp_horn_free(q.horn);
  return r;
}
