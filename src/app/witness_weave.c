/* Text is only inserted, within the lines where it belongs, and a #line in front names the original
 * file: positions keep their lines. What belongs together at one place, as the waypoints of a call
 * that is visited again and again, is one function or macro in front of the file.
 *
 *   while (c)                    while (__twoproof_invariant_3(!!(s == 2 * i)), (c))
 *   s;                           __twoproof_invariant_4(!!(x > 0)); s;
 *   if (c)                       if (__twoproof_branch_7((c) ? 1 : 0))
 *   x = f(y);                    x = __twoproof_result_5((f(y)));
 */
#include "app/witness_source.h"

#include "base/files.h"

#include <stdlib.h>

/* Order of insertions at one offset: what ends there before what begins, the inner end first. */
typedef enum {
  END_OF_ENTER,
  END_OF_RESULT,
  END_OF_CONDITION,
  END_OF_STATEMENT,
  START_OF_STATEMENT,
  START_OF_CONDITION,
  START_OF_RESULT,
  START_OF_ENTER
} rank;

typedef struct {
  size_t at;
  rank order;
  size_t serial;
  const char *text;
} insertion;

typedef struct {
  const tp_witness_task *t;
  const tp_witness_spot *spots;
  const bool *chosen;
  size_t file;
  TP_VEC(insertion) insertions;
  tp_str front;  // declarations, one line
  tp_arena arena;
} weaver;

static void insert(weaver *x, size_t at, rank order, const char *text) {
  tp_vec_push(&x->insertions, (insertion){at, order, x->insertions.n, text});
}

static const tp_c_token *token(const weaver *x, uint32_t i) {
  return &x->t->files[x->file].tokens.v.at[i];
}

static size_t end_of(const weaver *x, uint32_t i) { return tp_c_token_end(token(x, i)); }

