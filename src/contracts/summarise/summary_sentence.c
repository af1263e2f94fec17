/* Frames as English: access paths as C writes them, closures as what is reachable. */
#include "contracts/summarise/summary_sentence.h"

#include "contracts/summarise/summarise_priv.h"
#include "contracts/summarise/summary_contract.h"

typedef struct {
  tp_rsums *s;
  const tp_rsum_template *f;
} speaker;

static void quote(const speaker *k, tp_rbound b, tp_str *out) {
  tp_str_add_char(out, '`');
  tp_summary_contract_print(k->s, k->f, b, out);
  tp_str_add_char(out, '`');
}

static bool is_member(const tp_rbounds *t, tp_rbound b) {
  return tp_rbound_at(t, b)->kind == TP_RBOUND_NAME && tp_rbound_at(t, b)->arity == 2;
}

/* a->b->c; false: no such path. */
static bool add_path(const tp_rbounds *t, tp_rbound b, tp_str *out) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->kind == TP_RBOUND_NAME && n->arity == 1) {
    tp_str_add(out, tp_rbound_name_of(t, b)->text);
    return true;
  }
  if (n->kind != TP_RBOUND_JOIN || !is_member(t, n->kids[1])) return false;
  if (!add_path(t, n->kids[0], out)) return false;
  tp_str_printf(out, "->%s", tp_rbound_name_of(t, n->kids[1])->text);
  return true;
}

static void add_set(const speaker *k, tp_rbound b, tp_str *out);

static void add_steps(const speaker *k, tp_rbound r, tp_str *out) {
  if (is_member(k->s->t, r))
    tp_str_printf(out, "`%s`", tp_rbound_name_of(k->s->t, r)->text);
  else
    quote(k, r, out);
}

static void add_operation(const speaker *k, tp_rbound b, tp_str *out) {
  const tp_rbounds *t = k->s->t;
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->kind == TP_RBOUND_REACH) {
    tp_str_add(out, "objects reachable from ");
    add_set(k, n->kids[0], out);
    tp_str_add(out, " through ");
    add_steps(k, n->kids[1], out);
  } else if (n->kind == TP_RBOUND_JOIN && is_member(t, n->kids[1])) {
    tp_str_printf(out, "the `%s` of ", tp_rbound_name_of(t, n->kids[1])->text);
    add_set(k, n->kids[0], out);
  } else if (n->kind == TP_RBOUND_DIFFERENCE &&
             tp_rbound_at(t, n->kids[1])->kind == TP_RBOUND_NULL) {
    add_set(k, n->kids[0], out);
  } else if (n->kind == TP_RBOUND_UNION) {
    for (uint32_t i = 0; i < n->n_kids; i++) {
      if (i) tp_str_add(out, i + 1 == n->n_kids ? " and " : ", ");
      add_set(k, n->kids[i], out);
    }
  } else {
    quote(k, b, out);
  }
}

static void add_set(const speaker *k, tp_rbound b, tp_str *out) {
  tp_str path = {0};
  if (add_path(k->s->t, b, &path))
    tp_str_printf(out, "`%s`", tp_str_text(&path));
  else
    add_operation(k, b, out);
  tp_str_clear(&path);
}

static void separate(uint32_t *n, tp_str *out) {
  if ((*n)++) tp_str_add(out, "; ");
}

static void add_members(tp_rsums *s, const tp_rsum_template *f, uint32_t *n, tp_str *out) {
  for (uint32_t i = 0; i < s->places.n; i++) {
    const tp_symbol *m = s->places.at[i].symbol;
    const tp_summary_frame frame = tp_summary_frame_of(s, f, i);
    if (!frame.may_change) continue;
    separate(n, out);
    if (m->kind == TP_SYMBOL_GLOBAL)
      tp_str_printf(out, "changes `%s`", m->name);
    else if (m->kind == TP_SYMBOL_ELEMENTS)
      tp_str_printf(out, "changes elements of %s", s->u->basics.at[m->basic].name);
    else
      tp_str_printf(out, "changes `%s`", m->name);
    if (m->kind == TP_SYMBOL_GLOBAL) continue;
    if (!frame.objects.id) {
      tp_str_printf(out, " of any %s", s->u->basics.at[m->basic].name);
      continue;
    }
    tp_str_add(out, " of ");
    add_set(&(speaker){s, f}, frame.objects, out);
    tp_str_add(out, " only");
  }
}

static void add_globals(tp_rsums *s, const tp_rsum_template *f, uint32_t *n, tp_str *out) {
  for (size_t i = 0; i < s->globals.n; i++) {
    const tp_var_info *info = tp_var_of(s->p, s->globals.at[i]);
    const tp_rinterval now = tp_rsums_global(s, f, s->globals.at[i]);
    if (info->enclosing_function || !info->type.id ||
        tp_rinterval_eq(now, tp_rinterval_exact(tp_rsums_name_of_var(s, s->globals.at[i]))))
      continue;
    separate(n, out);
    tp_str_printf(out, "changes `%s`", info->name);
  }
}

/* The first type of new objects inside; 0: none. */
static bool makes_objects(const tp_rsums *s, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(s->t, b);
  if (n->kind == TP_RBOUND_NEW || n->kind == TP_RBOUND_NEW_SET || n->kind == TP_RBOUND_UNIV)
    return true;
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (makes_objects(s, n->kids[i])) return true;
  return false;
}

/* Does it have a new object in all executions? */
static bool always_makes(const tp_rsums *s, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(s->t, b);
  if (n->kind == TP_RBOUND_IF) return always_makes(s, n->kids[1]) && always_makes(s, n->kids[2]);
  for (uint32_t i = 0; i < n->n_kids && n->kind == TP_RBOUND_UNION; i++)
    if (always_makes(s, n->kids[i])) return true;
  return n->kind == TP_RBOUND_NEW;
}

static void add_objects(tp_rsums *s, const tp_rsum_template *f, uint32_t *n, tp_str *out) {
  const bool makes = makes_objects(s, f->after.alloc.upper),
             always = always_makes(s, f->after.alloc.lower),
             keeps = tp_rbound_leq(s->t, s->alloc, f->after.alloc.lower);
  if (makes) {
    separate(n, out);
    tp_str_add(out, always ? "makes objects" : "may make objects");
  }
  if (!keeps) {
    separate(n, out);
    tp_str_add(out, "may end objects");
  }
}

void tp_summary_sentence(tp_rsums *s, const tp_rsum_template *f, tp_str *out) {
  uint32_t n = 0;
  if (f->refused) {
    tp_str_printf(out, "not known: %s", f->refused);
    return;
  }
  if (f->after.is_dead) {
    tp_str_add(out, "never returns");
    return;
  }
  add_members(s, f, &n, out);
  add_globals(s, f, &n, out);
  add_objects(s, f, &n, out);
  if (n == 0) tp_str_add(out, "changes nothing");
}
