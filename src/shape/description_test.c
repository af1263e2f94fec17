/* Reading descriptions: what is wrong is said where it is, with what was expected; a structure that
 * nobody knew when this was compiled works; heaps that are, and are not, what the files of
 * lib/shape describe. */
#include "shape/library.h"
#include "shape/testing.h"
#include "shape/verify.h"

#include <stdio.h>
#include <unistd.h>

/* The text as a file; the caller removes it. */
static void write_entry(const char *text, char *path) {
  strcpy(path, "/tmp/tp-shape-XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(tp_write_file(path, text, strlen(text)), TP_OK);
}

typedef struct {
  const char *text;
  uint32_t line, column;
  const char *says;
} bad_file;

#define HEAD "structure s\nfields n, m\n"
static const bad_file bad_files[] = {
    {"", 1, 1, "expected 'structure', but the file ends"},
    {"structure\n", 2, 1, "expected the name of the structure, but the file ends"},
    {"structure s\n", 1, 11, "a structure has fields"},
    {HEAD "field k\n", 3, 1, "expected 'fields', 'default', 'order', 'refines', 'predicate'"},
    {"structure s\nfields n, n\n", 2, 11, "there is a field 'n' already"},
    {HEAD "predicate q(v) = n(v)\n", 3, 21, "expected ',', not ')'"},
    {HEAD "predicate q(v) = n(v, w)\n", 3, 23,
     "'w' is not a variable here; 'exists w: ...' would make it one"},
    {HEAD "predicate q(v) = k(v)\n", 3, 18, "'k' is neither a field nor a predicate"},
    {"structure s\nfields next\npredicate q(v) = nxt*(v, v)\n", 3, 18,
     "'nxt' is neither a field nor a predicate that was described before; did you mean 'next'?"},
    {HEAD "predicate last(v) = 1\npredicate q(v) = lst(v)\n", 4, 18, "did you mean 'last'?"},
    {HEAD "predicate q(v) = Exists w: n(v, w)\n", 3, 18, "did you mean 'exists'?"},
    {HEAD "predicate q[pointer z](v) = z(v)\n", 3, 29,
     "'z' is a pointer: that it leads to v is pt[z](v)"},
    {HEAD "predicate q(v) = pt[z](v)\n", 3, 21, "'z' is not a pointer here"},
    {HEAD "predicate q[pointer z](v) = pt[z](v) &\n", 4, 1,
     "expected a formula, but the file ends"},
    {HEAD "predicate q(v) = n'(v, v)\n", 3, 19,
     "only updates speak of the heap after the operation"},
    {HEAD "predicate q(v) = exists w n(v, w)\n", 3, 27, "expected ':', not 'n'"},
    {HEAD "predicate n(v) = 1\n", 3, 11, "'n' has a meaning already"},
    {HEAD "abstraction predicate q(u, v) = n(u, v)\n", 3, 23,
     "abstraction predicates are about one cell"},
    {HEAD "predicate q(v) = 1 $ 2\n", 3, 20, "nothing starts with this character"},
    {HEAD "predicate q(v) = 1\non x = z\n q(v) := 1\n", 4, 8,
     "expected 'nil', 'new' or 'y', not 'z'"},
    {HEAD "predicate q(v) = 1\non x->n = new\n q(v) := 1\n", 4, 11,
     "expected 'nil' or 'y', not 'new'"},
    {HEAD "predicate q(v) = 1\non x->f = y for k\n q(v) := 1\n", 4, 17,
     "'k' is not a field of this structure"},
    {HEAD "predicate q(v) = 1\non x = nil\n r(v) := 1\n", 5, 2,
     "'r' is not a predicate of this structure"},
    {HEAD "predicate q(v) = 1\non x = nil\n q(u, v) := 1\n", 5, 2, "'q' is about one cell"},
    {HEAD "predicate q(v) = 1\non x = nil\n q(v) = 1\n", 5, 7, "expected ':=', not '='"},
    {HEAD "predicate q(v) = 1\non x = nil\n q(v) := pt[y](v)\n", 5, 13,
     "'y' is not a pointer here"},
    {HEAD "predicate q(v) = 1\non x = nil\n q(v) := new(v)\n", 5, 10,
     "'new' has a meaning under 'on x = new' only"},
    {HEAD "predicate q(v) = 1\npredicate r(v) = 1\non x = nil\n q(v) := r'(v)\n", 6, 11,
     "the value of 'r' after the operation is not known yet"},
    {HEAD "predicate q(v) = recompute\n", 4, 1, "'recompute' stands in updates only"},
    {HEAD "predicate q(v) = 1\nconstraint (v) q(v)\n", 5, 1, "expected '=>', but the file ends"},
};

static void F70_bad_files_are_explained(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
    const bad_file *b = &bad_files[i];
    char path[32];
    write_entry(b->text, path);
    char *said = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&said, &n);
    tp_diag *diag = tp_diag_new(to, false);
    tp_description entry = {0};
    assert_int_equal(tp_description_read(&entry, path, diag), TP_ERR_INPUT);
    assert_int_equal(tp_diag_count(diag, TP_ERROR), 1);
    tp_diag_free(diag);
    fclose(to);
    char where[64];
    snprintf(where, sizeof where, "%s:%u:%u: ", path, b->line, b->column);
    if (!strstr(said, where) || !strstr(said, b->says))
      print_error("%zu: wanted %s%s\n got %s\n", i, where, b->says, said);
    assert_true(strstr(said, where) && strstr(said, b->says));
    free(said);
    tp_description_clear(&entry);
    unlink(path);
  }
}

