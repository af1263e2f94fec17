/* A starting contract: candidates for preconditions by the types of parameters, dropped one by one
 * as long as the body does not fail without them; postconditions and frame are the summary.
 *
 * What is left depends on the order: a pointer inside of a parameter is given up before the
 * parameter, so that what the contract says is near to what its user sees. */
#include "app/spec_suggest.h"

#include "app/exit.h"
#include "app/spec_summaries.h"
#include "contracts/refine/refined_check.h"

#include <stdio.h>

typedef struct {
  const char *text;
  bool is_dropped;
} candidate;

typedef struct {
  const tp_options *o;
  tp_object_model *u;
  tp_clauses *read;
  tp_rheap_limits limits;
  tp_func func;
  TP_VEC(candidate) all;
  tp_arena arena;
} suggestion;

// -------------------------------------------------------------------- candidates

static const tp_type_info *info_of(const suggestion *x, tp_type t) {
  return tp_type_of(x->u->program, t);
}
static bool is_kind(const suggestion *x, tp_type t, tp_type_kind k) {
  return t.id && info_of(x, t)->kind == k;
}
static tp_type pointee(const suggestion *x, tp_type t) {
  return is_kind(x, t, TP_T_POINTER) ? info_of(x, t)->element : TP_TYPE_NONE;
}

/* The parameter as contracts call it. */
static const char *name_of(suggestion *x, const tp_var_info *v) {
  return tp_spec_expr_is_reserved(v->name) ? tp_arena_printf(&x->arena, "::%s", v->name) : v->name;
}

static void add(suggestion *x, const char *text) {
  tp_vec_push(&x->all, (candidate){.text = text});
}

/* Can a pointer of this type lead to anything? One to functions only to those of the program. */
static bool can_lead(const suggestion *x, tp_type pointer) {
  const tp_type to = pointee(x, pointer);
  if (!is_kind(x, to, TP_T_FUNCTION)) return true;
  for (uint32_t i = 1; i < x->u->program->statics.n; i++)
    if (x->u->program->statics.at[i].kind == TP_O_FUNCTION &&
        x->u->program->statics.at[i].type.id == to.id)
      return true;
  return false;
}

/* A member that is a pointer, of the struct; NULL: the symbol is none. */
static const tp_symbol *pointer_member(const suggestion *x, size_t symbol, tp_type of) {
  uint64_t basic;
  const tp_symbol *m = x->u->symbols.at[symbol];
  const bool is = tp_map_get(&x->u->struct_of, of.id, &basic) && m->kind == TP_SYMBOL_FIELD &&
                  m->basic == basic && !m->refused && is_kind(x, m->ctype, TP_T_POINTER);
  return is ? m : NULL;
}

/* Lists from here have an end: for members of the struct that lead to one of the same struct. */
static void add_ends(suggestion *x, const char *path, tp_type of) {
  for (size_t i = 0; i < x->u->symbols.n; i++) {
    const tp_symbol *m = pointer_member(x, i, of);
    uint64_t own, to;
    if (m && tp_map_get(&x->u->struct_of, of.id, &own) &&
        tp_map_get(&x->u->struct_of, pointee(x, m->ctype).id, &to) && own == to)
      add(x, tp_arena_printf(&x->arena, "no c : %s.*%s | c in c.^%s", path, m->name, m->name));
  }
}

/* Pointers inside of the struct that the parameter leads to. */
static void add_members(suggestion *x, const char *name, tp_type of) {
  add_ends(x, name, of);
  for (size_t i = 0; i < x->u->symbols.n; i++) {
    const tp_symbol *m = pointer_member(x, i, of);
    if (!m) continue;
    if (can_lead(x, m->ctype))
      add(x, tp_arena_printf(&x->arena, "%s != null => %s.%s != null", name, name, m->name));
    if (pointee(x, m->ctype).id != of.id)
      add_ends(x, tp_arena_printf(&x->arena, "%s.%s", name, m->name), pointee(x, m->ctype));
  }
}

/* Numbers that stay below the lengths of arrays. */
static void add_indices(suggestion *x, const char *name, bool is_signed) {
  const tp_func_info *f = tp_func_of(x->u->program, x->func);
  if (is_signed) add(x, tp_arena_printf(&x->arena, "%s >= 0", name));
  for (uint32_t i = 0; i < f->n_params; i++) {
    const tp_var_info *v = tp_var_of(x->u->program, f->params[i]);
    const tp_type to = v->type.id ? pointee(x, v->type) : TP_TYPE_NONE;
    uint64_t basic;
    if (!to.id || !tp_map_get(&x->u->array_of, to.id, &basic)) continue;
    add(x,
        tp_arena_printf(&x->arena, "%s != null => %s <= #(%s.\\elements)", v->name, name, v->name));
    add(x,
        tp_arena_printf(&x->arena, "%s != null => %s < #(%s.\\elements)", v->name, name, v->name));
  }
}

