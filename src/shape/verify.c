/* Heaps as numbers. All heaps of n cells are the values of a counter with one digit per pointer and
 * per field of a cell; of those that differ by a renumbering of the cells the links of one are
 * tried, with all pointers. */
#include "shape/verify.h"

#include "shape/shape_limits.h"
#include "shape/transform.h"

enum { MAX_CELLS = 8, MAX_POINTERS = 6, NIL = 0xff };

typedef struct {
  uint32_t n;
  uint8_t pointer[MAX_POINTERS];
  uint8_t field[TP_SHAPE_MAX_FIELDS][MAX_CELLS];
  bool freed[MAX_CELLS], outside[MAX_CELLS];
  uint8_t data[MAX_CELLS];
} heap;

typedef struct {
  const tp_description *entry;
  tp_shape_engine *engine;
  const tp_shape_class *c;
  uint32_t n_pointers, n_fields;
  tp_structure *before, *now, *expected;
  tp_verify_result *result;
  tp_rng rng;  // for data
} checker;

// ------------------------------------------------------------- the concrete step

/* Does the pointer lead to a cell that operations can be about? */
static bool leads(const heap *h, uint8_t to) {
  return to != NIL && !h->freed[to] && !h->outside[to];
}

/* False: the operation does not run on this heap, or not under the conditions that updates may rely
 * on. */
static bool step(heap *h, tp_heap_kind kind, uint32_t y, uint32_t f, uint32_t n_fields) {
  const uint8_t x_at = h->pointer[0], y_at = h->pointer[y];
  switch (kind) {
    case TP_HEAP_NIL: h->pointer[0] = NIL; return true;
    case TP_HEAP_COPY: h->pointer[0] = y_at; return true;
    case TP_HEAP_LOAD:
      if (!leads(h, y_at)) return false;
      h->pointer[0] = h->field[f][y_at];
      return true;
    case TP_HEAP_CLEAR:
      if (!leads(h, x_at)) return false;
      h->field[f][x_at] = NIL;
      return true;
    case TP_HEAP_STORE:
      if (!leads(h, x_at) || h->field[f][x_at] != NIL) return false;
      h->field[f][x_at] = y_at;
      return true;
    case TP_HEAP_NEW:
      if (h->n == MAX_CELLS) return false;
      for (uint32_t i = 0; i < n_fields; i++) h->field[i][h->n] = NIL;
      h->freed[h->n] = h->outside[h->n] = false;
      h->pointer[0] = (uint8_t)h->n++;
      return true;
    case TP_HEAP_FREE:
      if (!leads(h, x_at)) return false;
      for (uint32_t i = 0; i < n_fields; i++)
        if (h->field[i][x_at] != NIL) return false;
      h->freed[x_at] = true;
      return true;
    case TP_HEAP_SET:
      if (!leads(h, x_at) || !leads(h, y_at)) return false;
      h->data[x_at] = h->data[y_at];
      return true;
    case TP_HEAP_N_KINDS: break;
  }
  return false;
}

static void to_structure(checker *k, const heap *h, tp_structure *s) {
  TP_REQUIRE(h->n <= MAX_CELLS);
  tp_structure_reset(s);
  for (uint32_t u = 0; u < h->n; u++) tp_structure_add(s);
  for (uint32_t p = 0; p < k->n_pointers; p++)
    if (h->pointer[p] != NIL) tp_k64_set(&s->unary[k->c->points[p]], h->pointer[p], TP_KLEENE_TRUE);
  for (uint32_t u = 0; u < h->n; u++) {
    if (h->freed[u]) tp_k64_set(&s->unary[k->c->freed], u, TP_KLEENE_TRUE);
    if (h->outside[u]) tp_k64_set(&s->unary[k->c->outside], u, TP_KLEENE_TRUE);
    for (uint32_t f = 0; f < k->n_fields; f++)
      if (h->field[f][u] != NIL)
        tp_k64_set(tp_structure_row(s, k->c->field[f], u), h->field[f][u], TP_KLEENE_TRUE);
  }
  for (uint32_t i = 0; i < k->c->n_orders; i++)
    for (uint32_t u = 0; u < h->n; u++)
      for (uint32_t v = 0; v < h->n; v++)
        if (h->data[u] <= h->data[v])
          tp_k64_set(tp_structure_row(s, k->c->order[i], u), v, TP_KLEENE_TRUE);
  tp_shape_define_all(k->engine, s);
}

