/* The contract inside of the program: which relations it speaks of, where their values come from,
 * its clauses as functions (contracts/rel/rel_emit.h). The values before are read before the call,
 * those after it behind it; what never changes stands in the program. */
#include "contracts/modular/heap_program_priv.h"

#include "contracts/contracts_limits.h"

typedef enum {
  NOT_FOUND,
  BEFORE,
  AFTER,  // values of slots; number: field
  PARAM,  // number: which
  LAST,   // number: basic type
  THERE,
  RESULT,
  FIXED,  // the same in all heaps within the bounds
  CHOSEN  // ghosts, and what contracts of functions without bodies leave open: no heap shows it
} source_kind;
typedef struct {
  source_kind kind;
  uint32_t number;
  const char *name;
} source;

typedef struct {
  TP_VEC(tp_rel_emitted_formula) all;
  uint32_t n_assumptions;  // these come first
} clauses;

static bool is_relation(const tp_rheap *h, tp_rel_expr x, uint32_t relation) {
  const tp_rel_node *n = x.id ? tp_rel_at(h->l, x.id) : NULL;
  return n && n->kind == TP_REL_RELATION && n->number == relation;
}

static bool is_chosen(const tp_rheap *h, uint32_t relation) {
  for (uint32_t f = 0; f < h->fields.n; f++)
    if (h->fields.at[f].symbol->kind == TP_SYMBOL_GHOST &&
        (is_relation(h, h->fields.at[f].initial, relation) ||
         is_relation(h, h->fields.at[f].uninitialised, relation)))
      return true;
  for (size_t i = 0; i < h->havocs.n; i++)
    if (is_relation(h, h->havocs.at[i].relation, relation)) return true;
  return false;
}

static source find_source(const tp_heap_program *p, const tp_contract_vc *c, uint32_t relation) {
  const tp_heap_layout *l = p->l;
  const tp_rheap *h = l->h;
  for (uint32_t f = 0; f < h->fields.n; f++) {
    if (h->fields.at[f].is_inner || h->fields.at[f].symbol->kind == TP_SYMBOL_GHOST) continue;
    if (is_relation(h, h->fields.at[f].initial, relation)) return (source){BEFORE, f, NULL};
    if (is_relation(h, tp_contract_vc_after(c, f), relation)) return (source){AFTER, f, NULL};
  }
  for (uint32_t k = 0; k < l->n_params && k < h->inputs.n; k++)
    if (is_relation(h, h->inputs.at[k].initial, relation)) return (source){PARAM, k, NULL};
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (b > TP_OTHER_BASIC && h->types[b].is_used && is_relation(h, h->types[b].last, relation))
      return (source){LAST, b, NULL};
  if (is_relation(h, tp_contract_vc_allocated(c), relation)) return (source){THERE, 0, NULL};
  if (is_relation(h, tp_contract_vc_result(c), relation)) return (source){RESULT, 0, NULL};
  if (p->instance && is_chosen(h, relation)) return (source){CHOSEN, 0, NULL};
  const tp_rel_tuples *lower = tp_rel_lower(h->bounds, relation),
                      *upper = tp_rel_upper(h->bounds, relation);
  return (source){lower && upper && lower->n == upper->n ? FIXED : NOT_FOUND, 0, NULL};
}

// ------------------------------------------------------------------------- clauses

/* What is taken for granted, as the user wrote it; NULL: there are more clauses than formulas, or
 * fewer. */
static const char **texts_of_given(const tp_contract_vc *c, tp_arena *arena) {
  const char **texts = tp_arena_array(arena, const char *, c->assumptions.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < c->contracts->all.n; i++) {
    const tp_clause *clause = c->contracts->all.at[i].clause;
    const bool is_own = tp_function_contract_has(c->contract, i) &&
                        (clause->kind == TP_CLAUSE_REQUIRES || clause->kind == TP_CLAUSE_PRESERVES);
    if (!is_own && clause->kind != TP_CLAUSE_INVARIANT) continue;
    if (n == c->assumptions.n) return NULL;
    texts[n++] = tp_clause_text(clause, arena);
  }
  return n == c->assumptions.n ? texts : NULL;
}

