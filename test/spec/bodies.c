#include "bodies.h"

#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char *write_temporary(const char *text) {
  char *path = strdup("/tmp/bodies-XXXXXX.c");
  const int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  return path;
}

static tp_func function_named(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (!name || strcmp(p->funcs.at[i].name, name) == 0) return (tp_func){i};
  fail_msg("no function %s", name);
  return TP_FUNC_NONE;
}

void subject_init(subject *s, const char *text, const char *name, const char *contracts,
                  tp_rheap_limits limits) {
  subject_init_with(s, text, name, contracts, limits, false);
}

void subject_init_with(subject *s, const char *text, const char *name, const char *contracts,
                       tp_rheap_limits limits, bool by_contract) {
  uint32_t n_exported;
  *s = (subject){.diag = tp_diag_new(stderr, false), .path = write_temporary(text)};
  const char *file = s->path;
  const tp_front_options o = {.files = &file,
                              .n_files = 1,
                              .property = TP_P_UNREACH_CALL,
                              .without_models = true,
                              .calls_by_name = true};
  assert_int_equal(tp_front_load_module(&o, s->diag, &s->program, &n_exported), TP_OK);
  const tp_func f = function_named(s->program, name);
  tp_object_model_init(&s->universe, s->program);
  tp_rheap_init(&s->heap, &s->universe, limits);
  tp_rexec_init(&s->body);
  tp_clauses_init(&s->clauses, s->diag);
  if (contracts) tp_clauses_read_file(&s->clauses, "contracts", contracts);
  tp_contracts_init(&s->contracts, &s->universe, &s->clauses);
  assert_int_equal(s->clauses.n_wrong, 0);
  tp_contract_vc_init(&s->contract, &s->heap, &s->body, f, &s->contracts, by_contract);
  if (s->contract.why) fail_msg("%s", s->contract.why);
  s->layout.func = f;
  s->is_heap = tp_rheap_is_heap(&s->heap);
}

void subject_bind(subject *s) {
  const tp_func f = s->layout.func;
  if (tp_rel_error(s->heap.l)) fail_msg("%s", tp_rel_error(s->heap.l));
  assert_int_equal(tp_rheap_set_bounds(&s->heap), TP_OK);
  tp_heap_layout_init(&s->layout, &s->heap, f);
  tp_str driver = {0};
  if (s->driver_head) tp_str_add(&driver, s->driver_head);
  tp_heap_layout_program(&s->layout, s->path, TP_HEAP_PROGRAM_NONDET, NULL, NULL, NULL, &driver);
  s->driver_path = write_temporary(tp_str_text(&driver));
  tp_str_clear(&driver);
  const char *file = s->driver_path;
  const tp_front_options o = {
      .files = &file, .n_files = 1, .property = TP_P_UNREACH_CALL, .without_models = true};
  assert_int_equal(tp_front_load(&o, s->diag, &s->driver), TP_OK);
  for (uint32_t i = 1; i < s->driver->statics.n; i++)
    if (strcmp(s->driver->statics.at[i].name, "tp_post") == 0)
      s->post = i;
    else if (strcmp(s->driver->statics.at[i].name, "tp_at") == 0)
      s->at = i;
    else if (strcmp(s->driver->statics.at[i].name, "tp_gone") == 0)
      s->gone = i;
    else if (strcmp(s->driver->statics.at[i].name, "tp_monitored_function") == 0)
      s->watched = i;
  s->start = tp_state_initial(s->driver);
}

void subject_clear(subject *s) {
  if (s->start) tp_state_free(s->start);
  tp_heap_layout_clear(&s->layout);
  tp_contract_vc_clear(&s->contract);
  tp_contracts_clear(&s->contracts);
  tp_clauses_clear(&s->clauses);
  tp_rexec_clear(&s->body);
  tp_rheap_clear(&s->heap);
  tp_object_model_clear(&s->universe);
  if (s->driver) tp_program_free(s->driver);
  tp_program_free(s->program);
  tp_diag_free(s->diag);
  unlink(s->path);
  if (s->driver_path) unlink(s->driver_path);
  free(s->path);
  free(s->driver_path);
}

