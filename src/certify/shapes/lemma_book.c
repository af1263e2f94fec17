/* Canonical texts. `R` numbers pointers where a text mentions them, and says at which ends each has
 * a value; the text starts with how many pointers have one at both ends, at the start only, at the
 * end only. So two statements with one text are mapped to each other by a permutation of the
 * class's pointers that keeps readability: pointers that no text mentions keep their values (an
 * effect mentions all others). The meaning of classes, graphs apart, knows no names of pointers. */
#include "certify/shapes/lemma_book.h"

#include "certify/certify_limits.h"
#include "certify/shapes/lemma_trial.h"

typedef TP_VEC(uint32_t) numbers;

/* A definition as a text with parameters, and the pointers that are its parameters here. */
typedef struct {
  uint32_t text;  // name
  numbers pointers;
  bool has_data;
} signature;

typedef struct {
  bool is_read;
  signature *of;  // by predicate
} class_signatures;

struct tp_chk_lemma_book {
  tp_chk_exec g;
  tp_certify_report report;
  const tp_chk_graphs *graphs;
  class_signatures *classes;
  tp_names *texts;
  tp_map answers;    // text -> proved
  uint32_t entered;  // text of the effect that g has executed; 0: none
  bool is_executed;
  tp_chk_trial trial;  // of the effect with text `tried`
  uint32_t tried;
};

// ---------------------------------------------------------------------- signatures

static void write_definition(tp_chk_lemma_book *b, const class_signatures *s, const tp_chk_class *c,
                             const tp_chk_formula *f, signature *sig, tp_str *out);

static uint32_t parameter(signature *sig, uint32_t pointer) {
  for (uint32_t i = 0; i < sig->pointers.n; i++)
    if (sig->pointers.at[i] == pointer) return i;
  tp_vec_push(&sig->pointers, pointer);
  return (uint32_t)sig->pointers.n - 1;
}

/* Predicate k in a definition. */
static void write_part(const class_signatures *s, const tp_chk_class *c, uint32_t k, signature *sig,
                       tp_str *out) {
  const tp_chk_predicate *p = &c->predicates.at[k];
  switch (p->kind) {
    case TP_CHK_P_POINTER: tp_str_printf(out, "p%u", parameter(sig, k)); break;
    case TP_CHK_P_FREED: tp_str_add(out, "freed"); break;
    case TP_CHK_P_OUTSIDE: tp_str_add(out, "outside"); break;
    case TP_CHK_P_FIELD: tp_str_printf(out, "f%u", p->field); break;
    case TP_CHK_P_DATA:
    case TP_CHK_P_OPAQUE:
      tp_str_printf(out, "d%u", k);
      sig->has_data = true;
      break;
    case TP_CHK_P_DEFINED:
      tp_str_printf(out, "s%u[", s->of[k].text);
      for (size_t i = 0; i < s->of[k].pointers.n; i++)
        tp_str_printf(out, "%u,", parameter(sig, s->of[k].pointers.at[i]));
      tp_str_add_char(out, ']');
      sig->has_data = sig->has_data || s->of[k].has_data;
      break;
  }
}

static const char *const form_names[] = {
    [TP_CHK_F_VALUE] = "v",  [TP_CHK_F_ATOM] = "a", [TP_CHK_F_EQUAL] = "=", [TP_CHK_F_NOT] = "!",
    [TP_CHK_F_AND] = "&",    [TP_CHK_F_OR] = "|",   [TP_CHK_F_IF] = "?",    [TP_CHK_F_EXISTS] = "E",
    [TP_CHK_F_FORALL] = "A", [TP_CHK_F_PATH] = "t"};

/* Everything of the formula's head but its predicate. */
static void write_head(const tp_chk_formula *f, tp_str *out) {
  tp_str_printf(out, "(%s%u.%u.%u.%d%d.%llu ", form_names[f->kind], f->value, f->a, f->b,
                (int)f->has_b, (int)f->is_reflexive, (unsigned long long)f->fields);
}