static const char *text_of(const tp_contract_vc *c, const char *what, tp_pos pos, tp_arena *arena) {
  tp_str text = {0};
  tp_str_add(&text, what);
  while (text.n && text.text[text.n - 1] == '\n') text.text[--text.n] = 0;
  if (tp_pos_known(pos) && c->contracts->clauses->diag) {
    tp_str_add(&text, " (");
    tp_pos_print(c->contracts->clauses->diag, pos, &text);
    tp_str_add_char(&text, ')');
  }
  const char *own = tp_arena_strdup(arena, tp_str_text(&text));
  tp_str_clear(&text);
  return own;
}

static void clauses_init(clauses *s, const tp_contract_vc *c, tp_arena *arena) {
  *s = (clauses){.n_assumptions = (uint32_t)c->assumptions.n};
  const char **assumptions = texts_of_given(c, arena);
  for (size_t k = 0; k < c->assumptions.n; k++) {
    const char *text = assumptions ? text_of(c, assumptions[k], TP_POS_NONE, arena)
                                   : "what is required of it does not hold";
    tp_vec_push(&s->all, (tp_rel_emitted_formula){tp_arena_printf(arena, "tp_given_%zu", k + 1),
                                                  text, c->assumptions.at[k]});
  }
  for (size_t k = 0; k < c->two_state_goals.n; k++)
    tp_vec_push(&s->all,
                (tp_rel_emitted_formula){tp_arena_printf(arena, "tp_clause_%zu", k + 1),
                                         text_of(c, c->goals.at[k].what, c->goals.at[k].pos, arena),
                                         c->two_state_goals.at[k]});
}

bool tp_heap_program_can_say(const tp_heap_program *p, const tp_contract_vc *c) {
  const tp_rel *l = p->l->h->l;
  const uint32_t n = tp_rel_n_relations(l);
  tp_arena arena;
  clauses s;
  if (c->why || tp_rel_error(l) || c->two_state_goals.n != c->goals.n) return false;
  tp_arena_init(&arena);
  clauses_init(&s, c, &arena);
  bool *used = tp_arena_array(&arena, bool, n + 1), can = true;
  tp_rel_emit_used(l, s.all.at, s.all.n, used);
  for (uint32_t r = 0; r < n; r++)
    can = can && (!used[r] || find_source(p, c, r).kind != NOT_FOUND);
  tp_vec_clear(&s.all);
  tp_arena_clear(&arena);
  return can;
}

// ----------------------------------------------------------------------- relations

static void print_fixed(const tp_heap_program *p, const tp_rel_tuples *value, uint32_t relation,
                        tp_str *out) {
  const tp_rheap *h = p->l->h;
  const uint32_t arity = tp_rel_relation_arity(h->l, relation);
  if (value->n == 0) {
    tp_str_printf(out, "tp_none(%u);\n", arity);
    return;
  }
  tp_str_printf(out, "tp_list(%u, %zu, (const int[]){", arity, value->n);
  for (size_t t = 0; t < value->n; t++) {
    uint32_t atoms[TP_CONTRACTS_ARITY];
    tp_rel_tuple_atoms(h->atoms, value->at[t], arity, atoms);
    for (uint32_t i = 0; i < arity; i++)
      tp_str_printf(out, "%s%s", t || i ? ", " : "", p->atoms[atoms[i]]);
  }
  tp_str_add(out, "});\n");
}

static void print_param(const tp_heap_program *p, uint32_t param, tp_str *out) {
  for (size_t k = 0; k < p->l->slots.n; k++) {
    const tp_heap_slot *s = &p->l->slots.at[k];
    if (s->kind != TP_HEAP_SLOT_PARAM || s->field != param) continue;
    const bool is_pointer = tp_heap_layout_is_pointer(p->l, k);
    if (!p->at)
      tp_str_printf(
          out, is_pointer ? "tp_only(tp_asked[%zu]);\n" : "tp_only(TP_INT(tp_asked[%zu]));\n", k);
    else if (is_pointer)
      tp_str_printf(out, "tp_only(%s);\n", p->atoms[p->at[k]]);
    else
      tp_str_printf(out, "tp_only(TP_INT(%lld));\n", (long long)p->at[k]);
  }
}

