/* Random small programs over cells, run in all ways, with graphs that were made of their heaps.
 * Where all runs keep the claim, the certificate is often accepted. Where one does not, the graphs
 * leave its heaps out, or say less or more than is true, and hints are any: it never is. TP_SEED:
 * the first program; TP_SOAK: many. */
#include "certify/certify.h"
#include "certify/testing.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CELLS = 6, WORLDS = 16, ELEMENTS = 12, GRAPHS = 24, PROGRAMS = 30, SOAK_PROGRAMS = 20000 };
enum { X, Y, NOWHERE = -1, UNWRITTEN = 101, NUMBER = 164 };
enum { IS_X = 1, IS_Y, FREED, FOREIGN, LINK, FROM_X, FROM_Y, ROUND, N_PREDICATES };

/* One run's heap: cells from 0 on, numbers from 100 on. */
typedef struct {
  int n, link[CELLS], pointer[2];
  bool freed[CELLS];
} world;

typedef enum {
  ALLOC,
  ALLOC_WITH_LINK,
  COPY,
  CLEAR,
  SET_NUMBER,
  STORE,
  STORE_NULL,
  READ,
  FREE,
  N_KINDS
} kind;
typedef struct {
  kind k;
  int p, q;
} operation;

typedef struct {
  tp_rng rng;
  builder b;
  tp_var v[2], c;
  tp_loc first, second;
  world worlds[WORLDS], at_first[WORLDS];
  int n, n_first;
} scene;

static uint32_t below(scene *s, uint64_t n) { return (uint32_t)tp_rng_below(&s->rng, n); }
static tp_term of(scene *s, int p) { return term_of(&s->b, s->v[p]); }
static tp_term null(scene *s) { return tp_mk_null(s->b.tt); }

// -------------------------------------------------------------------- operations

static bool is_live(const world *w, int p) {
  return w->pointer[p] >= 0 && w->pointer[p] < w->n && !w->freed[w->pointer[p]];
}

/* Does it mean something in every run? What nobody wrote may be any pointer, so that is not read.
 */
static bool is_valid(const scene *s, operation o) {
  for (int i = 0; i < s->n; i++) {
    const world *w = &s->worlds[i];
    if ((o.k == ALLOC || o.k == ALLOC_WITH_LINK) && w->n == CELLS) return false;
    if ((o.k == STORE || o.k == STORE_NULL || o.k == FREE) && !is_live(w, o.p)) return false;
    if (o.k == READ && (!is_live(w, o.q) || w->link[w->pointer[o.q]] == UNWRITTEN)) return false;
  }
  return true;
}

static void run(world *w, operation o) {
  int *p = &w->pointer[o.p];
  switch (o.k) {
    case ALLOC:
    case ALLOC_WITH_LINK:
      w->link[w->n] = o.k == ALLOC ? UNWRITTEN : NOWHERE;
      w->freed[w->n] = false;
      *p = w->n++;
      break;
    case COPY: *p = w->pointer[o.q]; break;
    case CLEAR: *p = NOWHERE; break;
    case SET_NUMBER: *p = NUMBER; break;
    case STORE: w->link[*p] = w->pointer[o.q]; break;
    case STORE_NULL: w->link[*p] = NOWHERE; break;
    case READ: *p = w->link[w->pointer[o.q]]; break;
    case FREE: w->freed[*p] = true; break;
    case N_KINDS: break;
  }
}

static void write(scene *s, operation o) {
  builder *b = &s->b;
  switch (o.k) {
    case ALLOC:
    case ALLOC_WITH_LINK:
      alloc(b, s->v[o.p], TP_O_HEAP, num(b, 64, 16));
      if (o.k == ALLOC_WITH_LINK) store(b, of(s, o.p), null(s));
      break;
    case COPY: assign(b, s->v[o.p], of(s, o.q)); break;
    case CLEAR: assign(b, s->v[o.p], null(s)); break;
    case SET_NUMBER: assign(b, s->v[o.p], tp_mk_ptr_const(b->tt, 0, NUMBER - 100)); break;
    case STORE: store(b, of(s, o.p), of(s, o.q)); break;
    case STORE_NULL: store(b, of(s, o.p), null(s)); break;
    case READ: load(b, s->v[o.p], of(s, o.q)); break;
    case FREE: edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = of(s, o.p)}); break;
    case N_KINDS: break;
  }
}