static void add_candidates(suggestion *x) {
  const tp_func_info *f = tp_func_of(x->u->program, x->func);
  for (uint32_t i = 0; i < f->n_params; i++) {
    const tp_var_info *v = tp_var_of(x->u->program, f->params[i]);
    if (is_kind(x, v->type, TP_T_POINTER))
      add(x, tp_arena_printf(&x->arena, "%s != null", name_of(x, v)));
  }
  for (uint32_t i = 0; i < f->n_params; i++) {
    const tp_var_info *v = tp_var_of(x->u->program, f->params[i]);
    if (is_kind(x, v->type, TP_T_INT))
      add_indices(x, name_of(x, v), info_of(x, v->type)->is_signed);
    if (pointee(x, v->type).id) add_members(x, name_of(x, v), pointee(x, v->type));
  }
}

// ------------------------------------------------------------------------ questions

/* The contracts that were read, without the function's own, with the candidates as its
 * preconditions. */
static void gather(const suggestion *x, tp_clauses *out) {
  const char *name = tp_func_of(x->u->program, x->func)->name;
  tp_str text = {0};
  tp_clauses_init(out, x->read->diag);
  for (size_t i = 0; i < x->read->all.n; i++) {
    tp_clause c = x->read->all.at[i];
    if (c.subject.about == TP_SUBJECT_FUNCTION && c.subject.name &&
        strcmp(c.subject.name, name) == 0)
      c.subject = (tp_subject){.about = TP_SUBJECT_FUNCTION, .name = "", .may_be_absent = true};
    tp_vec_push(&out->all, c);  // assignments to ghosts are found by their numbers
  }
  tp_str_printf(&text, "function %s {\n", name);
  for (size_t i = 0; i < x->all.n; i++)
    if (!x->all.at[i].is_dropped) tp_str_printf(&text, "  requires %s\n", x->all.at[i].text);
  tp_str_add(&text, "}\n");
  out->is_muted = true;
  tp_clauses_read_file(out, "suggested", tp_str_text(&text));
  tp_str_clear(&text);
}

static uint32_t n_left(const suggestion *x) {
  uint32_t n = 0;
  for (size_t i = 0; i < x->all.n; i++) n += !x->all.at[i].is_dropped;
  return n;
}

/* Candidates without a meaning: types that contracts do not know, names that are none. */
static void drop_meaningless(suggestion *x) {
  for (size_t i = 0; i < x->all.n; i++) {
    suggestion one = *x;
    candidate only = x->all.at[i];
    tp_clauses clauses;
    tp_contracts m;
    memset(&one.all, 0, sizeof one.all);
    tp_vec_push(&one.all, only);
    gather(&one, &clauses);
    tp_contracts_init(&m, x->u, &clauses);
    bool is_there = false;
    for (size_t k = 0; k < m.of_functions.n; k++)
      is_there = is_there || (m.of_functions.at[k]->func.id == x->func.id &&
                              m.of_functions.at[k]->clauses.n > 0);
    x->all.at[i].is_dropped = !is_there;
    tp_contracts_clear(&m);
    tp_clauses_clear(&clauses);
    tp_vec_clear(&one.all);
  }
}

typedef struct {
  tp_contract_answer answer;
  const char *what;  // in the arena of the suggestion
  tp_pos pos;
  bool is_vacuous;
} outcome;

/* Does the body fail under what is left? */
static outcome ask(suggestion *x) {
  tp_clauses clauses;
  tp_contracts m;
  tp_contract_question q;
  outcome out = {.answer = TP_CONTRACT_UNKNOWN};
  gather(x, &clauses);
  tp_contracts_init(&m, x->u, &clauses);
  tp_contract_question_init(&q, &m, x->func, x->limits, TP_CALLS_EXECUTED, x->o->timelimit);
  if (q.contract.why) {
    out.what = tp_arena_strdup(&x->arena, q.contract.why);
  } else {
    tp_contract_question_ask(&q);
    out.answer = q.verdict.answer;
    out.is_vacuous = q.verdict.is_vacuous || q.verdict.never_returns;
    out.pos = q.verdict.pos;
    if (q.verdict.what) out.what = tp_arena_strdup(&x->arena, q.verdict.what);
  }
  tp_contract_question_clear(&q);
  tp_contracts_clear(&m);
  tp_clauses_clear(&clauses);
  return out;
}

