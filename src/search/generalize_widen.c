/* Generalisation by widening.
 *
 * What a chain of splits cut off at a node are regions R_1, R_2, ..., each a few pieces
 * (generalize_pieces.c). A piece of the newest region goes back through the chain: of each earlier
 * region it joins the piece that it is most like, if the convex hull keeps clear of the states that
 * were excluded: like it is a piece that is on the same side of them. (Of the region just before
 * it, others are tried if that leads nowhere.) Then the hull is widened from that of the pieces
 * that joined. Landmarks are the bounds of single variables that hold on the earlier pieces and on
 * the hull, the constraints of the earlier pieces that joined, as far as they hold on the hull
 * (those of the newest are what it has come to so far), the hull's own constraints that states
 * which were excluded do not satisfy, if without them the widened set would contain such a state.
 * The union over the pieces contains what rho cuts off, and so (i) holds by construction wherever
 * pieces are exact.
 *
 * In  x = 0; y = 0; while (y >= 0) y += x;  the pieces are the wedges y >= 0 & y + x < 0, then y >=
 *     0 & y + x >= 0 & y + 2x < 0; their hull is
 * y >= 0 & y + 2x < 0 & x <= -1 (over integers), and y >= 0 & x <= -1 is what remains of it. On
 * machine integers there is a second family, where y + x is too large; its widening gives x >= 1.
 */
#include "search/generalize_priv.h"

#include "search/search_limits.h"

#include <stdlib.h>

typedef struct {
  tp_generalizer *g;
  const tp_split_problem *problem;
  tp_space space;
  tp_polyhedra *helper;
  TP_VEC(tp_point) excluded;  // what stays outside
  // without states that were excluded: a model of the prefix
  tp_smt *model;
  tp_path whole;
} widening;

static tp_polyhedra *helper_of(tp_generalizer *g) {
  if (!g->helper && !g->has_no_helper) g->helper = tp_polyhedra_open(TP_NUMERIC_POLY_DIMS);
  g->has_no_helper = !g->helper;
  return g->helper;
}

// --------------------------------------------------------------------- regions

/* One region that was cut off: its conditions, in the language of the space; then its pieces. */
typedef struct {
  tp_term_list rho, cell;
  tp_poly_pieces pieces;
} region;

static void region_clear(region *r) {
  tp_vec_clear(&r->rho);
  tp_vec_clear(&r->cell);
  tp_poly_pieces_clear(&r->pieces);
}

static void read_region(widening *w, uint32_t cell, tp_term rho, region *out) {
  tp_conjuncts(w->space.tt, tp_space_abstract(&w->space, rho), &out->rho);
  tp_conjuncts(w->space.tt, tp_space_abstract(&w->space, w->g->pt->cells.at[cell].formula),
               &out->cell);
}

/* The variables of what was cut off; of the cells' other conditions those beside them, if they are
 * few. */
static bool choose_dims(widening *w, const region *r, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < r[k].rho.n; i++)
      if (!tp_space_add_dims(&w->space, r[k].rho.at[i], TP_NUMERIC_POLY_DIMS)) return false;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < r[k].cell.n; i++)
      if (tp_space_shares_dim(&w->space, r[k].cell.at[i]))
        (void)tp_space_add_dims(&w->space, r[k].cell.at[i], TP_SEARCH_WIDEN_DIMENSIONS);
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < r[k].rho.n; i++) tp_integers_vote(w->space.integers, r[k].rho.at[i]);
    for (size_t i = 0; i < r[k].cell.n; i++) tp_integers_vote(w->space.integers, r[k].cell.at[i]);
  }
  return w->space.dims.n > 0;
}

