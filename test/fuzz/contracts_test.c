/* Mutated contracts: every text is answered, with clauses or with messages; what is read is printed
 * and read again as itself; what is understood can be lowered and bounded; nothing leaks. */
#include "front/front.h"
#include "contracts/spec/bounded_states.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char PROGRAM[] =
    "struct data { int key; }; struct cell { struct cell *next; struct data *data; }; struct list "
    "{ struct cell *head; int count, sizes[4]; };\n"
    "struct list *the_list; int total;\n"
    "int push(struct list *l, struct cell *c, int *n) { c->next = l->head; l->head = c; total += "
    "n[0]; the_list = l; return c->data->key; }\n";

static const char SEED[] =
    "pred acyclic [ l : struct list ] { no c : l . head . * next | c in c . ^ next some l }\n"
    "fun cells [ l , m : struct list ] : set struct cell { ( l + m ) . head . * next - null }\n"
    "struct list { model content : set struct data = this . head . * next . data ghost seen : lone "
    "struct data ; invariant # this . head . * next = this . count }\n"
    "ghost log : int -> lone struct data\n"
    "function push { requires l != null and n [ 0 ] > - 3 * total => c in cells [ l , the_list ] "
    ";\n"
    "preserves acyclic [ l ] or all disj x , y : struct cell | x . next != y . next\n"
    "modifies l . head , total , l . sizes [ 3 ] , \\alloc\n"
    "ensures \\result and l . content ' = l . content + c . data\n"
    "ensures ( l . head . * next ) ' = l . head . ( next ++ ( c -> null ) ) + { x : struct cell | "
    "x . next = null }\n"
    "ensures let k = l . count + 1 | if k <= 3 then total ' = k else sum x : struct cell . data . "
    "key | x < plus [ k , int [ total ] ]\n"
    "ensures ~ next . c <: struct cell :> c in iden & univ -> object <=> ! ( false ) }\n";

typedef TP_VEC(const char *) word_list;

static void split(tp_arena *a, const char *text, word_list *out) {
  for (const char *at = text; *at; at += strspn(at, " \n")) {
    const size_t n = strcspn(at, " \n");
    tp_vec_push(out, tp_arena_strndup(a, at, n));
    at += n;
    if (*at == '\n') tp_vec_push(out, "\n");
  }
}

/* A few words left out, doubled, replaced, swapped; or some characters changed. */
static void mutate(tp_rng *rng, const word_list *words, tp_str *out) {
  const uint64_t rate = 3 + tp_rng_below(rng, 60);
  for (size_t i = 0; i < words->n; i++) {
    const char *word = words->at[i], *other = words->at[tp_rng_below(rng, words->n)];
    const uint64_t what = tp_rng_below(rng, rate) ? 9 : tp_rng_below(rng, 5);
    if (what == 0) continue;
    tp_str_add(out, what == 1 ? other : word);
    tp_str_add_char(out, ' ');
    if (what == 2) tp_str_printf(out, "%s ", other);
    if (what == 3) tp_str_printf(out, "%s ", word);
    if (what == 4) out->text[tp_rng_below(rng, out->n)] = (char)(1 + tp_rng_below(rng, 255));
  }
}

static void check_round_trip(tp_clauses *c, FILE *to) {
  for (size_t i = 0, n = c->all.n; i < n; i++) {
    tp_str once = {0}, twice = {0};
    const tp_clause clause = c->all.at[i];
    tp_clause_print(&clause, &once);
    tp_clauses_read(c, "t", 1, once.text, clause.subject);
    fflush(to);
    if (c->all.n != n + 1) fail_msg("printed, but not read: %s", once.text);
    tp_clause_print(&c->all.at[n], &twice);
    assert_string_equal(once.text, twice.text);
    c->all.n = n;
    tp_str_clear(&once);
    tp_str_clear(&twice);
  }
}

