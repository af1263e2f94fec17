/* One question for each template and member: is an expression the member's value before the call?
 * Calls are those that the execution noted; the value behind one is recognised as the expression
 * that it put there. Templates call each other without cycles (recursion is executed). */
#include "contracts/refine/left_alone.h"

typedef struct {
  bool is_known;
  bool *keeps;  // by field of the heap
  tp_rel_formula formula;
} of_template;

struct tp_left_alone {
  const tp_call_templates *templates;
  of_template *of;  // by template
};

tp_left_alone *tp_left_alone_new(const tp_call_templates *t) {
  TP_REQUIRE(t && t->heap->bounds);
  tp_left_alone *a = TP_NEW(tp_left_alone);
  a->templates = t;
  a->of = TP_NEW_ARRAY(of_template, t->all.n + 1);
  return a;
}

void tp_left_alone_free(tp_left_alone *a) {
  if (!a) return;
  for (size_t i = 0; i < a->templates->all.n; i++) tp_free(a->of[i].keeps);
  tp_free(a->of);
  tp_free(a);
}

static const of_template *known_of(tp_left_alone *a, tp_func f);

/* One member in one body. */
typedef struct {
  tp_left_alone *a;
  const tp_call_template *f;
  uint32_t field;
  tp_map seen;  // expressions that were asked
} walk;

/* Is there a relation in it that one call alone gave a value? Other expressions may be equal to
 * what is computed elsewhere. */
static bool is_of_one_call(const tp_rel *l, tp_rel_expr x) {
  const tp_rel_node *n = tp_rel_at(l, x.id);
  if (n->kind == TP_REL_UNION) n = tp_rel_at(l, n->kids[n->n_kids - 1]);
  return n->kind == TP_REL_RELATION;
}

static const tp_rexec_call *call_that_left(const walk *w, tp_rel_expr x) {
  if (!is_of_one_call(w->a->templates->heap->l, x)) return NULL;
  for (size_t i = 0; i < w->f->body.calls.n; i++) {
    const tp_rexec_call *c = &w->f->body.calls.at[i];
    if (c->is_abstract && c->after.freed.id && c->after.fields[w->field].id == x.id &&
        c->before.fields[w->field].id != x.id)
      return c;
  }
  return NULL;
}

/* Is the expression the value of the member before the call, wherever the execution comes by it?
 * Each expression is asked once: one that is asked again below itself would be a cycle. */
static bool is_as_before(walk *w, tp_rel_expr x) {
  const tp_rel *l = w->a->templates->heap->l;
  if (x.id == w->f->start.before.fields[w->field].id || tp_map_has(&w->seen, x.id)) return true;
  tp_map_set(&w->seen, x.id, 1);
  const tp_rexec_call *c = call_that_left(w, x);
  if (c) {
    const of_template *callee = known_of(w->a, c->contract->func);
    return callee && callee->keeps[w->field] && is_as_before(w, c->before.fields[w->field]);
  }
  const tp_rel_node *n = tp_rel_at(l, x.id);
  if (n->kind != TP_REL_IF) return false;
  const tp_rel_expr then = {n->kids[1]}, other = {n->kids[2]};
  return is_as_before(w, then) && is_as_before(w, other);
}

static tp_rel_formula same_value(const tp_left_alone *a, const tp_call_template *f,
                                 uint32_t field) {
  tp_rheap *h = a->templates->heap;
  const tp_symbol *symbol = h->fields.at[field].symbol;
  const tp_rel_expr before = f->start.before.fields[field], after = f->after.fields[field];
  if (tp_rheap_is_global(symbol)) return tp_rel_compare(h->l, TP_REL_EQUAL, before, after);
  const tp_rel_expr old = tp_rheap_allocated(
      h, symbol->basic, (tp_rheap_objects){f->start.before.last, f->start.before.stack});
  const tp_rel_expr still = tp_rel_binary(h->l, TP_REL_DIFFERENCE, old, f->after.freed);
  return tp_rel_compare(h->l, TP_REL_EQUAL, tp_rel_binary(h->l, TP_REL_DOMAIN, still, before),
                        tp_rel_binary(h->l, TP_REL_DOMAIN, still, after));
}

/* Does what calls start with say so already? */
static bool is_known_at_calls(const tp_left_alone *a, const tp_call_template *f, uint32_t field) {
  const tp_contracts *m = a->templates->contracts;
  const tp_function_contract *c = tp_contracts_of(m, f->func, TP_CONTRACT_SUMMARY);
  return c && tp_function_contract_keeps(m, c, a->templates->heap->fields.at[field].symbol);
}

static void find(tp_left_alone *a, const tp_call_template *f, of_template *out) {
  tp_rheap *h = a->templates->heap;
  out->keeps = TP_NEW_ARRAY(bool, h->fields.n + 1);
  out->is_known = true;
  if (tp_rel_at(h->l, f->body.returns.id)->kind == TP_REL_FALSE) return;  // nothing is behind it
  for (uint32_t i = 0; i < f->start.n_fields; i++) {
    walk w = {.a = a, .f = f, .field = i};
    out->keeps[i] = !h->fields.at[i].is_inner && is_as_before(&w, f->body.after.fields[i]);
    tp_map_clear(&w.seen);
    if (!out->keeps[i] || is_known_at_calls(a, f, i)) continue;
    const tp_rel_formula same = same_value(a, f, i);
    out->formula = out->formula.id ? tp_rel_and(h->l, out->formula, same) : same;
  }
}

static const of_template *known_of(tp_left_alone *a, tp_func f) {
  for (size_t i = 0; i < a->templates->all.n; i++) {
    if (a->templates->all.at[i]->func.id != f.id) continue;
    if (!a->of[i].is_known) find(a, a->templates->all.at[i], &a->of[i]);
    return &a->of[i];
  }
  return NULL;
}

tp_rel_formula tp_left_alone_of(tp_left_alone *a, const tp_call_template *f) {
  TP_REQUIRE(a && f);
  return known_of(a, f->func)->formula;
}