static void missing_files_are_the_systems_fault(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_description entry = {0};
  assert_int_equal(tp_description_read(&entry, "/nonexistent/x.scg", diag), TP_ERR_SYSTEM);
  tp_description_clear(&entry);
  tp_diag_free(diag);
}

/* A library of two files in a directory of its own; what is said if it is wrong. */
static void library_says(const char *first, const char *second, const char *says) {
  char directory[] = "/tmp/tp-shapes-XXXXXX", path[2][64];
  assert_non_null(mkdtemp(directory));
  for (int i = 0; i < 2; i++) {
    snprintf(path[i], sizeof path[i], "%s/%d.scg", directory, i);
    const char *text = i == 0 ? first : second;
    assert_int_equal(tp_write_file(path[i], text, strlen(text)), TP_OK);
  }
  char *said = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&said, &n);
  tp_diag *diag = tp_diag_new(to, false);
  tp_shape_library library = {0};
  assert_int_equal(tp_shape_library_read(&library, directory, diag), says ? TP_ERR_INPUT : TP_OK);
  if (!says) assert_int_equal(library.entries.n, 2);
  tp_shape_library_clear(&library);
  tp_diag_free(diag);
  fclose(to);
  if (says && !strstr(said, says)) print_error("wanted %s\n got %s\n", says, said);
  assert_true(says ? strstr(said, says) != NULL : n == 0);
  free(said);
  for (int i = 0; i < 2; i++) unlink(path[i]);
  rmdir(directory);
}

static void F70_libraries_are_consistent(void **state) {
  (void)state;
  static const char coarse[] =
      "structure a\nfields n\npredicate last(v) = !exists w: n(v, w)\n"
      "on x = new\n last(v) := last(v) | new(v)\non x->n = nil\n last(v) := last(v) | pt[x](v)\n"
      "on x->n = y\n last(v) := last(v) & (pt[x](v) -> !exists w: pt[y](w))\n";
  library_says(coarse, "structure b\nfields l, r\nrefines a with n = r\n", NULL);
  library_says(coarse, coarse, "there is a structure 'a' in another file");
  library_says(coarse, "structure b\nfields l, r\nrefines c with n = r\n",
               "1.scg:3:9: error: there is no structure 'c'");
  library_says(coarse, "structure b\nfields l, r\nrefines a with n = r, n = l\n",
               "'a' has 1 fields; 'with' names 2");
  library_says("structure a\nfields n\nrefines b with n = n\n",
               "structure b\nfields n\nrefines a with n = n\n", "'a' refines itself");
}