/* What is known before the call. */
static void print_known(const tp_heap_program *p, const source *sources, uint32_t n, tp_str *out) {
  const tp_rheap *h = p->l->h;
  tp_str_add(out, "static void tp_relations(void) {\n");
  for (uint32_t r = 0; r < n; r++) {
    const source *s = &sources[r];
    if (!s->name) continue;
    tp_str_printf(out, "  %s = ", s->name);
    if (s->kind == FIXED)
      print_fixed(p, tp_rel_lower(h->bounds, r), r, out);
    else if (s->kind == CHOSEN)
      print_fixed(p, &p->instance->of[r], r, out);
    else if (s->kind == PARAM)
      print_param(p, s->number, out);
    else if (s->kind == LAST)
      tp_str_printf(out, "tp_last(%s, %u);\n", p->atoms[h->types[s->number].atoms.at[0]],
                    tp_rheap_n_objects(h, s->number));
    else
      tp_str_printf(out, "tp_none(%u);\n", tp_rel_relation_arity(h->l, r));
  }
  tp_str_add(out, "}\n\n");
}

static const char *name_of_slot(const source *sources, uint32_t n, source_kind kind,
                                uint32_t field) {
  for (uint32_t r = 0; r < n; r++)
    if (sources[r].name && sources[r].kind == kind && sources[r].number == field)
      return sources[r].name;
  return NULL;
}

static void print_slots(const tp_heap_program *p, const source *sources, uint32_t n, tp_str *out) {
  const tp_rheap *h = p->l->h;
  uint32_t n_slots = 0;
  tp_str_add(out,
             "/* Places of the heap: where tp_look puts them, what they belong to. */\n"
             "static const struct { int number, owner, index, is_pointer; tp_set **before, "
             "**after; } tp_slots[] = {\n");
  for (size_t k = 0; k < p->l->slots.n; k++) {
    const tp_heap_slot *s = &p->l->slots.at[k];
    if (s->kind != TP_HEAP_SLOT_FIELD) continue;
    const char *before = name_of_slot(sources, n, BEFORE, s->field),
               *after = name_of_slot(sources, n, AFTER, s->field);
    const tp_symbol *symbol = h->fields.at[s->field].symbol;
    const bool is_global = symbol->kind == TP_SYMBOL_GLOBAL;
    tp_str_printf(out, "  {%zu, %s, %lld, %d, ", k, is_global ? "-1" : p->atoms[s->owner],
                  (long long)s->index, tp_heap_layout_is_pointer(p->l, k));
    tp_str_printf(out, "%s%s, %s%s},\n", before ? "&" : "", before ? before : "0", after ? "&" : "",
                  after ? after : "0");
    n_slots++;
  }
  tp_str_printf(out, "  {0}};\nenum { TP_SLOTS = %u };\n\n", n_slots);
}

/* Variables for the relations; constants among them never change, the others are filled from the
 * heap. */
static void print_variables(tp_heap_program *p, const tp_contract_vc *c, source *sources,
                            const bool *used, uint32_t n, tp_str *out) {
  const tp_rheap *h = p->l->h;
  for (uint32_t r = 0; r < n; r++) {
    if (!used[r]) continue;
    sources[r] = find_source(p, c, r);
    const source_kind k = sources[r].kind;
    const char *name = tp_rel_relation_name(h->l, r);
    if (k == AFTER)
      name = tp_arena_printf(
          &p->arena, "%s after",
          tp_rel_relation_name(
              h->l, tp_rel_relation_number(h->l, h->fields.at[sources[r].number].initial)));
    if (k == PARAM) name = h->inputs.at[sources[r].number].symbol->name;
    sources[r].name = tp_heap_program_identifier(p, "r_", name, tp_rel_n_atoms(h->atoms) + r);
    tp_str_printf(out, "static %stp_set *%s;\n", k == BEFORE || k == AFTER ? "" : "const ",
                  sources[r].name);
  }
  tp_str_add_char(out, '\n');
}

static void print_string(const char *text, tp_str *out) {
  tp_str_add_char(out, '"');
  for (; *text; text++) {
    if (*text == '\n')
      tp_str_add(out, "\\n");
    else {
      if (*text == '"' || *text == '\\' || *text == '?') tp_str_add_char(out, '\\');
      tp_str_add_char(out, *text);
    }
  }
  tp_str_add_char(out, '"');
}

