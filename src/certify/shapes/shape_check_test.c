/* Certificates of shapes, written by hand: right ones are accepted; doctored ones, those of
 * programs that fail, and whatever is written to get a false claim accepted, never are. */
#include "certify/certify.h"
#include "certify/testing.h"
#include "program/variables_text.h"

#include <inttypes.h>

static const tp_certify_result OK = TP_CERTIFY_ACCEPTED;

// -------------------------------------------------------------------- programs

typedef struct {
  builder b;
  tp_var list, p, n, c;
  tp_loc first, second;  // heads of loops
} scene;

static tp_term null_pointer(scene *s) { return tp_mk_null(s->b.tt); }
static tp_term of(scene *s, tp_var v) { return term_of(&s->b, v); }
static tp_term is_live(scene *s, tp_term p) {
  return tp_mk2(s->b.tt, TP_OP_SELECT, of(s, s->b.p->ghost_live),
                tp_mk1(s->b.tt, TP_OP_PTR_OBJ, p));
}
static tp_term is_null(scene *s, tp_var v) { return eq(&s->b, of(s, v), null_pointer(s)); }
static tp_loc loop_head(scene *s) {
  tp_loc head = place(&s->b, s->b.main);
  go_to(&s->b, head);
  return s->b.at = head;
}

static scene open_scene(void) {
  scene s = {.b = begin()};
  tp_sort ptr = tp_sort_ptr(s.b.tt);
  s.list = local(&s.b, "list", ptr);
  s.p = local(&s.b, "p", ptr);
  s.n = local(&s.b, "n", ptr);
  s.c = local(&s.b, "c", bv(&s.b, 32));
  assign(&s.b, s.list, null_pointer(&s));
  assign(&s.b, s.p, null_pointer(&s));
  return s;
}

typedef enum {
  LINKS_TO_LIST,
  LINKS_TO_ITSELF,
  LINKS_NOTHING,
  LINKS_THE_SECOND_WORD,
  LINKS_HALF
} link;

/* while (input) { n = malloc(16); n->next = list; list = n; }  `next` is at byte 0. */
static void build_list(scene *s, link how) {
  builder *b = &s->b;
  s->first = loop_head(s);
  input(b, s->c);
  tp_loc more = branch(b, eq(b, of(s, s->c), num(b, 32, 0))), done = b->at;
  b->at = more;
  alloc(b, s->n, TP_O_HEAP, num(b, 64, 16));
  if (how != LINKS_NOTHING)
    store(b,
          how == LINKS_THE_SECOND_WORD ? tp_mk_ptr_add(b->tt, of(s, s->n), num(b, 64, 8))
                                       : of(s, s->n),
          of(s, how == LINKS_TO_ITSELF ? s->n : s->list));
  if (how == LINKS_HALF) store(b, tp_mk_ptr_add(b->tt, of(s, s->n), num(b, 64, 4)), num(b, 32, 1));
  assign(b, s->list, of(s, s->n));
  go_to(b, s->first);
  b->at = done;
}

/* ... p = list; while (p) { claim(p is live); p = p->next; } */
static scene walk(link how) {
  scene s = open_scene();
  builder *b = &s.b;
  build_list(&s, how);
  assign(b, s.p, of(&s, s.list));
  s.second = loop_head(&s);
  tp_loc done = branch(b, tp_mk_not(b->tt, is_null(&s, s.p)));
  claim(b, is_live(&s, of(&s, s.p)));
  load(b, s.p, of(&s, s.p));
  go_to(b, s.second);
  b->at = done;
  (void)end(b);
  return s;
}

typedef enum { KEEPS, FREES, FREES_ANOTHER_NAME, WANTS_ONE, N_ENDS } ending;

/* ... claim(!list || list is live); the others fail. */
static scene build_only(ending how) {
  scene s = open_scene();
  builder *b = &s.b;
  build_list(&s, LINKS_TO_LIST);
  if (how == FREES_ANOTHER_NAME) assign(b, s.p, of(&s, s.list));
  if (how == FREES || how == FREES_ANOTHER_NAME)
    edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = of(&s, how == FREES ? s.list : s.p)});
  s.second = loop_head(&s);
  claim(b, how == WANTS_ONE ? is_live(&s, of(&s, s.list))
                            : tp_mk_or(b->tt, is_null(&s, s.list), is_live(&s, of(&s, s.list))));
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
}