outcome outcome_of_relations(subject *s, tp_rel_eval *e) {
  static const outcome of_kind[] = {[TP_REXEC_FAILS] = OUT_FAILS,
                                    [TP_REXEC_UNROLL] = OUT_BEYOND,
                                    [TP_REXEC_OBJECTS] = OUT_BEYOND,
                                    [TP_REXEC_UNSUPPORTED] = OUT_REFUSED};
  outcome found = OUT_STOPS;
  uint32_t n = 0;
  bool undefined = false;
  for (size_t i = 0; i <= s->body.ends.n; i++) {
    const bool last = i == s->body.ends.n;
    const tp_rel_truth_value t =
        tp_rel_eval_formula(e, last ? s->body.returns : s->body.ends.at[i].when);
    if (t == TP_REL_IS_TRUE) found = last ? OUT_RETURNS : of_kind[s->body.ends.at[i].kind], n++;
    undefined = undefined || t == TP_REL_IS_UNDEFINED;
    if (t == TP_REL_IS_TRUE && found == OUT_REFUSED)
      fail_msg("%u: refused: %s", s->body.ends.at[i].pos.line, s->body.ends.at[i].what);
  }
  assert_true(n <= 1);  // an execution has one end
  return n ? found : undefined ? OUT_UNDEFINED : OUT_STOPS;
}

typedef struct {
  const int64_t *at;
  size_t n, asked;
} answers;

static bool answer(void *ctx, tp_input *io) {
  static const uint8_t zeros[256];
  answers *a = ctx;
  if (io->width_bits == 0 || io->kind == TP_I_INDETERMINATE) {
    io->bits = 0;
    io->bytes = zeros;
    return io->n_bytes <= sizeof zeros;
  }
  if (a->asked == a->n) return false;
  io->bits = (uint64_t)a->at[a->asked++];
  return true;
}

outcome outcome_of_run(subject *s, const int64_t *at, int64_t *post) {
  return outcome_and_objects(s, at, post, NULL);
}

outcome outcome_and_objects(subject *s, const int64_t *at, int64_t *post, int64_t *there) {
  answers a = {.at = at, .n = s->layout.slots.n};
  tp_state *state = tp_state_copy(s->start);
  const tp_run_result r = tp_exec_run(s->driver, state, &(tp_oracle){.ctx = &a, .ask = answer},
                                      (tp_run_limits){.steps = 200000}, NULL);
  const size_t n = (s->layout.slots.n + 1) * sizeof(int64_t);
  if (r.end == TP_END_EXIT) assert_true(tp_state_read_bytes(state, s->post, 0, n, (uint8_t *)post));
  for (uint32_t k = 0; there && r.end == TP_END_EXIT && k < tp_rel_n_atoms(s->heap.atoms); k++) {
    int32_t gone;
    uint64_t pointer;
    assert_true(
        tp_state_read_bytes(state, s->at, k * sizeof pointer, sizeof pointer, (uint8_t *)&pointer));
    assert_true(
        tp_state_read_bytes(state, s->gone, k * sizeof gone, sizeof gone, (uint8_t *)&gone));
    there[k] = gone ? 2 : pointer != 0;
  }
  if (s->watched)
    assert_true(tp_state_read_bytes(state, s->watched, 0, sizeof s->seen, (uint8_t *)s->seen));
  tp_state_free(state);
  switch (r.end) {
    case TP_END_EXIT: return OUT_RETURNS;
    case TP_END_ERROR:
    case TP_END_INVALID: return OUT_FAILS;
    case TP_END_BLOCKED: return OUT_STOPS;
    case TP_END_LIMIT: return OUT_BEYOND;
    case TP_END_UNSUPPORTED:
    case TP_END_NO_INPUT:
    case TP_END_STOPPED: break;
  }
  fail_msg("line %u: %s", r.pos.line, r.why ? r.why : "a run without meaning");
  return OUT_STOPS;
}

// ----------------------------------------------------------------------- heaps

void instance_of(subject *s, const int64_t *at, tp_rel_instance *i) {
  for (uint32_t r = 0; r < i->n; r++)
    if (tp_rel_lower(s->heap.bounds, r))
      tp_rel_tuples_copy(&i->of[r], tp_rel_lower(s->heap.bounds, r));
  tp_heap_layout_write(&s->layout, at, i);
  for (size_t f = 0; f < s->heap.fields.n;
       f++) {  // null, or the integer 0: the bytes that runs are given
    const tp_rheap_field *field = &s->heap.fields.at[f];
    if (!field->uninitialised.id) continue;
    const uint32_t r = tp_rel_relation_number(s->heap.l, field->uninitialised),
                   arity = tp_rel_relation_arity(s->heap.l, r);
    const tp_rel_tuples *upper = tp_rel_upper(s->heap.bounds, r);
    uint32_t atoms[3], zero;
    assert_true(tp_rel_find_int_atom(s->heap.atoms, 0, &zero));
    i->of[r].n = 0;
    for (size_t k = 0; k < upper->n; k++) {
      tp_rel_tuple_atoms(s->heap.atoms, upper->at[k], arity, atoms);
      if (atoms[arity - 1] == s->heap.null_atom || atoms[arity - 1] == zero)
        tp_rel_tuples_add(&i->of[r], upper->at[k]);
    }
    // statics are never fresh
    const tp_rheap_type *t = &s->heap.types[field->symbol->basic];
    for (size_t k = 0; k < i->of[r].n;) {
      tp_rel_tuple_atoms(s->heap.atoms, i->of[r].at[k], arity, atoms);
      bool is_static = false;
      for (size_t a = s->heap.limits.objects;
           a < tp_rheap_n_lasting(&s->heap, field->symbol->basic) && !is_static; a++)
        is_static = t->atoms.at[a] == atoms[0];
      if (!is_static)
        k++;
      else {
        memmove(&i->of[r].at[k], &i->of[r].at[k + 1], (i->of[r].n - k - 1) * sizeof *i->of[r].at);
        i->of[r].n--;
      }
    }
  }
}