/* Done in all runs, or in those in which an input says so. */
static void add_operation(scene *s) {
  const operation o = {(kind)below(s, N_KINDS), (int)below(s, 2), (int)below(s, 2)};
  const bool is_optional = below(s, 3) == 0 && 2 * s->n <= WORLDS;
  tp_loc otherwise = TP_LOC_NONE;
  if (!is_valid(s, o)) return;
  if (is_optional) {
    input(&s->b, s->c);
    otherwise = branch(&s->b, eq(&s->b, term_of(&s->b, s->c), num(&s->b, 32, 0)));
    for (int i = 0; i < s->n; i++) s->worlds[s->n + i] = s->worlds[i];
  }
  write(s, o);
  for (int i = 0; i < s->n; i++) run(&s->worlds[i], o);
  if (!is_optional) return;
  s->n *= 2;
  tp_loc join = place(&s->b, s->b.main);
  go_to(&s->b, join);
  s->b.at = otherwise;
  go_to(&s->b, join);
  s->b.at = join;
}

// ------------------------------------------------------------------------ claims

typedef struct {
  int what, p;  // 0: null, 1: live, 2: the same as the other
  bool negated;
} promise;

static bool keeps(const world *w, promise c) {
  const bool yes = c.what == 0   ? w->pointer[c.p] == NOWHERE
                   : c.what == 1 ? is_live(w, c.p)
                                 : w->pointer[X] == w->pointer[Y];
  return yes != c.negated;
}

static tp_term meaning(scene *s, promise c) {
  builder *b = &s->b;
  tp_term live = tp_mk2(b->tt, TP_OP_SELECT, term_of(b, b->p->ghost_live),
                        tp_mk1(b->tt, TP_OP_PTR_OBJ, of(s, c.p)));
  tp_term t = c.what == 0   ? eq(b, of(s, c.p), null(s))
              : c.what == 1 ? live
                            : eq(b, tp_mk1(b->tt, TP_OP_PTR_OBJ, of(s, X)),
                                 tp_mk1(b->tt, TP_OP_PTR_OBJ, of(s, Y)));
  if (c.what == 2)
    t = tp_mk_and(
        b->tt, t,
        eq(b, tp_mk1(b->tt, TP_OP_PTR_OFF, of(s, X)), tp_mk1(b->tt, TP_OP_PTR_OFF, of(s, Y))));
  return c.negated ? tp_mk_not(b->tt, t) : t;
}

static scene open_scene(uint64_t seed, promise *c) {
  scene s = {.b = begin(), .n = 1};
  tp_rng_init(&s.rng, seed);
  s.v[X] = local(&s.b, "x", tp_sort_ptr(s.b.tt));
  s.v[Y] = local(&s.b, "y", tp_sort_ptr(s.b.tt));
  s.c = local(&s.b, "c", bv(&s.b, 32));
  for (int p = 0; p < 2; p++) {
    assign(&s.b, s.v[p], null(&s));
    s.worlds[0].pointer[p] = NOWHERE;
  }
  for (uint32_t i = 0, n = 2 + below(&s, 5); i < n; i++) add_operation(&s);
  s.first = place(&s.b, s.b.main);
  go_to(&s.b, s.first);
  s.b.at = s.first;
  s.n_first = s.n;
  memcpy(s.at_first, s.worlds, sizeof s.worlds);
  for (uint32_t i = 0, n = 1 + below(&s, 3); i < n; i++) add_operation(&s);
  s.second = place(&s.b, s.b.main);
  go_to(&s.b, s.second);
  s.b.at = s.second;
  *c = (promise){(int)below(&s, 3), (int)below(&s, 2), below(&s, 2)};
  claim(&s.b, meaning(&s, *c));
  (void)end(&s.b);
  return s;
}

// ------------------------------------------------------------------------ graphs

typedef struct {
  int element[ELEMENTS], n;
  bool path[ELEMENTS][ELEMENTS];  // of one step or more
} elements;

static void add_element(elements *e, int value) {
  for (int i = 0; i < e->n; i++)
    if (e->element[i] == value) return;
  if (value != NOWHERE) e->element[e->n++] = value;
}

static bool leads(const world *w, int a, int b) {
  return a >= 0 && a < w->n && !w->freed[a] && w->link[a] == b;
}

static elements elements_of(const world *w) {
  elements e = {0};
  for (int i = 0; i < w->n; i++) add_element(&e, i);
  for (int p = 0; p < 2; p++) add_element(&e, w->pointer[p]);
  for (int i = 0; i < w->n; i++)
    if (!w->freed[i]) add_element(&e, w->link[i]);
  for (int i = 0; i < e.n; i++)
    for (int j = 0; j < e.n; j++) e.path[i][j] = leads(w, e.element[i], e.element[j]);
  for (int k = 0; k < e.n; k++)
    for (int i = 0; i < e.n; i++)
      for (int j = 0; j < e.n; j++) e.path[i][j] = e.path[i][j] || (e.path[i][k] && e.path[k][j]);
  return e;
}

static bool is_reached(const world *w, const elements *e, int p, int i) {
  for (int k = 0; k < e->n; k++)
    if (w->pointer[p] == e->element[k] && (k == i || e->path[k][i])) return true;
  return false;
}

