/* From an instance to a program, from its output to an instance of the post-state. A counterexample
 * is confirmed only if the compiled program fails at the same position, or evaluates the same
 * clause to false. */
#include "contracts/modular/contract_replay.h"

#include "base/files.h"
#include "base/process.h"
#include "contracts/contracts_limits.h"
#include "contracts/modular/finder_choices.h"
#include "contracts/rel/rel_eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool fail(tp_contract_replay *r, const char *why) {
  tp_str_add(&r->why, why);
  return false;
}

static bool compile(tp_contract_replay *r, const tp_contract_replay_source *source,
                    const char *file, const char *exe) {
  const char *argv[TP_CONTRACTS_COMPILER_OPTIONS + 16] = {"clang-19",
                                                          "-std=gnu17",
                                                          "-w",
                                                          "-g",
                                                          "-O0",
                                                          "-fsanitize=address,undefined",
                                                          "-fno-sanitize-recover=all"};
  size_t n = 7;
  if (source->is_32_bit) argv[n++] = "-m32";
  for (size_t i = 0; i < source->n_options && i < TP_CONTRACTS_COMPILER_OPTIONS; i++)
    argv[n++] = source->options[i];
  argv[n++] = "-o";
  argv[n++] = exe;
  argv[n++] = file;
  tp_process p;
  const tp_process_spec spec = {.argv = argv,
                                .out = TP_STDIO_CAPTURE,
                                .err = TP_STDIO_CAPTURE,
                                .limits = tp_process_compiler_limits(0, 0)};
  const bool ok = tp_process_run(&p, spec) == TP_OK && p.end == TP_PROCESS_EXITED && p.code == 0;
  if (!ok)
    tp_str_printf(&r->why, "the program that builds the heap does not compile: %.300s",
                  tp_str_text(&p.err));
  tp_process_clear(&p);
  return ok;
}

static bool write_program(tp_contract_replay *r, const tp_contract_replay_source *source,
                          const char *directory, const char **exe, tp_arena *arena) {
  const char *file = tp_arena_printf(arena, "%s/heap.c", directory);
  *exe = tp_arena_printf(arena, "%s/heap", directory);
  if (tp_write_file(file, r->program.text, r->program.n) != TP_OK)
    return fail(r, "the program that builds the heap cannot be written");
  return compile(r, source, file, *exe);
}

typedef struct {
  tp_str out;
  int status;  // -1: a signal
} ending;

/* False: it could not be run. */
static bool run(tp_contract_replay *r, const char *exe, ending *e) {
  tp_process p;
  const char *const argv[] = {exe, "heap", NULL};
  const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0:abort_on_error=0", NULL};
  const tp_process_spec spec = {.argv = argv,
                                .env = env,
                                .out = TP_STDIO_CAPTURE,
                                .err = TP_STDIO_CAPTURE,
                                .sandbox = TP_SANDBOX_STRICT,
                                .limits = {.cpu_s = 10, .wall_s = 60, .output_bytes = 1 << 20}};
  const bool ok = tp_process_run(&p, spec) == TP_OK &&
                  (p.end == TP_PROCESS_EXITED || p.end == TP_PROCESS_SIGNALLED);
  e->status = ok && p.end == TP_PROCESS_EXITED ? p.code : -1;
  tp_str_add(&e->out, tp_str_text(&p.out));
  if (!ok) {
    tp_str_add(&r->why, "the program that builds the heap: ");
    tp_process_print_end(&p, &r->why);
  }
  tp_process_clear(&p);
  return ok;
}

// ------------------------------------------------------------- the post-state

/* False: the value does not fit the width. */
static bool set_value(const tp_heap_layout *l, tp_contract_vc *c, const tp_heap_slot *s, size_t k,
                      int64_t value, tp_rel_instance *i) {
  uint32_t tuple[3], n = 0;
  const tp_symbol *symbol = l->h->fields.at[s->field].symbol;
  if (symbol->kind != TP_SYMBOL_GLOBAL) tuple[n++] = s->owner;
  if (s->index >= 0) n += tp_rel_find_int_atom(l->h->atoms, s->index, &tuple[n]);
  if (tp_heap_layout_is_pointer(l, k))
    tuple[n++] = (uint32_t)value;
  else if (tp_rel_find_int_atom(l->h->atoms, value, &tuple[n]))
    n++;
  else
    return false;
  tp_rel_tuples_add(&i->of[tp_rel_relation_number(l->h->l, tp_contract_vc_after(c, s->field))],
                    tp_rel_tuple(l->h->atoms, tuple, n));
  return true;
}

