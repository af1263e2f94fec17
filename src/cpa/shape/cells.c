/* What is tracked: kinds of cells, pointers, facts about data; all found in the program.
 *
 * A kind of cells is a structure with pointers to itself; which description of lib/shape fits is
 * told by their number, and for two of them by their names. Pointers are variables that may lead to
 * such cells. Facts about data are equations with the constants that the program stores in a
 * member, or compares it with: two different ones exclude each other. */
#include "base/beside.h"
#include "cpa/shape/shape_priv.h"
#include "smt/smt.h"

#include <ctype.h>
#include <stdio.h>

enum { MOST_FIELDS = 4, MOST_COMPARISONS = 5 };

/* A structure that may be a kind of cells. */
typedef struct {
  tp_type type;
  const tp_type_info *info;
  uint32_t n_links;
  const tp_member *links[MOST_FIELDS];
} candidate;

// ------------------------------------------------------------------- structures

/* A typedef is a type of its own, with the members of the structure that it names. */
static bool is_same(const tp_program *p, tp_type a, tp_type b) {
  const tp_type_info *x = tp_type_of(p, a), *y = tp_type_of(p, b);
  return a.id == b.id || (x->kind == TP_T_STRUCT && y->kind == TP_T_STRUCT && x->n_members &&
                          x->members == y->members);
}

/* Is a pointer read at this offset of the structure, as far as types tell? */
static bool is_followed(const tp_program *p, tp_type structure, uint64_t offset) {
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    tp_access a;
    if (e->kind != TP_E_LOAD ||
        tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, e->var)->term)) != TP_SORT_PTR)
      continue;
    if (!tp_access_of(p, e->a, &a) || !a.var.id || tp_term_is(a.index)) return true;
    if (a.offset < 0 || (uint64_t)a.offset != offset) continue;
    const tp_type type = tp_var_of(p, a.var)->type;
    const tp_type_info *t = type.id ? tp_type_of(p, type) : NULL;
    const bool is_other = t && t->kind == TP_T_POINTER && t->element.id &&
                          tp_type_of(p, t->element)->kind == TP_T_STRUCT &&
                          !is_same(p, t->element, structure);
    if (!is_other) return true;
  }
  return false;
}

/* A link that nobody follows (a way back that is set and never gone) is data: graphs that do not
 * tell it are fewer. */
static void drop_unfollowed(const tp_program *p, candidate *c) {
  const tp_member *followed[MOST_FIELDS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_links && c->n_links <= MOST_FIELDS; i++)
    if (is_followed(p, c->type, c->links[i]->offset_bits / 8)) followed[n++] = c->links[i];
  if (n == 0) return;
  memcpy(c->links, followed, n * sizeof *followed);
  c->n_links = n;
}

static candidate candidate_of(const tp_program *p, tp_type type) {
  candidate c = {.type = type, .info = tp_type_of(p, type)};
  for (uint32_t i = 0; c.info->kind == TP_T_STRUCT && i < c.info->n_members; i++) {
    const tp_member *m = &c.info->members[i];
    const tp_type_info *t = tp_type_of(p, m->type);
    if (m->width_bits || t->kind != TP_T_POINTER || !t->element.id || !is_same(p, t->element, type))
      continue;
    if (c.n_links < MOST_FIELDS) c.links[c.n_links] = m;
    c.n_links++;
  }
  drop_unfollowed(p, &c);
  return c;
}

/* Names of links that lead back, or up. */
static bool leads_back(const char *name) {
  char low[16] = {0};
  for (size_t i = 0; i + 1 < sizeof low && name[i]; i++)
    low[i] = (char)tolower((unsigned char)name[i]);
  return strstr(low, "prev") || strstr(low, "back") || strstr(low, "last") || strstr(low, "pred") ||
         strcmp(low, "p") == 0 || strcmp(low, "b") == 0;
}

static const char *description_for(const candidate *c) {
  if (c->n_links == 1) return "sll";
  if (c->n_links == 2)
    return leads_back(c->links[1]->name) || leads_back(c->links[0]->name) ? "dll" : "tree";
  return c->n_links == 3 ? "treep" : NULL;
}

/* Is the word in the list of words? */
static bool names(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ')) return true;
  return false;
}

// ---------------------------------------------------------------------- objects