/* Single, list, freed, outside, next. */
static void build_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_add(out, "graph 1 1 0 - - - - -\ngraph 2 1 1 1 1 0 0 0\ngraph 3 1 2 1h 10 00 00 0h0h\n");
  tp_str_printf(out, "at 1 %u TRUE\nshape 1 2 3\nat 1 %u TRUE\nshape 1 2 3\nend\n", s->first.id,
                s->second.id);
}

/* ... p, reached from p, on a cycle, reached from list: without that the cells behind the first
 * might be any. */
static void walk_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_printf(out, "predicate 1 5 pointer %u\n", s->p.id);
  tp_str_add(out,
             "predicate 1 6 instrumentation 1 (some 1 (and (p 5 1) (path* 2 3 (p 4 2 3) 1 "
             "0)))\npredicate 1 "
             "7 instrumentation 1 (path+ 2 3 (p 4 2 3) 0 0)\n"
             "predicate 1 8 instrumentation 1 (some 1 (and (p 1 1) (path* 2 3 (p 4 2 3) 1 0)))\n");
  tp_str_add(out,
             "graph 1 1 0 - - - - - - - - -\ngraph 2 1 1 1 1 0 0 0 0 0 0 1\ngraph 3 1 2 1h 10 00 "
             "00 0h0h 00 00 00 11\n"
             "graph 4 1 1 1 1 0 0 0 1 1 0 1\ngraph 5 1 2 1h 10 00 00 0h0h 10 11 00 11\ngraph 6 1 2 "
             "11 10 00 00 0h00 01 01 00 11\n"
             "graph 7 1 3 1h1 100 000 000 0hh0hh000 001 001 000 111\ngraph 8 1 3 11h 100 000 000 "
             "0h000h00h 010 011 000 111\n"
             "graph 9 1 4 1h1h 1000 0000 0000 0hh00hh0000h000h 0010 0011 0000 1111\n");
  tp_str_printf(out, "at 1 %u TRUE\nshape 1 2 3\nat 1 %u TRUE\nshape 1 2 3 4 5 6 7 8 9\nend\n",
                s->first.id, s->second.id);
}

static tp_certify_result judge_so(const scene *s, const char *text, bool together, tp_str *why) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.one_by_one = !together};
  tp_certify_result r = tp_certify_true(s->b.p, TP_P_UNREACH_CALL, text, &limits, NULL, &report);
  if ((r == OK) != (report.why.n == 0)) fail_msg("%s without a reason", tp_certify_result_name(r));
  tp_str_add(why, tp_str_text(&report.why));
  for (size_t i = 0; i < report.assumptions.n; i++)
    tp_str_printf(why, "[%s]", report.assumptions.at[i]);
  tp_certify_report_clear(&report);
  return r;
}

/* Graph by graph, and together: these graphs are few, so either way shows all there is. */
static tp_certify_result judge(const scene *s, const char *text, tp_str *why) {
  tp_str other = {0};
  tp_certify_result alone = judge_so(s, text, false, why),
                    together = judge_so(s, text, true, &other);
  if ((alone == OK) != (together == OK))
    fail_msg("alone: %s, together: %s (%s) %s", tp_certify_result_name(alone),
             tp_certify_result_name(together), tp_str_text(&other), text);
  tp_str_clear(&other);
  return alone;
}

typedef void (*writer)(const scene *s, tp_str *out);

/* The first `old` in the certificate becomes `new`; NULL: it is as it was written. */
static void expect(scene s, writer write, const char *old, const char *new, bool accepted) {
  tp_str text = {0}, changed = {0}, why = {0};
  write(&s, &text);
  const char *at = old ? strstr(text.text, old) : text.text;
  if (!at) fail_msg("no '%s' to change", old);
  tp_str_add_n(&changed, text.text, (size_t)(at - text.text));
  tp_str_printf(&changed, "%s%s", old ? new : "", at + (old ? strlen(old) : 0));
  tp_certify_result r = judge(&s, changed.text, &why);
  if ((r == OK) != accepted)
    fail_msg("'%s' for '%s': %s: %s", new ? new : "", old ? old : "", tp_certify_result_name(r),
             tp_str_text(&why));
  if (accepted) assert_int_equal(why.n, 0);  // rests on nothing: every load is shown to be valid
  tp_str_clear(&text);
  tp_str_clear(&changed);
  tp_str_clear(&why);
  tp_program_free(s.b.p);
}

// ----------------------------------------------------------------------- tests