static void check_lowering(tp_contracts *m, const char *text) {
  tp_rel *l = tp_rel_new();
  for (size_t i = 0; i <= m->of_functions.n; i++) {
    tp_bounded_states *small =
        tp_bounded_states_new(m, l, (tp_state_scope){.width_bits = 3, .n_each = 1});
    tp_lowering *w = tp_lowering_new(m, l, tp_bounded_states_relations(small));
    bool ok = tp_lower_invariants(w, TP_PRE_STATE).id && tp_lower_invariants(w, TP_POST_STATE).id;
    if (i < m->of_functions.n)
      ok = ok && tp_lower_requires(w, m->of_functions.at[i]).id &&
           tp_lower_ensures(w, m->of_functions.at[i]).id;
    if (i < m->of_functions.n) ok = ok && tp_lower_frame(w, m->of_functions.at[i]).id;
    ok = ok && tp_bounded_states_axioms(small, w).id;
    const char *error = tp_lowering_error(w);
    if (ok ? error != NULL || !tp_bounded_states_bounds(small) : error == NULL)
      fail_msg("%s: %s", text, error ? error : "without a word");
    if (error && !strstr(error, "more than") && !strstr(error, "deep"))
      fail_msg("%s: %s", text, error);
    tp_lowering_free(w);
    tp_bounded_states_free(small);
  }
  tp_rel_free(l);
}

static void try_text(tp_object_model *u, const char *text) {
  char *said = NULL;
  size_t n_said = 0;
  FILE *to = open_memstream(&said, &n_said);
  tp_diag *diag = tp_diag_new(to, false);
  tp_clauses c;
  tp_contracts m;
  tp_clauses_init(&c, diag);
  tp_clauses_read_file(&c, "t", text);
  const uint32_t n_wrong = c.n_wrong;
  check_round_trip(&c, to);
  assert_int_equal(c.n_wrong, n_wrong);
  tp_contracts_init(&m, u, &c);
  fflush(to);
  if (m.all.n < c.all.n && c.n_wrong == n_wrong) fail_msg("left out without a word: %s", text);
  assert_true(c.n_wrong == 0 || n_said > 0);
  for (size_t i = 0; i < m.of_functions.n; i++)
    for (size_t k = 0; k < u->symbols.n; k++)
      if (u->symbols.at[k]->changes && u->symbols.at[k]->kind != TP_SYMBOL_MODEL)
        (void)tp_function_contract_frame(&m, m.of_functions.at[i], u->symbols.at[k]);
  check_lowering(&m, text);
  tp_contracts_clear(&m);
  // the same text as a comment of C
  tp_str comment = {0};
  tp_str_printf(&comment, "struct s {\n/*@ %s @*/ int x; };\n//@ %s\nint f(int x);\n", text, text);
  tp_clauses_read_c(&c, "no-such-file.c", comment.text);
  tp_str_clear(&comment);
  tp_clauses_clear(&c);
  tp_diag_free(diag);
  fclose(to);
  free(said);
}

static void test_mutated_contracts(void **state) {
  (void)state;
  char path[] = "/tmp/contracts-test-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, PROGRAM, strlen(PROGRAM)) == (ssize_t)strlen(PROGRAM));
  close(fd);
  tp_diag *diag = tp_diag_new(stderr, false);
  const char *files[] = {path};
  const tp_front_options front = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  tp_program *p;
  uint32_t n_exported;
  assert_int_equal(tp_front_load_module(&front, diag, &p, &n_exported), TP_OK);
  unlink(path);
  tp_object_model u;
  tp_object_model_init(&u, p);
  tp_arena arena;
  tp_arena_init(&arena);
  word_list words = {0};
  split(&arena, SEED, &words);
  try_text(&u, SEED);
  tp_rng rng;
  const int n = getenv("TP_SOAK") ? 200000 : 700;
  for (int i = 0; i < n; i++) {
    tp_rng_init(&rng, (uint64_t)i + 1);
    tp_str text = {0};
    mutate(&rng, &words, &text);
    try_text(&u, text.text);
    tp_str_clear(&text);
  }
  tp_vec_clear(&words);
  tp_arena_clear(&arena);
  tp_object_model_clear(&u);
  tp_program_free(p);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutated_contracts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