static tp_status with_class(const tp_description *entry, uint32_t n_pointers,
                            tp_shape_class **out) {
  static const char *const names[MAX_POINTERS] = {"p", "q", "r", "s", "t", "u"};
  tp_tracked_pointer pointers[MAX_POINTERS];
  for (uint32_t i = 0; i < MAX_POINTERS; i++) pointers[i] = (tp_tracked_pointer){names[i], true};
  const tp_tracking d = {.pointers = pointers, .n_pointers = n_pointers};
  return tp_shape_class_new((tp_generator){entry, tp_description_all_families(entry)}, NULL, &d,
                            out);
}

// ---------------------------------------------------------------------- reports

static void print_cell(uint8_t u, tp_str *out) {
  if (u == NIL)
    tp_str_add(out, "nil");
  else
    tp_str_printf(out, "c%u", u);
}

static void print_heap(const checker *k, const heap *h, tp_str *out) {
  for (uint32_t p = 0; p < k->n_pointers; p++) {
    tp_str_printf(out, "%s%s = ", p ? ", " : "", k->c->pointers[p].name);
    print_cell(h->pointer[p], out);
  }
  for (uint32_t u = 0; u < h->n; u++)
    for (uint32_t f = 0; f < k->n_fields; f++) {
      tp_str_printf(out, ", c%u->%s = ", u, k->c->fields[f]);
      print_cell(h->field[f][u], out);
    }
  for (uint32_t u = 0; u < h->n; u++)
    if (h->freed[u] || h->outside[u])
      tp_str_printf(out, ", c%u is %s", u, h->freed[u] ? "freed" : "outside");
  for (uint32_t u = 0; k->c->n_orders && u < h->n; u++)
    tp_str_printf(out, ", c%u's data is %u", u, h->data[u]);
}

/* The update line that gives the predicate its value behind the operation; NULL: none fits. */
static const tp_update *line_of(checker *k, uint32_t predicate, tp_heap_kind kind, int y, int f) {
  const tp_update_instances *changes;
  if (tp_shape_update_instances(k->engine, kind, 0, y, f, &changes) != TP_OK) return NULL;
  for (size_t i = 0; i < changes->n; i++)
    if (changes->at[i].predicate == predicate) return changes->at[i].update;
  return NULL;
}

static const char *value_text(tp_kleene v) {
  return v == TP_KLEENE_HALF ? "1/2" : v == TP_KLEENE_TRUE ? "1" : "0";
}

static tp_kleene value_at(const tp_structure *s, const tp_shape_predicate *p, uint32_t u,
                          uint32_t v) {
  return p->arity == 1 ? tp_k64_get(s->unary[p->index], u)
                       : tp_k64_get(*tp_structure_row(s, p->index, u), v);
}

/* The first predicate in which the structures differ, and at which nodes; false: in none. is_open:
 * a may leave values unknown. */
static bool difference(const checker *k, const tp_structure *a, const tp_structure *b, bool is_open,
                       uint32_t *predicate, uint32_t *u, uint32_t *v) {
  for (uint32_t i = 0; i < k->c->predicates.n; i++) {
    const tp_shape_predicate *p = &k->c->predicates.at[i];
    for (*u = 0; *u < a->n; ++*u)
      for (*v = 0; *v < (p->arity == 1 ? 1 : a->n); ++*v) {
        const tp_kleene x = value_at(a, p, *u, *v), y = value_at(b, p, *u, *v);
        *predicate = i;
        if (x != y && !(is_open && x == TP_KLEENE_HALF)) return true;
      }
  }
  return false;
}

/* y, f: as the update was given them. */
static void report_update(checker *k, const heap *h, tp_heap_kind kind, int y, int f,
                          bool is_open) {
  uint32_t predicate, u, v;
  if (!difference(k, k->now, k->expected, is_open, &predicate, &u, &v)) return;
  const tp_shape_predicate *p = &k->c->predicates.at[predicate];
  tp_str *out = &k->result->text;
  const tp_update *line = line_of(k, predicate, kind, y, f);
  k->result->is_wrong = true;
  k->result->pos = line                                   ? line->pos
                   : p->kind == TP_SHAPE_PREDICATE_FAMILY ? k->entry->families.at[p->family].pos
                                                          : k->entry->pos;
  tp_str_printf(out, "%s has a wrong value at c%u", p->name, u);
  if (p->arity == 2) tp_str_printf(out, ", c%u", v);
  tp_str_printf(out, " behind '%s' with x = %s", tp_heap_kind_text(kind), k->c->pointers[0].name);
  if (y >= 0) tp_str_printf(out, ", y = %s", k->c->pointers[y].name);
  if (f >= 0) tp_str_printf(out, ", f = %s", k->c->fields[f]);
  tp_str_printf(out, ": %s by %s, %s by its definition", value_text(value_at(k->now, p, u, v)),
                line ? "this update" : "the heap before, as no update fits",
                value_text(value_at(k->expected, p, u, v)));
  print_heap(k, h, &k->result->heap);
}

