/* A binary heap. Entries are compared by their positions in the program with all calls inlined: a
 * position is the chain of call locations from the root down to the location itself, and chains
 * compare lexicographically, by the locations' positions in weak topological orders. In such an
 * order a loop's locations are contiguous, its exits behind them, so a loop is stable before the
 * locations behind the loop are expanded. */
#include "cpa/waitlist.h"

#include "formula/wto.h"

static const char *const names[] = {[TP_WAIT_DFS] = "dfs",
                                    [TP_WAIT_BFS] = "bfs",
                                    [TP_WAIT_REVERSE_POSTORDER] = "reverse-postorder",
                                    [TP_WAIT_CALLSTACK] = "callstack"};

const char *tp_wait_order_name(tp_wait_order o) { return names[o]; }

bool tp_wait_order_parse(const char *name, tp_wait_order *out) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *out = (tp_wait_order)i;
    return true;
  }
  return false;
}

void tp_waitlist_init(tp_waitlist *w, tp_wait_order order, const tp_program *p,
                      const tp_contexts *contexts) {
  *w = (tp_waitlist){
      .order = order, .p = p, .contexts = contexts, .rank = TP_NEW_ARRAY(uint32_t, p->locs.n + 1)};
  if (order == TP_WAIT_DFS || order == TP_WAIT_BFS) return;
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    if (!p->funcs.at[f].has_body) continue;
    tp_wto wto;
    tp_wto_init(&wto, p, (tp_func){f});
    for (uint32_t i = 0; i < wto.order.n; i++) w->rank[wto.order.at[i].id] = i + 1;
    tp_wto_clear(&wto);
  }
}

void tp_waitlist_clear(tp_waitlist *w) {
  tp_vec_clear(&w->heap);
  tp_free(w->rank);
  *w = (tp_waitlist){0};
}

// --------------------------------------------------------------------- comparing

/* A position, moved from callee to caller. */
typedef struct {
  tp_context context;
  tp_loc loc;
  bool inside;  // of the call at loc, not at loc itself
} place;

static void go_up(const tp_waitlist *w, place *x) {
  TP_REQUIRE(x->context.id && tp_context_of(w->contexts, x->context)->parent.id);  // no root
  const tp_context_info *top = tp_context_of(w->contexts, x->context);
  *x = (place){top->parent, tp_edge_of(w->p, top->call)->from, true};
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* Negative: a is earlier. Roots: contracts first, the newest first, so that exits exist before
 * their callers are expanded. */
static int by_place(const tp_waitlist *w, const tp_wait *x, const tp_wait *y) {
  place a = {x->context, x->loc, false}, b = {y->context, y->loc, false};
  while (a.context.id != b.context.id) {
    const tp_context_info *at = tp_context_of(w->contexts, a.context),
                          *bt = tp_context_of(w->contexts, b.context);
    if (at->depth == 1 && bt->depth == 1) return compare(bt->contract, at->contract);
    if (at->depth >= bt->depth) go_up(w, &a);
    if (bt->depth >= at->depth) go_up(w, &b);
  }
  int by_rank = compare(w->rank[a.loc.id], w->rank[b.loc.id]);
  return by_rank ? by_rank : compare(a.inside, b.inside);
}

static bool before(const tp_waitlist *w, const tp_wait *a, const tp_wait *b) {
  int c = 0;
  switch (w->order) {
    case TP_WAIT_DFS: return a->ticket > b->ticket;
    case TP_WAIT_BFS: break;
    case TP_WAIT_REVERSE_POSTORDER: c = by_place(w, a, b); break;
    case TP_WAIT_CALLSTACK:
      c = compare(tp_context_of(w->contexts, b->context)->depth,
                  tp_context_of(w->contexts, a->context)->depth);
      if (!c) c = by_place(w, a, b);
      break;
  }
  return c ? c < 0 : a->ticket < b->ticket;
}

// --------------------------------------------------------------------- the heap

uint64_t tp_waitlist_push(tp_waitlist *w, uint32_t node, tp_loc loc, tp_context context,
                          uint64_t ticket) {
  TP_REQUIRE(loc.id < w->p->locs.n && context.id < w->contexts->list.n);
  TP_REQUIRE(ticket <= w->n_tickets);  // a ticket that this list has issued
  tp_wait x = {node, loc, context, ticket ? ticket : ++w->n_tickets};
  tp_vec_push(&w->heap, x);
  size_t i = w->heap.n - 1;
  for (; i > 0 && before(w, &x, &w->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    w->heap.at[i] = w->heap.at[(i - 1) / 2];
  w->heap.at[i] = x;
  TP_INVARIANT(i == 0 || !before(w, &w->heap.at[i], &w->heap.at[(i - 1) / 2]));
  return x.ticket;
}

bool tp_waitlist_check(const tp_waitlist *w) {
  for (size_t i = 0; i < w->heap.n; i++) {
    const tp_wait *x = &w->heap.at[i];
    if (x->ticket == 0 || x->ticket > w->n_tickets || x->loc.id >= w->p->locs.n) return false;
    if (i > 0 && before(w, x, &w->heap.at[(i - 1) / 2])) return false;
  }
  return true;
}

bool tp_waitlist_pop(tp_waitlist *w, tp_wait *out) {
  if (w->heap.n == 0) return false;
  *out = w->heap.at[0];
  TP_INVARIANT(out->ticket > 0 && out->ticket <= w->n_tickets);
  tp_wait x = tp_vec_pop(&w->heap);
  size_t n = w->heap.n, i = 0;
  for (size_t c = 1; c < n; i = c, c = 2 * i + 1) {
    if (c + 1 < n && before(w, &w->heap.at[c + 1], &w->heap.at[c])) c++;
    if (!before(w, &w->heap.at[c], &x)) break;
    w->heap.at[i] = w->heap.at[c];
  }
  if (n) w->heap.at[i] = x;
  TP_INVARIANT(n == 0 || !before(w, &w->heap.at[0], out));  // nothing is before what is taken
  return true;
}
