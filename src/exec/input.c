/* Input vectors and the oracles made of them.
 *
 * A vector answers requests in order. A number that is asked for in another width or kind keeps its
 * value between integer and float and its bits otherwise; a request for bytes does not consume a
 * number. The text form is in exec/input_text.c. */
#include "exec/input.h"

#include "exec/input_text.h"

void tp_inputs_init(tp_inputs *in) {
  *in = (tp_inputs){0};
  tp_arena_init(&in->arena);
}

void tp_inputs_clear(tp_inputs *in) {
  tp_vec_clear(&in->v);
  tp_arena_clear(&in->arena);
}

void tp_inputs_add(tp_inputs *in, tp_input value) {
  TP_REQUIRE(value.width_bits <= 128);
  if (value.width_bits == 0 && value.n_bytes) {
    uint8_t *own = tp_arena_alloc(&in->arena, value.n_bytes);
    memcpy(own, value.bytes, value.n_bytes);
    value.bytes = own;
  } else {
    value.bytes = NULL;
    value.n_bytes = 0;
  }
  if (!value.name) value.name = "";
  tp_vec_push(&in->v, value);
}

void tp_inputs_add_all(tp_inputs *to, const tp_inputs *from) {
  for (size_t i = 0; i < from->v.n; i++) tp_inputs_add(to, from->v.at[i]);
  to->is_of_file |= from->is_of_file;
  to->is_testcomp |= from->is_testcomp;
}

// --------------------------------------------------------------------- vectors

static tp_u128 cut(tp_u128 bits, uint32_t width) {
  return width >= 128 ? bits : bits & ((((tp_u128)1) << width) - 1);
}

static tp_u128 low_bytes(const tp_input *in) {
  tp_u128 bits = 0;
  for (size_t i = in->n_bytes < 16 ? in->n_bytes : 16; i-- > 0;) bits = bits << 8 | in->bytes[i];
  return bits;
}

/* A value as what is asked for. Numbers keep their value between integer and float; same kinds keep
 * their bits. */
static tp_u128 as_long_double(const tp_input *have) {
  if (have->width_bits == 128) return tp_long_double_bits((long double)(tp_i128)have->bits);
  if (!have->is_float) return cut(have->bits, TP_X87_BITS);
  const uint64_t bits = (uint64_t)tp_float_resize(have->bits, have->width_bits, 64);
  double d;
  memcpy(&d, &bits, sizeof d);
  return tp_long_double_bits((long double)d);
}

/* A long double as another number. */
static tp_input as_double(const tp_input *have) {
  const double d = (double)tp_long_double_of(have->bits);
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return (tp_input){.width_bits = 64, .is_float = true, .bits = bits};
}

static tp_u128 as_asked(const tp_input *have, const tp_input *asked) {
  if (have->width_bits == 0) return cut(low_bytes(have), asked->width_bits);
  if (asked->width_bits == TP_X87_BITS) return as_long_double(have);
  tp_input number;
  if (have->width_bits == TP_X87_BITS) {
    number = as_double(have);
    have = &number;
  }
  if (have->is_float && asked->is_float)
    return tp_float_resize(have->bits, have->width_bits, asked->width_bits);
  if (have->is_float) return cut(tp_float_to_int(have->bits, have->width_bits), asked->width_bits);
  tp_u128 bits = have->bits;
  if (have->is_signed && have->width_bits < 128 && ((bits >> (have->width_bits - 1)) & 1))
    bits |= ~(tp_u128)0 << have->width_bits;
  /* Vectors in memory hold bits; only numbers read from a file have the full width of 128. */
  if (asked->is_float && have->width_bits == 128)
    return tp_float_of_int((tp_i128)bits, asked->width_bits);
  return cut(bits, asked->width_bits);
}

static bool ask_vector(void *ctx, tp_input *io) {
  TP_REQUIRE(io->width_bits <= 128);
  tp_vector_oracle *o = ctx;
  if (o->in->is_testcomp && io->kind != TP_I_NONDET) {
    io->bits = io->kind == TP_I_ARGS;
    io->bytes = NULL;
    io->n_bytes = 0;
    return true;
  }
  bool more = o->next < o->in->v.n;
  const tp_input *have = more ? &o->in->v.at[o->next] : NULL;
  if (io->width_bits == 0) {  // bytes; a number is left for the next one who asks
    bool fits = more && have->width_bits == 0;
    const bool is_unset = o->in->is_of_file && io->kind == TP_I_INDETERMINATE;
    if (!more && !o->then_zero && !is_unset) return false;
    io->bytes = fits ? have->bytes : NULL;
    io->n_bytes = fits ? have->n_bytes : 0;
    if (fits) o->next++;
    return true;
  }
  if (!more) {
    io->bits = 0;
    return o->then_zero;
  }
  io->bits = as_asked(have, io);
  o->next++;
  return true;
}

tp_oracle tp_oracle_of_vector(tp_vector_oracle *state) { return (tp_oracle){state, ask_vector}; }

static bool ask_defined(void *ctx, tp_input *io) {
  tp_vector_oracle *v = ctx;
  io->bits = 0;
  io->bytes = (const uint8_t *)"";
  if (io->width_bits == 0) io->n_bytes = 0;
  if (io->kind == TP_I_INDETERMINATE) return true;
  while (v->next < v->in->v.n && v->in->v.at[v->next].kind == TP_I_INDETERMINATE) v->next++;
  if (v->next == v->in->v.n) return true;
  const tp_input *from = &v->in->v.at[v->next++];
  io->bits = from->bits;
  if (io->width_bits == 0 && from->width_bits == 0) {
    io->bytes = from->bytes;
    io->n_bytes = from->n_bytes;
  }
  return true;
}

tp_oracle tp_oracle_of_defined(tp_vector_oracle *state) { return (tp_oracle){state, ask_defined}; }

// ------------------------------------------------------------------- recording

static bool ask_recording(void *ctx, tp_input *io) {
  TP_REQUIRE(io->width_bits <= 128);
  tp_record_oracle *o = ctx;
  size_t most = io->n_bytes;
  if (!o->inner.ask(o->inner.ctx, io)) return false;
  tp_input note = *io;
  note.n_asked = note.width_bits == 0 ? most : 0;
  if (note.width_bits == 0 && (note.n_bytes > most || !note.bytes))
    note.n_bytes = note.bytes ? most : 0;
  tp_inputs_add(o->to, note);
  return true;
}

tp_oracle tp_oracle_recording(tp_record_oracle *state) { return (tp_oracle){state, ask_recording}; }