static void write_definition(tp_chk_lemma_book *b, const class_signatures *s, const tp_chk_class *c,
                             const tp_chk_formula *f, signature *sig, tp_str *out) {
  if (!f) return;
  write_head(f, out);
  if (f->kind == TP_CHK_F_ATOM) write_part(s, c, f->predicate, sig, out);
  for (int i = 0; i < 3; i++) write_definition(b, s, c, f->kid[i], sig, out);
  tp_str_add_char(out, ')');
}

static const class_signatures *signatures_of(tp_chk_lemma_book *b, uint32_t number) {
  const tp_chk_class *c = &b->graphs->classes.at[number];
  class_signatures *s = &b->classes[number];
  if (s->is_read) return s;
  *s = (class_signatures){true, TP_NEW_ARRAY(signature, c->predicates.n)};
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    const tp_chk_predicate *p = &c->predicates.at[k];
    s->of[k].has_data = p->kind == TP_CHK_P_DATA || p->kind == TP_CHK_P_OPAQUE;
    if (p->kind != TP_CHK_P_DEFINED) continue;
    tp_str text = {0};
    tp_str_printf(&text, "definition %u.%u ", number, p->arity);
    write_definition(b, s, c, p->definition, &s->of[k], &text);
    s->of[k].text = tp_name_of(b->texts, tp_str_text(&text));
    tp_str_clear(&text);
  }
  return s;
}

// ---------------------------------------------------------------------------- book

tp_chk_lemma_book *tp_chk_lemma_book_of(tp_chk_exec *g) {
  if (g->shape->book) return g->shape->book;
  tp_chk_lemma_book *b = g->shape->book = TP_NEW(tp_chk_lemma_book);
  tp_certify_report_init(&b->report);
  tp_chk_exec_init(&b->g, g->p, g->prop, g->cert, g->limits, NULL, &b->report);
  b->graphs = g->shape->graphs;
  b->classes = TP_NEW_ARRAY(class_signatures, b->graphs->classes.n + 1);
  b->texts = tp_names_new();
  return b;
}

void tp_chk_lemma_book_free(tp_chk_lemma_book *b) {
  if (!b) return;
  for (size_t i = 1; i < b->graphs->classes.n; i++) {
    for (uint32_t k = 1; b->classes[i].is_read && k < b->graphs->classes.at[i].predicates.n; k++)
      tp_vec_clear(&b->classes[i].of[k].pointers);
    tp_free(b->classes[i].of);
  }
  tp_free(b->classes);
  tp_chk_trial_clear(&b->trial);
  tp_chk_exec_clear(&b->g);
  tp_certify_report_clear(&b->report);
  tp_names_free(b->texts);
  tp_map_clear(&b->answers);
  tp_free(b);
}

bool tp_chk_book_has_data(tp_chk_lemma_book *b, uint32_t number, uint32_t k) {
  return signatures_of(b, number)->of[k].has_data;
}

bool tp_chk_book_is_like(tp_chk_lemma_book *b, uint32_t number, uint32_t k, uint32_t m) {
  const class_signatures *s = signatures_of(b, number);
  return s->of[k].text && s->of[k].text == s->of[m].text;
}

uint32_t tp_chk_book_renamed(tp_chk_lemma_book *b, uint32_t number, uint32_t k,
                             const uint32_t *renamed) {
  const class_signatures *s = signatures_of(b, number);
  const signature *from = &s->of[k];
  if (!from->text || from->has_data) return 0;
  for (uint32_t m = 1; m < b->graphs->classes.at[number].predicates.n; m++) {
    bool same = s->of[m].text == from->text;
    for (size_t i = 0; same && i < from->pointers.n; i++)
      same = s->of[m].pointers.at[i] == renamed[from->pointers.at[i]];
    if (same) return m;
  }
  return 0;
}

bool tp_chk_book_map_pointers(tp_chk_lemma_book *b, uint32_t number, uint32_t m, uint32_t k,
                              uint32_t *renamed) {
  const class_signatures *s = signatures_of(b, number);
  if (m != k && (!s->of[k].text || s->of[k].text != s->of[m].text)) return false;
  for (size_t i = 0; i < s->of[m].pointers.n; i++)
    if (!renamed[s->of[m].pointers.at[i]])
      renamed[s->of[m].pointers.at[i]] = s->of[k].pointers.at[i];
  return true;
}