static bool allocates(const tp_heaps *h, const tp_edge_info *e, uint64_t size_bytes, bool *maybe) {
  uint64_t size;
  if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP) return false;
  *maybe = !tp_bv_value_u64(h->tt, e->a, &size);
  return *maybe || size == size_bytes;
}

static bool find_holders(const tp_heaps *h, tp_heaps_kind *k) {
  bool maybe;
  k->holds = tp_arena_array(&h->cpa->arena, bool, tp_pointsto_n_classes(h->pt) + 1);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    if (!allocates(h, &h->p->edges.at[i], k->seen.size_bytes, &maybe)) continue;
    const tp_class c = tp_pointsto_of_alloc(h->pt, (tp_edge){i});
    if (c.id != TP_CLASS_ANY.id) k->holds[c.id] = true;
    k->is_anywhere = true;
  }
  return k->is_anywhere;
}

bool tp_heaps_may_hold(const tp_heaps *h, const tp_heaps_kind *k, tp_term address) {
  const tp_class c = tp_pointsto_of_address(h->pt, address);
  return c.id == TP_CLASS_ANY.id ? k->is_anywhere : k->holds[c.id];
}

/* The sizes of heap objects; false: some are not known. */
static bool find_sizes(tp_heaps *h) {
  uint64_t size;
  h->sizes = tp_arena_array(&h->cpa->arena, uint64_t, h->p->edges.n);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP) continue;
    if (!tp_bv_value_u64(h->tt, e->a, &size)) return false;
    uint32_t k = 0;
    while (k < h->n_sizes && h->sizes[k] != size) k++;
    if (k == h->n_sizes) h->sizes[h->n_sizes++] = size;
  }
  return true;
}

// --------------------------------------------------------------------- pointers

static bool may_track(const tp_heaps *h, const tp_heaps_kind *k, tp_var v) {
  const tp_var_info *info = tp_var_of(h->p, v);
  if (info->kind == TP_V_GHOST || info->is_address ||
      tp_sort_kind_of(h->tt, tp_sort_of(h->tt, info->term)) != TP_SORT_PTR)
    return false;
  if (!tp_heaps_may_hold(h, k, info->term)) return false;
  if (!info->type.id) return true;
  const tp_type_info *t = tp_type_of(h->p, info->type);
  if (t->kind != TP_T_POINTER || !t->element.id || is_same(h->p, t->element, k->seen.structure))
    return true;
  return tp_type_of(h->p, t->element)->kind != TP_T_STRUCT;
}

static bool find_pointers(tp_heaps *h, tp_heaps_kind *k, const char *track, tp_tracked *out,
                          uint32_t *n, tp_str *why) {
  tp_var *pointers = tp_arena_array(&h->cpa->arena, tp_var, TP_HEAPS_MAX_POINTERS);
  k->slot = tp_arena_array(&h->cpa->arena, int16_t, h->p->vars.n);
  for (uint32_t v = 0; v < h->p->vars.n; v++) k->slot[v] = TP_UNKNOWN_SLOT;
  for (uint32_t v = 1; v < h->p->vars.n && strcmp(track, "none") != 0; v++) {
    const tp_var_info *info = &h->p->vars.at[v];
    if (!may_track(h, k, (tp_var){v}) || (strcmp(track, "all") != 0 && !names(track, info->name)))
      continue;
    if (*n == TP_HEAPS_MAX_POINTERS) {
      if (strcmp(track, "all") == 0) break;
      tp_str_printf(why, "shape.track: more than %d variables have these names",
                    TP_HEAPS_MAX_POINTERS);
      return false;
    }
    k->slot[v] = (int16_t)*n;
    pointers[*n] = (tp_var){v};
    out[(*n)++] = (tp_tracked){tp_arena_printf(&h->cpa->arena, "%s#%u", info->name, v), true};
  }
  k->seen.pointers = pointers;
  k->object = tp_arena_array(&h->cpa->arena, tp_term, *n + 1);
  for (uint32_t i = 0; i < *n; i++)
    k->object[i] = tp_mk_var(h->tt, "object", tp_sort_bv(h->tt, TP_OBJ_BITS));
  return true;
}

// ------------------------------------------------------------------------- data

typedef struct {
  tp_heaps *h;
  tp_heaps_kind *k;
  tp_heap_datum *at;
  uint32_t n;
} data_list;

