/* From a failing run to waypoints.
 *
 * The concrete machine makes the run once more. Each request for an input that is the result of a
 * call becomes a function_return; one for the value of an uninitialised variable an assumption at
 * the statement behind its declaration; each outcome of a condition that the model decides in one
 * step a branching. A follower of the witness takes the first visit of a place for the waypoint, so
 * every visit of such a place has its waypoint, up to a number from which on none has. */
#include "report/witness_write.h"

#include "exec/input_text.h"
#include "report/report_limits.h"

typedef struct {
  const tp_witness_source *s;
  tp_witness *w;
  tp_oracle inner;
  tp_map n_decisions;  // index of file << 32 | statement -> locations where it is decided
  size_t n_silent;     // inputs without a waypoint
  size_t n_branches;
  uint32_t last_variable;  // token of the declaration that the last assumption is about
  bool is_full;
} writer;

// ------------------------------------------------------------------------- places

const tp_outline *tp_witness_find(const tp_witness_source *s, tp_pos pos, uint32_t *token) {
  for (size_t i = 0; i < s->n_files; i++) {
    *token = tp_outline_at(&s->files[i], s->program->diag, pos);
    if (*token) return &s->files[i];
  }
  return NULL;
}

/* The name of the function around a token, in the arena; NULL: there is none. */
static const char *function_of(const tp_outline *o, uint32_t token, tp_arena *arena) {
  for (size_t f = 1; f < o->functions.n; f++) {
    const tp_outline_function *function = &o->functions.at[f];
    const tp_c_token *name = &o->tokens.v.at[function->name];
    if (token > function->open && token < function->close)
      return tp_arena_strndup(arena, o->tokens.text + name->at, name->n);
  }
  return NULL;
}

void tp_witness_place(const tp_outline *o, uint32_t token, tp_arena *arena, tp_witness_item *item) {
  TP_REQUIRE(token && token < o->tokens.v.n);
  item->file = o->path;
  item->line = o->tokens.v.at[token].line;
  item->column = o->tokens.v.at[token].column;
  item->function = function_of(o, token, arena);
}

static void add(writer *x, tp_witness_item_kind kind, const char *type, const tp_outline *o,
                uint32_t token, const char *value, const char *format) {
  tp_witness_item item = {.kind = kind, .type = type, .value = value, .format = format};
  tp_witness_place(o, token, &x->w->arena, &item);
  item.segment = x->w->items.n ? tp_vec_last(&x->w->items).segment + 1 : 0;
  tp_vec_push(&x->w->items, item);
  x->is_full = x->w->items.n >= TP_REPORT_WITNESS_WAYPOINTS;
}

// ------------------------------------------------------------------------- inputs

/* The value as a constant expression of C; NULL: it has none. */
static const char *constant(const tp_input *in, tp_arena *arena) {
  const uint64_t low = (uint64_t)in->bits;
  if (in->width_bits == 0 || in->width_bits > 64) return NULL;
  if (in->is_float) {
    tp_str text = {0};
    tp_literal_print(in, &text);
    const bool is_number = text.n && strcspn(text.text, "0123456789") <= 1;
    const char *kept = is_number ? tp_arena_strdup(arena, text.text) : NULL;
    tp_str_clear(&text);
    return kept;
  }
  const uint32_t unused = 64 - in->width_bits;
  const int64_t value = (int64_t)(low << unused) >> unused;
  if (!in->is_signed) {
    const uint64_t plain = low << unused >> unused;
    return tp_arena_printf(arena, plain > INT32_MAX ? "%lluULL" : "%llu",
                           (unsigned long long)plain);
  }
  if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
  return tp_arena_printf(arena, value > INT32_MAX || value < -INT32_MAX ? "%lldLL" : "%lld",
                         (long long)value);
}

/* The result of a call that stands at this token. */
static bool add_call(writer *x, const tp_outline *o, uint32_t token, const char *value) {
  const uint32_t open = token + 1;
  if (o->tokens.v.at[token].kind != TP_C_TOKEN_NAME || !tp_c_token_is(&o->tokens, open, "(") ||
      o->tokens.v.at[open].partner < open)
    return false;
  add(x, TP_WITNESS_FUNCTION_RETURN, "function_return", o, o->tokens.v.at[open].partner,
      tp_arena_printf(&x->w->arena, "\\result == %s", value), "acsl_expression");
  return true;
}