uint32_t tp_chk_book_source(tp_chk_lemma_book *b, const tp_chk_effect *e, uint32_t k) {
  const class_signatures *s = signatures_of(b, e->number);
  const tp_chk_class *c = e->c;
  if (c->predicates.at[k].kind != TP_CHK_P_DEFINED || s->of[k].has_data || !e->after[k]) return 0;
  for (uint32_t i = 0; i < e->n_written; i++)
    if (!tp_chk_effect_leaves_cell(e, &e->written[i])) return 0;
  for (uint32_t m = 0; m < c->predicates.n; m++) {
    uint32_t from = m ? m : k;  // k itself first
    if (c->predicates.at[from].kind != TP_CHK_P_DEFINED || !e->before[from] ||
        s->of[from].text != s->of[k].text)
      continue;
    TP_INVARIANT(s->of[from].pointers.n == s->of[k].pointers.n);
    bool same = true;
    for (size_t i = 0; i < s->of[k].pointers.n && same; i++) {
      tp_chk_origin o = e->pointers[s->of[k].pointers.at[i]];
      same = o.kind == TP_CHK_FROM_POINTER && o.pointer == s->of[from].pointers.at[i];
    }
    if (same) return from;
  }
  return 0;
}

// --------------------------------------------------------------------------- texts

typedef struct {
  tp_chk_lemma_book *b;
  const class_signatures *s;
  const tp_chk_class *c;
  const bool *before, *after;
  numbers mentioned;  // pointers, in order
  bool has_data;
  tp_str text;
} statement;

static void statement_clear(statement *t) {
  tp_vec_clear(&t->mentioned);
  tp_str_clear(&t->text);
}

static void write_pointer(statement *t, uint32_t k) {
  uint32_t i = 0;
  TP_REQUIRE(t->c->predicates.at[k].kind == TP_CHK_P_POINTER);
  while (i < t->mentioned.n && t->mentioned.at[i] != k) i++;
  if (i == t->mentioned.n) tp_vec_push(&t->mentioned, k);
  tp_str_printf(&t->text, "%u%s%s,", i, t->before[k] ? "b" : "", t->after[k] ? "a" : "");
}

static void write_predicate(statement *t, uint32_t k) {
  const tp_chk_predicate *p = &t->c->predicates.at[k];
  switch (p->kind) {
    case TP_CHK_P_POINTER:
      tp_str_add_char(&t->text, 'p');
      write_pointer(t, k);
      break;
    case TP_CHK_P_FREED: tp_str_add(&t->text, "freed"); break;
    case TP_CHK_P_OUTSIDE: tp_str_add(&t->text, "outside"); break;
    case TP_CHK_P_FIELD: tp_str_printf(&t->text, "f%u", p->field); break;
    case TP_CHK_P_DATA:
    case TP_CHK_P_OPAQUE:
      tp_str_printf(&t->text, "d%u", k);
      t->has_data = true;
      break;
    case TP_CHK_P_DEFINED:
      tp_str_printf(&t->text, "s%u[", t->s->of[k].text);
      for (size_t i = 0; i < t->s->of[k].pointers.n; i++)
        write_pointer(t, t->s->of[k].pointers.at[i]);
      tp_str_add_char(&t->text, ']');
      t->has_data = t->has_data || t->s->of[k].has_data;
      break;
  }
}

static void write_formula(statement *t, const tp_chk_formula *f) {
  if (!f) return;
  write_head(f, &t->text);
  if (f->kind == TP_CHK_F_ATOM) write_predicate(t, f->predicate);
  for (int i = 0; i < 3; i++) write_formula(t, f->kid[i]);
  tp_str_add_char(&t->text, ')');
}