/* Drops what is not needed; the answer under all of them, or under the rest where that is enough.
 */
static outcome minimise(suggestion *x) {
  outcome first = ask(x);
  for (size_t i = x->all.n; i-- > 0 && first.answer == TP_CONTRACT_HOLDS && first.is_vacuous;)
    if (!x->all.at[i].is_dropped) {
      x->all.at[i].is_dropped = true;
      first = ask(x);
    }
  if (first.answer != TP_CONTRACT_HOLDS || first.is_vacuous) return first;
  for (size_t i = x->all.n; i-- > 0;) {
    if (x->all.at[i].is_dropped) continue;
    x->all.at[i].is_dropped = true;
    const outcome without = ask(x);
    if (without.answer != TP_CONTRACT_HOLDS) x->all.at[i].is_dropped = false;
  }
  return first;
}

// -------------------------------------------------------------------------- output

/* `p != null => F` is F where p != null stands beside it. */
static const char *shortened(const suggestion *x, const char *text) {
  const char *arrow = strstr(text, " => ");
  for (size_t i = 0; arrow && i < x->all.n; i++)
    if (!x->all.at[i].is_dropped && strlen(x->all.at[i].text) == (size_t)(arrow - text) &&
        strncmp(x->all.at[i].text, text, (size_t)(arrow - text)) == 0)
      return arrow + 4;
  return text;
}

static void print_requires(const suggestion *x, const outcome *found, tp_str *out) {
  const tp_rheap_limits l = x->limits;
  tp_str at = {0};
  if (tp_pos_known(found->pos)) {
    tp_str_add(&at, " (");
    tp_pos_print(x->read->diag, found->pos, &at);
    tp_str_add_char(&at, ')');
  }
  if (found->answer == TP_CONTRACT_HOLDS && !found->is_vacuous)
    tp_str_printf(out,
                  "  // with this nothing fails in the body: %u objects of each type, %u rounds, "
                  "integers of %u bits\n",
                  l.objects, l.unroll, l.width_bits);
  else if (found->answer == TP_CONTRACT_HOLDS)
    tp_str_add(out, "  // nothing could be tried: within the bounds no call returns\n");
  else if (found->answer == TP_CONTRACT_FAILS)
    tp_str_printf(out, "  // this is not enough, say more: %s%s\n", found->what, tp_str_text(&at));
  else
    tp_str_printf(out, "  // nothing could be tried: %s%s\n",
                  found->what ? found->what : "the bounds are too large", tp_str_text(&at));
  const bool is_known = found->answer == TP_CONTRACT_HOLDS && !found->is_vacuous;
  for (size_t i = 0; i < x->all.n; i++)
    if (!x->all.at[i].is_dropped)
      tp_str_printf(out, "  %srequires %s\n", is_known ? "" : "// ",
                    shortened(x, x->all.at[i].text));
  tp_str_clear(&at);
}

static tp_func asked(const tp_options *o, const tp_program *p) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model &&
        strcmp(p->funcs.at[i].name, o->suggest) == 0)
      return (tp_func){i};
  return TP_FUNC_NONE;
}

int tp_spec_suggest(const tp_options *o, tp_object_model *u, tp_clauses *read,
                    tp_rheap_limits limits) {
  suggestion x = {.o = o, .u = u, .read = read, .limits = limits, .func = asked(o, u->program)};
  tp_str out = {0};
  if (!x.func.id) {
    fprintf(stderr, "twoproof spec: there is no function %s with a body\n", o->suggest);
    return TP_EXIT_INPUT;
  }
  tp_arena_init(&x.arena);
  add_candidates(&x);
  drop_meaningless(&x);
  const outcome found = minimise(&x);
  tp_str_printf(&out, "function %s {\n", o->suggest);
  if (n_left(&x) || found.answer != TP_CONTRACT_HOLDS || found.is_vacuous)
    print_requires(&x, &found, &out);
  const bool is_right = tp_spec_print_summary(o, u, x.func, read, &out);
  tp_str_add(&out, "}\n");
  if (is_right) fputs(tp_str_text(&out), stdout);
  tp_str_clear(&out);
  tp_vec_clear(&x.all);
  tp_arena_clear(&x.arena);
  return is_right ? TP_EXIT_TRUE : TP_EXIT_USAGE;
}
