/* Arrays in circuits.
 *
 * Reads. A read goes down the writes and choices of its array: read(store(a, j, v), i) is v where i
 * = j and read(a, i) elsewhere, until a variable is left, whose element is an input (reads.h).
 *
 * Equalities that are no definitions are inputs whose meaning is stated at every index there is: if
 * true, both arrays have the same element there; if false, they differ at an index made for that.
 * There are fewer indices than numbers of 24 bits, so for wide indices an "index elsewhere",
 * different from all of them, is one more: what arrays hold there becomes the default of their
 * values. For narrower indices that one is left out, which makes the circuit weaker; a wrong
 * solution is found by evaluation. */
#include "circuit/blast_priv.h"

#include "circuit/circuit_limits.h"

void tp_blast_clear_arrays(tp_blast *b) {
  tp_reads_clear(&b->reads);
  tp_map_clear(&b->array_is);
  tp_map_clear(&b->read_at);
  tp_vec_clear(&b->read);
  tp_vec_clear(&b->read_todo);
  tp_vec_clear(&b->equalities);
}

/* The index has what is kept, and nothing longer: a number that outlived its literals would find
 * those of another read. */
static bool are_reads_indexed(const tp_blast *b) { return (b->read_at.n == 0) == (b->read.n == 0); }

/* Elements of variables are found again in `reads`. */
void tp_blast_drop_reads(tp_blast *b, size_t n_equalities) {
  tp_map_clear(&b->read_at);
  b->read.n = 0;
  b->equalities.n = n_equalities;
  TP_INVARIANT(are_reads_indexed(b));
}

static tp_term definition(const tp_blast *b, tp_term var) {
  uint64_t is = 0;
  (void)tp_map_get(&b->array_is, var.id, &is);
  return (tp_term){(uint32_t)is};
}

void tp_blast_define_array(tp_blast *b, tp_term var, tp_term is) {
  if (tp_term_is(is) || tp_term_is(definition(b, var))) tp_map_set(&b->array_is, var.id, is.id);
}

static uint32_t index_of(tp_blast *b, tp_term index) {
  return tp_reads_index(&b->reads, tp_blast_circuit(b, index), tp_width(b->tt, index));
}

static uint32_t element_width(const tp_blast *b, tp_term array) {
  return tp_sort_width(b->tt, tp_sort_element(b->tt, tp_sort_of(b->tt, array)));
}

/* Indices that are written to count as indices, for equalities. */
void tp_blast_mark_array(tp_blast *b, tp_term array) {
  if (tp_kind(b->tt, array) == TP_OP_STORE) (void)index_of(b, tp_arg(b->tt, array, 1));
}

// ---------------------------------------------------------------------- reads

static uint64_t read_key(tp_term array, uint32_t index) { return (uint64_t)array.id << 32 | index; }

static const tp_lit *find_read(const tp_blast *b, tp_term array, uint32_t index) {
  uint64_t at;
  if (!tp_map_get(&b->read_at, read_key(array, index), &at)) return NULL;
  TP_INVARIANT(at + element_width(b, array) <= b->read.n);
  return b->read.at + at;
}

static void put_read(tp_blast *b, tp_term array, uint32_t index, const tp_lit *word) {
  TP_REQUIRE(are_reads_indexed(b));
  uint32_t n = element_width(b, array);
  tp_map_set(&b->read_at, read_key(array, index), b->read.n);
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&b->read, word[i]);
}

/* An ITE or STORE is one of two: which, as a literal, and both; NONE is the value that a STORE
 * writes. */
static tp_lit choice(tp_blast *b, tp_term array, uint32_t index, tp_term *yes, tp_term *no) {
  tp_terms *tt = b->tt;
  if (tp_kind(tt, array) == TP_OP_ITE) {
    *yes = tp_arg(tt, array, 1);
    *no = tp_arg(tt, array, 2);
    return *tp_blast_circuit(b, tp_arg(tt, array, 0));
  }
  *yes = TP_TERM_NONE;
  *no = tp_arg(tt, array, 0);
  if (index == TP_INDEX_DEFAULT) return TP_LIT_FALSE;
  return tp_word_eq(b->g, tp_blast_circuit(b, tp_arg(tt, array, 1)),
                    tp_reads_word_of(&b->reads, index), tp_reads_width(&b->reads, index));
}

/* The element where the array is one of two; false: it must be read of others first, which were
 * pushed. */
