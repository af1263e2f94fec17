/* From certificates to invariants.
 *
 * The head of a `while` or `for` loop is where its condition is about to be evaluated, which is
 * what the format calls a loop invariant; the head of a `do` loop is the start of its body, that of
 * a loop of gotos a label: the same facts are location invariants there.
 *
 * A function that is called from several places has a formula for each of them, and several
 * formulas may stand at one: a fact of all of them is an invariant, and so is the disjunction of
 * what the others say. Formulas of a call say something only if every call of the function has one.
 */
#include "report/witness_write.h"

#include "engine/invariants.h"
#include "expression/expression_print.h"
#include "report/invariant_text.h"
#include "report/report_limits.h"

typedef struct {
  const tp_witness_source *s;
  tp_invariants certificate;
  tp_witness *w;
  size_t n_quantified, n_other;  // facts that were left out
} writer;

/* A loop and where it stands in the text. */
typedef struct {
  tp_loc head;
  const tp_outline *o;
  uint32_t token;  // from which names are looked up
  tp_witness_item item;
  bool has_own_names;  // the header of a `for` declares some: visible in the body
} place;

// ------------------------------------------------------------------------ places

static const tp_outline_statement *loop_at(const tp_outline *o, uint32_t token) {
  for (size_t i = 0; i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if (s->first == token &&
        (s->kind == TP_OUTLINE_WHILE || s->kind == TP_OUTLINE_FOR || s->kind == TP_OUTLINE_DO))
      return s;
  }
  return NULL;
}

static const tp_outline_statement *statement_at(const tp_outline *o, uint32_t token) {
  for (size_t i = 0; i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if ((s->first == token || s->label == token) && s->kind != TP_OUTLINE_BLOCK) return s;
  }
  return NULL;
}

/* The loop whose condition the token is a part of; NULL: it is of none. */
static const tp_outline_statement *condition_at(const tp_outline *o, uint32_t token) {
  const tp_outline_statement *s = tp_outline_around(o, token);
  uint32_t semicolons[2];
  if (!s || token <= s->open || token >= s->close) return NULL;
  if (s->kind == TP_OUTLINE_WHILE || s->kind == TP_OUTLINE_DO) return s;
  const bool is_for = s->kind == TP_OUTLINE_FOR && tp_outline_header(o, s, semicolons);
  return is_for && token > semicolons[0] && token < semicolons[1] ? s : NULL;
}

/* The plain statement of a block that the head's next operation is a part of. No jump leads into
 * its middle, so the head stands before it. */
static const tp_outline_statement *statement_around(const tp_outline *o, uint32_t token) {
  const tp_outline_statement *s = tp_outline_around(o, token);
  return s && s->kind == TP_OUTLINE_SIMPLE && s->is_item ? s : NULL;
}

/* Where facts of the head stand; false: at no place of the format. */
static bool find_place(const writer *x, const tp_loop *loop, place *at) {
  const tp_loc_info *head = tp_loc_of(x->s->program, loop->head);
  uint32_t token = 0;
  *at = (place){.head = loop->head};
  at->o = tp_witness_find(x->s, head->pos, &token);
  if (!at->o || loop->is_irreducible) return false;
  const tp_outline_statement *s = loop_at(at->o, token);
  if (!s) s = condition_at(at->o, token);
  at->item.kind = TP_WITNESS_LOOP_INVARIANT;
  at->item.type = "loop_invariant";
  // the keyword of a `do` stands before its body, where no place of the format is
  if (s && s->first == token && s->kind == TP_OUTLINE_DO) return false;
  if (!s) {
    at->item.kind = TP_WITNESS_LOCATION_INVARIANT;
    at->item.type = "location_invariant";
    s = head->label ? statement_at(at->o, token) : statement_around(at->o, token);
    if (!s || !s->is_item) return false;
  }
  at->token = s->first;
  at->has_own_names = s->kind == TP_OUTLINE_FOR && s->close;
  tp_witness_place(at->o, s->first, &x->w->arena, &at->item);
  return true;
}

/* Is the variable visible where the facts stand? The header's own names are taken to be. */
static bool is_visible(const writer *x, const place *at, tp_var v) {
  const tp_var_info *info = tp_var_of(x->s->program, v);
  uint32_t declared = 0;
  if (info->kind == TP_V_GLOBAL && !info->enclosing_function) return true;
  const tp_outline *o = tp_witness_find(x->s, info->pos, &declared);
  if (o != at->o) return false;
  if (tp_outline_sees(o, declared, at->token)) return true;
  const tp_outline_statement *s = at->has_own_names ? loop_at(o, at->token) : NULL;
  return s && declared > s->open && declared < s->close;
}

// ------------------------------------------------------------------------- facts

typedef TP_VEC(tp_term) term_list;