static bool value_of(const world *w, const elements *e, int k, int i, int j) {
  const int a = e->element[i];
  switch (k) {
    case IS_X:
    case IS_Y: return w->pointer[k - IS_X] == a;
    case FREED: return a < w->n && w->freed[a];
    case FOREIGN: return a >= w->n;
    case LINK: return leads(w, a, e->element[j]);
    case FROM_X:
    case FROM_Y: return is_reached(w, e, k - FROM_X, i);
    default: return e->path[i][i];
  }
}

/* The heap as a graph: elements of like unary values at one node. flips: one value in so many is
 * another one; 0: none. */
static void graph_of(scene *s, const world *w, uint32_t flips, tp_str *out) {
  const elements e = elements_of(w);
  int node[ELEMENTS] = {0}, first[ELEMENTS] = {0}, count[ELEMENTS] = {0}, n = 0;
  for (int i = 0; i < e.n; i++) {
    for (node[i] = 0; node[i] < n; node[i]++) {
      bool alike = true;
      for (int k = 1; k < N_PREDICATES; k++)
        alike = alike &&
                (k == LINK || value_of(w, &e, k, i, 0) == value_of(w, &e, k, first[node[i]], 0));
      if (alike) break;
    }
    if (node[i] == n) first[n++] = i;
    count[node[i]]++;
  }
  tp_str_printf(out, "%d ", n);
  for (int u = 0; u < n; u++)
    tp_str_add_char(out, count[u] == 1 && !(flips && below(s, 40) == 0) ? '1' : 'h');
  if (n == 0) tp_str_add_char(out, '-');
  for (int k = 1; k < N_PREDICATES; k++) {
    tp_str_add_char(out, ' ');
    if (n == 0) tp_str_add_char(out, '-');
    for (int u = 0; u < n; u++)
      for (int v = 0; v < (k == LINK ? n : 1); v++) {
        char value = 0;
        for (int i = 0; i < e.n; i++)
          for (int j = 0; j < e.n; j++) {
            if (node[i] != u || (k == LINK ? node[j] != v : j > 0)) continue;
            const char now = value_of(w, &e, k, i, j) ? '1' : '0';
            value = !value || value == now ? now : 'h';
          }
        tp_str_add_char(out, flips && below(s, flips) == 0 ? "01hh"[below(s, 4)] : value);
      }
  }
}

typedef struct {
  tp_str text[GRAPHS];
  int n;
  tp_str first, second;  // numbers of those at each label
} graphs;

static void add_graph(scene *s, graphs *g, const world *w, uint32_t flips, tp_str *label) {
  tp_str text = {0};
  int k = 0;
  graph_of(s, w, flips, &text);
  while (k < g->n && strcmp(tp_str_text(&g->text[k]), tp_str_text(&text)) != 0) k++;
  if (k == g->n && g->n < GRAPHS) tp_str_add(&g->text[g->n++], tp_str_text(&text));
  if (k < g->n) tp_str_printf(label, " %d", k + 1);
  tp_str_clear(&text);
}

static void graphs_clear(graphs *g) {
  for (int k = 0; k < g->n; k++) tp_str_clear(&g->text[k]);
  tp_str_clear(&g->first);
  tp_str_clear(&g->second);
}

// ------------------------------------------------------------------------- hints

static void some_formula(scene *s, uint32_t variables, int depth, bool may_be_open, tp_str *out) {
  const uint32_t a = below(s, variables), b = below(s, variables),
                 k = 1 + below(s, N_PREDICATES - 1), bound = 3 + below(s, 3);
  static const char *const heads[] = {"and", "or", "and", "or", "not", "if"};
  const uint32_t form = depth == 0 ? below(s, 4) : below(s, 11);
  if (form == 0 && may_be_open && below(s, 2)) {
    tp_str_add_char(out, "h01"[below(s, 3)]);
  } else if (form < 3) {
    if (k == LINK)
      tp_str_printf(out, "(p %u %u %u)", k, a, b);
    else
      tp_str_printf(out, "(p %u %u)", k, a);
  } else if (form == 3) {
    if (below(s, 2))
      tp_str_printf(out, "(= %u %u)", a, b);
    else
      tp_str_printf(out, "(path%c 20 21 (p 5 20 21) %u %u)", "+*"[below(s, 2)], a, b);
  } else if (form < 10) {
    const char *head = heads[form - 4];
    tp_str_printf(out, "(%s", head);
    for (int i = 0, n = form == 8 ? 1 : form == 9 ? 3 : 2; i < n; i++) {
      tp_str_add_char(out, ' ');
      some_formula(s, variables, depth - 1, may_be_open, out);
    }
    tp_str_add_char(out, ')');
  } else {
    tp_str_printf(out, "(%s %u (and (p %u %u) ", below(s, 4) ? "some" : "all", bound,
                  1 + below(s, 2), bound);
    tp_str_printf(out, "%s(p 5 %u %u)%s", below(s, 2) ? "(not " : "(or 0 ", bound, a, "))");
    tp_str_add_char(out, ')');
  }
}