static void print_table(const char *name, const char *count, const tp_rel_emitted_formula *all,
                        size_t n, tp_str *out) {
  tp_str_printf(
      out, "static const struct { tp_truth (*holds)(void); const char *clause; } %s[] = {\n", name);
  for (size_t k = 0; k < n; k++) {
    tp_str_printf(out, "  {%s, ", all[k].function);
    print_string(all[k].comment, out);
    tp_str_add(out, "},\n");
  }
  tp_str_printf(out, "  {0}};\nenum { %s = %zu };\n", count, n);
}

static const char *const contract_definitions[] = {
#include "contracts/rel/contract.inc"  // made by the Makefile from lib/replay/contract.c
};

void tp_heap_program_print_contract(tp_heap_program *p, const tp_contract_vc *c, tp_str *out) {
  const tp_rel *l = p->l->h->l;
  const uint32_t n = tp_rel_n_relations(l);
  source *sources = tp_arena_array(&p->arena, source, n + 1);
  const char **names = tp_arena_array(&p->arena, const char *, n + 1);
  bool *used = tp_arena_array(&p->arena, bool, n + 1);
  clauses s;
  clauses_init(&s, c, &p->arena);
  tp_rel_emit_used(l, s.all.at, s.all.n, used);
  used[tp_rel_relation_number(l, tp_contract_vc_allocated(c))] =
      used[tp_rel_relation_number(l, tp_contract_vc_result(c))] = true;
  tp_rel_emit_definitions(out);
  tp_str_add(out, "/* The relations of the contract: before the call, and after it. */\n");
  print_variables(p, c, sources, used, n, out);
  p->allocated = sources[tp_rel_relation_number(l, tp_contract_vc_allocated(c))].name;
  p->result = sources[tp_rel_relation_number(l, tp_contract_vc_result(c))].name;
  for (uint32_t r = 0; r < n; r++) names[r] = sources[r].name;
  tp_rel_emit(l, s.all.at, s.all.n, names, out);
  print_table("tp_given", "TP_N_GIVEN", s.all.at, s.n_assumptions, out);
  print_table("tp_claims", "TP_N_CLAIMS", s.all.at + s.n_assumptions, s.all.n - s.n_assumptions,
              out);
  print_slots(p, sources, n, out);
  for (size_t i = 0; i < sizeof contract_definitions / sizeof *contract_definitions; i++)
    tp_str_add(out, contract_definitions[i]);
  print_known(p, sources, n, out);
  tp_vec_clear(&s.all);
}

// ---------------------------------------------------------------------------- main

void tp_heap_program_print_before(const tp_heap_program *p, tp_str *out) {
  (void)p;
  tp_str_add(
      out,
      "  tp_relations();\n  tp_look(tp_post);\n  const char *why = tp_relate(tp_post, 0);\n  if "
      "(why) return tp_no_answer(\"before\", why);\n  if (tp_may_be_called() != 0) return 2;\n");
}

void tp_heap_program_print_after(const tp_heap_program *p, tp_str *out) {
  const tp_heap_layout *l = p->l;
  const tp_type result = tp_heap_program_result_type(l);
  const size_t n = l->slots.n;
  tp_str_add(out,
             "  why = tp_relate(tp_post, 1);\n  if (why) return tp_no_answer(\"after\", why);\n");
  tp_str_printf(out,
                "  if (tp_post[%zu] == TP_UNKNOWN) return tp_no_answer(\"after\", \"there is an "
                "object of a type that is not known\");\n",
                n);
  if (result.id) {
    tp_str_printf(out, "  const long atom = tp_atom_of_value(tp_post[%zu], %d);\n", n,
                  !tp_rheap_is_integer(l->h, result));
    tp_str_printf(out,
                  "  if (atom < 0) return tp_no_answer(\"after\", \"the result does not fit the "
                  "width\");\n  %s = tp_only(atom);\n",
                  p->result);
  }
  tp_str_printf(out, "  %s = tp_there();\n  tp_moment++;\n  return tp_judge();\n", p->allocated);
}
