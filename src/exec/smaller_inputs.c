/* Delta debugging of inputs on the concrete machine.
 *
 * A step proposes a vector, runs it, and keeps what the run asked for if the run fails at the same
 * location and the cost of its inputs is less. The cost is a natural number, so steps come to an
 * end without a limit, too. First all numbers together become 0, then halves, quarters, ...; then
 * each number moves towards 0 by steps that halve; then texts: the numbers written in them move
 * towards 0, other characters become `a`. A run may take another path with other values: what it
 * asks for then is compared as a whole. */
#include "exec/smaller_inputs.h"

#include <stdio.h>

/* What a run with these inputs costs a reader; lexicographic. */
typedef struct {
  bool used_indeterminate;
  size_t n;        // inputs
  uint64_t value;  // sizes of numbers and characters, saturated
} cost;

typedef struct {
  const tp_program *p;
  tp_loc error;
  tp_state *start;
  uint64_t edges_left, edges_per_run;
  uint32_t runs_left;
  tp_inputs *best;
  cost of_best;
} search;

// ------------------------------------------------------------------------- costs

static bool is_number(const tp_input *in) {
  return in->width_bits > 0 && in->width_bits <= 64 && !in->is_float && !tp_input_is_guess(in);
}
static bool is_text(const tp_input *in) { return in->width_bits == 0 && !tp_input_is_guess(in); }

static int64_t signed_value(const tp_input *in) {
  TP_REQUIRE(in->width_bits > 0 && in->width_bits <= 64);
  const uint64_t bits = (uint64_t)in->bits << (64 - in->width_bits);
  return (int64_t)bits >> (64 - in->width_bits);
}
/* The distance from 0. */
static uint64_t size_of(const tp_input *in) {
  const int64_t v = signed_value(in);
  return in->is_signed && v < 0 ? -(uint64_t)v
         : in->is_signed        ? (uint64_t)v
                                : (uint64_t)v & (UINT64_MAX >> (64 - in->width_bits));
}

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(uint8_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* One more character costs more than any smaller one saves. */
static uint64_t size_of_character(uint8_t c) {
  return c == 0 ? 0 : c == 'a' ? 8 : is_letter(c) || c == '\n' ? 9 : c >= 32 && c < 127 ? 10 : 12;
}

/* The decimal number that starts at `at`; digits beyond 18 are no part of it. */
static uint64_t number_at(const tp_input *in, size_t at, size_t *length) {
  uint64_t value = 0;
  size_t n = 0;
  for (; n < 18 && at + n < in->n_bytes && is_digit(in->bytes[at + n]); n++)
    value = value * 10 + (uint64_t)(in->bytes[at + n] - '0');
  *length = n;
  return value;
}

static uint64_t saturated_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t size_of_text(const tp_input *in) {
  uint64_t sum = 0;
  for (size_t i = 0; i < in->n_bytes;) {
    size_t length;
    const uint64_t value = number_at(in, i, &length);
    sum = saturated_sum(
        sum, length ? saturated_sum(value, 8 * length) : size_of_character(in->bytes[i]));
    i += length ? length : 1;
  }
  return sum;
}

static cost cost_of(const tp_inputs *inputs, bool used_indeterminate) {
  cost c = {.used_indeterminate = used_indeterminate, .n = inputs->v.n};
  for (size_t i = 0; i < inputs->v.n; i++) {
    const tp_input *in = &inputs->v.at[i];
    if (is_number(in)) c.value = saturated_sum(c.value, size_of(in));
    if (is_text(in)) c.value = saturated_sum(c.value, size_of_text(in));
  }
  return c;
}

static bool is_less(cost a, cost b) {
  if (a.used_indeterminate != b.used_indeterminate) return b.used_indeterminate;
  if (a.n != b.n) return a.n < b.n;
  return a.value < b.value;
}

// -------------------------------------------------------------------------- runs

/* The inputs of a run that fails at the location; false: it does not fail there. */
static bool run(search *s, const tp_inputs *tried, tp_inputs *asked, bool *used_indeterminate) {
  TP_REQUIRE(asked->v.n == 0);
  if (s->runs_left == 0 || s->edges_left == 0) return false;
  tp_vector_oracle vector = {.in = tried, .then_zero = true};
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&vector), .to = asked};
  tp_oracle oracle = tp_oracle_recording(&record);
  tp_state *state = tp_state_copy(s->start);
  const uint64_t most = s->edges_per_run < s->edges_left ? s->edges_per_run : s->edges_left;
  const tp_run_result r = tp_exec_run(s->p, state, &oracle, (tp_run_limits){.steps = most}, NULL);
  tp_state_free(state);
  s->runs_left--;
  s->edges_left -= r.steps < s->edges_left ? r.steps : s->edges_left;
  *used_indeterminate = r.used_indeterminate;
  return r.end == TP_END_ERROR && r.loc.id == s->error.id && !r.passed_invalid;
}