static void add_hints(scene *s, tp_str *out) {
  for (uint32_t i = 0, n = below(s, 12); i < n; i++) {
    const uint32_t k = 1 + below(s, N_PREDICATES - 1);
    tp_str_printf(out, "update 1 %u %u ", k, 1 + below(s, 2));
    some_formula(s, k == LINK ? 2 : 1, (int)below(s, 3), true, out);
    tp_str_add_char(out, '\n');
  }
  for (uint32_t i = 0, n = below(s, 12); i < n; i++) {
    tp_str_add(out, "constraint 1 ");
    some_formula(s, 2, (int)below(s, 2), false, out);
    tp_str_add_char(out, ' ');
    some_formula(s, 2, (int)below(s, 3), false, out);
    tp_str_add_char(out, '\n');
  }
}

// ------------------------------------------------------------------------ judging

static void certificate(scene *s, const graphs *g, tp_str *out) {
  tp_str_printf(out,
                "twoproof-certificate 2\nkind shapes\nproperty unreach-call\nmachine lp64\nprogram "
                "%016" PRIx64 "\ncontext 1 main\nclass 1 16 0\n",
                tp_program_fingerprint(s->b.p));
  tp_str_printf(out,
                "predicate 1 1 pointer %u\npredicate 1 2 pointer %u\npredicate 1 3 "
                "freed\npredicate 1 4 outside\npredicate 1 5 field 0\n",
                s->v[X].id, s->v[Y].id);
  for (int p = 1; p < 3; p++)
    tp_str_printf(
        out, "predicate 1 %d instrumentation 1 (some 1 (and (p %d 1) (path* 2 3 (p 5 2 3) 1 0)))\n",
        5 + p, p);
  tp_str_add(out, "predicate 1 8 instrumentation 1 (path+ 2 3 (p 5 2 3) 0 0)\n");
  add_hints(s, out);
  for (int k = 0; k < g->n; k++)
    tp_str_printf(out, "graph %d 1 %s\n", k + 1, tp_str_text(&g->text[k]));
  tp_str_printf(out, "at 1 %u TRUE\nshape%s\nat 1 %u TRUE\nshape%s\nend\n", s->first.id,
                tp_str_text(&g->first), s->second.id, tp_str_text(&g->second));
}

static bool is_accepted(const scene *s, const char *text) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s = 5};
  tp_certify_result r = tp_certify_true(s->b.p, TP_P_UNREACH_CALL, text, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r == TP_CERTIFY_ACCEPTED;
}

/* Graphs of all heaps at the first label; at the second one of those that keep the claim. */
static bool accepts(scene *s, promise c, uint32_t flips, tp_str *text) {
  graphs g = {0};
  for (int i = 0; i < s->n_first; i++) add_graph(s, &g, &s->at_first[i], flips, &g.first);
  for (int i = 0; i < s->n; i++)
    if (keeps(&s->worlds[i], c)) add_graph(s, &g, &s->worlds[i], flips, &g.second);
  certificate(s, &g, text);
  const bool is_empty = !g.second.n;  // a label of no graphs has no form
  graphs_clear(&g);
  return !is_empty && is_accepted(s, text->text);
}

static void failing_programs_are_never_accepted(void **unused) {
  (void)unused;
  const uint64_t seed = getenv("TP_SEED") ? strtoull(getenv("TP_SEED"), NULL, 10) : 1,
                 n = getenv("TP_SOAK") ? SOAK_PROGRAMS : PROGRAMS;
  uint64_t failing = 0, accepted = 0;
  for (uint64_t i = seed; i < seed + n; i++) {
    promise c;
    scene s = open_scene(i, &c);
    bool fails = false;
    for (int w = 0; w < s.n; w++) fails = fails || !keeps(&s.worlds[w], c);
    failing += fails;
    for (uint32_t round = 0; round < 3; round++) {
      tp_str text = {0};
      const bool yes = accepts(&s, c, round * 8, &text);
      accepted += yes;
      if (yes && fails) fail_msg("TP_SEED=%" PRIu64 ": accepted:\n%s", i, text.text);
      tp_str_clear(&text);
    }
    tp_program_free(s.b.p);
  }
  print_message("%" PRIu64 " programs, %" PRIu64 " fail; %" PRIu64 " certificates accepted\n", n,
                failing, accepted);
  assert_true(failing > n / 10 && accepted > n / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failing_programs_are_never_accepted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