/* The value that a variable without initial value has: an assumption behind its declaration, if
 * nothing else happens in it. */
static bool add_variable(writer *x, const tp_outline *o, uint32_t token, const tp_input *in,
                         const char *value) {
  const tp_outline_statement *s = tp_outline_around(o, token);
  const tp_outline_statement *next =
      s && s->is_item && s->kind == TP_OUTLINE_SIMPLE ? tp_outline_next(o, s) : NULL;
  if (!next || next->kind == TP_OUTLINE_BLOCK || !in->name ||
      !tp_c_token_is(&o->tokens, token, in->name))
    return false;
  for (uint32_t i = s->first; i <= s->last; i++)
    if (tp_c_token_is(&o->tokens, i, "(") || tp_c_token_is(&o->tokens, i, "=")) return false;
  const char *text = tp_arena_printf(&x->w->arena, "%s == %s", in->name, value);
  tp_witness_item *last = x->w->items.n ? &tp_vec_last(&x->w->items) : NULL;
  const tp_c_token *at = &o->tokens.v.at[next->first];
  const bool is_same_visit = last && last->kind == TP_WITNESS_ASSUMPTION &&
                             last->line == at->line && last->column == at->column &&
                             token > x->last_variable;
  if (is_same_visit)
    last->value = tp_arena_printf(&x->w->arena, "%s && %s", last->value, text);
  else
    add(x, TP_WITNESS_ASSUMPTION, "assumption", o, next->first, text, "c_expression");
  x->last_variable = token;
  return true;
}

static void add_input(writer *x, const tp_input *in) {
  uint32_t token = 0;
  const bool is_result = (in->kind == TP_I_NONDET || in->kind == TP_I_EXTERN) && !in->callee,
             is_variable = in->kind == TP_I_INDETERMINATE && !in->callee;
  const char *value = is_result || is_variable ? constant(in, &x->w->arena) : NULL;
  const tp_outline *o = value ? tp_witness_find(x->s, in->pos, &token) : NULL;
  if (!o || !(is_result ? add_call(x, o, token, value) : add_variable(x, o, token, in, value)))
    x->n_silent++;
}

static bool ask(void *ctx, tp_input *io) {
  writer *x = ctx;
  if (!x->inner.ask(x->inner.ctx, io)) return false;
  if (!x->is_full)
    add_input(x, io);
  else
    x->n_silent++;
  return true;
}

// ----------------------------------------------------------------------- branches

/* The statement that the edge decides: its file, and its index; false: none. */
static bool decided(const tp_witness_source *s, const tp_edge_info *e, size_t *file,
                    size_t *statement) {
  uint32_t token = 0;
  if (e->kind != TP_E_ASSUME || !e->from.id) return false;
  const tp_outline *o = tp_witness_find(s, e->pos, &token);
  const tp_outline_statement *at = o ? tp_outline_around(o, token) : NULL;
  if (!at || at->kind == TP_OUTLINE_SIMPLE || at->kind == TP_OUTLINE_BLOCK ||
      at->kind == TP_OUTLINE_SWITCH || !at->close)
    return false;
  if (token != at->first && (token < at->open || token > at->close)) return false;
  *file = (size_t)(o - s->files);
  *statement = (size_t)(at - o->statements.at);
  return true;
}

static uint64_t decision_key(size_t file, size_t statement) {
  return (uint64_t)file << 32 | statement;
}

typedef enum { TO_BODY, TO_ELSE, TO_ELSEWHERE } direction;

/* Where the next operation stands: in what the condition governs, behind `else`, or elsewhere. */
static direction direction_of(const writer *x, size_t file, size_t statement, tp_loc to) {
  const tp_outline *o = &x->s->files[file];
  const tp_outline_statement *s = &o->statements.at[statement];
  uint32_t token = 0;
  if (tp_witness_find(x->s, tp_loc_of(x->s->program, to)->pos, &token) != o) return TO_ELSEWHERE;
  if (token < s->body || token > s->last || !s->body) return TO_ELSEWHERE;
  for (size_t i = statement + 1; i < o->statements.n; i++)
    if (o->statements.at[i].label == s->body)
      return token <= o->statements.at[i].last ? TO_BODY : TO_ELSE;
  return TO_ELSEWHERE;
}

