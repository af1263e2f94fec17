/* Certificates about leaks, written by hand: that no live cell is left, or that variables lead to
 * all of them. Programs that lose memory are never proved. */
#include "certify/certify.h"
#include "certify/testing.h"

#include <inttypes.h>

static const tp_certify_result OK = TP_CERTIFY_ACCEPTED;

typedef struct {
  builder b;
  tp_var list, n, c;
  tp_loc first, second;  // heads of loops
} scene;

typedef enum {
  FREES_ALL,
  FREES_NONE,
  FREES_SOME,
  MAKES_ANOTHER,
  MAKES_ANOTHER_SIZE,
  N_LOOPS
} how_it_ends;
typedef enum { ASKS_LOST, ASKS_HEAP, N_ASKED } question;

static tp_term of(scene *s, tp_var v) { return term_of(&s->b, v); }
static tp_term is_null(scene *s, tp_var v) { return eq(&s->b, of(s, v), tp_mk_null(s->b.tt)); }
static tp_loc loop_head(scene *s) {
  tp_loc head = place(&s->b, s->b.main);
  go_to(&s->b, head);
  return s->b.at = head;
}

static scene open_scene(void) {
  scene s = {.b = begin()};
  tp_sort ptr = tp_sort_ptr(s.b.tt);
  s.list = local(&s.b, "list", ptr);
  s.n = local(&s.b, "n", ptr);
  s.c = local(&s.b, "c", bv(&s.b, 32));
  assign(&s.b, s.list, tp_mk_null(s.b.tt));
  return s;
}

static void claim_clean(scene *s, question asked) {
  builder *b = &s->b;
  if (asked == ASKS_HEAP)
    claim(b, eq(b, of(s, b->p->ghost_heap), num(b, 32, 0)));
  else
    claim(b, tp_mk_not(b->tt, of(s, b->p->ghost_leaked)));
}

/* while (input) { n = malloc(16); n->next = list; list = n; } */
static void build_list(scene *s) {
  builder *b = &s->b;
  s->first = loop_head(s);
  input(b, s->c);
  tp_loc more = branch(b, eq(b, of(s, s->c), num(b, 32, 0))), done = b->at;
  b->at = more;
  alloc(b, s->n, TP_O_HEAP, num(b, 64, 16));
  store(b, of(s, s->n), of(s, s->list));
  assign(b, s->list, of(s, s->n));
  go_to(b, s->first);
  b->at = done;
}

/* ... while (list) { n = list->next; free(list); list = n; } */
static scene give_back(how_it_ends how, question asked) {
  scene s = open_scene();
  builder *b = &s.b;
  build_list(&s);
  s.second = loop_head(&s);
  tp_loc done = branch(b, tp_mk_not(b->tt, is_null(&s, s.list)));
  load(b, s.n, of(&s, s.list));
  if (how == FREES_SOME) {
    input(b, s.c);
    tp_loc keeps = branch(b, eq(b, of(&s, s.c), num(b, 32, 0)));
    edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = of(&s, s.list)});
    tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = keeps, .to = b->at});
  } else if (how != FREES_NONE) {
    edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = of(&s, s.list)});
  }
  assign(b, s.list, of(&s, s.n));
  go_to(b, s.second);
  b->at = done;
  if (how == MAKES_ANOTHER || how == MAKES_ANOTHER_SIZE) {
    alloc(b, s.n, TP_O_HEAP, num(b, 64, how == MAKES_ANOTHER ? 16 : 24));
    assign(b, s.n, tp_mk_null(b->tt));
  }
  claim_clean(&s, asked);
  (void)end(b);
  return s;
}

typedef enum { STAYS, STAYS_ELSEWHERE, IS_DROPPED } whereabouts;

/* list = malloc(16); at a label its graph; then it stays in the variable, or does not. */
static scene hold(whereabouts where) {
  scene s = open_scene();
  builder *b = &s.b;
  alloc(b, s.list, TP_O_HEAP, num(b, 64, 16));
  store(b, of(&s, s.list), tp_mk_null(b->tt));
  s.first = loop_head(&s);
  if (where == STAYS_ELSEWHERE) assign(b, s.n, of(&s, s.list));
  if (where != STAYS) assign(b, s.list, tp_mk_null(b->tt));
  claim_clean(&s, ASKS_LOST);
  (void)end(b);
  return s;
}

typedef enum { ALL, ALL_ELSEWHERE, BUT_THE_LAST_MADE, NONE } kept;

/* A list that a variable holds at the end. */
static scene keep_list(kept what) {
  scene s = open_scene();
  builder *b = &s.b;
  build_list(&s);
  if (what == BUT_THE_LAST_MADE) alloc(b, s.n, TP_O_HEAP, num(b, 64, 16));
  assign(b, s.n, what == ALL_ELSEWHERE ? of(&s, s.list) : tp_mk_null(b->tt));
  if (what == ALL_ELSEWHERE || what == NONE) assign(b, s.list, tp_mk_null(b->tt));
  claim_clean(&s, ASKS_LOST);
  (void)end(b);
  return s;
}

// ----------------------------------------------------------------- certificates

static void header(const scene *s, tp_str *out) {
  tp_str_printf(out,
                "twoproof-certificate 2\nkind shapes\nproperty unreach-call\nmachine lp64\nprogram "
                "%016" PRIx64 "\ncontext 1 main\nclass 1 16 0\n",
                tp_program_fingerprint(s->b.p));
  tp_str_printf(out,
                "predicate 1 1 pointer %u\npredicate 1 2 freed\npredicate 1 3 outside\npredicate 1 "
                "4 field 0\n",
                s->list.id);
  tp_str_add(out,
             "predicate 1 5 instrumentation 1 (some 1 (and (p 1 1) (path* 2 3 (p 4 2 3) 1 "
             "0)))\npredicate 1 "
             "6 instrumentation 1 (path+ 2 3 (p 4 2 3) 0 0)\n");
}