/* Does the class with this constraint alone leave the heap as it is? */
static bool is_guilty(checker *k, const heap *h, const tp_constraint *constraint) {
  tp_description one = *k->entry;
  one.constraints.at = (tp_constraint *)(uintptr_t)constraint;
  one.constraints.n = 1;
  checker alone = *k;
  tp_shape_class *c;
  if (with_class(&one, k->n_pointers, &c) != TP_OK) return false;
  alone.c = c;
  alone.engine = tp_shape_engine_new(c);
  tp_structure *s = tp_shape_take(alone.engine), *before = tp_shape_take(alone.engine);
  to_structure(&alone, h, s);
  tp_structure_copy(before, s);
  const bool is_kept = tp_shape_coerce(c, tp_shape_engine_evaluation(alone.engine), s) &&
                       tp_structure_same(s, before);
  tp_shape_give(alone.engine, s);
  tp_shape_give(alone.engine, before);
  tp_shape_engine_free(alone.engine);
  tp_shape_class_free(c);
  return !is_kept;
}

static void report_rule(checker *k, const heap *h, bool is_kept) {
  uint32_t predicate, u, v;
  tp_str *out = &k->result->text;
  k->result->is_wrong = true;
  k->result->pos = k->entry->pos;
  for (size_t i = 0; i < k->entry->constraints.n; i++) {
    if (!is_guilty(k, h, &k->entry->constraints.at[i])) continue;
    k->result->pos = k->entry->constraints.at[i].pos;
    break;
  }
  if (is_kept && difference(k, k->now, k->before, false, &predicate, &u, &v))
    tp_str_printf(out, "constraints change %s at c%u of a heap",
                  k->c->predicates.at[predicate].name, u);
  else
    tp_str_add(out, "constraints exclude a heap");
  print_heap(k, h, &k->result->heap);
}

// -------------------------------------------------------------------- one heap

static bool has_y(tp_heap_kind kind) {
  return kind == TP_HEAP_COPY || kind == TP_HEAP_LOAD || kind == TP_HEAP_STORE ||
         kind == TP_HEAP_SET;
}
static bool has_field(tp_heap_kind kind) {
  return kind == TP_HEAP_LOAD || kind == TP_HEAP_CLEAR || kind == TP_HEAP_STORE;
}

/* Data that is new is any: y says q's, or, as x itself, any value; what is unknown then need not be
 * known. */
static tp_status try_step(checker *k, const heap *h, tp_heap_kind kind, uint32_t y, uint32_t f) {
  heap after = *h;
  if (!step(&after, kind, y, f, k->n_fields)) return TP_OK;
  const bool is_open = k->c->n_orders && (kind == TP_HEAP_NEW || (kind == TP_HEAP_SET && y == 0));
  if (is_open) after.data[after.pointer[0]] = (uint8_t)tp_rng_below(&k->rng, 2 * MAX_CELLS);
  tp_structure_copy(k->now, k->before);
  const int y_slot = has_y(kind) && !(kind == TP_HEAP_SET && y == 0) ? (int)y : TP_UNKNOWN_SLOT,
            f_slot = has_field(kind) ? (int)f : TP_UNKNOWN_SLOT;
  TP_TRY(tp_shape_update(k->engine, k->now, kind, 0, y_slot, f_slot));
  to_structure(k, &after, k->expected);
  k->result->steps++;
  if (!tp_structure_same(k->now, k->expected)) report_update(k, h, kind, y_slot, f_slot, is_open);
  return TP_OK;
}

static tp_status try_heap(checker *k, const heap *links) {
  heap with_data = *links;
  const heap *h = &with_data;
  for (uint32_t u = 0; k->c->n_orders && u < h->n; u++)
    with_data.data[u] = (uint8_t)(2 * tp_rng_below(&k->rng, h->n) + 1);
  to_structure(k, h, k->before);
  k->result->heaps++;
  tp_structure_copy(k->now, k->before);
  const bool is_kept = tp_shape_coerce(k->c, tp_shape_engine_evaluation(k->engine), k->now);
  if (!is_kept || !tp_structure_same(k->now, k->before)) report_rule(k, h, is_kept);
  for (tp_heap_kind kind = 0; kind < TP_HEAP_N_KINDS; kind++) {
    for (uint32_t y = 0; y < (has_y(kind) ? 2 : 1); y++)
      for (uint32_t f = 0; f < (has_field(kind) ? k->n_fields : 1); f++) {
        if (k->result->is_wrong) return TP_OK;
        TP_TRY(try_step(k, h, kind, y, f));
      }
  }
  return TP_OK;
}