const char *tp_contract_replay_read(const tp_heap_layout *l, tp_contract_vc *c, const int64_t *post,
                                    const int64_t *allocated, tp_rel_instance *i) {
  TP_REQUIRE(post && allocated && i);
  const tp_rheap *h = l->h;
  const tp_type_info *f = tp_type_of(h->program, tp_func_of(h->program, l->func)->type);
  for (size_t k = 0; k < l->slots.n; k++) {
    if (post[k] == TP_POST_ABSENT || l->slots.at[k].kind != TP_HEAP_SLOT_FIELD) continue;
    if (post[k] == TP_POST_UNKNOWN) return "after the call a pointer leads to something unknown";
    if (!set_value(l, c, &l->slots.at[k], k, post[k], i))
      return "after the call an integer does not fit the width";
  }
  if (post[l->slots.n] == TP_POST_UNKNOWN)
    return "after the call there is an object of a type that is not known";
  if (c->body->result.id) {
    uint32_t atom = (uint32_t)post[l->slots.n];
    if (tp_rheap_is_integer(h, f->element) &&
        !tp_rel_find_int_atom(h->atoms, post[l->slots.n], &atom))
      return "the result does not fit the width";
    tp_rel_tuples_add(&i->of[tp_rel_relation_number(h->l, tp_contract_vc_result(c))], atom);
  }
  for (uint32_t a = 0; a < tp_rel_n_atoms(h->atoms); a++)
    if (allocated[a] == 1)
      tp_rel_tuples_add(&i->of[tp_rel_relation_number(h->l, tp_contract_vc_allocated(c))], a);
  return NULL;
}

/* Slots, the result, atoms: the caller's to free. NULL: other output. */
static int64_t *read_numbers(const tp_heap_layout *l, const char *text) {
  const size_t n = l->slots.n + 1 + tp_rel_n_atoms(l->h->atoms);
  int64_t *numbers = TP_NEW_ARRAY(int64_t, n);
  for (size_t k = 0; k < n; k++) {
    char *end;
    numbers[k] = strtol(text, &end, 10);
    if (end == text) {
      tp_free(numbers);
      return NULL;
    }
    text = end;
  }
  return numbers;
}

/* chosen: after calls by contract the heap must be the one that was chosen, to which ghosts belong.
 */
static bool read_answer(tp_contract_replay *r, const tp_heap_layout *l, tp_contract_vc *c,
                        const tp_finder_choices *chosen, const char *text, tp_rel_instance *i) {
  int64_t *numbers = read_numbers(l, text);
  const char *why = "the program that builds the heap says nothing";
  if (numbers) why = tp_contract_replay_read(l, c, numbers, numbers + l->slots.n + 1, i);
  if (!why && chosen->calls.n &&
      !tp_finder_choices_agree(l, &chosen->end, numbers, numbers + l->slots.n + 1))
    why = "the program leaves another heap than was chosen";
  tp_free(numbers);
  return !why || fail(r, why);
}

/* A function is called where its contract does not allow it: there the heap must be the one that
 * was chosen. */
static bool check_call(tp_contract_replay *r, const tp_heap_layout *l,
                       const tp_finder_choices *chosen, const char *text) {
  const tp_chosen_call *last = &chosen->calls.at[chosen->calls.n - 1];
  int64_t *numbers = read_numbers(l, text);
  r->confirmed = numbers && last->fails &&
                 tp_finder_choices_agree(l, &last->before, numbers, numbers + l->slots.n + 1);
  tp_free(numbers);
  return r->confirmed || fail(r, "the heap at the call is another one than was chosen");
}

/* The first goal that is false in the two states, from 1; 0: none. */
static size_t find_broken(tp_contract_replay *r, const tp_heap_layout *l, tp_contract_vc *c,
                          const tp_contract_verdict *j, const tp_finder_choices *chosen,
                          const char *answer) {
  size_t broken = 0;
  tp_rel_instance_clear(&r->after);
  tp_rel_instance_init(&r->after, tp_rel_n_relations(c->heap->l));
  for (uint32_t k = 0; k < j->instance.n; k++)
    tp_rel_tuples_copy(&r->after.of[k], &j->instance.of[k]);
  if (!read_answer(r, l, c, chosen, answer, &r->after)) return 0;
  if (c->why || tp_rel_error(c->heap->l))
    fail(r, "the contract cannot be evaluated");
  else {
    tp_rel_eval *e = tp_rel_eval_new(c->heap->bounds, &r->after, c->heap->limits.width_bits);
    for (size_t k = 0; k < c->two_state_goals.n && !broken; k++)
      if (tp_rel_eval_formula(e, c->two_state_goals.at[k]) == TP_REL_IS_FALSE) broken = k + 1;
    tp_rel_eval_free(e);
  }
  return broken;
}

/* The program and the evaluator must name the same clause. */
static void compare(tp_contract_replay *r, const tp_heap_layout *l, tp_contract_vc *c,
                    const tp_contract_verdict *j, const tp_finder_choices *chosen,
                    const char *answer, int status) {
  const char *said = strstr(answer, "clause ");
  const size_t broken = find_broken(r, l, c, j, chosen, answer),
               by_program =
                   said && status == TP_CONTRACT_EXIT_VIOLATED ? strtoul(said + 7, NULL, 10) : 0;
  if (r->why.n) return;
  if (broken != by_program)
    fail(r, "the compiled program and the evaluator do not agree about the contract");
  else if (!broken)
    fail(r, "the compiled program keeps the contract");
  else {
    r->confirmed = true;
    r->what = c->goals.at[broken - 1].what;
    r->pos = c->goals.at[broken - 1].pos;
  }
}