static bool make_pieces(widening *w, region *r) {
  tp_term_list all = {0};
  for (size_t i = 0; i < r->rho.n; i++) tp_vec_push(&all, r->rho.at[i]);
  for (size_t i = 0; i < r->cell.n; i++)
    if (tp_space_has_dims(&w->space, r->cell.at[i])) tp_vec_push(&all, r->cell.at[i]);
  bool ok = tp_space_pieces(&w->space, all.at, all.n, r->rho.n, &r->pieces);
  tp_vec_clear(&all);
  return ok;
}

// --------------------------------------------------------------------- joining

static bool value_in_state(const void *ctx, tp_term t, tp_value *out) {
  return tp_state_eval(ctx, t, out) == TP_OK;
}

static bool value_in_model(const void *ctx, tp_term t, tp_value *out) {
  const widening *w = ctx;
  tp_paths *x = w->g->pt->blocks->paths;
  return tp_smt_value(w->model, tp_paths_flat(x, tp_path_after(x, &w->whole, t)), out);
}

/* The states that rho excludes; else one to which the prefix leads. False: rho excludes none. */
static bool collect_excluded(widening *w, uint32_t cell, tp_term rho) {
  for (size_t i = 0; i < w->problem->n_states && w->excluded.n < TP_SEARCH_WIDEN_STATES; i++)
    if (tp_split_excludes(w->g->pt, w->problem->states[i], rho))
      tp_vec_push(&w->excluded, (tp_point){value_in_state, w->problem->states[i]});
  if (w->problem->n_states) return w->excluded.n > 0;
  tp_term arrival = tp_generalizer_arrival(w->g, w->problem, cell, &w->whole);
  if (!tp_term_is(arrival)) return false;
  w->model = tp_smt_new(w->g->tt, w->g->pt->smt);
  tp_smt_assert(w->model, tp_paths_query(w->g->pt->blocks->paths, arrival));
  tp_vec_push(&w->excluded, (tp_point){value_in_model, w});
  return tp_smt_check(w->model, NULL, 0) == TP_SMT_SAT;
}

static bool contains_excluded(widening *w, tp_term mode, const tp_poly *p) {
  const tp_poly_piece piece = {mode, *p};
  for (size_t i = 0; i < w->excluded.n; i++)
    if (tp_space_is_in(&w->space, w->excluded.at[i], &piece)) return true;
  return false;
}

/* Does some state that was excluded violate the constraint? */
static bool separates(widening *w, tp_term mode, const tp_poly_constraint *c) {
  tp_poly_piece one = {.mode = mode};
  bool yes = false;
  tp_vec_push(&one.poly.list, *c);
  for (size_t k = 0; k < w->excluded.n && !yes; k++)
    yes = !tp_space_is_in(&w->space, w->excluded.at[k], &one);
  tp_vec_clear(&one.poly.list);
  return yes;
}

/* Of the constraints of a that keep it clear of what was excluded: those that hold on b, less those
 * that do not. */
static int likeness(widening *w, tp_term mode, const tp_poly *a, const tp_poly *b) {
  int n = 0;
  for (size_t i = 0; i < a->list.n; i++) {
    tp_poly one = {0};
    bool is = false;
    if (!separates(w, mode, &a->list.at[i])) continue;
    tp_vec_push(&one.list, a->list.at[i]);
    n += tp_poly_includes(w->helper, &one, b, &is) && is ? 1 : -1;
    tp_vec_clear(&one.list);
  }
  return n;
}

typedef struct {
  const tp_poly_piece *piece;
  int likeness;
  size_t order;
} alike;