/* Becomes the best if its run fails and costs less. */
static bool try(search *s, const tp_inputs *tried) {
  tp_inputs asked;
  tp_inputs_init(&asked);
  bool used_indeterminate, better = false;
  if (run(s, tried, &asked, &used_indeterminate)) {
    const cost c = cost_of(&asked, used_indeterminate);
    better = is_less(c, s->of_best);
    if (better) {
      const tp_inputs old = *s->best;
      *s->best = asked;
      asked = old;
      s->of_best = c;
    }
  }
  tp_inputs_clear(&asked);
  return better;
}

static tp_inputs copy_of(const tp_inputs *in) {
  tp_inputs out;
  tp_inputs_init(&out);
  tp_inputs_add_all(&out, in);
  return out;
}

/* Fewer arguments have fewer strings: those behind the count go. */
static void cut_arguments(tp_inputs *in, size_t count_at) {
  const uint64_t count = size_of(&in->v.at[count_at]);
  size_t to = 0, strings = 0;
  for (size_t i = 0; i < in->v.n; i++) {
    const bool is_string = in->v.at[i].kind == TP_I_ARGS && in->v.at[i].width_bits == 0;
    if (is_string && ++strings > count) continue;
    in->v.at[to++] = in->v.at[i];
  }
  in->v.n = to;
}

/* Input i gets this value. */
static bool try_value(search *s, size_t i, uint64_t bits) {
  tp_inputs tried = copy_of(s->best);
  tp_input *in = &tried.v.at[i];
  in->bits = bits & (UINT64_MAX >> (64 - in->width_bits));
  if (in->kind == TP_I_ARGS) cut_arguments(&tried, i);
  const bool better = try(s, &tried);
  tp_inputs_clear(&tried);
  return better;
}

// ----------------------------------------------------------------------- numbers

/* All numbers of [from, to) become 0. */
static bool try_zeros(search *s, size_t from, size_t to) {
  bool differs = false;
  tp_inputs tried = copy_of(s->best);
  for (size_t i = from; i < to && i < tried.v.n; i++) {
    tp_input *in = &tried.v.at[i];
    if (!is_number(in) || in->kind == TP_I_ARGS || in->bits == 0) continue;
    in->bits = 0;
    differs = true;
  }
  const bool better = differs && try(s, &tried);
  tp_inputs_clear(&tried);
  return better;
}

static void zero_chunks(search *s) {
  for (size_t size = s->best->v.n; size > 0; size /= 2) {
    for (size_t from = 0; from < s->best->v.n && s->runs_left; from += size)
      try_zeros(s, from, from + size);
    if (s->runs_left < s->best->v.n) return;
  }
}

/* Towards 0: by half the distance, a quarter, ..., 1. */
static bool lessen_number(search *s, size_t i) {
  bool better = false;
  for (uint64_t step = size_of(&s->best->v.at[i]);
       step > 0 && i < s->best->v.n && is_number(&s->best->v.at[i]); step /= 2) {
    const tp_input *in = &s->best->v.at[i];
    if (size_of(in) < step) continue;
    const bool is_negative = in->is_signed && signed_value(in) < 0;
    const uint64_t bits = (uint64_t)in->bits;
    better |= try_value(s, i, is_negative ? bits + step : bits - step);
  }
  return better;
}

// ------------------------------------------------------------------------- texts

/* Input i gets these bytes in place of `length` of its own from `at` on, and as many in all. */
static bool try_bytes(search *s, size_t i, size_t at, size_t length, const char *text) {
  tp_inputs tried = copy_of(s->best);
  tp_input *in = &tried.v.at[i];
  TP_REQUIRE(at + length <= in->n_bytes && strlen(text) <= length);
  const size_t n = strlen(text), moved = in->n_bytes - at - length;
  uint8_t *bytes = tp_arena_alloc(&tried.arena, in->n_bytes);
  memset(bytes, 0, in->n_bytes);
  memcpy(bytes, in->bytes, at);
  memcpy(bytes + at, text, n);
  memcpy(bytes + at + n, in->bytes + at + length, moved);
  in->bytes = bytes;
  const bool better = try(s, &tried);
  tp_inputs_clear(&tried);
  return better;
}