static void right_ones_are_accepted(void **unused) {
  (void)unused;
  expect(build_only(KEEPS), build_certificate, NULL, NULL, true);
  expect(walk(LINKS_TO_LIST), walk_certificate, NULL, NULL, true);
  expect(build_only(KEEPS), build_certificate, "1h 10 00 00 0h0h", "1h 1h 00 00 0h0h",
         true);  // says less, but enough
}

static void doctored_ones_are_not(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *new;
  } changes[] = {
      {"shape 1 2 3", "shape 1 2"},
      {"shape 1 2 3", "shape 1 3"},
      {"shape 1 2 3", "shape 2 3"},
      {"shape 1 2 3", "shape 3 3 3"},  // graphs left out
      {"2 1 1 1 1 0 0 0", "2 1 1 1 0 0 0 0"},
      {"2 1 1 1 1 0 0 0", "2 1 1 1 1 1 0 0"},
      {"2 1 1 1 1 0 0 0", "2 1 1 1 1 0 1 0"},
      {"2 1 1 1 1 0 0 0", "2 1 1 1 1 0 0 1"},
      {"1h 10 00 00 0h0h", "11 10 00 00 0h0h"},
      {"1h 10 00 00 0h0h", "1h 10 01 00 0h0h"},
      {"1h 10 00 00 0h0h", "1h 10 00 00 0h00"},
      {"class 1 16 0", "class 1 16 8"},
      {"class 1 16 0", "class 1 24 0"},
      {"class 1 16 0", "class 1 16 12"},
      {"class 1 16 0", "class 2 16 0"},  // cells that are others
      {"freed", "outside"},
      {"field 0", "field 1"},
      {"pointer", "pointer 9999 #"},
      {"freed", "opaque 1"},
      {"program ", "program 1"},
      {"kind shapes", "kind invariants"},
      {"TRUE", "FALSE"},
      {"shape", "shape 4"},
      {"shape", "shape 1\nshape"},
      {"end", "induction 2\nend"},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    expect(build_only(KEEPS), build_certificate, changes[i].old, changes[i].new, false);
}

/* Programs with runs that fail. */
static void failing_twins_are_not(void **unused) {
  (void)unused;
  static const struct {
    const char *old, *new;
  } forgeries[] = {
      {NULL, NULL},
      {"shape 1 2 3\nend", "end"},
      {"freed", "opaque 1"},
      {"outside", "opaque 1"},
      {"pointer", "opaque 1 #"},
      {"class 1 16", "class 1 20"},
      {"end", "at 1 1 FALSE\nend"},
      {"2 1 1 1 1 0 0 0", "2 1 1 1 1 1 0 0"},
      {"1h 10 00 00 0h0h", "hh 10 hh 00 hhhh"},
      {"1 1 0 - - - - -", "1 1 1 h h h h h"},
      {"predicate 1 4 field 0",
       "predicate 1 4 field 0\npredicate 1 5 instrumentation 1 (all 1 (= 0 1))"},
  };
  for (int how = FREES; how < N_ENDS; how++)
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
      expect(build_only((ending)how), build_certificate, forgeries[i].old, forgeries[i].new, false);
  for (int how = LINKS_TO_ITSELF; how <= LINKS_HALF; how++)
    expect(walk((link)how), walk_certificate, NULL, NULL, false);
}

/* n = malloc(16); p = n->next; claim(p leads to no object). Whatever was written there, now or
 * before, may be an address. */
static scene read_unwritten(link how) {
  scene s = open_scene();
  builder *b = &s.b;
  alloc(b, s.n, TP_O_HEAP, num(b, 64, 16));
  if (how == LINKS_TO_ITSELF) store(b, of(&s, s.n), of(&s, s.n));
  if (how == LINKS_HALF) store(b, tp_mk_ptr_add(b->tt, of(&s, s.n), num(b, 64, 4)), num(b, 32, 1));
  load(b, s.p, of(&s, s.n));
  claim(b, eq(b, tp_mk1(b->tt, TP_OP_PTR_OBJ, of(&s, s.p)), tp_mk_bv(b->tt, TP_OBJ_BITS, 0)));
  (void)end(b);
  return s;
}

static void no_labels(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_add(out, "end\n");
}