// -------------------------------------------------------------------- many heaps

static bool next_permutation(uint8_t *at, uint32_t n) {
  uint32_t i = n;
  while (i > 1 && at[i - 2] >= at[i - 1]) i--;
  if (i <= 1) return false;
  uint32_t j = n;
  while (at[j - 1] <= at[i - 2]) j--;
  uint8_t x = at[i - 2];
  at[i - 2] = at[j - 1];
  at[j - 1] = x;
  for (uint32_t a = i - 1, b = n - 1; a < b; a++, b--) {
    x = at[a];
    at[a] = at[b];
    at[b] = x;
  }
  return true;
}

/* No renumbering of the cells gives links that come before these. */
static bool is_first_of_its_kind(const checker *k, const heap *h) {
  uint8_t image[MAX_CELLS], back[MAX_CELLS];
  for (uint32_t u = 0; u < h->n; u++) image[u] = (uint8_t)u;
  do {
    for (uint32_t u = 0; u < h->n; u++) back[image[u]] = (uint8_t)u;
    int order = 0;
    for (uint32_t f = 0; f < k->n_fields && !order; f++)
      for (uint32_t u = 0; u < h->n && !order; u++) {
        const uint8_t to = h->field[f][back[u]];
        order = (int)(to == NIL ? NIL : image[to]) - (int)h->field[f][u];
      }
    if (order < 0) return false;
  } while (next_permutation(image, h->n));
  return true;
}

/* The next value of a digit over the cells and nil; false: around. */
static bool count_up(uint8_t *digit, uint32_t n) {
  *digit = *digit == NIL ? 0 : (uint8_t)(*digit + 1);
  if (*digit < n) return true;
  *digit = NIL;
  return false;
}

static bool next_links(const checker *k, heap *h) {
  for (uint32_t f = 0; f < k->n_fields; f++)
    for (uint32_t u = 0; u < h->n; u++)
      if (count_up(&h->field[f][u], h->n)) return true;
  return false;
}

static bool next_pointers(const checker *k, heap *h) {
  for (uint32_t p = 0; p < k->n_pointers; p++)
    if (count_up(&h->pointer[p], h->n)) return true;
  return false;
}

static void no_links(heap *h, uint32_t n) {
  memset(h, 0, sizeof *h);
  h->n = n;
  memset(h->pointer, NIL, sizeof h->pointer);
  memset(h->field, NIL, sizeof h->field);
}

/* All heaps of n cells, or one of `every` of them. */
static tp_status try_all(checker *k, uint32_t n, uint64_t every, tp_rng *rng) {
  heap h;
  no_links(&h, n);
  do {
    if (every > 1 && tp_rng_below(rng, every) != 0) continue;
    if (every <= 1 && !is_first_of_its_kind(k, &h)) continue;
    memset(h.pointer, NIL, sizeof h.pointer);
    do {
      if (every > 1)
        for (uint32_t p = 0; p < k->n_pointers; p++)
          h.pointer[p] = tp_rng_below(rng, n + 1) == n ? NIL : (uint8_t)tp_rng_below(rng, n);
      TP_TRY(try_heap(k, &h));
    } while (!k->result->is_wrong && every <= 1 && next_pointers(k, &h));
  } while (!k->result->is_wrong && next_links(k, &h));
  return TP_OK;
}

static void random_heap(const checker *k, heap *h, uint32_t n, tp_rng *rng) {
  no_links(h, n);
  const uint64_t sparse = tp_rng_below(rng, 3);  // heaps with few links, too, are common
  for (uint32_t p = 0; p < k->n_pointers; p++)
    if (n && tp_rng_below(rng, n + 1)) h->pointer[p] = (uint8_t)tp_rng_below(rng, n);
  for (uint32_t u = 0; u < n; u++) {
    h->freed[u] = tp_rng_below(rng, 8) == 0;
    h->outside[u] = tp_rng_below(rng, 8) == 0;
    for (uint32_t f = 0; f < k->n_fields && !h->freed[u] && !h->outside[u]; f++)
      if (tp_rng_below(rng, 4) > sparse) h->field[f][u] = (uint8_t)tp_rng_below(rng, n);
  }
}