static void check_run(tp_contract_replay *r, const tp_heap_layout *l, tp_contract_vc *c,
                      const tp_contract_verdict *j, const tp_finder_choices *chosen,
                      const char *exe) {
  ending e = {0};
  if (run(r, exe, &e)) {
    const char *called = strstr(tp_str_text(&e.out), "called\n"),
               *returned = called ? strstr(called, "returned\n") : NULL;
    if (!called)
      fail(r, e.status == TP_CONTRACT_EXIT_UNKNOWN
                  ? "the heap is not one that the function may be called with"
                  : "the heap cannot be built");
    else if (chosen->calls.n && strstr(called, "asked\n"))
      check_call(r, l, chosen, strstr(called, "asked\n") + strlen("asked\n"));
    else if (strstr(called, "stopped\n"))
      fail(r, "the program goes another way");
    else if (!returned)
      r->confirmed =
          e.status != 0 || fail(r, "the program ends inside of the call, without an error");
    else if (e.status != TP_CONTRACT_EXIT_KEPT && e.status != TP_CONTRACT_EXIT_UNKNOWN &&
             e.status != TP_CONTRACT_EXIT_VIOLATED)
      fail(r, "the heap cannot be read after the call");
    else
      compare(r, l, c, j, chosen, returned + strlen("returned\n"), e.status);
  }
  tp_str_clear(&e.out);
}

/* What is asked for along the path, in that order. */
static void print_stubs(const tp_heap_layout *l, const tp_contract_vc *c,
                        const tp_contract_verdict *j, tp_str *out) {
  TP_VEC(int64_t) inputs = {0};
  tp_rel_eval *e = tp_rel_eval_new(c->heap->bounds, &j->instance, c->heap->limits.width_bits);
  for (size_t k = 0; k < c->body->steps.n; k++) {
    const tp_rexec_step *s = &c->body->steps.at[k];
    const tp_edge_info *edge = tp_edge_of(c->heap->program, s->edge);
    tp_rel_tuples set = {0};
    int64_t value = 0;
    if (edge->kind != TP_E_HAVOC || edge->input != TP_I_NONDET ||
        tp_rel_eval_formula(e, s->when) != TP_REL_IS_TRUE)
      continue;
    if (s->value.id && tp_rel_eval_expr(e, s->value, &set) && set.n == 1)
      (void)tp_rel_atom_is_int(c->heap->atoms, (uint32_t)set.at[0], &value);
    tp_vec_push(&inputs, value);
    tp_rel_tuples_clear(&set);
  }
  tp_rel_eval_free(e);
  tp_heap_layout_stubs(l, inputs.at, inputs.n, out);
  tp_vec_clear(&inputs);
}

void tp_contract_replay_run(tp_contract_vc *c, tp_func f, const tp_contract_verdict *j,
                            const tp_contract_replay_source *source, tp_contract_replay *r) {
  TP_REQUIRE(c && j && j->answer == TP_CONTRACT_FAILS && source);
  *r = (tp_contract_replay){0};
  tp_heap_layout l;
  tp_arena arena;
  tp_str directory = {0};
  char *path = realpath(tp_intake_compiled(source->path), NULL);
  const char *exe;
  tp_arena_init(&arena);
  tp_heap_layout_init(&l, c->heap, f);
  int64_t *at = TP_NEW_ARRAY(int64_t, l.slots.n + 1);
  tp_heap_layout_read(&l, &j->instance, at);
  if (c->two_state_goals.n == 0) tp_contract_vc_two_states(c);
  tp_finder_choices chosen;
  tp_finder_choices_init(&chosen, &l, c, &j->instance);
  tp_heap_layout_program(&l, path ? path : source->path, TP_HEAP_PROGRAM_FIXED, at, c, &chosen,
                         &r->program);
  print_stubs(&l, c, j, &r->program);
  if (path && !tp_is_includable(path))
    fail(r, "no program can include a file whose name has quotes or line ends");
  else if (tp_temp_dir(&directory) != TP_OK)
    fail(r, "no temporary directory");
  else if (write_program(r, source, directory.text, &exe, &arena))
    check_run(r, &l, c, j, &chosen, exe);
  if (directory.n) tp_remove_tree(directory.text);
  tp_str_clear(&directory);
  tp_free(at);
  tp_finder_choices_clear(&chosen);
  tp_heap_layout_clear(&l);
  free(path);
  tp_arena_clear(&arena);
}

void tp_contract_replay_clear(tp_contract_replay *r) {
  tp_str_clear(&r->program);
  tp_str_clear(&r->why);
  tp_rel_instance_clear(&r->after);
}