static statement open_statement(tp_chk_lemma_book *b, uint32_t number, const bool *before,
                                const bool *after) {
  statement t = {.b = b,
                 .s = signatures_of(b, number),
                 .c = &b->graphs->classes.at[number],
                 .before = before,
                 .after = after};
  uint32_t both = 0, start = 0, end = 0;
  for (uint32_t k = 1; k < t.c->predicates.n; k++) {
    if (t.c->predicates.at[k].kind != TP_CHK_P_POINTER) continue;
    both += before[k] && after[k];
    start += before[k] && !after[k];
    end += after[k] && !before[k];
  }
  tp_str_printf(&t.text, "class %u of %u %u %u ", number, both, start, end);
  return t;
}

static void write_origin(statement *t, tp_chk_origin o) {
  switch (o.kind) {
    case TP_CHK_FROM_NULL: tp_str_add(&t->text, "null "); break;
    case TP_CHK_FROM_NEW: tp_str_add(&t->text, "new "); break;
    case TP_CHK_FROM_UNWRITTEN: tp_str_add(&t->text, "unwritten "); break;
    case TP_CHK_FROM_ANYWHERE: tp_str_add(&t->text, "any "); break;
    case TP_CHK_FROM_NOWHERE: tp_str_add(&t->text, "nowhere "); break;
    case TP_CHK_FROM_FIELD: tp_str_printf(&t->text, "field%u ", o.field); break;
    case TP_CHK_FROM_POINTER: tp_str_add(&t->text, "value "); break;
  }
  if (o.kind == TP_CHK_FROM_FIELD || o.kind == TP_CHK_FROM_POINTER) write_pointer(t, o.pointer);
}

static void write_effect(statement *t, const tp_chk_effect *e) {
  for (uint32_t i = 0; i < e->n_written; i++) {
    const tp_chk_written_cell *w = &e->written[i];
    if (tp_chk_effect_leaves_cell(e, w)) continue;
    tp_str_add(&t->text, w->is_freed ? "free " : w->pointer ? "write " : "make ");
    if (w->pointer) write_pointer(t, w->pointer);
    for (uint32_t f = 0; f < e->c->offsets.n; f++) write_origin(t, w->fields[f]);
  }
  for (uint32_t k = 1; k < e->c->predicates.n; k++) {
    if (e->c->predicates.at[k].kind != TP_CHK_P_POINTER || !e->after[k] ||
        tp_chk_effect_keeps(e, k))
      continue;
    tp_str_add(&t->text, "set ");
    write_pointer(t, k);
    write_origin(t, e->pointers[k]);
  }
  tp_str_add(&t->text, "; ");
}

/* What rests on data of the start names variables of the program: those of these contexts, and
 * pointers may be among them, so that these are no others. */
static uint32_t close_statement(statement *t, uint32_t from, uint32_t to) {
  if (t->has_data) tp_str_printf(&t->text, " in %u %u", from, to);
  for (size_t i = 0; i < t->mentioned.n && t->has_data; i++)
    tp_str_printf(&t->text, " %u", t->mentioned.at[i]);
  return tp_name_of(t->b->texts, tp_str_text(&t->text));
}

/* Pointers that the statement mentions, by predicate. The caller's. */
static bool *named_pointers(const statement *t) {
  bool *named = TP_NEW_ARRAY(bool, t->c->predicates.n);
  for (size_t i = 0; i < t->mentioned.n; i++) named[t->mentioned.at[i]] = true;
  return named;
}

static bool is_known(const tp_chk_lemma_book *b, uint32_t text, uint64_t *answer) {
  return tp_map_get(&b->answers, text, answer);
}

static void count_queries(tp_chk_lemma_book *b, tp_chk_exec *g) {
  g->queries += b->g.queries;
  b->g.queries = 0;
}

// --------------------------------------------------------------------------- rules