static bool is_field(const tp_heaps_kind *k, uint64_t offset, uint64_t bytes,
                     uint64_t pointer_bytes) {
  for (uint32_t f = 0; f < k->entry->fields.n; f++)
    if (offset < k->seen.offsets[f] + pointer_bytes && k->seen.offsets[f] < offset + bytes)
      return true;
  return false;
}

/* The symbol for a number at this place of a cell; NONE: there is a link. */
static tp_term symbol_of(const data_list *l, uint64_t offset, tp_sort sort) {
  const uint32_t width = tp_sort_width(l->h->tt, sort);
  if (is_field(l->k, offset, width / 8, l->h->p->ptr_bits / 8)) return TP_TERM_NONE;
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i].offset == offset && l->at[i].width_bits == width) return l->at[i].value;
  return tp_mk_var(l->h->tt, "datum", sort);
}

/* A number and a constant are equal: different ones exclude each other. */
static bool is_equation(const tp_heaps *h, tp_term fact) {
  return tp_kind(h->tt, fact) == TP_OP_EQ &&
         (tp_is_const(h->tt, tp_arg(h->tt, fact, 0)) || tp_is_const(h->tt, tp_arg(h->tt, fact, 1)));
}

static void add_fact(data_list *l, uint64_t offset, tp_term value, tp_term fact) {
  if (l->n == TP_HEAPS_MAX_DATA || tp_is_const(l->h->tt, fact)) return;
  for (uint32_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i].fact, fact) || tp_term_eq(l->at[i].fact, tp_mk_not(l->h->tt, fact)))
      return;
  l->at[l->n++] =
      (tp_heap_datum){offset, tp_width(l->h->tt, value), value, fact, is_equation(l->h, fact)};
}

static void add_equation(data_list *l, uint64_t offset, tp_term constant) {
  const tp_term value = symbol_of(l, offset, tp_sort_of(l->h->tt, constant));
  if (tp_term_is(value)) add_fact(l, offset, value, tp_mk_eq(l->h->tt, value, constant));
}

/* The address is that of a number in a cell: pointer variable and offset. */
static bool is_in_cell(const data_list *l, tp_term address, uint64_t *offset) {
  tp_access a;
  if (!tp_access_of(l->h->p, address, &a) || !a.var.id || tp_term_is(a.index) || a.offset < 0 ||
      tp_heaps_slot(l->k, a.var) < 0)
    return false;
  *offset = (uint64_t)a.offset;
  return true;
}

typedef struct {
  data_list *l;
  tp_var var;  // that was loaded
  uint64_t offset;
} comparison;

/* Equations between the variable and constants, anywhere in the term. */
static void look_for_constants(const comparison *x, tp_term root) {
  const tp_terms *tt = x->l->h->tt;
  const tp_term var = tp_var_of(x->l->h->p, x->var)->term;
  tp_term_list todo = {0};
  tp_vec_push(&todo, root);
  for (uint32_t budget = 200; todo.n && budget; budget--) {
    const tp_term t = tp_vec_pop(&todo);
    for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
      const tp_term a = tp_arg(tt, t, i);
      if (tp_kind(tt, t) == TP_OP_EQ && tp_term_eq(a, var) &&
          tp_kind(tt, tp_arg(tt, t, 1 - i)) == TP_OP_BV_CONST)
        add_equation(x->l, x->offset, tp_arg(tt, t, 1 - i));
      tp_vec_push(&todo, a);
    }
  }
  tp_vec_clear(&todo);
}

// Comparisons of a number with what does not change in cells: constants, and variables that are no
// temporaries.

typedef struct {
  const comparison *x;
  bool mentions, is_plain;
} operands;

static void see_operand(void *ctx, tp_term t) {
  operands *o = ctx;
  const tp_heaps *h = o->x->l->h;
  const tp_var v = tp_program_var_of(h->p, t);
  const tp_var_info *info = v.id ? tp_var_of(h->p, v) : NULL;
  if (v.id == o->x->var.id)
    o->mentions = true;
  else
    o->is_plain = o->is_plain && info && info->kind != TP_V_TEMP && info->kind != TP_V_GHOST &&
                  !info->is_address && tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_BV;
}

typedef struct {
  tp_term from, to;
} renaming;
static tp_term rename_symbol(void *ctx, tp_term t) {
  const renaming *r = ctx;
  return tp_term_eq(t, r->from) ? r->to : TP_TERM_NONE;
}