static int most_alike_first(const void *pa, const void *pb) {
  const alike *a = pa, *b = pb;
  if (a->likeness != b->likeness) return a->likeness > b->likeness ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

/* The region's pieces of p's mode with which the hull stays clear of what was excluded, most alike
 * first. */
static size_t find_alike(widening *w, const tp_poly_piece *p, const tp_poly *hull, const region *r,
                         alike *out) {
  tp_poly with = {0};
  size_t n = 0;
  for (size_t i = 0; i < r->pieces.n && n < TP_SEARCH_WIDEN_ALIKE; i++) {
    const tp_poly_piece *q = &r->pieces.at[i];
    if (!tp_term_eq(q->mode, p->mode) || !tp_poly_hull(w->helper, hull, &q->poly, &with)) continue;
    tp_poly_tighten(&with, TP_NUMERIC_POLY_DIMS);
    if (contains_excluded(w, p->mode, &with)) continue;
    out[n] = (alike){
        q, likeness(w, p->mode, &p->poly, &q->poly) + likeness(w, p->mode, &q->poly, &p->poly), n};
    n++;
  }
  if (n) qsort(out, n, sizeof *out, most_alike_first);
  tp_vec_clear(&with.list);
  return n;
}

static void add_all(tp_poly *to, const tp_poly *from) {
  for (size_t i = 0; i < from->list.n; i++) tp_vec_push(&to->list, from->list.at[i]);
}

static void add_separating(widening *w, tp_term mode, const tp_poly *hull, tp_poly *to) {
  for (size_t i = 0; i < hull->list.n; i++)
    if (separates(w, mode, &hull->list.at[i])) tp_vec_push(&to->list, hull->list.at[i]);
}

/* The hull widened from `from`, clear of what was excluded. */
static bool widen_clear(widening *w, tp_term mode, const tp_poly *from, const tp_poly *hull,
                        tp_poly *landmarks, tp_poly *out) {
  tp_poly box = {0};
  bool ok = tp_poly_box(w->helper, from, &box);
  if (ok) tp_poly_tighten(&box, TP_NUMERIC_POLY_DIMS), add_all(landmarks, &box);
  ok = ok && tp_poly_widen(w->helper, from, hull, landmarks, out);
  if (ok && contains_excluded(w, mode, out)) {
    add_separating(w, mode, hull, landmarks);
    ok = tp_poly_widen(w->helper, from, hull, landmarks, out) && !contains_excluded(w, mode, out);
  }
  tp_vec_clear(&box.list);
  return ok;
}

/* Where a piece of the newest region leads from `first`, a piece of the region before it. False:
 * nowhere. earlier: the regions before that one, newest first. */
static bool extrapolate_from(widening *w, const tp_poly_piece *p, const tp_poly_piece *first,
                             const region *earlier, size_t n, tp_poly *out) {
  tp_poly hull = {0}, landmarks = {0}, before = {0};
  alike found[TP_SEARCH_WIDEN_ALIKE];
  bool ok = tp_poly_hull(w->helper, &p->poly, &first->poly, &hull);
  tp_poly_copy(&before, &first->poly);
  add_all(&landmarks, &first->poly);
  for (size_t k = 0; k < n && ok; k++) {
    tp_poly_tighten(&hull, TP_NUMERIC_POLY_DIMS);
    if (!find_alike(w, p, &hull, &earlier[k], found)) continue;
    add_all(&landmarks, &found[0].piece->poly);
    ok = tp_poly_hull(w->helper, &hull, &found[0].piece->poly, &hull) &&
         tp_poly_hull(w->helper, &before, &found[0].piece->poly, &before);
  }
  tp_poly_tighten(&hull, TP_NUMERIC_POLY_DIMS);
  ok = ok && widen_clear(w, p->mode, &before, &hull, &landmarks, out);
  tp_vec_clear(&hull.list);
  tp_vec_clear(&landmarks.list);
  tp_vec_clear(&before.list);
  return ok;
}

/* Facets with coefficients like these lean on a corner of the types. */
static bool is_plain(const tp_poly *p) {
  for (size_t i = 0; i < p->list.n; i++)
    for (size_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++)
      if (p->list.at[i].coefficient[d] > TP_SEARCH_WIDEN_COEFFICIENT ||
          p->list.at[i].coefficient[d] < -TP_SEARCH_WIDEN_COEFFICIENT)
        return false;
  return true;
}

static bool extrapolate(widening *w, const tp_poly_piece *p, const region *earlier, size_t n,
                        tp_poly *out) {
  alike found[TP_SEARCH_WIDEN_ALIKE];
  if (n == 0) return false;
  const size_t n_found = find_alike(w, p, &p->poly, &earlier[0], found);
  for (size_t i = 0; i < n_found; i++)
    if (extrapolate_from(w, p, found[i].piece, &earlier[1], n - 1, out) && is_plain(out))
      return true;
  return false;
}

/* Is the piece part of what another became? */
static bool is_covered(widening *w, const tp_poly_piece *p, const tp_poly_pieces *wide) {
  bool is = false;
  for (size_t i = 0; i < wide->n && !is; i++)
    if (tp_term_eq(wide->at[i].mode, p->mode) &&
        !tp_poly_includes(w->helper, &wide->at[i].poly, &p->poly, &is))
      is = false;
  return is;
}

/* Pieces as formulas; those that led nowhere as they are. */
static tp_term union_of(widening *w, const tp_poly_pieces *pieces, const bool *is_wide,
                        const tp_poly_pieces *wide) {
  tp_term any = tp_mk_false(w->space.tt);
  for (size_t i = 0; i < wide->n; i++)
    any = tp_mk_or(w->space.tt, any, tp_space_formula(&w->space, &wide->at[i]));
  for (size_t i = 0; i < pieces->n; i++)
    if (!is_wide[i] && !is_covered(w, &pieces->at[i], wide))
      any = tp_mk_or(w->space.tt, any, tp_space_formula(&w->space, &pieces->at[i]));
  return any;
}

/* r[0] is the newest region. */
static bool widen_regions(widening *w, region *r, size_t n, tp_term *out) {
  tp_poly_pieces wide = {0};
  if (!choose_dims(w, r, n)) return false;
  for (size_t k = 0; k < n; k++)
    if (!make_pieces(w, &r[k])) return false;
  bool *is_wide = TP_NEW_ARRAY(bool, r[0].pieces.n + 1);
  for (size_t i = 0; i < r[0].pieces.n; i++) {
    tp_poly_piece q = {.mode = r[0].pieces.at[i].mode};
    is_wide[i] = extrapolate(w, &r[0].pieces.at[i], &r[1], n - 1, &q.poly);
    if (is_wide[i])
      tp_vec_push(&wide, q);
    else
      tp_vec_clear(&q.poly.list);
  }
  *out = union_of(w, &r[0].pieces, is_wide, &wide);
  const bool any = wide.n > 0;
  tp_poly_pieces_clear(&wide);
  tp_free(is_wide);
  return any;
}

bool tp_generalize_by_widening(tp_generalizer *g, const tp_split_problem *problem,
                               tp_abstract_step step, tp_term rho, tp_term *out) {
  const tp_split_note *chain[TP_SEARCH_WIDEN_CHAIN];
  region r[TP_SEARCH_WIDEN_CHAIN + 1] = {0};
  widening w = {.g = g, .problem = problem, .helper = helper_of(g)};
  if (!w.helper) return false;
  tp_space_init(&w.space, g->tt, w.helper);
  const size_t n = tp_generalizer_chain(g, step, chain, TP_SEARCH_WIDEN_CHAIN);
  read_region(&w, step.from, rho, &r[0]);
  for (size_t k = 0; k < n; k++) read_region(&w, chain[k]->step.from, chain[k]->rho, &r[k + 1]);
  bool ok = collect_excluded(&w, step.from, rho) && widen_regions(&w, r, n + 1, out) &&
            tp_generalizer_accept(g, problem, step, rho, out);
  for (size_t k = 0; k <= n; k++) region_clear(&r[k]);
  if (w.model) {
    tp_smt_free(w.model);
    tp_path_clear(&w.whole);
  }
  tp_vec_clear(&w.excluded);
  tp_space_clear(&w.space);
  return ok;
}