bool tp_chk_book_rule(tp_chk_lemma_book *b, tp_chk_exec *g, uint32_t number, uint32_t rule,
                      uint32_t context, tp_loc loc) {
  const tp_chk_class *c = &b->graphs->classes.at[number];
  TP_REQUIRE(rule < c->rules.n);
  const tp_chk_rule *r = &c->rules.at[rule];
  bool *readable = TP_NEW_ARRAY(bool, c->predicates.n);
  tp_chk_readable_predicates(g, c, context, readable);
  statement t = open_statement(b, number, readable, readable);
  uint64_t answer;
  tp_str_printf(&t.text, "rule %u ", r->variables);
  write_formula(&t, r->head);
  write_formula(&t, r->body);
  uint32_t text = close_statement(&t, context, context);
  if (!is_known(b, text, &answer)) {
    bool *named = named_pointers(&t);
    b->entered = 0;
    tp_chk_exec_begin(&b->g, context, loc, false);
    tp_chk_shape_begin(&b->g, NULL);
    answer = tp_chk_lemma_rule(&(tp_chk_step){.g = &b->g, .number = number, .named = named}, r);
    tp_map_set(&b->answers, text, answer);
    count_queries(b, g);
    tp_free(named);
  }
  statement_clear(&t);
  tp_free(readable);
  return answer;
}

// ------------------------------------------------------------------------ operations

/* The effect with these pointers: another one with the same text has another execution. */
static uint32_t name_of_effect(tp_chk_lemma_book *b, const tp_chk_effect *e) {
  statement t = open_statement(b, e->number, e->before, e->after);
  write_effect(&t, e);
  for (size_t i = 0; i < t.mentioned.n; i++) tp_str_printf(&t.text, " %u", t.mentioned.at[i]);
  tp_str_printf(&t.text, " enter %u %u", e->from, e->to);
  uint32_t text = tp_name_of(b->texts, tp_str_text(&t.text));
  statement_clear(&t);
  return text;
}

/* The book's execution is at the end of the operation. */
static bool enter(tp_chk_lemma_book *b, const tp_chk_exec *g, const tp_chk_effect *e) {
  uint32_t text = name_of_effect(b, e);
  if (b->entered != text) {
    b->entered = text;
    b->is_executed = tp_chk_effect_execute(&b->g, g->shape->start.loc, e);
  }
  return b->is_executed;
}

static void set_new_elements(const tp_chk_exec *g, uint64_t answer, tp_chk_step *s) {
  s->n_new = 0;
  if (answer & 2) {
    s->new_at[s->n_new] = tp_mk_ptr(
        g->tt, tp_chk_history_next_object(&g->history, (tp_chk_epoch){g->history.next, 0}),
        tp_mk_bv(g->tt, g->p->ptr_bits, 0));
    s->new_kind[s->n_new++] = TP_CHK_NEW_MADE;
  }
  if (answer & 4) {
    s->new_at[s->n_new] = tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0),
                                    tp_mk_bv(g->tt, g->p->ptr_bits, TP_UNWRITTEN));
    s->new_kind[s->n_new++] = TP_CHK_NEW_UNWRITTEN;
  }
  if (answer & 8) {
    s->new_at[s->n_new] = TP_TERM_NONE;
    s->new_kind[s->n_new++] = TP_CHK_NEW_OTHERS;
  }
}

bool tp_chk_book_new_elements(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e,
                              tp_chk_step *s) {
  statement t = open_statement(b, e->number, e->before, e->after);
  uint64_t answer;  // 1: proved; 2, 4, 8: there are new elements of each kind
  write_effect(&t, e);
  tp_str_add(&t.text, "elements");
  uint32_t text = close_statement(&t, e->from, e->to);
  if (!is_known(b, text, &answer)) {
    bool *named = named_pointers(&t);
    tp_chk_step at = {.g = &b->g, .number = e->number, .named = named};
    answer = enter(b, g, e) && tp_chk_lemma_new_elements(&at);
    for (int i = 0; answer && i < at.n_new; i++) answer |= UINT64_C(2) << at.new_kind[i];
    tp_map_set(&b->answers, text, answer);
    count_queries(b, g);
    tp_free(named);
  }
  statement_clear(&t);
  if (answer) set_new_elements(g, answer, s);
  return answer;
}

