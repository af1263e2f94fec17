/* The record of facts, and the texts of those that are not certificates: inputs as a test-vector
 * file, a goal as the number of its location and a formula in the notation of certificates. */
#include "engine/board.h"

#include "engine/cert_lines.h"
#include "engine/engine_limits.h"
#include "program/variables_text.h"

#include <inttypes.h>

void tp_board_init(tp_board *f) {
  *f = (tp_board){0};
  tp_arena_init(&f->arena);
}

void tp_board_clear(tp_board *f) {
  tp_vec_clear(&f->v);
  tp_arena_clear(&f->arena);
}

const char *tp_board_kind_name(tp_board_kind kind) {
  static const char *const names[] = {[TP_BOARD_INPUTS] = "inputs",
                                      [TP_BOARD_GOAL] = "goals",
                                      [TP_BOARD_INVARIANTS] = "invariants"};
  TP_REQUIRE(kind < TP_N_BOARD_KINDS);
  return names[kind];
}

bool tp_board_add(tp_board *f, tp_board_kind kind, const char *by, const char *text) {
  TP_REQUIRE(kind < TP_N_BOARD_KINDS && by && text);
  const size_t n = strlen(text);
  if (f->n_bytes[kind] + n > TP_ENGINE_BOARD_BYTES) return false;
  for (size_t i = 0; i < f->v.n; i++)
    if (f->v.at[i].kind == kind && strcmp(f->v.at[i].text, text) == 0) return false;
  tp_board_fact fact = {kind, tp_arena_strdup(&f->arena, by), tp_arena_strndup(&f->arena, text, n)};
  tp_vec_push(&f->v, fact);
  f->n_bytes[kind] += n;
  return true;
}

bool tp_board_has(const tp_board *f, tp_board_kind kind, size_t n) {
  for (size_t i = n; i < f->v.n; i++)
    if (f->v.at[i].kind == kind) return true;
  return false;
}

void tp_board_write(const tp_board *f, tp_str *out) {
  for (size_t i = 0; i < f->v.n; i++) {
    const tp_board_fact *fact = &f->v.at[i];
    tp_str_printf(out, "fact %s %s\n", tp_board_kind_name(fact->kind), fact->by);
    for (const char *line = fact->text; *line;) {
      const size_t n = strcspn(line, "\n");
      tp_str_add(out, "  ");
      tp_str_add_n(out, line, n);
      tp_str_add_char(out, '\n');
      line += n + (line[n] == '\n');
    }
  }
}

const char *tp_board_join(const tp_board *f, tp_board_kind kind, tp_arena *arena) {
  tp_str all = {0};
  for (size_t i = 0; i < f->v.n; i++)
    if (f->v.at[i].kind == kind) tp_str_add(&all, f->v.at[i].text);
  const char *text = all.n ? tp_arena_strdup(arena, all.text) : NULL;
  tp_str_clear(&all);
  return text;
}

// ----------------------------------------------------------------------- texts

static void publish(const tp_budget *b, tp_board_kind kind, const tp_str *text) {
  if (b->publish && text->n) b->publish(b->ctx, kind, tp_str_text(text));
}

void tp_publish_inputs(const tp_budget *b, const tp_program *p, const tp_inputs *inputs) {
  if (!b->publish || inputs->v.n == 0) return;
  tp_str text = {0};
  tp_inputs_write(inputs, p->diag, &text);
  publish(b, TP_BOARD_INPUTS, &text);
  tp_str_clear(&text);
}

void tp_publish_goal(const tp_budget *b, const tp_program *p, tp_loc at, tp_term formula) {
  TP_REQUIRE(at.id > 0 && at.id < p->locs.n);
  if (!b->publish || tp_is_false(p->terms, formula)) return;
  const tp_loc_info *l = tp_loc_of(p, at);
  tp_str text = {0};
  tp_str_printf(&text, "at %" PRIu32 " ", at.id);
  if (tp_term_write(p->terms, formula, tp_program_text_vars(p), &text)) {
    tp_lines_put_named_comment(p, l->pos, formula, l->func, &text);
    publish(b, TP_BOARD_GOAL, &text);
  }
  tp_str_clear(&text);
}

bool tp_board_read_inputs(const tp_board_fact *f, tp_inputs *out) {
  tp_str why = {0};
  const bool ok = f->kind == TP_BOARD_INPUTS && tp_inputs_read(f->text, out, &why) == TP_OK;
  tp_str_clear(&why);
  return ok;
}

bool tp_board_read_goal(const tp_board_fact *f, const tp_program *p, tp_board_goal *out) {
  uint64_t at = 0;
  bool ok = false;
  if (f->kind != TP_BOARD_GOAL) return false;
  tp_str copy = {0}, why = {0};
  tp_str_add_n(&copy, f->text, strcspn(f->text, "#\n"));
  char *rest = copy.text;
  *out = (tp_board_goal){.by = f->by};
  if (rest && strcmp(tp_lines_field(&rest), "at") == 0 &&
      tp_lines_number(&rest, 10, p->locs.n - 1, &at) && at > 0) {
    while (copy.n && copy.text[copy.n - 1] == ' ') copy.text[--copy.n] = 0;
    ok =
        rest && tp_term_read(p->terms, rest, tp_program_text_vars(p), &out->formula, &why) == TP_OK;
    ok = ok && tp_sort_kind_of(p->terms, tp_sort_of(p->terms, out->formula)) == TP_SORT_BOOL;
    out->at = (tp_loc){(uint32_t)at};
  }
  tp_str_clear(&copy);
  tp_str_clear(&why);
  return ok;
}