static tp_status try_volume(checker *k, const tp_verify_volume *v) {
  tp_rng rng;
  tp_rng_init(&rng, v->seed);
  tp_rng_init(&k->rng, v->seed + 1);
  for (uint32_t n = 0; n <= v->all_cells && !k->result->is_wrong; n++)
    TP_TRY(try_all(k, n, 1, &rng));
  for (uint32_t n = v->all_cells + 1; v->every && n <= v->sample_cells && !k->result->is_wrong; n++)
    TP_TRY(try_all(k, n, v->every, &rng));
  for (uint64_t i = 0; i < v->n_random && !k->result->is_wrong; i++) {
    heap h;
    random_heap(k, &h, (uint32_t)tp_rng_below(&rng, v->random_cells + 1), &rng);
    TP_TRY(try_heap(k, &h));
  }
  return TP_OK;
}

/* x, y, and as many others as a family or a constraint has parameters. */
static uint32_t pointers_needed(const tp_description *entry) {
  uint32_t most = 1;
  for (size_t i = 0; i < entry->families.n; i++) {
    uint32_t n = 0;
    for (uint32_t a = 0; a < entry->families.at[i].n_arguments; a++)
      n += entry->families.at[i].argument[a] == TP_ARGUMENT_POINTER;
    if (n > most) most = n;
  }
  return most + 2 < MAX_POINTERS ? most + 2 : MAX_POINTERS;
}

void tp_verify_result_clear(tp_verify_result *result) {
  tp_str_clear(&result->text);
  tp_str_clear(&result->heap);
}

tp_status tp_description_verify(const tp_description *entry, const tp_verify_volume *volume,
                                tp_verify_result *result) {
  TP_REQUIRE(volume->all_cells <= MAX_CELLS && volume->random_cells <= MAX_CELLS);
  tp_shape_class *c;
  const uint32_t n_pointers = pointers_needed(entry);
  TP_TRY(with_class(entry, n_pointers, &c));
  checker k = {.entry = entry,
               .engine = tp_shape_engine_new(c),
               .c = c,
               .n_pointers = n_pointers,
               .n_fields = c->n_fields,
               .result = result};
  k.before = tp_shape_take(k.engine);
  k.now = tp_shape_take(k.engine);
  k.expected = tp_shape_take(k.engine);
  const tp_status st = try_volume(&k, volume);
  tp_shape_give(k.engine, k.before);
  tp_shape_give(k.engine, k.now);
  tp_shape_give(k.engine, k.expected);
  tp_shape_engine_free(k.engine);
  tp_shape_class_free(c);
  return st;
}

// -------------------------------------------------------------------- invariants

static tp_status describes(tp_shape_class *c, const tp_description *entry, const tp_structure *s,
                           bool *yes) {
  tp_evaluation *e = tp_evaluation_new(c->formulas);
  tp_status st = TP_OK;
  *yes = true;
  tp_slots slots;
  for (uint32_t i = 0; i < TP_SHAPE_MAX_SLOTS; i++)
    slots.pointer[i] = slots.field[i] = TP_UNKNOWN_SLOT;
  for (size_t i = 0; i < entry->invariants.n && st == TP_OK && *yes; i++) {
    tp_formula f;
    st = tp_shape_instantiate(c, entry->invariants.at[i], &slots, &f);
    tp_evaluation_begin(e, s, NULL);
    if (st == TP_OK) *yes = tp_evaluate(e, f) != TP_KLEENE_FALSE;
  }
  tp_evaluation_free(e);
  return st;
}

tp_status tp_description_describes(const tp_description *entry, const tp_plain_heap *plain,
                                   bool *yes) {
  *yes = false;
  if (plain->n_cells > TP_SHAPE_MAX_NODES) return TP_ERR_LIMIT;
  tp_shape_class *c;
  TP_TRY(tp_shape_class_new((tp_generator){entry, 0}, NULL, &(tp_tracking){0}, &c));
  tp_structure *s = tp_shape_class_structure_new(c);
  for (uint32_t u = 0; u < plain->n_cells; u++) tp_structure_add(s);
  for (uint32_t f = 0; f < c->n_fields; f++)
    for (uint32_t u = 0; u < plain->n_cells; u++)
      if (plain->target[f * plain->n_cells + u] != NIL)
        tp_k64_set(tp_structure_row(s, c->field[f], u), plain->target[f * plain->n_cells + u],
                   TP_KLEENE_TRUE);
  const tp_status st = describes(c, entry, s, yes);
  tp_structure_clear(s);
  tp_free(s);
  tp_shape_class_free(c);
  return st;
}