/* The statement that the candidate is right; *text: its name. The caller's, to be cleared. */
static statement state_update(tp_chk_lemma_book *b, const tp_chk_effect *e, int x, int y,
                              const tp_chk_candidate_update *candidate, uint32_t *text) {
  statement t = open_statement(b, e->number, e->before, e->after);
  write_effect(&t, e);
  tp_str_printf(&t.text, "update %d %d ", x, y);
  write_predicate(&t, candidate->predicate);
  write_formula(&t, candidate->formula);
  *text = close_statement(&t, e->from, e->to);
  return t;
}

/* The answer for new elements of the effect, if the book has it; else 0. */
static uint64_t known_elements(tp_chk_lemma_book *b, const tp_chk_effect *e) {
  statement t = open_statement(b, e->number, e->before, e->after);
  uint64_t answer = 0;
  write_effect(&t, e);
  tp_str_add(&t.text, "elements");
  bool known = is_known(b, close_statement(&t, e->from, e->to), &answer);
  statement_clear(&t);
  return known ? answer : 0;
}

/* The kind of element x: the order of new ones is that of set_new_elements. False: others. */
static bool trial_element(uint64_t elements, int x, tp_chk_trial_element *out) {
  const int made = elements & 2 ? 0 : TP_CHK_MOST_NEW, unwritten = elements & 2 ? 1 : 0;
  if (x == TP_CHK_ANY_OLD)
    *out = TP_CHK_TRIAL_OLD;
  else if (x == made)
    *out = TP_CHK_TRIAL_MADE;
  else if (x == unwritten && elements & 4)
    *out = TP_CHK_TRIAL_UNWRITTEN;
  else
    return false;
  return true;
}

/* Is the candidate wrong on a small heap? */
static bool is_refuted(tp_chk_lemma_book *b, const tp_chk_effect *e, int x, int y,
                       const tp_chk_candidate_update *candidate) {
  uint32_t text = name_of_effect(b, e);
  const uint64_t elements = known_elements(b, e);
  tp_chk_trial_element of_x, of_y;
  if (b->tried != text) {
    tp_chk_trial_clear(&b->trial);
    b->trial = tp_chk_trial_new(e);
    b->tried = text;
  }
  if (!trial_element(elements, x, &of_x) || !trial_element(elements, y, &of_y)) return false;
  return tp_chk_trial_refutes(&b->trial, of_x, of_y, candidate);
}

typedef struct {
  TP_VEC(tp_chk_candidate_update) candidates;  // of which the book has no answer
  numbers texts;
  bool *named;
} questions;

/* The execution is at the end of the operation: which candidates are proved? */
static void prove_all(tp_chk_lemma_book *b, const tp_chk_effect *e, int x, int y,
                      const questions *q, bool *out) {
  tp_chk_step at = {.g = &b->g, .number = e->number, .named = q->named};
  const uint64_t elements = known_elements(b, e);
  if (!elements) return;
  set_new_elements(&b->g, elements, &at);
  if (x == TP_CHK_ANY_OLD && y == TP_CHK_ANY_OLD)
    tp_chk_lemma_of_old(&at, e->c->predicates.at[q->candidates.at[0].predicate].arity,
                        q->candidates.at, q->candidates.n, TP_CHK_BY_SKELETON, out);
  else
    tp_chk_lemma_of_new(&at, x, y, q->candidates.at, q->candidates.n, TP_CHK_BY_SKELETON, out);
}

static void answer_all(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e, int x, int y,
                       const questions *q) {
  bool *proved = TP_NEW_ARRAY(bool, q->candidates.n + 1);
  if (enter(b, g, e)) prove_all(b, e, x, y, q, proved);
  for (size_t i = 0; i < q->candidates.n; i++) tp_map_set(&b->answers, q->texts.at[i], proved[i]);
  count_queries(b, g);
  tp_free(proved);
}

/* The next candidate of a predicate that is neither refuted nor known to be unproved. */
typedef struct {
  size_t at, end;   // candidates
  uint32_t text;    // of the one at `at`
  numbers others;   // pointers that this one mentions and the effect does not
  bool is_settled;  // proved, or there is none
} pursuit;

/* Pointers that the candidate mentions behind those of the effect; false: some of its formula only.
 * Such a candidate is for another operation. */