/* The expression on one line; \result is the name of what a call gave. */
static const char *expression(weaver *x, const tp_witness_item *item) {
  tp_str text = {0};
  for (const char *c = item->value; *c; c++) {
    if (strncmp(c, "\\result", 7) == 0) {
      tp_str_add(&text, "__twoproof_result");
      c += 6;
    } else {
      tp_str_add_char(&text, *c == '\n' || *c == '\r' ? ' ' : *c);
    }
  }
  const char *kept = tp_arena_strdup(&x->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return kept;
}

/* Around the condition of a branch or a loop: open + condition + close; where a `for` has none, the
 * text instead. */
static void around_condition(weaver *x, const tp_outline_statement *s, const char *open,
                             const char *close, const char *instead) {
  uint32_t from = s->open, to = s->close, semicolons[2];
  if (s->kind == TP_OUTLINE_FOR && tp_outline_header(&x->t->files[x->file], s, semicolons)) {
    from = semicolons[0];
    to = semicolons[1];
  }
  if (to == from + 1) {
    insert(x, end_of(x, from), START_OF_CONDITION, instead);
    return;
  }
  insert(x, end_of(x, from), START_OF_CONDITION, open);
  insert(x, token(x, to)->at, END_OF_CONDITION, close);
}

/* Before a statement; one that a condition governs gets a block. */
static void before_statement(weaver *x, const tp_outline_statement *s, const char *text) {
  const bool is_item = s->is_item || s->label != s->first;
  insert(x, token(x, s->first)->at, START_OF_STATEMENT,
         is_item ? text : tp_arena_printf(&x->arena, "{ %s", text));
  if (!is_item) insert(x, end_of(x, s->last), END_OF_STATEMENT, " }");
}

// ---------------------------------------------------------------------- invariants

static void weave_invariant(weaver *x, size_t i) {
  const tp_outline_statement *s = x->spots[i].statement;
  const char *check = tp_arena_printf(&x->arena, TP_WITNESS_CHECK "%zu(!!(%s))", i,
                                      expression(x, &x->t->w->items.at[i]));
  tp_str_printf(&x->front,
                "static void " TP_WITNESS_CHECK "%zu(int c) { if (!c) __VERIFIER_error(); } ", i);
  if (x->t->w->items.at[i].kind == TP_WITNESS_LOOP_INVARIANT)
    around_condition(x, s, tp_arena_printf(&x->arena, "%s, (", check), ")",
                     tp_arena_printf(&x->arena, "%s, 1", check));
  else
    before_statement(x, s, tp_arena_printf(&x->arena, "%s; ", check));
}

// ----------------------------------------------------------------------- waypoints

/* The steps of the automaton at the place of item i, from the first item there on: statements over
 * the segment `now` on arrival. condition(item): when the waypoint is passed. */
static const char *steps(weaver *x, size_t i,
                         const char *(*condition)(weaver *x, const tp_witness_item *item)) {
  const tp_witness *w = x->t->w;
  tp_str text = {0};
  tp_str_add(&text, "const unsigned __twoproof_now = " TP_WITNESS_SEGMENT "; ");
  for (size_t k = i; k < w->items.n; k++) {
    const tp_witness_item *item = &w->items.at[k];
    if (item->kind != w->items.at[i].kind || x->spots[k].file != x->file ||
        x->spots[k].token != x->spots[i].token || !x->chosen[k])
      continue;
    const char *holds = condition(x, item);
    tp_str_printf(&text, "if (__twoproof_now == %uu) { ", item->segment);
    tp_str_printf(&text,
                  item->is_avoided ? "__VERIFIER_assume(!(%s)); " : "__VERIFIER_assume(!!(%s)); ",
                  holds);
    if (!item->is_avoided) tp_str_printf(&text, TP_WITNESS_SEGMENT " = %uu; ", item->segment + 1);
    tp_str_add(&text, "} ");
  }
  const char *kept = tp_arena_strdup(&x->arena, text.text);
  tp_str_clear(&text);
  return kept;
}

static const char *plain(weaver *x, const tp_witness_item *item) {
  return item->value ? expression(x, item) : "1";
}

static const char *outcome(weaver *x, const tp_witness_item *item) {
  if (strcmp(item->value, "true") == 0) return "c != 0";
  if (strcmp(item->value, "false") == 0) return "c == 0";
  return tp_arena_printf(&x->arena, "c == %sLL", item->value);
}

static void weave_assumption(weaver *x, size_t i) {
  before_statement(x, x->spots[i].statement,
                   tp_arena_printf(&x->arena, "{ %s} ", steps(x, i, plain)));
}

static void weave_branching(weaver *x, size_t i) {
  const tp_outline_statement *s = x->spots[i].statement;
  tp_arena *a = &x->arena;
  tp_str_printf(&x->front, "static long long __twoproof_branch_%zu(long long c) { %sreturn c; } ",
                i, steps(x, i, outcome));
  if (s->kind != TP_OUTLINE_SWITCH) {
    around_condition(x, s, tp_arena_printf(a, "__twoproof_branch_%zu((", i), ") ? 1 : 0)",
                     tp_arena_printf(a, "__twoproof_branch_%zu(1)", i));
    return;
  }
  insert(x, end_of(x, s->open), START_OF_CONDITION,
         tp_arena_printf(a, "__twoproof_branch_%zu((", i));
  insert(x, token(x, s->close)->at, END_OF_CONDITION, "))");
}

static void weave_enter(weaver *x, size_t i) {
  const uint32_t close = x->spots[i].token, name = token(x, close)->partner - 1;
  tp_str_printf(&x->front, "static void __twoproof_enter_%zu(void) { %s} ", i, steps(x, i, plain));
  insert(x, token(x, name)->at, START_OF_ENTER,
         tp_arena_printf(&x->arena, "(__twoproof_enter_%zu(), ", i));
  insert(x, end_of(x, close), END_OF_ENTER, ")");
}

/* Does any waypoint of this call say something of its result? One that returns nothing has none. */
static bool has_result(const weaver *x, size_t i) {
  for (size_t k = i; k < x->t->w->items.n; k++)
    if (x->t->w->items.at[k].kind == TP_WITNESS_FUNCTION_RETURN && x->t->w->items.at[k].value &&
        x->spots[k].file == x->file && x->spots[k].token == x->spots[i].token)
      return true;
  const tp_outline_statement *s = tp_outline_around(&x->t->files[x->file], x->spots[i].token);
  return !(s && s->first == token(x, x->spots[i].token)->partner - 1 &&
           s->last == x->spots[i].token + 1);
}

static void add_macro(weaver *x, size_t i) {
  const char *automaton = steps(x, i, plain);
  if (has_result(x, i))
    tp_str_printf(&x->front,
                  "\n#define __twoproof_result_%zu(e) ({ __typeof__(e) __twoproof_result = (e); { "
                  "%s} __twoproof_result; })\n",
                  i, automaton);
  else
    tp_str_printf(&x->front, "\n#define __twoproof_result_%zu(e) ({ (e); { %s} })\n", i, automaton);
}

static void weave_return(weaver *x, size_t i) {
  const uint32_t close = x->spots[i].token, name = token(x, close)->partner - 1;
  add_macro(x, i);
  insert(x, token(x, name)->at, START_OF_RESULT,
         tp_arena_printf(&x->arena, "__twoproof_result_%zu((", i));
  insert(x, end_of(x, close), END_OF_RESULT, "))");
}

static void weave_item(weaver *x, size_t i) {
  switch (x->t->w->items.at[i].kind) {
    case TP_WITNESS_LOOP_INVARIANT:
    case TP_WITNESS_LOCATION_INVARIANT: weave_invariant(x, i); break;
    case TP_WITNESS_ASSUMPTION: weave_assumption(x, i); break;
    case TP_WITNESS_BRANCHING: weave_branching(x, i); break;
    case TP_WITNESS_FUNCTION_ENTER: weave_enter(x, i); break;
    case TP_WITNESS_FUNCTION_RETURN: weave_return(x, i); break;
    case TP_WITNESS_TARGET:
    case TP_WITNESS_OTHER: break;
  }
}

// ---------------------------------------------------------------------------- text

static int in_order(const void *a, const void *b) {
  const insertion *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return x->serial < y->serial ? -1 : x->serial > y->serial;
}

/* Is i the first chosen item of its kind at its place? Invariants stand for themselves. */
static bool is_first_there(const weaver *x, size_t i) {
  const tp_witness_item *items = x->t->w->items.at;
  if (x->t->w->kind == TP_WITNESS_CORRECTNESS) return true;
  for (size_t k = 0; k < i; k++)
    if (x->chosen[k] && items[k].kind == items[i].kind && x->spots[k].file == x->spots[i].file &&
        x->spots[k].token == x->spots[i].token)
      return false;
  return true;
}

/* The names are of functions that are known without a declaration, so any type fits. */
static void add_front(weaver *x) {
  if (x->t->w->kind == TP_WITNESS_CORRECTNESS)
    tp_str_add(&x->front, "extern void __VERIFIER_error(); ");
  else
    tp_str_printf(&x->front, "extern void __VERIFIER_assume(); %sunsigned " TP_WITNESS_SEGMENT "; ",
                  x->file ? "extern " : "");
}

static void write(weaver *x, tp_str *out) {
  const tp_outline *o = &x->t->files[x->file];
  if (x->insertions.n) qsort(x->insertions.at, x->insertions.n, sizeof *x->insertions.at, in_order);
  tp_str_add(out, tp_str_text(&x->front));
  tp_str_add(out, "\n#line 1 \"");
  tp_str_add_c_text(out, o->path);
  tp_str_add(out, "\"\n");
  size_t at = 0;
  for (size_t i = 0; i < x->insertions.n; i++) {
    tp_str_add_n(out, o->text.text + at, x->insertions.at[i].at - at);
    tp_str_add(out, x->insertions.at[i].text);
    at = x->insertions.at[i].at;
  }
  tp_str_add_n(out, tp_str_text(&o->text) + at, o->text.n - at);
}

void tp_witness_weave(const tp_witness_task *t, const tp_witness_spot *spots, const bool *chosen,
                      tp_str *texts) {
  TP_REQUIRE(t && spots && chosen && texts);
  for (size_t file = 0; file < t->n_files; file++) {
    weaver x = {.t = t, .spots = spots, .chosen = chosen, .file = file};
    tp_arena_init(&x.arena);
    add_front(&x);
    for (size_t i = 0; i < t->w->items.n; i++)
      if (chosen[i] && spots[i].file == file && is_first_there(&x, i)) weave_item(&x, i);
    write(&x, &texts[file]);
    tp_vec_clear(&x.insertions);
    tp_str_clear(&x.front);
    tp_arena_clear(&x.arena);
  }
}