static void unwritten_pointers_may_lead_anywhere(void **unused) {
  (void)unused;
  expect(read_unwritten(LINKS_NOTHING), no_labels, NULL, NULL,
         false);  // what stood there before may be an address
  expect(read_unwritten(LINKS_TO_ITSELF), no_labels, NULL, NULL, false);
  expect(read_unwritten(LINKS_HALF), no_labels, NULL, NULL, false);  // in part: not followed
}

typedef enum { CELL_IS_LIVE, LINK_IS_NO_OBJECT } promise;

/* list = malloc(16); a label whose graph says of the cell that it leads to no cell; p = list->next.
 * The graph is right; but what stands there, unwritten, may be an address. */
static scene read_behind_label(bool is_written, promise what) {
  scene s = open_scene();
  builder *b = &s.b;
  alloc(b, s.list, TP_O_HEAP, num(b, 64, 16));
  if (is_written) store(b, of(&s, s.list), null_pointer(&s));
  s.first = loop_head(&s);
  load(b, s.p, of(&s, s.list));
  claim(b, what == CELL_IS_LIVE
               ? is_live(&s, of(&s, s.list))
               : eq(b, tp_mk1(b->tt, TP_OP_PTR_OBJ, of(&s, s.p)), tp_mk_bv(b->tt, TP_OBJ_BITS, 0)));
  (void)end(b);
  return s;
}

/* One cell, to which list points; it may lead to a stranger, not to itself. */
static void unwritten_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_printf(out, "predicate 1 5 pointer %u\n", s->p.id);
  tp_str_printf(out, "graph 1 1 2 1h 10 00 01 0h00 0h\nat 1 %u TRUE\nshape 1\nend\n", s->first.id);
}
static void written_certificate(const scene *s, tp_str *out) {
  header(s, out);
  tp_str_printf(out, "predicate 1 5 pointer %u\n", s->p.id);
  tp_str_printf(out, "graph 1 1 2 1h 10 00 01 0000 0h\nat 1 %u TRUE\nshape 1\nend\n", s->first.id);
}

static void unwritten_pointers_are_marked_and_load_as_any(void **unused) {
  (void)unused;
  expect(read_behind_label(true, LINK_IS_NO_OBJECT), written_certificate, NULL, NULL, true);
  expect(read_behind_label(false, CELL_IS_LIVE), unwritten_certificate, NULL, NULL, true);
  expect(read_behind_label(false, LINK_IS_NO_OBJECT), unwritten_certificate, NULL, NULL, false);
  expect(read_behind_label(false, LINK_IS_NO_OBJECT), unwritten_certificate, "0h00", "hh00", false);
  expect(read_behind_label(false, CELL_IS_LIVE), written_certificate, NULL, NULL,
         false);  // no link at all: it may be nobody's
}

/* A value, or a graph of a label, in the text from `at` on becomes another one. */
static void flip(tp_str *text, tp_rng *rng) {
  char *graphs = strstr(text->text, "\ngraph");
  size_t from = (size_t)(graphs - text->text), n = text->n - from;
  for (;;) {
    char *at = graphs + tp_rng_below(rng, n), was = *at;
    if (!strchr("01h", was) || at[-1] == ' ' || at[1] == ' ') continue;  // numbers of lines stay
    *at = "01h"[tp_rng_below(rng, 3)];
    if (*at != was) return;
  }
}

/* Whatever values graphs have: what fails is not proved. */
static void flipped_values_prove_nothing_false(void **unused) {
  (void)unused;
  enum { MOST_FLIPS = 3, ROUNDS = 12 };
  tp_rng rng;
  tp_rng_init(&rng, 7);
  for (int round = 0; round < ROUNDS; round++) {
    bool walks = round % 2;
    scene s =
        walks ? walk((link)(LINKS_NOTHING + round % 3)) : build_only((ending)(FREES + round % 3));
    tp_str text = {0}, why = {0};
    (walks ? walk_certificate : build_certificate)(&s, &text);
    for (uint64_t k = 1 + tp_rng_below(&rng, MOST_FLIPS); k > 0; k--) flip(&text, &rng);
    if (judge(&s, text.text, &why) == OK) fail_msg("accepted: %s", text.text);
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_program_free(s.b.p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doctored_ones_are_not),
      cmocka_unit_test(failing_twins_are_not),
      cmocka_unit_test(flipped_values_prove_nothing_false),
      cmocka_unit_test(right_ones_are_accepted),
      cmocka_unit_test(unwritten_pointers_are_marked_and_load_as_any),
      cmocka_unit_test(unwritten_pointers_may_lead_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