static bool read_choice(tp_blast *b, tp_term array, uint32_t index, tp_lit *word) {
  uint32_t n = element_width(b, array);
  const tp_lit *found[2] = {NULL, NULL};
  tp_term of[2];
  tp_lit c = choice(b, array, index, &of[0], &of[1]);
  bool ready = true;
  for (int i = 0; i < 2; i++) {
    if (tp_lit_eq(c, tp_lit_of(i == 1))) continue;  // never this one
    found[i] = tp_term_is(of[i]) ? find_read(b, of[i], index)
                                 : tp_blast_circuit(b, tp_arg(b->tt, array, 2));
    if (found[i]) continue;
    tp_vec_push(&b->read_todo, of[i]);
    ready = false;
  }
  if (!ready) return false;
  if (found[0] && found[1])
    tp_word_ite(b->g, word, c, found[0], found[1], n);
  else
    memcpy(word, found[0] ? found[0] : found[1], n * sizeof *word);
  return true;
}

/* The element where the array is a variable; false as above. */
static bool read_variable(tp_blast *b, tp_term var, uint32_t index, tp_lit *word) {
  tp_term is = definition(b, var);
  uint32_t n = element_width(b, var);
  const tp_lit *element =
      tp_term_is(is) ? find_read(b, is, index) : tp_reads_element(&b->reads, var.id, index, n);
  if (!element) {
    tp_vec_push(&b->read_todo, is);
    return false;
  }
  memcpy(word, element, n * sizeof *word);
  return true;
}

static bool read_at(tp_blast *b, tp_term array, uint32_t index, tp_lit *out) {
  tp_lit word[TP_WORD_MAX];
  b->read_todo.n = 0;
  tp_vec_push(&b->read_todo, array);
  while (b->read_todo.n) {
    if (tp_blast_is_too_large(b)) return false;
    tp_term top = tp_vec_last(&b->read_todo);
    if (!find_read(b, top, index)) {
      tp_term_kind k = tp_kind(b->tt, top);
      bool ready = true;
      if (k == TP_OP_VAR)
        ready = read_variable(b, top, index, word);
      else if (k == TP_OP_CONST_ARRAY)
        memcpy(word, tp_blast_circuit(b, tp_arg(b->tt, top, 0)),
               element_width(b, top) * sizeof *word);
      else
        ready = read_choice(b, top, index, word);
      if (!ready) continue;
      put_read(b, top, index, word);
    }
    (void)tp_vec_pop(&b->read_todo);
  }
  memcpy(out, find_read(b, array, index), element_width(b, array) * sizeof *out);
  return true;
}

bool tp_blast_read(tp_blast *b, tp_term array, tp_term index, tp_lit *out) {
  TP_REQUIRE(tp_blast_is_array(b, array) && tp_blast_has(b, index));
  return read_at(b, array, index_of(b, index), out);
}

// ----------------------------------------------------------------- equalities

tp_lit tp_blast_equal_arrays(tp_blast *b, tp_term left, tp_term right) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(b->tt, left), tp_sort_of(b->tt, right)));
  tp_lit equal = tp_gate_input(b->g);
  tp_vec_push(&b->equalities, (tp_blast_equality){.left = left, .right = right, .equal = equal});
  return equal;
}

/* Do both have the same element there? */
static bool same_at(tp_blast *b, const tp_blast_equality *e, uint32_t index, tp_lit *same) {
  tp_lit left[TP_WORD_MAX], right[TP_WORD_MAX];
  if (!read_at(b, e->left, index, left) || !read_at(b, e->right, index, right)) return false;
  *same = tp_word_eq(b->g, left, right, element_width(b, e->left));
  return true;
}

/* "If not equal, they differ at this new index; if equal, they do not differ elsewhere." */
static bool begin(tp_blast *b, tp_sat *sat, tp_blast_equality e, uint32_t width) {
  tp_lit word[TP_WORD_MAX], same;
  tp_word_input(b->g, word, width);
  if (!same_at(b, &e, tp_reads_index(&b->reads, word, width), &same)) return false;
  tp_sat_clause(sat, (tp_lit[]){e.equal, tp_lit_not(same)}, 2);
  if (width < TP_CIRCUIT_ELSEWHERE_BITS) return true;
  if (!same_at(b, &e, TP_INDEX_DEFAULT, &same)) return false;
  tp_sat_clause(sat, (tp_lit[]){tp_lit_not(e.equal), same}, 2);
  return true;
}