static bool is_comparison(const tp_terms *tt, tp_term t) {
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: return true;
    case TP_OP_EQ: return tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BV;
    default: return false;
  }
}

static void look_for_comparisons(const comparison *x, tp_term root) {
  tp_terms *tt = x->l->h->tt;
  const tp_term var = tp_var_of(x->l->h->p, x->var)->term;
  tp_term_list todo = {0};
  tp_vec_push(&todo, root);
  for (uint32_t budget = 200; todo.n && budget; budget--) {
    const tp_term t = tp_vec_pop(&todo);
    if (!is_comparison(tt, t)) {
      for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
        if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) == TP_SORT_BOOL)
          tp_vec_push(&todo, tp_arg(tt, t, i));
      continue;
    }
    operands o = {x, false, true};
    tp_for_vars(tt, t, see_operand, &o);
    const tp_term value =
        o.mentions && o.is_plain ? symbol_of(x->l, x->offset, tp_sort_of(tt, var)) : TP_TERM_NONE;
    renaming r = {var, value};
    if (tp_term_is(value) && x->l->n < MOST_COMPARISONS)
      add_fact(x->l, x->offset, value, tp_subst(tt, t, rename_symbol, &r, NULL));
  }
  tp_vec_clear(&todo);
}

static void find_comparisons(data_list *l) {
  const tp_heaps *h = l->h;
  uint64_t offset;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_LOAD || !is_in_cell(l, e->a, &offset) ||
        tp_sort_kind_of(h->tt, tp_sort_of(h->tt, tp_var_of(h->p, e->var)->term)) != TP_SORT_BV)
      continue;
    for (uint32_t k = 1; k < h->p->edges.n; k++)
      if (h->p->edges.at[k].kind == TP_E_ASSUME)
        look_for_comparisons(&(comparison){l, e->var, offset}, h->p->edges.at[k].a);
  }
}

/* A constant that is stored decides comparisons; that it is this one is no matter of its own then.
 */
static bool is_compared(const data_list *l, uint64_t offset) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i].offset == offset && !l->at[i].is_separating) return true;
  return false;
}

static void find_data(data_list *l) {
  const tp_heaps *h = l->h;
  uint64_t offset;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind == TP_E_STORE && tp_kind(h->tt, e->b) == TP_OP_BV_CONST &&
        is_in_cell(l, e->a, &offset) && !is_compared(l, offset))
      add_equation(l, offset, e->b);
    if (e->kind != TP_E_LOAD || !is_in_cell(l, e->a, &offset)) continue;
    for (uint32_t k = 1; k < h->p->edges.n; k++)
      if (h->p->edges.at[k].kind == TP_E_ASSUME)
        look_for_constants(&(comparison){l, e->var, offset}, h->p->edges.at[k].a);
  }
}

static uint32_t find_exclusions(const data_list *l, uint8_t (*out)[2]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->n; i++)
    for (uint32_t k = i + 1; k < l->n; k++)
      if (tp_is_false(l->h->tt, tp_mk_and(l->h->tt, l->at[i].fact, l->at[k].fact)))
        out[n][0] = (uint8_t)i, out[n++][1] = (uint8_t)k;
  return n;
}

static tp_assertion assertion_of(tp_heaps *h, const tp_heaps_kind *k, const tp_heap_datum *d) {
  tp_str text = {0};
  if (tp_access_member(h->p, k->seen.structure, d->offset, d->width_bits / 8, &text).id == 0)
    tp_str_printf(&text, "[%llu]", (unsigned long long)d->offset);
  const bool is_eq = is_equation(h, d->fact);
  const tp_term constant = is_eq && tp_is_const(h->tt, tp_arg(h->tt, d->fact, 0))
                               ? tp_arg(h->tt, d->fact, 0)
                               : tp_arg(h->tt, d->fact, 1);
  tp_str_add(&text, is_eq ? " = " : ": ");
  tp_print_c(h->tt, is_eq ? constant : d->fact, TP_C_READABLE, &text);
  const tp_assertion a = {.text = tp_arena_strdup(&h->cpa->arena, tp_str_text(&text)),
                          .is_separating = d->is_separating};
  tp_str_clear(&text);
  return a;
}

// ------------------------------------------------------------------------ kinds