/* Single, list, freed, foreign, next, reached from list, on a cycle: every cell is reached or
 * freed. */
static void give_back_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_add(
      out,
      "graph 1 1 0 - - - - - - -\ngraph 2 1 1 1 1 0 0 0 1 0\ngraph 3 1 2 1h 10 00 00 0h0h 11 00\n"
      "graph 4 1 1 h 0 1 0 0 0 0\ngraph 5 1 2 1h 10 01 00 0000 10 00\ngraph 6 1 3 1hh 100 001 000 "
      "0h00h0000 110 000\n");
  tp_str_printf(out, "at 1 %u TRUE\nshape 1 2 3\nat 1 %u TRUE\nshape 1 2 3 4 5 6\nend\n",
                s->first.id, s->second.id);
}

static void hold_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_printf(out, "graph 1 1 1 1 1 0 0 0 1 0\nat 1 %u TRUE\nshape 1\nend\n", s->first.id);
}

static void keep_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_printf(
      out,
      "graph 1 1 0 - - - - - - -\ngraph 2 1 1 1 1 0 0 0 1 0\ngraph 3 1 2 1h 10 00 00 0h0h "
      "11 00\nat 1 %u TRUE\nshape 1 2 3\nend\n",
      s->first.id);
}

typedef void (*writer)(const scene *s, tp_str *out);

/* The first `old` in the certificate becomes `new`; NULL: it is as it was written. */
static void expect(scene s, writer write, const char *old, const char *new, bool accepted) {
  tp_str text = {0}, changed = {0};
  tp_certify_report report;
  tp_certify_limits limits = {0};
  write(&s, &text);
  const char *at = old ? strstr(text.text, old) : text.text;
  if (!at) fail_msg("no '%s' to change", old);
  tp_str_add_n(&changed, text.text, (size_t)(at - text.text));
  tp_str_printf(&changed, "%s%s", old ? new : "", at + (old ? strlen(old) : 0));
  tp_certify_report_init(&report);
  const tp_certify_result r =
      tp_certify_true(s.b.p, TP_P_UNREACH_CALL, changed.text, &limits, NULL, &report);
  if ((r == OK) != accepted)
    fail_msg("'%s' for '%s': %s: %s", old ? new : "", old ? old : "", tp_certify_result_name(r),
             tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  tp_str_clear(&changed);
  tp_program_free(s.b.p);
}

// ----------------------------------------------------------------------- tests

static void what_is_given_back_is_not_lost(void **unused) {
  (void)unused;
  for (int asked = ASKS_LOST; asked < N_ASKED; asked++)
    expect(give_back(FREES_ALL, (question)asked), give_back_certificate, NULL, NULL, true);
}

/* Whatever the graphs say. */
static void what_is_kept_is_lost(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *new;
  } forgeries[] = {
      {NULL, NULL},
      {"h 0 1 0 0 0", "h 0 h 0 0 0"},
      {"h 0 1 0 0 0", "h 0 0 0 0 0"},
      {"0h0h 11", "0h0h 1h"},
      {"freed", "opaque 1"},
      {"class 1 16", "class 1 24"},
      {"shape 1 2 3 4 5 6", "shape 1 4"},
  };
  for (int how = FREES_NONE; how < N_LOOPS; how++)
    for (int asked = ASKS_LOST; asked < N_ASKED; asked++)
      for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
        expect(give_back((how_it_ends)how, (question)asked), give_back_certificate,
               forgeries[i].old, forgeries[i].new, false);
}

/* A right program, but the certificate leaves cells of which nobody knows whether they were freed.
 */
static void what_is_not_said_is_not_believed(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *new;
  } gaps[] = {{"h 0 1 0 0 0", "h 0 h 0 0 0"},
              {"1h 10 01 00 0000 10", "1h 10 0h 00 0000 10"},
              {"5 instrumentation 1 (some", "5 opaque 1 #"}};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
    expect(give_back(FREES_ALL, ASKS_LOST), give_back_certificate, gaps[i].old, gaps[i].new, false);
}

static void what_a_variable_leads_to_is_not_lost(void **unused) {
  (void)unused;
  expect(hold(STAYS), hold_certificate, NULL, NULL, true);
  expect(hold(STAYS_ELSEWHERE), hold_certificate, NULL, NULL, true);
  expect(hold(IS_DROPPED), hold_certificate, NULL, NULL, false);
}

/* A path from a variable comes to each cell; a cell of which that is not said may be lost. */
static void what_a_list_holds_is_not_lost(void **unused) {
  (void)unused;
  expect(keep_list(ALL), keep_certificate, NULL, NULL, true);
  expect(keep_list(ALL_ELSEWHERE), keep_certificate, NULL, NULL, true);
  expect(keep_list(BUT_THE_LAST_MADE), keep_certificate, NULL, NULL, false);
  expect(keep_list(NONE), keep_certificate, NULL, NULL, false);
  expect(keep_list(ALL), keep_certificate, "0h0h 11", "0h0h 1h", false);
  expect(keep_list(ALL), keep_certificate, "5 instrumentation 1 (some", "5 opaque 1 #", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_variable_leads_to_is_not_lost),
                                     cmocka_unit_test(what_a_list_holds_is_not_lost),
                                     cmocka_unit_test(what_is_given_back_is_not_lost),
                                     cmocka_unit_test(what_is_kept_is_lost),
                                     cmocka_unit_test(what_is_not_said_is_not_believed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