/* Only the new indices of the equality's first round make more of them, so the outer loop goes
 * round twice at most. */
bool tp_blast_constrain_equalities(tp_blast *b, tp_sat *sat) {
  for (bool again = b->equalities.n > 0; again;) {
    again = false;
    for (size_t i = 0; i < b->equalities.n; i++) {
      tp_blast_equality *e = &b->equalities.at[i];
      uint32_t width = tp_sort_width(b->tt, tp_sort_index(b->tt, tp_sort_of(b->tt, e->left)));
      if (e->n_indices == 0 && !begin(b, sat, *e, width)) return false;
      for (; e->n_indices < b->reads.indices.n; e->n_indices++) {
        uint32_t index = b->reads.indices.at[e->n_indices];
        tp_lit same;
        again = true;
        if (tp_reads_width(&b->reads, index) != width) continue;
        if (!same_at(b, e, index, &same)) return false;
        tp_sat_clause(sat, (tp_lit[]){tp_lit_not(e->equal), same}, 2);
      }
    }
  }
  return true;
}

// --------------------------------------------------------------------- values

/* The reads of a variable without definition, with room for more cells. */
static tp_array_value *variable_value(tp_blast *b, tp_sat *sat, tp_term var, size_t room,
                                      tp_arena *arena) {
  tp_array_value *a = tp_arena_new(arena, tp_array_value);
  const tp_reads *r = &b->reads;
  size_t n = 0;
  for (size_t i = 0; i < r->reads.n; i++) n += r->reads.at[i].array == var.id;
  a->cells = tp_arena_array(arena, struct tp_array_cell, n + room);
  for (size_t i = 0; i < r->reads.n; i++) {
    const tp_read *read = &r->reads.at[i];
    if (read->array != var.id) continue;
    tp_value element = {.bits = tp_sat_word(sat, tp_reads_word_of(r, read->element),
                                            tp_reads_width(r, read->element))};
    tp_value index = {
        .bits = tp_sat_word(sat, tp_reads_word_of(r, read->index), tp_reads_width(r, read->index))};
    if (read->index == TP_INDEX_DEFAULT)
      a->otherwise = element;
    else
      a->cells[a->n++] = (struct tp_array_cell){index, element};
  }
  return a;
}

static tp_u128 value_of(tp_blast *b, tp_sat *sat, tp_term t) {
  return tp_sat_word(sat, tp_blast_circuit(b, t), tp_width(b->tt, t));
}

/* Down to what the array rests on, then the writes that were passed, the last one first. */
static tp_value array_value(tp_blast *b, tp_sat *sat, tp_term array, tp_arena *arena) {
  tp_terms *tt = b->tt;
  TP_VEC(tp_term) writes = {0};
  tp_array_value *a = NULL;
  while (!a) {
    tp_term_kind k = tp_kind(tt, array);
    tp_term is = k == TP_OP_VAR ? definition(b, array) : TP_TERM_NONE;
    if (k == TP_OP_STORE) {
      tp_vec_push(&writes, array);
      array = tp_arg(tt, array, 0);
    } else if (k == TP_OP_ITE) {
      array =
          tp_arg(tt, array, tp_sat_value(sat, *tp_blast_circuit(b, tp_arg(tt, array, 0))) ? 1 : 2);
    } else if (tp_term_is(is)) {
      array = is;
    } else if (k == TP_OP_VAR) {
      a = variable_value(b, sat, array, writes.n, arena);
    } else {
      a = tp_arena_new(arena, tp_array_value);
      a->cells = tp_arena_array(arena, struct tp_array_cell, writes.n);
      a->otherwise.bits = value_of(b, sat, tp_arg(tt, array, 0));
    }
  }
  while (writes.n) {
    tp_term w = tp_vec_pop(&writes);
    a->cells[a->n++] = (struct tp_array_cell){{.bits = value_of(b, sat, tp_arg(tt, w, 1))},
                                              {.bits = value_of(b, sat, tp_arg(tt, w, 2))}};
  }
  tp_vec_clear(&writes);
  return (tp_value){.array = a};
}

tp_value tp_blast_value(tp_blast *b, tp_sat *sat, tp_term var, tp_arena *arena) {
  if (tp_blast_is_array(b, var)) return array_value(b, sat, var, arena);
  if (!tp_blast_has(b, var)) return (tp_value){0};
  return (tp_value){.bits = value_of(b, sat, var)};
}