static tp_entry *read_description(const tp_heaps *h, const char *name, tp_str *why) {
  static const char *const places[] = {"../lib/twoproof/shape", "lib/shape",
                                       "../lib/shape",          "../../../lib/shape",
                                       "../../../../lib/shape", NULL};
  char folder[4096], path[8192];
  snprintf(path, sizeof path, "%s.scg", name);
  if (!tp_find_beside_executable(places, path, folder, sizeof folder)) {
    tp_str_printf(why, "shape.classes: there is no description '%s'", name);
    return NULL;
  }
  snprintf(path, sizeof path, "%s/%s.scg", folder, name);
  tp_entry *entry = TP_NEW(tp_entry);
  if (tp_entry_read(entry, path, h->p->diag) == TP_OK && entry->orders.n == 0) return entry;
  tp_str_printf(
      why, "shape.classes: '%s' %s", name,
      entry->orders.n ? "speaks of orders, which programs are not asked for" : "cannot be read");
  tp_entry_clear(entry);
  tp_free(entry);
  return NULL;
}

/* Numbers in cells rarely matter where only memory is asked about. */
static bool compares_data(const tp_heaps *h) {
  return strcmp(tp_cpa_setting(h->cpa, "data", "auto"), "auto") == 0 &&
         tp_property_covers(h->cpa->env->property, TP_P_UNREACH_CALL);
}

static bool make_class(tp_heaps *h, tp_heaps_kind *k, const candidate *c, tp_str *why) {
  const char *fields[MOST_FIELDS];
  tp_tracked pointers[TP_HEAPS_MAX_POINTERS];
  tp_assertion assertions[TP_HEAPS_MAX_DATA];
  uint8_t exclusions[TP_HEAPS_MAX_DATA * TP_HEAPS_MAX_DATA][2];
  uint32_t n = 0;
  uint64_t *offsets = tp_arena_array(&h->cpa->arena, uint64_t, MOST_FIELDS);
  data_list data = {h, k, tp_arena_array(&h->cpa->arena, tp_heap_datum, TP_HEAPS_MAX_DATA), 0};
  k->seen.structure = c->type;
  k->seen.offsets = offsets;
  k->seen.data = data.at;
  for (uint32_t i = 0; i < c->n_links; i++) {
    fields[i] = c->links[i]->name;
    offsets[i] = c->links[i]->offset_bits / 8;
  }
  if (!find_pointers(h, k, tp_cpa_setting(h->cpa, "track", "all"), pointers, &n, why)) return false;
  if (compares_data(h)) find_comparisons(&data);
  if (strcmp(tp_cpa_setting(h->cpa, "data", "auto"), "none") != 0) find_data(&data);
  for (uint32_t i = 0; i < data.n; i++) assertions[i] = assertion_of(h, k, &data.at[i]);
  const tp_tracking d = {.pointers = pointers,
                         .n_pointers = n,
                         .assertions = assertions,
                         .n_assertions = data.n,
                         .exclusions = (const uint8_t(*)[2])exclusions,
                         .n_exclusions = find_exclusions(&data, exclusions)};
  if (tp_shape_class_new((tp_generator){k->entry, tp_entry_all_families(k->entry)}, fields, &d,
                         &k->c) != TP_OK) {
    tp_str_printf(why, "shape: too much is tracked for '%s'; name fewer variables with shape.track",
                  k->entry->name);
    return false;
  }
  k->e = k->seen.engine = tp_shape_engine_new(k->c);
  return true;
}

/* One kind for the structure and this description; false: why. A structure that is never allocated
 * makes none. */
static bool add_kind(tp_heaps *h, const candidate *c, const char *description, tp_str *why) {
  tp_heaps_kind k = {.seen.size_bytes = c->info->size_bytes};
  if (!find_holders(h, &k)) return true;
  k.entry = read_description(h, description, why);
  if (!k.entry) return false;
  tp_heaps_kind *grown = tp_arena_array(&h->cpa->arena, tp_heaps_kind, h->n + 1);
  if (h->n) memcpy(grown, h->kinds, h->n * sizeof *grown);
  grown[h->n] = k;
  h->kinds = grown;
  h->n++;
  if (k.entry->fields.n == c->n_links) return make_class(h, &h->kinds[h->n - 1], c, why);
  tp_str_printf(why, "shape.classes: '%s' has %zu links, '%s' has %u", description,
                k.entry->fields.n, c->info->name, c->n_links);
  return false;
}

