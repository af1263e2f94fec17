/* What the values of a variable had in common, as far as they were seen: bounds, the remainder by
 * the distance of its values, and linear relations to other variables of the same width (a sum or a
 * difference that did not change, an order that always held, a line through all points).
 *
 * Each element that was seen is a row. A relation that two rows show is a guess; predicates cost
 * questions, so few are taken. */
#include "cpa/infer.h"

#include "base/checked.h"
#include "cpa/cpa_limits.h"

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  const tp_precision_transfer *from;
  tp_term lvalue;
  uint32_t width;
  bool is_signed;
  size_t n;                       // rows in which the lvalue has a value
  size_t row[TP_CPA_MINED_ROWS];  // their elements, in from->view
  int64_t value[TP_CPA_MINED_ROWS];
  uint32_t n_relations;
  void (*visit)(void *ctx, tp_term predicate);
  void *ctx;
} mining;

static bool value_in(const mining *m, size_t row, tp_term t, int64_t *out) {
  TP_REQUIRE(row < m->from->view.n);
  tp_range r;
  if (!tp_view_range((tp_view){m->from->cpa, m->from->view.at[row].elem}, t, &r) || r.is_top ||
      r.umin != r.umax)
    return false;
  if (!m->is_signed && r.umin > INT64_MAX) return false;
  *out = m->is_signed ? r.smin : (int64_t)r.umin;
  return true;
}

static void collect_rows(mining *m) {
  for (size_t i = 0; i < m->from->view.n && m->n < TP_CPA_MINED_ROWS; i++) {
    if (!value_in(m, i, m->lvalue, &m->value[m->n])) continue;
    m->row[m->n++] = i;
  }
}

static tp_term constant(const mining *m, int64_t c) { return tp_mk_bv_signed(m->tt, m->width, c); }
static tp_term less(const mining *m, tp_term a, tp_term b) {
  return tp_mk2(m->tt, m->is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, a, b);
}

// ----------------------------------------------------------------- by itself

static uint64_t distance(int64_t a, int64_t b) {
  return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static void mine_alone(const mining *m) {
  TP_REQUIRE(m->n >= 2);
  int64_t least = m->value[0], most = m->value[0];
  uint64_t step = 0;
  for (size_t i = 1; i < m->n; i++) {
    if (m->value[i] < least) least = m->value[i];
    if (m->value[i] > most) most = m->value[i];
    uint64_t a = distance(m->value[0], m->value[i]), b = step;
    for (uint64_t rest; b; b = rest) rest = a % b, a = b;
    step = a;
  }
  m->visit(m->ctx, less(m, m->lvalue, constant(m, least)));
  m->visit(m->ctx, less(m, constant(m, most), m->lvalue));
  if (step < 2 || step > TP_CPA_MINED_MODULUS) return;
  TP_INVARIANT(step <= tp_mask64(m->width));  // a difference of two values of this width
  tp_term rest = tp_mk2(m->tt, TP_OP_BV_UREM, m->lvalue, constant(m, (int64_t)step));
  uint64_t first = (uint64_t)m->value[0] & tp_mask64(m->width);
  m->visit(m->ctx, tp_mk_eq(m->tt, rest, constant(m, (int64_t)(first % step))));
}

// ------------------------------------------------------------- with another one

/* value = a * other + b in all rows? Through the first two that differ in `other`. */
static bool line(const mining *m, const int64_t *other, int64_t *a, int64_t *b) {
  size_t k = 1;
  int64_t run, rise, scaled;
  while (k < m->n && other[k] == other[0]) k++;
  if (k == m->n || !tp_sub_i64(other[k], other[0], &run) ||
      !tp_sub_i64(m->value[k], m->value[0], &rise))
    return false;
  if (run == -1 ? rise == INT64_MIN : rise % run != 0) return false;
  *a = rise / run;
  if (!tp_mul_i64(*a, other[0], &scaled) || !tp_sub_i64(m->value[0], scaled, b)) return false;
  for (size_t i = 0; i < m->n; i++) {
    int64_t sum;
    if (!tp_mul_i64(*a, other[i], &scaled) || !tp_add_i64(scaled, *b, &sum) || sum != m->value[i])
      return false;
  }
  return true;
}

static void mine_pair(mining *m, tp_term y) {
  int64_t other[TP_CPA_MINED_ROWS], a, b;
  bool below = true, above = true, equal = false;
  for (size_t i = 0; i < m->n; i++) {
    if (!value_in(m, m->row[i], y, &other[i])) return;
    below &= m->value[i] <= other[i];
    above &= m->value[i] >= other[i];
    equal |= m->value[i] == other[i];
  }
  bool is_line = line(m, other, &a, &b) && (a == 1 || a == -1 || m->n > 2);
  if (is_line && a != 0) {
    tp_term scaled = tp_mk2(m->tt, TP_OP_BV_MUL, constant(m, a), y);
    m->visit(m->ctx,
             tp_mk_eq(m->tt, m->lvalue, tp_mk2(m->tt, TP_OP_BV_ADD, scaled, constant(m, b))));
  }
  if (below) m->visit(m->ctx, equal ? less(m, y, m->lvalue) : less(m, m->lvalue, y));
  if (above) m->visit(m->ctx, equal ? less(m, m->lvalue, y) : less(m, y, m->lvalue));
  m->n_relations += below || above || is_line;
}

/* Variables that can be seen from here: of the same function, and globals. */
static bool is_partner(const mining *m, tp_var v) {
  TP_REQUIRE(m->from->loc.id != 0);
  const tp_var_info *info = tp_var_of(m->p, v);
  if (tp_term_eq(info->term, m->lvalue) ||
      tp_sort_kind_of(m->tt, tp_sort_of(m->tt, info->term)) != TP_SORT_BV)
    return false;
  return tp_width(m->tt, info->term) == m->width &&
         (!info->func.id || info->func.id == tp_loc_of(m->p, m->from->loc)->func.id);
}

static bool reads_signed(const mining *m) {
  tp_var v = tp_program_var_of(m->p, m->lvalue);
  tp_type type = v.id ? tp_var_of(m->p, v)->type : TP_TYPE_NONE;
  return !type.id || tp_type_of(m->p, type)->is_signed;
}

void tp_infer_mine(const tp_cpa_env *env, const tp_precision_transfer *from, tp_term lvalue,
                   void (*visit)(void *ctx, tp_term predicate), void *ctx) {
  mining m = {.p = env->program,
              .tt = env->terms,
              .from = from,
              .lvalue = lvalue,
              .visit = visit,
              .ctx = ctx};
  if (tp_sort_kind_of(m.tt, tp_sort_of(m.tt, lvalue)) != TP_SORT_BV ||
      tp_width(m.tt, lvalue) > 64 || tp_width(m.tt, lvalue) < 2)
    return;
  m.width = tp_width(m.tt, lvalue);
  m.is_signed = reads_signed(&m);
  collect_rows(&m);
  if (m.n < 2) return;
  mine_alone(&m);
  uint32_t n_asked = 0;
  for (uint32_t v = 1; v < m.p->vars.n && from->loc.id && m.n_relations < TP_CPA_MINED_RELATIONS &&
                       n_asked < TP_CPA_MINED_PARTNERS;
       v++) {
    if (!is_partner(&m, (tp_var){v})) continue;
    mine_pair(&m, m.p->vars.at[v].term);
    n_asked++;
  }
}