/* The conjuncts of a formula. */
static void split(const tp_terms *tt, tp_term formula, term_list *out) {
  term_list todo = {0};
  tp_vec_push(&todo, formula);
  while (todo.n > 0) {
    const tp_term t = tp_vec_pop(&todo);
    if (tp_kind(tt, t) == TP_OP_AND)
      for (uint32_t i = tp_n_args(tt, t); i-- > 0;) tp_vec_push(&todo, tp_arg(tt, t, i));
    else
      tp_vec_push(out, t);
  }
  tp_vec_clear(&todo);
}

typedef struct {
  bool is_quantified, is_visible, has_variable;
} speech;

/* What a formula speaks of. */
static speech speech_of(const writer *x, const place *at, tp_term t) {
  const tp_program *p = x->s->program;
  speech r = {.is_visible = true};
  term_list todo = {0};
  tp_map seen = {0};
  tp_vec_push(&todo, t);
  while (todo.n > 0) {
    const tp_term u = tp_vec_pop(&todo);
    if (tp_map_has(&seen, u.id)) continue;
    tp_map_set(&seen, u.id, 1);
    const int kind = (int)tp_kind(p->terms, u);
    r.is_quantified |= kind == TP_OP_FORALL || kind == TP_OP_EXISTS || kind == TP_OP_BOUND;
    const tp_var v = kind == TP_OP_VAR ? tp_program_var_of(p, u) : TP_VAR_NONE;
    const tp_var_kind of = v.id ? tp_var_of(p, v)->kind : TP_V_GHOST;
    if (v.id && (of == TP_V_GLOBAL || of == TP_V_LOCAL || of == TP_V_PARAM)) {
      r.has_variable = true;
      r.is_visible &= is_visible(x, at, v);
    }
    for (uint32_t i = 0; i < tp_n_args(p->terms, u); i++)
      tp_vec_push(&todo, tp_arg(p->terms, u, i));
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
  return r;
}

/* Words that are not C without a header, and what C does not have. */
static bool is_plain_c(const char *text) {
  static const char *const words[] = {"true", "false", "NULL"};
  tp_c_tokens tokens;
  tp_c_tokens_read(&tokens, text, strlen(text));
  bool ok = tp_fact_is_plain(text);
  for (uint32_t i = 1; i < tokens.v.n && ok; i++)
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      ok &= !tp_c_token_is(&tokens, i, words[k]);
  tp_c_tokens_clear(&tokens);
  return ok;
}

/* The C expression of a fact at the place, in the witness's arena; NULL: it has none there. */
static const char *spell(writer *x, const place *at, tp_term t) {
  const speech of = speech_of(x, at, t);
  tp_str text = {0};
  const char *kept = NULL;
  const bool is_said = !of.is_quantified && of.is_visible && of.has_variable &&
                       tp_expression_print_total(x->s->program, at->head, t, &text) &&
                       text.n <= TP_REPORT_WITNESS_FACT && is_plain_c(text.text);
  if (is_said)
    kept = tp_arena_strdup(&x->w->arena, text.text);
  else if (of.is_quantified)
    x->n_quantified++;
  else if (of.has_variable)
    x->n_other++;
  tp_str_clear(&text);
  return kept;
}

static void add_fact(writer *x, const place *at, const char *text) {
  tp_witness_item item = at->item;
  item.value = text;
  item.format = "c_expression";
  tp_vec_push(&x->w->items, item);
}

static bool has_term(const term_list *list, tp_term t) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].id == t.id) return true;
  return false;
}

/* What each of several formulas says beside the facts that all of them have, as a disjunction. */
static void add_disjunction(writer *x, const place *at, const term_list *cases, size_t n,
                            const term_list *common) {
  tp_str text = {0};
  bool is_said = true;
  for (size_t c = 0; c < n && is_said; c++) {
    size_t n_facts = 0;
    tp_str_add(&text, c ? " || (" : "(");
    for (size_t i = 0; i < cases[c].n; i++) {
      const char *fact = has_term(common, cases[c].at[i]) ? NULL : spell(x, at, cases[c].at[i]);
      if (fact) tp_str_printf(&text, "%s(%s)", n_facts++ ? " && " : "", fact);
    }
    tp_str_add_char(&text, ')');
    is_said = n_facts > 0 && text.n <= TP_REPORT_WITNESS_FACT;
  }
  if (is_said && n > 1) add_fact(x, at, tp_arena_strdup(&x->w->arena, text.text));
  tp_str_clear(&text);
}

static void add_facts(writer *x, const place *at, const term_list *cases, size_t n) {
  term_list common = {0};
  size_t n_facts = 0;
  for (size_t i = 0; i < cases[0].n; i++) {
    bool is_common = !has_term(&common, cases[0].at[i]);
    for (size_t c = 1; c < n && is_common; c++) is_common = has_term(&cases[c], cases[0].at[i]);
    if (is_common) tp_vec_push(&common, cases[0].at[i]);
  }
  for (size_t i = 0; i < common.n; i++) {
    const char *text = spell(x, at, common.at[i]);
    if (text && n_facts++ < TP_REPORT_WITNESS_INVARIANTS)
      add_fact(x, at, text);
    else if (text)
      x->n_other++;
  }
  add_disjunction(x, at, cases, n, &common);
  tp_vec_clear(&common);
}