/* What a user's file says; says: NULL: nothing is wrong. */
static void users_file_says(const char *text, const char *says, const char *also) {
  char path[32];
  write_entry(text, path);
  char *said = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&said, &n);
  tp_diag *diag = tp_diag_new(to, false);
  tp_shape_library library = {0};
  assert_int_equal(tp_shape_library_add(&library, path, diag), says ? TP_ERR_INPUT : TP_OK);
  tp_shape_library_clear(&library);
  tp_diag_free(diag);
  fclose(to);
  if (says && (!strstr(said, says) || !strstr(said, also)))
    print_error("wanted %s\n %s\n got %s\n", says, also, said);
  assert_true(says ? strstr(said, says) && strstr(said, also) : n == 0);
  free(said);
  unlink(path);
}

/* An unsound formula of a user is an error of the line, with a heap for which it is wrong. */
static void unsound_classes_are_refused(void **state) {
  (void)state;
#define LAST "structure b\nfields n\npredicate last(v) = !exists w: n(v, w)\n"
#define KEPT \
  "on x = new\n last(v) := last(v) | new(v)\non x->n = nil\n last(v) := last(v) | pt[x](v)\n"
  users_file_says(LAST KEPT
                  "on x->n = y\n last(v) := last(v) & (pt[x](v) -> !exists w: pt[y](w))\n",
                  NULL, NULL);
  users_file_says(LAST KEPT,
                  ":3:11: error: last has a wrong value at c0 behind 'x->f = y' with x = p, y = p, "
                  "f = n: 1 by the heap before, as no update fits, 0 by its definition",
                  "note: counterexample, the heap before: p = c0");
  users_file_says(LAST KEPT "on x->n = y\n last(v) := last(v) & !pt[x](v)\n",
                  ":9:2: error: last has a wrong value at c0 behind 'x->f = y' with x = p, y = q",
                  "q = nil, r = nil, c0->n = nil");
  users_file_says(LAST KEPT
                  "on x->n = y\n last(v) := last(v) & (pt[x](v) -> !exists w: pt[y](w))\n"
                  "constraint (v) 0 => last(v)\nconstraint (v) 1 => last(v)\n",
                  ":11:12: error: constraints exclude a heap", "counterexample");
}

/* Noise, files that end anywhere, and formulas without end: an error or an entry, never more. */
static void F70_any_bytes_are_read(void **state) {
  (void)state;
  tp_str text = {0}, noisy = {0};
  assert_int_equal(tp_read_file("lib/shape/treep.scg", &text), TP_OK);
  tp_rng rng;
  tp_rng_init(&rng, 20);
  char path[32];
  write_entry("", path);
  FILE *nothing = fopen("/dev/null", "w");
  for (int i = 0; i < 600; i++) {
    tp_str_clear(&noisy);
    const size_t n = (size_t)tp_rng_below(&rng, text.n);
    for (size_t k = 0; k < n; k++)
      tp_str_add_char(&noisy, i % 3 == 0 || tp_rng_below(&rng, 400)
                                  ? text.text[k]
                                  : (char)tp_rng_below(&rng, i % 3 == 1 ? 256 : 128));
    assert_int_equal(tp_write_file(path, tp_str_text(&noisy), noisy.n), TP_OK);
    tp_diag *diag = tp_diag_new(nothing, false);
    tp_description entry = {0};
    const tp_status st = tp_description_read(&entry, path, diag);
    assert_true(st == TP_OK ? tp_diag_count(diag, TP_ERROR) == 0
                            : tp_diag_count(diag, TP_ERROR) == 1);
    tp_description_clear(&entry);
    tp_diag_free(diag);
  }
  fclose(nothing);
  unlink(path);
  tp_str_clear(&text);
  tp_str_clear(&noisy);
  static const struct {
    const char *opens, *says;
  } nested[] = {{"(", "nested too deeply"},
                {"!", "nested too deeply"},
                {"1 -> ", "nested too deeply"},
                {"1 ? ", "nested too deeply"},
                {"1 ? 1 : ", "nested too deeply"},
                {"exists w: ", "too many names here"},
                {"1 & ", "too long"},
                {"1 <-> ", "too long"}};
  for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
    tp_str deep = {0};
    tp_str_add(&deep, HEAD "predicate q(v) = ");
    for (int k = 0; k < 100000; k++) tp_str_add(&deep, nested[i].opens);
    users_file_says(tp_str_text(&deep), nested[i].says, "error");
    tp_str_clear(&deep);
  }
  tp_str doubling = {0};  // definitions that double when they are inlined
  tp_str_add(&doubling, HEAD "predicate q0(v) = n(v, v)\n");
  for (int k = 1; k < 30; k++)
    tp_str_printf(&doubling, "predicate q%d(v) = exists w: q%d(w) & q%d(v)\n", k, k - 1, k - 1);
  users_file_says(tp_str_text(&doubling), "formulas that are too large", "error");
  tp_str_clear(&doubling);
}