/* Another name of a structure that came before. */
static bool is_repeated(const tp_program *p, uint32_t type) {
  for (uint32_t t = 1; t < type; t++)
    if (is_same(p, (tp_type){t}, (tp_type){type})) return true;
  return false;
}

static bool find_kinds(tp_heaps *h, const char *classes, tp_str *why) {
  static const char *const known[] = {"sll", "ring", "queue", "dll", "tree", "treep"};
  static const uint32_t n_links[] = {1, 1, 1, 2, 2, 3};
  for (uint32_t t = 1; t < h->p->types.n; t++) {
    const candidate c = candidate_of(h->p, (tp_type){t});
    if (c.n_links == 0 || c.n_links > MOST_FIELDS || is_repeated(h->p, t)) continue;
    if (strcmp(classes, "auto") == 0) {
      const char *description = description_for(&c);
      if (description && !add_kind(h, &c, description, why)) return false;
      continue;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (names(classes, known[i]) && n_links[i] == c.n_links && !add_kind(h, &c, known[i], why))
        return false;
  }
  return true;
}

// ------------------------------------------------------------------------- open

static bool one_of(tp_cpa *cpa, const char *key, const char *first, const char *second,
                   tp_str *why) {
  const char *value = tp_cpa_setting(cpa, key, first);
  if (strcmp(value, first) == 0 || strcmp(value, second) == 0) return true;
  tp_str_printf(why, "shape.%s = %s: %s or %s was expected", key, value, first, second);
  return false;
}

bool tp_heaps_open(tp_cpa *cpa, tp_str *why) {
  tp_heaps *h = tp_arena_new(&cpa->arena, tp_heaps);
  *h = (tp_heaps){.cpa = cpa, .p = (tp_program *)cpa->env->program, .tt = cpa->env->terms};
  cpa->state = h;
  if (!tp_cpa_setting_u64(cpa, "graphs", 400, &h->most_graphs, why)) return false;
  if (!one_of(cpa, "liveness", "on", "off", why) ||
      !(strcmp(tp_cpa_setting(cpa, "data", "auto"), "constants") == 0 ||
        one_of(cpa, "data", "auto", "none", why)) ||
      !one_of(cpa, "start", "on", "off", why))
    return false;
  h->starts_off = strcmp(tp_cpa_setting(cpa, "start", "on"), "off") == 0;
  if (strcmp(tp_cpa_setting(cpa, "liveness", "on"), "on") == 0) h->liveness = tp_liveness_new(h->p);
  tp_locals_init(&h->locals, h->p);
  h->pt = tp_pointsto_new(h->p);
  h->inside = tp_interior_new(h->p, h->pt);
  if (!find_kinds(h, tp_cpa_setting(cpa, "classes", "auto"), why)) {
    tp_heaps_close(cpa);
    return false;
  }
  h->engines = tp_arena_array(&cpa->arena, tp_shape_engine *, h->n + 1);
  for (uint32_t i = 0; i < h->n; i++) h->engines[i] = h->kinds[i].e;
  h->knows_sizes = find_sizes(h);
  if (compares_data(h)) tp_heaps_find_numbers(h);
  return true;
}

static void count_graphs(tp_stats *stats, const tp_shape_engine *e) {
  stats->shape_graphs += tp_shape_engine_graphs(e)->list.n;
  stats->shape_steps += tp_shape_engine_stats(e)->posts;
}

void tp_heaps_close(tp_cpa *cpa) {
  tp_heaps *h = tp_heaps_of(cpa);
  for (uint32_t i = 0; i < h->n; i++) {
    if (cpa->env->stats && h->kinds[i].e) count_graphs(cpa->env->stats, h->kinds[i].e);
    tp_shape_engine_free(h->kinds[i].e);
    if (h->kinds[i].c) tp_shape_class_free(h->kinds[i].c);
    tp_entry_clear(h->kinds[i].entry);
    tp_free(h->kinds[i].entry);
  }
  tp_interior_free(h->inside);
  tp_pointsto_free(h->pt);
  tp_liveness_free(h->liveness);
  if (h->solver) tp_smt_free(h->solver);
  tp_map_clear(&h->excluded);
  tp_locals_clear(&h->locals);
  tp_map_clear(&h->dying);
  cpa->state = NULL;
}