// ----------------------------------------------------------------------- contexts

static bool has_entry(const tp_invariants *v, tp_context c, tp_loc l) {
  for (size_t i = 0; i < v->list.n; i++)
    if (v->list.at[i].context.id == c.id && v->list.at[i].loc.id == l.id) return true;
  return false;
}

static bool is_under_contract(const tp_invariants *v, tp_func f) {
  for (size_t c = 1; c < v->contexts.list.n; c++) {
    const tp_context_info *info = &v->contexts.list.at[c];
    if (info->func.id == f.id && info->contract) return true;
  }
  return false;
}

static bool is_entered(const tp_invariants *v, tp_context parent, tp_edge call, tp_func f,
                       tp_loc head) {
  for (uint32_t c = 1; c < v->contexts.list.n; c++) {
    const tp_context_info *info = &v->contexts.list.at[c];
    if (info->parent.id == parent.id && info->call.id == call.id && info->func.id == f.id)
      return has_entry(v, (tp_context){c}, head);
  }
  return false;
}

/* Does every call of f that the certificate follows, and every one in the program, come with a
 * formula at the head? */
static bool covers_calls(const writer *x, tp_func f, tp_loc head) {
  const tp_program *p = x->s->program;
  const tp_invariants *v = &x->certificate;
  for (uint32_t c = 1; c < v->contexts.list.n; c++)
    if (v->contexts.list.at[c].func.id == f.id && !has_entry(v, (tp_context){c}, head))
      return false;
  if (f.id == p->main.id || is_under_contract(v, f)) return true;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *call = &p->edges.at[e];
    if (call->kind != TP_E_CALL || (call->callee.id && call->callee.id != f.id) || !call->from.id)
      continue;
    // through a pointer: any function might be meant
    if (!call->callee.id) return false;
    const tp_func caller = tp_loc_of(p, call->from)->func;
    bool is_followed = false;
    for (uint32_t c = 1; c < v->contexts.list.n; c++) {
      if (v->contexts.list.at[c].func.id != caller.id) continue;
      if (!is_entered(v, (tp_context){c}, (tp_edge){e}, f, head)) return false;
      is_followed = true;
    }
    if (!is_followed) return false;
  }
  return true;
}

static void add_loop(writer *x, const tp_loop *loop) {
  const tp_program *p = x->s->program;
  const tp_invariants *v = &x->certificate;
  const tp_func f = tp_loc_of(p, loop->head)->func;
  place at;
  TP_VEC(term_list) cases = {0};
  if (tp_func_of(p, f)->is_model || !find_place(x, loop, &at) || !covers_calls(x, f, loop->head))
    return;
  for (size_t i = 0; i < v->list.n; i++) {
    if (v->list.at[i].loc.id != loop->head.id) continue;
    tp_vec_push(&cases, (term_list){0});
    split(p->terms, v->list.at[i].formula, &tp_vec_last(&cases));
  }
  if (cases.n && cases.n <= TP_REPORT_WITNESS_INVARIANTS) add_facts(x, &at, cases.at, cases.n);
  for (size_t i = 0; i < cases.n; i++) tp_vec_clear(&cases.at[i]);
  tp_vec_clear(&cases);
}

// ---------------------------------------------------------------------------- all

static void remark(tp_witness *w, const char *text) {
  tp_vec_push(&w->remarks, tp_arena_strdup(&w->arena, text));
}

static void add_remarks(writer *x) {
  tp_arena *a = &x->w->arena;
  if (x->n_quantified)
    remark(x->w, tp_arena_printf(a,
                                 "left out: %zu facts about all elements of arrays, for which "
                                 "the format has no expression (certificate.txt has them)",
                                 x->n_quantified));
  if (x->n_other)
    remark(x->w, tp_arena_printf(a,
                                 "left out: %zu facts about memory, about variables that are not "
                                 "visible at the loop, or too long (certificate.txt has them)",
                                 x->n_other));
}

void tp_witness_add_invariants(const tp_witness_source *s, const char *certificate, tp_witness *w) {
  TP_REQUIRE(s && certificate && w);
  static const char kind[] = "\nkind invariants\n";
  writer x = {.s = s, .w = w};
  tp_str why = {0};
  if (!strstr(certificate, kind)) {
    remark(w, strstr(certificate, "\nkind shapes\n")
                  ? "the proof describes heaps by graphs, for which the format has no expression: "
                    "certificate.txt"
                  : "the proof unrolls every loop as often as any run does, and has no invariants: "
                    "certificate.txt");
    return;
  }
  tp_invariants_init(&x.certificate);
  if (tp_invariants_read(certificate, s->program, &x.certificate, &why) == TP_OK)
    for (size_t i = 1; i < s->program->loops.n; i++) add_loop(&x, &s->program->loops.at[i]);
  else
    remark(w, "the certificate has no part that the format can express: certificate.txt");
  add_remarks(&x);
  tp_invariants_clear(&x.certificate);
  tp_str_clear(&why);
}