/* The outcome that the location's edge e stands for, if its two edges are a condition and its
 * negation: 1 true, 0 false, -1: that does not show. */
static int outcome_of(const writer *x, size_t file, size_t statement, const tp_edge_info *e) {
  const tp_program *p = x->s->program;
  const tp_edge_list out = tp_out_edges(p, e->from);
  if (out.n != 2) return -1;
  const bool is_first = &p->edges.at[out.at[0]] == e;
  const tp_edge_info *other = &p->edges.at[out.at[is_first]];
  if (other->kind != TP_E_ASSUME) return -1;
  const direction mine = direction_of(x, file, statement, e->to),
                  others = direction_of(x, file, statement, other->to);
  if (mine == others) return -1;
  if (mine == TO_BODY || others == TO_BODY) return mine == TO_BODY;
  return mine != TO_ELSE;
}

static void count_decisions(writer *x) {
  const tp_program *p = x->s->program;
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_edge_list out = tp_out_edges(p, (tp_loc){l});
    size_t file, statement;
    if (out.n == 0 || !decided(x->s, &p->edges.at[out.at[0]], &file, &statement)) continue;
    uint64_t n = 0;
    (void)tp_map_get(&x->n_decisions, decision_key(file, statement), &n);
    // two where no waypoint says which way a run goes
    const bool is_clear = outcome_of(x, file, statement, &p->edges.at[out.at[0]]) >= 0;
    tp_map_set(&x->n_decisions, decision_key(file, statement), n + (is_clear ? 1 : 2));
  }
}

static bool on_edge(void *ctx, const tp_state *before, tp_edge edge) {
  writer *x = ctx;
  (void)before;
  const tp_program *p = x->s->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  size_t file, statement;
  uint64_t n = 0;
  if (x->is_full || x->n_branches >= TP_REPORT_WITNESS_BRANCHES ||
      !decided(x->s, e, &file, &statement) ||
      !tp_map_get(&x->n_decisions, decision_key(file, statement), &n) || n != 1)
    return true;
  const tp_outline *o = &x->s->files[file];
  add(x, TP_WITNESS_BRANCHING, "branching", o, o->statements.at[statement].first,
      outcome_of(x, file, statement, e) ? "true" : "false", NULL);
  x->n_branches++;
  return true;
}

// ---------------------------------------------------------------------------- all

uint32_t tp_witness_target(const tp_outline *o, uint32_t token) {
  const tp_outline_statement *s = tp_outline_before_end(o, token);
  if (!s) s = tp_outline_around(o, token);
  if (!s) return 0;
  if (s->kind == TP_OUTLINE_SIMPLE) return s->first;
  if (s->kind == TP_OUTLINE_BLOCK || !s->close) return 0;
  uint32_t from = s->open + 1, semicolons[2];
  if (s->kind == TP_OUTLINE_FOR && tp_outline_header(o, s, semicolons))
    for (int i = 0; i < 2; i++)
      if (token > semicolons[i]) from = semicolons[i] + 1;
  return token >= from && token < s->close ? from : s->first;
}

bool tp_witness_add_path(const tp_witness_source *s, const tp_inputs *inputs, tp_pos error,
                         tp_run_limits limits, tp_witness *w) {
  TP_REQUIRE(s && inputs && w);
  uint32_t token = 0;
  const tp_outline *o = tp_witness_find(s, error, &token);
  const uint32_t target = o ? tp_witness_target(o, token) : 0;
  if (!target) return false;
  tp_vector_oracle vector = {.in = inputs};
  writer x = {.s = s, .w = w, .inner = tp_oracle_of_vector(&vector)};
  count_decisions(&x);
  tp_oracle oracle = {&x, ask};
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &x, .edge = on_edge};
  (void)tp_exec_main(s->program, &oracle, limits, &observer);
  add(&x, TP_WITNESS_TARGET, "target", o, target, NULL, NULL);
  if (x.n_silent)
    tp_vec_push(&w->remarks,
                tp_arena_printf(&w->arena,
                                "left out: %zu inputs that are no result of a call in these files, "
                                "and of no plain variable (inputs.txt has them)",
                                x.n_silent));
  tp_map_clear(&x.n_decisions);
  return true;
}