/* The values that a slot may have in a heap, where `there` are the objects that exist. */
static void draw_slot(subject *s, tp_rng *rng, const tp_heap_slot *slot, size_t k,
                      const bool *there, int64_t *at) {
  const tp_rheap_field *f = slot->kind == TP_HEAP_SLOT_PARAM ? &s->heap.inputs.at[slot->field]
                                                             : &s->heap.fields.at[slot->field];
  const uint32_t r = tp_rel_relation_number(s->heap.l, f->initial),
                 arity = tp_rel_relation_arity(s->heap.l, r);
  const tp_rel_tuples *upper = tp_rel_upper(s->heap.bounds, r);
  TP_VEC(int64_t) values = {0};
  uint32_t atoms[3];
  for (size_t u = 0; u < upper->n; u++) {
    int64_t number;
    tp_rel_tuple_atoms(s->heap.atoms, upper->at[u], arity, atoms);
    if (arity > 1 && atoms[0] != slot->owner) continue;
    const uint32_t value = atoms[arity - 1];
    if (tp_rel_atom_is_int(s->heap.atoms, value, &number))
      tp_vec_push(&values, number);
    else if (value == s->heap.null_atom || there[value])
      tp_vec_push(&values, value);
  }
  if (values.n == 0) {  // members of local variables, which are not there yet
    assert_true(tp_rheap_is_local(&s->heap, slot->owner));
    at[k] = 0;
    return;
  }
  at[k] = values.at[tp_rng_below(rng, values.n)];
  for (int turn = 0;
       turn < 3 && !tp_heap_layout_is_pointer(&s->layout, k) && (at[k] > 3 || at[k] < -1); turn++)
    at[k] = values.at[tp_rng_below(rng, values.n)];
  tp_vec_clear(&values);
}

void draw_heap(subject *s, tp_rng *rng, int64_t *at, tp_rel_instance *i) {
  const size_t n = s->layout.slots.n;
  const tp_rheap *h = &s->heap;
  for (size_t k = 0; k < n; k++) {
    const tp_slot_kind kind = s->layout.slots.at[k].kind;
    at[k] = kind == TP_HEAP_SLOT_COUNT    ? (int64_t)tp_rng_below(rng, h->limits.objects + 1)
            : kind == TP_HEAP_SLOT_LENGTH ? 1 + (int64_t)tp_rng_below(rng, h->limits.objects)
                                          : 0;
  }
  bool *there = TP_NEW_ARRAY(bool, tp_rel_n_atoms(h->atoms));
  for (uint32_t b = 0; b < s->universe.basics.n; b++)
    for (size_t a = 0; a < h->types[b].atoms.n; a++) there[h->types[b].atoms.at[a]] = true;
  for (size_t k = 0; k < n; k++)
    if (s->layout.slots.at[k].kind == TP_HEAP_SLOT_COUNT)
      for (uint32_t o = (uint32_t)at[k]; o < h->limits.objects; o++)
        there[h->types[s->layout.slots.at[k].basic].atoms.at[o]] = false;
  for (uint32_t f = 0; f < 8 * h->fields.n;
       f++) {  // what lies inside of what is not there; nested as often as needed
    const tp_rheap_field *g = &h->fields.at[f % h->fields.n];
    const tp_rel_tuples *lies =
        g->is_inner ? tp_rel_lower(h->bounds, tp_rel_relation_number(h->l, g->lies)) : NULL;
    for (size_t k = 0; lies && k < lies->n; k++) {
      uint32_t pair[2];
      tp_rel_tuple_atoms(h->atoms, lies->at[k], 2, pair);
      if (!there[pair[0]]) there[pair[1]] = false;
    }
  }
  for (size_t k = 0; k < n; k++) {
    const tp_slot_kind kind = s->layout.slots.at[k].kind;
    if (kind == TP_HEAP_SLOT_FIELD || kind == TP_HEAP_SLOT_PARAM)
      draw_slot(s, rng, &s->layout.slots.at[k], k, there, at);
  }
  tp_free(there);
  instance_of(s, at, i);
}