static bool lessen_written_number(search *s, size_t i, size_t at) {
  bool better = false;
  size_t length;
  for (uint64_t step = number_at(&s->best->v.at[i], at, &length); step > 0; step /= 2) {
    if (i >= s->best->v.n || !is_text(&s->best->v.at[i])) break;
    const uint64_t value = number_at(&s->best->v.at[i], at, &length);
    char text[24];
    if (length == 0) break;
    if (value < step) continue;
    snprintf(text, sizeof text, "%llu", (unsigned long long)(value - step));
    if (strlen(text) <= length) better |= try_bytes(s, i, at, length, text);
  }
  return better;
}

static bool lessen_text(search *s, size_t i) {
  bool better = false;
  for (size_t at = 0; i < s->best->v.n && at < s->best->v.at[i].n_bytes && s->runs_left; at++) {
    const tp_input *in = &s->best->v.at[i];
    if (!is_text(in)) break;
    const bool starts = is_digit(in->bytes[at]) && (at == 0 || !is_digit(in->bytes[at - 1]));
    if (starts)
      better |= lessen_written_number(s, i, at);
    else if (!is_digit(in->bytes[at]) && in->bytes[at] != 'a' && in->bytes[at] != 0)
      better |= try_bytes(s, i, at, 1, "a");
  }
  return better;
}

static bool lessen_each(search *s) {
  bool better = false;
  for (size_t i = 0; i < s->best->v.n && s->runs_left && s->edges_left; i++) {
    if (is_number(&s->best->v.at[i]))
      better |= lessen_number(s, i);
    else if (is_text(&s->best->v.at[i]))
      better |= lessen_text(s, i);
  }
  return better;
}

static bool start(search *s, const tp_inputs *inputs) {
  tp_inputs asked;
  tp_inputs_init(&asked);
  bool used_indeterminate = false;
  const uint64_t before = s->edges_left;
  const bool fails = run(s, inputs, &asked, &used_indeterminate);
  s->of_best = cost_of(&asked, used_indeterminate);
  s->edges_per_run = 2 * (before - s->edges_left) + 1000;
  tp_inputs_clear(&asked);
  return fails;
}

bool tp_inputs_make_smaller(const tp_program *p, tp_loc error, tp_smaller_limits limits,
                            tp_inputs *inputs) {
  TP_REQUIRE(error.id && error.id < p->locs.n);
  search s = {.p = p,
              .error = error,
              .start = tp_state_initial(p),
              .edges_left = limits.edges,
              .edges_per_run = limits.edges,
              .runs_left = limits.runs,
              .best = inputs};
  bool better = false;
  if (start(&s, inputs) && inputs->v.n > 0) {
    const cost before = s.of_best;
    zero_chunks(&s);
    while (lessen_each(&s) && s.runs_left && s.edges_left) {
    }
    better = is_less(s.of_best, before);
  }
  tp_state_free(s.start);
  return better;
}

// ---------------------------------------------------------------------- variants

/* Changes of one number, nearest first. */
static const struct {
  uint64_t factor, summand;
} changes[] = {{1, 1}, {1, UINT64_MAX}, {1, 2}, {2, 1}, {0, 1}, {0, 8}, {0, 100}, {16, 0}};
enum { N_CHANGES = sizeof changes / sizeof *changes };

bool tp_inputs_vary(const tp_program *p, tp_loc error, const tp_inputs *inputs,
                    tp_smaller_limits limits, size_t *next, tp_inputs *out) {
  TP_REQUIRE(error.id && error.id < p->locs.n && out->v.n == 0);
  search s = {.p = p,
              .error = error,
              .start = tp_state_initial(p),
              .edges_left = limits.edges,
              .edges_per_run = limits.edges,
              .runs_left = limits.runs};
  bool found = false;
  const size_t n = inputs->v.n;
  for (; !found && n > 0 && *next < n * N_CHANGES && s.runs_left && s.edges_left; ++*next) {
    const size_t i = *next % n, change = *next / n;
    if (!is_number(&inputs->v.at[i])) continue;
    tp_inputs tried = copy_of(inputs), asked;
    tp_inputs_init(&asked);
    tp_input *in = &tried.v.at[i];
    in->bits = ((uint64_t)in->bits * changes[change].factor + changes[change].summand) &
               (UINT64_MAX >> (64 - in->width_bits));
    bool used_indeterminate;
    found = in->bits != inputs->v.at[i].bits && run(&s, &tried, &asked, &used_indeterminate);
    if (found) tp_inputs_add_all(out, &asked);
    tp_inputs_clear(&asked);
    tp_inputs_clear(&tried);
  }
  tp_state_free(s.start);
  return found;
}
