/* The meanings that a name can have in a scope: variables hide parameters, these hide the names of
 * the program; of members of several structs all are candidates until their types decide. Unknown
 * names are reported with the nearest known one. */
#include "contracts/spec/resolve_priv.h"

static uint32_t distance(const char *a, const char *b) {
  uint32_t row[41];
  const size_t n = strlen(a), m = strlen(b);
  if (n > 40 || m > 40) return 100;
  for (size_t k = 0; k <= m; k++) row[k] = (uint32_t)k;
  for (size_t i = 1; i <= n; i++) {
    uint32_t corner = row[0];
    row[0] = (uint32_t)i;
    for (size_t k = 1; k <= m; k++) {
      uint32_t best = corner + (a[i - 1] != b[k - 1]);
      corner = row[k];
      if (row[k] + 1 < best) best = row[k] + 1;
      if (row[k - 1] + 1 < best) best = row[k - 1] + 1;
      row[k] = best;
    }
  }
  return row[m];
}

/* The known name that is nearest; NULL: none is near. */
static const char *nearest(const tp_spec_scope *s, const char *name) {
  const char *best = NULL;
  uint32_t least = strlen(name) < 4 ? 2 : 3;
  for (size_t i = 0; i < s->m->object_model->symbols.n + s->n_params + s->bound.n; i++) {
    const size_t n = s->m->object_model->symbols.n;
    const tp_symbol *c = i < n                 ? s->m->object_model->symbols.at[i]
                         : i < n + s->n_params ? s->params[i - n]
                                               : s->bound.at[i - n - s->n_params];
    const uint32_t d = c->name && c->name[0] != '\\' ? distance(name, c->name) : 100;
    if (d < least) best = c->name, least = d;
  }
  return best;
}

static void add_program_names(const tp_spec_scope *s, const char *name,
                              tp_name_candidate_list *out) {
  const tp_object_model *u = s->m->object_model;
  for (size_t i = 0; i < u->symbols.n; i++)
    if (strcmp(u->symbols.at[i]->name, name) == 0)
      tp_vec_push(out, (tp_name_candidate){u->symbols.at[i],
                                           u->symbols.at[i]->kind == TP_SYMBOL_FUNCTION ? 3 : 2});
  uint32_t basic;
  if (!tp_object_model_struct(u, name, &basic)) return;
  for (size_t i = 0; i < u->symbols.n; i++)
    if (u->symbols.at[i]->kind == TP_SYMBOL_SET && u->symbols.at[i]->basic == basic &&
        strcmp(u->symbols.at[i]->name, name) != 0)
      tp_vec_push(out, (tp_name_candidate){u->symbols.at[i], 4});  // a typedef name
}

static bool add_members(tp_spec_scope *s, const tp_spec_expr *x, tp_name_candidate_list *out) {
  const tp_object_model *u = s->m->object_model;
  uint32_t basic;
  if (!tp_object_model_struct(u, x->owner, &basic))
    return tp_spec_scope_wrong(s, x->pos, "the program has no type '%s'", x->owner);
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *c = u->symbols.at[i];
    const bool is_member = c->kind == TP_SYMBOL_FIELD ||
                           ((c->kind == TP_SYMBOL_MODEL || c->kind == TP_SYMBOL_GHOST) && c->basic);
    if (is_member && c->basic == basic && strcmp(c->name, x->name) == 0)
      tp_vec_push(out, (tp_name_candidate){c, 2});
  }
  return out->n ||
         tp_spec_scope_wrong(s, x->pos, "%s has no member '%s'", u->basics.at[basic].name, x->name);
}

bool tp_find_candidates(tp_spec_scope *s, const tp_spec_expr *x, tp_name_candidate_list *out) {
  TP_REQUIRE(x->name && out->n == 0);
  if (x->owner && *x->owner) return add_members(s, x, out);
  for (size_t i = s->bound.n; !x->owner && i-- > 0;)
    if (strcmp(s->bound.at[i]->name, x->name) == 0) {
      tp_vec_push(out, (tp_name_candidate){s->bound.at[i], 0});
      break;
    }
  for (uint32_t i = s->n_params; i-- > 0;)
    if (s->params[i]->name && strcmp(s->params[i]->name, x->name) == 0) {
      tp_vec_push(out, (tp_name_candidate){s->params[i], 1});
      break;
    }
  add_program_names(s, x->name, out);
  if (out->n) return true;
  if (strcmp(x->name, "\\content") == 0)
    return tp_spec_scope_wrong(
        s, x->pos, "\\content stands at the end of what modifies names, and nowhere else");
  if (strcmp(x->name, "NULL") == 0)
    return tp_spec_scope_wrong(s, x->pos, "nothing is called 'NULL' here: write null");
  const char *near = nearest(s, x->name);
  if (near)
    return tp_spec_scope_wrong(s, x->pos, "nothing is called '%s' here; did you mean '%s'?",
                               x->name, near);
  return tp_spec_scope_wrong(
      s, x->pos,
      "nothing is called '%s' here: no variable, parameter, global, member or named formula "
      "(macros are not expanded in contracts, and the model has no enumerators)",
      x->name);
}

/* Types of what contracts declare are known before they are used; names without a type
 * are no candidates, but the reason is kept. */
bool tp_keep_usable(tp_spec_scope *s, const tp_spec_expr *x, tp_name_candidate_list *list) {
  TP_REQUIRE(list->n > 0);
  const tp_symbol *refused = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    const tp_symbol *c = list->at[i].symbol;
    if (c->clause && !tp_symbol_type(s, x->pos, (tp_symbol *)(uintptr_t)c)) return false;
    if (c->refused)
      refused = c;
    else
      list->at[kept++] = list->at[i];
  }
  list->n = kept;
  if (kept) return true;
  return tp_spec_scope_wrong(s, x->pos, "'%s' cannot be used in a contract: %s", x->name,
                             refused ? refused->refused : "it has no type");
}

static bool is_named(const tp_symbol *c) {
  return c->kind == TP_SYMBOL_PRED || c->kind == TP_SYMBOL_FUN;
}

const tp_symbol *tp_callee_of(const tp_name_candidate_list *list) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].rank < 2) return NULL;
  for (size_t i = 0; i < list->n; i++)
    if (is_named(list->at[i].symbol)) return list->at[i].symbol;
  return NULL;
}