static void F71_the_library_holds_all_kinds(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_shape_library library = {0};
  assert_int_equal(tp_shape_library_read(&library, "lib/shape", diag), TP_OK);
  const tp_description *sll = tp_shape_library_find(&library, "sll"),
                       *dll = tp_shape_library_find(&library, "dll"),
                       *tree = tp_shape_library_find(&library, "tree"),
                       *treep = tp_shape_library_find(&library, "treep");
  assert_true(sll && dll && tree && treep);
  assert_true(tp_shape_library_refines(&library, dll, sll) &&
              tp_shape_library_refines(&library, treep, tree) &&
              tp_shape_library_refines(&library, sll, sll));
  assert_false(tp_shape_library_refines(&library, sll, dll) ||
               tp_shape_library_refines(&library, tree, sll));
  assert_null(tp_shape_library_find(&library, "rope"));
  tp_shape_library_clear(&library);
  tp_diag_free(diag);
}

// --------------------------------------------------------------- a new structure

/* Lists that are extended at their end: which cells are behind a pointer, and which cell has
 * nothing behind it. */
static const char queue[] =
    "# Lists with an end.\n"
    "structure queue\n"
    "fields n\n"
    "predicate reach[pointer z](v) = exists u: pt[z](u) & n*(u, v)\n"
    "predicate cyclic(v) = exists w: n(v, w) & n*(w, v)\n"
    "abstraction predicate last(v) = !exists w: n(v, w)\n"
    "on x = nil\n reach[x](v) := 0\n"
    "on x = y\n reach[x](v) := reach[y](v)\n"
    "on x = y->n\n reach[x](v) := reach[y](v) & (cyclic(v) | !pt[y](v))\n"
    "on x = new\n reach[x](v) := new(v)\n last(v) := last(v) | new(v)\n"
    "on x->n = nil\n"
    " reach[z](v) := (exists u: pt[x](u) & cyclic(u)) & reach[x](v) ? recompute\n"
    "                : reach[z](v) & !(reach[x](v) & !pt[x](v) & exists u: pt[x](u) & "
    "reach[z](u))\n"
    " cyclic(v) := cyclic(v) & !(exists u: pt[x](u) & cyclic(u) & reach[x](v))\n"
    " last(v) := last(v) | pt[x](v)\n"
    "on x->n = y\n"
    " reach[z](v) := reach[z](v) | reach[y](v) & exists u: pt[x](u) & reach[z](u)\n"
    " cyclic(v) := cyclic(v) | reach[y](v) & exists u: pt[x](u) & reach[y](u)\n"
    " last(v) := last(v) & (pt[x](v) -> !exists w: pt[y](w))\n"
    "constraint (u, v) last(u) & last(v) & (exists w: n*(w, u) & n*(w, v)) => u = v\n";

enum { HEAD_OF, TAIL, T, X };

/* Is "tail->n == nil" known wherever the loop starts anew, and is the tail reached from the head?
 */
