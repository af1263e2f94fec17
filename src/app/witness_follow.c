/* Waypoints are taken in their order: a request is answered by the next one, from where the last
 * answer came from, that speaks of the place that asks. Other requests are answered with 0. */
#include "app/witness_follow.h"

#include "exec/input_text.h"
#include "report/witness_write.h"

typedef struct {
  tp_witness_source source;
  const tp_witness_task *t;
  const tp_witness_spot *spots;
  size_t next;  // item
} follower;

/* `NAME == LITERAL` somewhere in the constraint; false: it is not there. */
static bool says(const char *value, const char *name, tp_input *io) {
  tp_c_tokens t;
  tp_c_tokens_read(&t, value, strlen(value));
  bool found = false;
  for (uint32_t i = 1; i + 2 < t.v.n && !found; i++) {
    if (!tp_c_token_is(&t, i, name) || !tp_c_token_is(&t, i + 1, "==")) continue;
    const bool is_negative = tp_c_token_is(&t, i + 2, "-") && i + 3 < t.v.n;
    const tp_c_token *from = &t.v.at[i + 2], *to = &t.v.at[i + 2 + is_negative];
    tp_input literal = {0};
    found = tp_literal_parse(value + from->at, tp_c_token_end(to) - from->at, &literal);
    if (!found && tp_c_token_is(&t, i + 2, "("))  // (-9223372036854775807LL - 1)
      found = strncmp(value + from->at, "(-9223372036854775807LL - 1)", 28) == 0,
      literal.bits = (tp_u128)1 << 63;
    if (!found || literal.is_float != io->is_float) found = false;
    if (found && io->is_float)
      io->bits = tp_float_resize(literal.bits, literal.width_bits, io->width_bits);
    else if (found)
      io->bits =
          io->width_bits < 128 ? literal.bits & (((tp_u128)1 << io->width_bits) - 1) : literal.bits;
  }
  tp_c_tokens_clear(&t);
  return found;
}

/* The result of the call whose name is this token. */
static void answer_call(follower *f, size_t file, uint32_t token, tp_input *io) {
  const tp_outline *o = &f->t->files[file];
  if (token + 1 >= o->tokens.v.n) return;
  const uint32_t close = o->tokens.v.at[token + 1].partner;
  for (size_t i = f->next; i < f->t->w->items.n; i++) {
    const tp_witness_item *item = &f->t->w->items.at[i];
    if (item->kind != TP_WITNESS_FUNCTION_RETURN || item->is_avoided || !item->value ||
        f->spots[i].file != file || f->spots[i].token != close)
      continue;
    tp_str text = {0};
    tp_str_add(&text, item->value);
    if (strncmp(text.text, "\\result", 7) == 0) text.text[0] = ' ';
    if (says(text.text, "result", io)) f->next = i + 1;
    tp_str_clear(&text);
    return;
  }
}

static void answer_variable(follower *f, tp_input *io) {
  for (size_t i = f->next; i < f->t->w->items.n; i++) {
    const tp_witness_item *item = &f->t->w->items.at[i];
    if (item->kind == TP_WITNESS_FUNCTION_RETURN) return;
    if (item->kind == TP_WITNESS_ASSUMPTION && !item->is_avoided && item->value &&
        says(item->value, io->name, io))
      return;
  }
}

static bool answer(void *ctx, tp_input *io) {
  follower *f = ctx;
  uint32_t token = 0;
  io->bits = io->kind == TP_I_ARGS && io->width_bits ? 1 : 0;  // argc
  io->n_bytes = 0;
  if (io->width_bits == 0 || io->callee) return true;
  const tp_outline *o = tp_witness_find(&f->source, io->pos, &token);
  if (o && io->kind == TP_I_INDETERMINATE && io->name)
    answer_variable(f, io);
  else if (o)
    answer_call(f, (size_t)(o - f->t->files), token, io);
  return true;
}

bool tp_witness_follow(tp_program *p, const tp_witness_task *t, const tp_witness_spot *spots,
                       tp_inputs *out) {
  follower f = {.source = {p, t->files, t->n_files}, .t = t, .spots = spots};
  tp_record_oracle record = {.inner = {&f, answer}, .to = out};
  tp_oracle oracle = tp_oracle_recording(&record);
  return tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL).end == TP_END_ERROR;
}

bool tp_witness_fails(const tp_program *p, const tp_inputs *inputs) {
  tp_vector_oracle vector = {.in = inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  return tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL).end == TP_END_ERROR;
}