static bool other_pointers(const statement *t, const statement *effect, size_t n_of_predicate,
                           numbers *out) {
  out->n = 0;
  for (size_t i = effect->mentioned.n; i < t->mentioned.n; i++)
    tp_vec_push(out, t->mentioned.at[i]);
  return t->mentioned.n == n_of_predicate;
}

static void advance(tp_chk_lemma_book *b, const tp_chk_effect *e, int x, int y,
                    const tp_chk_candidate_update *candidates, const statement *effect,
                    pursuit *p) {
  for (; !p->is_settled; p->at++) {
    uint64_t answer = 0;
    if (p->at == p->end) {
      p->is_settled = true;
      return;
    }
    const tp_chk_candidate_update *c = &candidates[p->at];
    statement alone = open_statement(b, e->number, e->before, e->after);
    write_effect(&alone, e);
    write_predicate(&alone, c->predicate);
    statement t = state_update(b, e, x, y, c, &p->text);
    bool is_of_effect = other_pointers(&t, effect, alone.mentioned.n, &p->others);
    statement_clear(&alone);
    statement_clear(&t);
    if (!is_of_effect) continue;
    bool known = is_known(b, p->text, &answer);
    if (known && !answer) continue;
    if (known) {
      p->is_settled = true;
      return;
    }
    if (!is_refuted(b, e, x, y, c)) return;
    tp_map_set(&b->answers, p->text, false);
  }
}

static bool same_numbers(const numbers *a, const numbers *b) {
  return a->n == b->n && (a->n == 0 || !memcmp(a->at, b->at, a->n * sizeof *a->at));
}

/* Asks about the candidate of pursuit i, and about those of later ones with the same pointers. */
static void ask_with(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e, int x, int y,
                     const tp_chk_candidate_update *candidates, const statement *effect,
                     const pursuit *all, size_t n, size_t i) {
  questions q = {.named = named_pointers(effect)};
  tp_map asked = {0};
  for (size_t k = 0; k < all[i].others.n; k++) q.named[all[i].others.at[k]] = true;
  for (size_t j = i; j < n; j++) {
    uint64_t answer;
    if (all[j].is_settled || !same_numbers(&all[i].others, &all[j].others) ||
        tp_map_has(&asked, all[j].text) || is_known(b, all[j].text, &answer))
      continue;
    tp_map_set(&asked, all[j].text, 1);
    tp_vec_push(&q.candidates, candidates[all[j].at]);
    tp_vec_push(&q.texts, all[j].text);
  }
  if (q.candidates.n) answer_all(b, g, e, x, y, &q);
  tp_map_clear(&asked);
  tp_vec_clear(&q.candidates);
  tp_vec_clear(&q.texts);
  tp_free(q.named);
}

void tp_chk_book_updates(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e, int x, int y,
                         const tp_chk_candidate_update *candidates, size_t n, bool *out) {
  TP_VEC(pursuit) all = {0};
  statement effect = open_statement(b, e->number, e->before, e->after);
  bool is_done = false;
  write_effect(&effect, e);
  for (size_t i = 0; i < n; i++) {
    TP_REQUIRE(!tp_chk_book_has_data(b, e->number, candidates[i].predicate));
    out[i] = false;
    if (i == 0 || candidates[i].predicate != candidates[i - 1].predicate)
      tp_vec_push(&all, ((pursuit){.at = i}));
    tp_vec_last(&all).end = i + 1;
  }
  while (!is_done) {
    is_done = true;
    for (size_t i = 0; i < all.n; i++) {
      advance(b, e, x, y, candidates, &effect, &all.at[i]);
      is_done = is_done && all.at[i].is_settled;
    }
    for (size_t i = 0; i < all.n; i++)
      if (!all.at[i].is_settled) ask_with(b, g, e, x, y, candidates, &effect, all.at, all.n, i);
  }
  for (size_t i = 0; i < all.n; i++) {
    if (all.at[i].at < all.at[i].end) out[all.at[i].at] = true;
    tp_vec_clear(&all.at[i].others);
  }
  tp_vec_clear(&all);
  statement_clear(&effect);
}