static void F70_a_file_alone_adds_a_structure(void **state) {
  (void)state;
  char path[32];
  write_entry(queue, path);
  shape_fixture f = shape_open(path, "htpx", NULL, 0);
  unlink(path);
  tp_verify_result r = {0};
  const tp_verify_volume volume = {.all_cells = 3, .random_cells = 6, .n_random = 1000, .seed = 70};
  assert_int_equal(tp_description_verify(f.entry, &volume, &r), TP_OK);
  if (r.is_wrong) print_error("%u: %s\n", r.pos.line, tp_str_text(&r.text));
  assert_false(r.is_wrong);
  tp_str_clear(&r.text);
  const plain_edge edges[] = {
      {0, 1, tp_heap_step(TP_HEAP_NEW, HEAD_OF, -1, -1)},
      {1, 2, tp_heap_step(TP_HEAP_COPY, TAIL, HEAD_OF, -1)},
      {2, 3, tp_heap_step(TP_HEAP_NEW, T, -1, -1)},
      {3, 4, tp_heap_step(TP_HEAP_STORE, TAIL, T, 0)},
      {4, 2, tp_heap_step(TP_HEAP_LOAD, TAIL, TAIL, 0)},
      {2, 5, tp_heap_step(TP_HEAP_LOAD, X, TAIL, 0)},
      {5, 6, {.kind = TP_SHAPE_STEP_NOT_NIL, .x = X}},
      {5, 7, {.kind = TP_SHAPE_STEP_IS_NIL, .x = X}},
      {7, 8, tp_heap_step(TP_HEAP_COPY, T, HEAD_OF, -1)},
      {8, 9, tp_heap_step(TP_HEAP_LOAD, X, T, 0)},
      {9, 10, {.kind = TP_SHAPE_STEP_NOT_NIL, .x = X}},
      {10, 8, tp_heap_step(TP_HEAP_COPY, T, X, -1)},
      {9, 11, {.kind = TP_SHAPE_STEP_IS_NIL, .x = X}},
      {11, 12, {.kind = TP_SHAPE_STEP_DIFFERENT, .x = T, .y = TAIL}},
      {11, 13, {.kind = TP_SHAPE_STEP_SAME, .x = T, .y = TAIL}},
  };
  tp_graph_ids at[14] = {{0}};
  uint32_t events = 0;
  assert_true(shape_explore(&f, edges, sizeof edges / sizeof *edges, at, &events, 2000));
  assert_int_equal(events, 0);
  assert_int_equal(at[6].n, 0);   // the tail has no successor
  assert_int_equal(at[12].n, 0);  // the last cell from the head on is the tail
  assert_true(at[13].n > 0);
  for (int i = 0; i < 14; i++) tp_vec_clear(&at[i]);
  shape_close(&f);
}

// ------------------------------------------------------------------- well-formed

#define NO 0xff
static void describes(const char *path, uint32_t n, const uint8_t *target, bool expected) {
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_description entry = {0};
  assert_int_equal(tp_description_read(&entry, path, diag), TP_OK);
  bool yes;
  assert_int_equal(tp_description_describes(&entry, &(tp_plain_heap){n, target}, &yes), TP_OK);
  assert_int_equal(yes, expected);
  tp_description_clear(&entry);
  tp_diag_free(diag);
}

static void F71_well_formed_heaps(void **state) {
  (void)state;
  describes("lib/shape/sll.scg", 2, (const uint8_t[]){1, 0}, true);
  describes("lib/shape/dll.scg", 3, (const uint8_t[]){1, 2, NO, NO, 0, 1}, true);
  describes("lib/shape/dll.scg", 3, (const uint8_t[]){1, 2, NO, NO, 0, 0}, false);
  describes("lib/shape/dll.scg", 2, (const uint8_t[]){1, NO, NO, NO}, false);
  describes("lib/shape/tree.scg", 4, (const uint8_t[]){1, 3, NO, NO, 2, NO, NO, NO}, true);
  describes("lib/shape/tree.scg", 4, (const uint8_t[]){1, 3, NO, NO, 2, NO, 3, NO}, false);
  describes("lib/shape/tree.scg", 2, (const uint8_t[]){1, NO, 1, NO}, false);
  describes("lib/shape/treep.scg", 3, (const uint8_t[]){1, NO, NO, 2, NO, NO, NO, 0, 0}, true);
  describes("lib/shape/treep.scg", 3, (const uint8_t[]){1, NO, NO, 2, NO, NO, NO, 0, 1}, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F70_bad_files_are_explained),
      cmocka_unit_test(missing_files_are_the_systems_fault),
      cmocka_unit_test(F70_libraries_are_consistent),
      cmocka_unit_test(unsound_classes_are_refused),
      cmocka_unit_test(F70_any_bytes_are_read),
      cmocka_unit_test(F71_the_library_holds_all_kinds),
      cmocka_unit_test(F70_a_file_alone_adds_a_structure),
      cmocka_unit_test(F71_well_formed_heaps),
  };
  return cmocka_run_group_tests_name("shape descriptions", tests, NULL, NULL);
}
