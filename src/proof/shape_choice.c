/* All entries with all ways to give their fields links; what samples contradict is dropped; the
 * rest is sorted. */
#include "proof/shape_choice.h"

#include "cpa/explicit.h"
#include "proof/proof_limits.h"
#include "shape/library.h"
#include "shape/verify.h"

#include <string.h>

// ----------------------------------------------------------------------- samples

typedef struct {
  const tp_terms *tt;
  const tp_shape_structure *s;
  const tp_shape_choice *c;
  const tp_explicit_heap *heap;
  uint8_t *number;         // by cell: its number + 1; 0: not visited
  TP_VEC(uint32_t) order;  // cells, as they are numbered
} reading;

/* The cell's number; UINT8_MAX: null, no cell, or not known. */
static uint8_t number_of(reading *r, tp_term value) {
  if (!tp_term_is(value) || !tp_explicit_is_cell(r->tt, r->heap, value) ||
      tp_ptr_const_offset(r->tt, value) != 0 || r->order.n + 1 >= TP_SHAPE_MAX_NODES)
    return UINT8_MAX;
  const uint32_t cell = tp_ptr_const_object(r->tt, value) - r->heap->first_object;
  if (!r->number[cell]) {
    tp_vec_push(&r->order, cell);
    r->number[cell] = (uint8_t)r->order.n;
  }
  return (uint8_t)(r->number[cell] - 1);
}

static tp_term link_in(const tp_explicit_cell *cell, const tp_member *link) {
  for (size_t f = 0; f < cell->n_fields; f++)
    if (cell->fields[f].offset == link->offset_bits / 8) return cell->fields[f].value;
  return TP_TERM_NONE;
}

/* Cells below the pointer along the links that are fields; then a row of targets for each field. */
static tp_plain_heap read_heap(reading *r, tp_term pointer, uint8_t *targets) {
  const size_t n_fields = r->c->entry->fields.n;
  (void)number_of(r, pointer);
  for (size_t i = 0; i < r->order.n; i++)
    for (size_t f = 0; f < n_fields; f++)
      (void)number_of(r, link_in(&r->heap->cells[r->order.at[i]], r->s->links[r->c->link[f]]));
  for (size_t f = 0; f < n_fields; f++)
    for (size_t i = 0; i < r->order.n; i++)
      targets[f * r->order.n + i] =
          number_of(r, link_in(&r->heap->cells[r->order.at[i]], r->s->links[r->c->link[f]]));
  return (tp_plain_heap){(uint32_t)r->order.n, targets};
}

bool tp_shape_choice_describes(const tp_cpa *shape, uint32_t structure, const tp_shape_choice *c,
                               const tp_heap_sample *sample) {
  reading r = {.tt = shape->env->terms,
               .s = tp_shape_structure_at(shape, structure),
               .c = c,
               .heap = sample->heap,
               .number = TP_NEW_ARRAY(uint8_t, sample->heap->n_cells + 1)};
  uint8_t targets[TP_SHAPE_MAX_NODES * TP_SHAPE_MAX_FIELDS];
  const tp_plain_heap plain = read_heap(&r, sample->pointer, targets);
  bool yes = false;
  const bool known = tp_description_describes(c->entry, &plain, &yes) == TP_OK;
  tp_free(r.number);
  tp_vec_clear(&r.order);
  return !known || yes;
}

// ----------------------------------------------------------------------- choices

typedef struct {
  const tp_cpa *shape;
  uint32_t structure, links_named;
  const tp_heap_sample *samples;
  size_t n_samples;
  bool asks_samples;
  tp_shape_choices *out;
} search;

static bool is_described(const search *x, const tp_shape_choice *c) {
  bool yes = true;
  for (size_t i = 0; i < x->n_samples && x->asks_samples && yes; i++)
    yes = tp_shape_choice_describes(x->shape, x->structure, c, &x->samples[i]);
  return yes;
}

/* The links of the fields from `field` on, in all ways; the fields of small entries alone are tried
 * in other orders than that of the links. */
static void choose_links(const search *x, tp_shape_choice *c, uint32_t field, uint32_t used) {
  const tp_shape_structure *s = tp_shape_structure_at(x->shape, x->structure);
  if (field == c->entry->fields.n) {
    if ((x->links_named & ~used) == 0 && is_described(x, c)) tp_vec_push(x->out, *c);
    return;
  }
  const bool any_order = c->entry->fields.n <= TP_PROOF_ORDERED_FIELDS;
  for (uint32_t l = any_order || field == 0 ? 0 : (uint32_t)c->link[field - 1] + 1; l < s->n_links;
       l++) {
    if (used >> l & 1) continue;
    c->link[field] = (uint8_t)l;
    choose_links(x, c, field + 1, used | (uint32_t)1 << l);
  }
}

static void choose_entries(const search *x) {
  const tp_shape_library *library = tp_shape_classes(x->shape);
  for (size_t i = 0; i < library->entries.n; i++) {
    const tp_description *entry = library->entries.at[i];
    tp_shape_choice c = {.entry = entry};
    if ((i < library->n_users || entry->is_default) &&
        entry->fields.n <= tp_shape_structure_at(x->shape, x->structure)->n_links)
      choose_links(x, &c, 0, 0);
  }
}

// ------------------------------------------------------------------------- order

static uint32_t n_same_names(const tp_shape_structure *s, const tp_shape_choice *c) {
  uint32_t n = 0;
  for (size_t f = 0; f < c->entry->fields.n; f++) {
    const char *link = s->links[c->link[f]]->name, *field = c->entry->fields.at[f];
    n += strcmp(link, field) == 0;
    for (size_t i = 0; i < c->entry->default_for.n; i++)
      n += strlen(c->entry->default_for.at[i]) > 1 && strstr(link, c->entry->default_for.at[i]);
  }
  return n;
}

static bool goes_before(const search *x, const tp_shape_choice *a, const tp_shape_choice *b) {
  const tp_shape_structure *s = tp_shape_structure_at(x->shape, x->structure);
  const tp_shape_library *library = tp_shape_classes(x->shape);
  if (a->entry->fields.n != b->entry->fields.n) return a->entry->fields.n < b->entry->fields.n;
  if (a->entry != b->entry) {
    if (tp_shape_library_refines(library, b->entry, a->entry)) return true;
    if (tp_shape_library_refines(library, a->entry, b->entry)) return false;
  }
  return n_same_names(s, a) > n_same_names(s, b);
}

/* By insertion: equal ones stay in the order of the library and of the links. */
static void sort(const search *x) {
  for (size_t i = 1; i < x->out->n; i++) {
    const tp_shape_choice c = x->out->at[i];
    size_t k = i;
    for (; k > 0 && goes_before(x, &c, &x->out->at[k - 1]); k--) x->out->at[k] = x->out->at[k - 1];
    x->out->at[k] = c;
  }
}

void tp_shape_choices_find(const tp_cpa *shape, uint32_t structure, uint32_t links_named,
                           const tp_heap_sample *samples, size_t n, tp_shape_choices *out) {
  search x = {.shape = shape,
              .structure = structure,
              .links_named = links_named,
              .samples = samples,
              .n_samples = n,
              .asks_samples = true,
              .out = out};
  out->n = 0;
  choose_entries(&x);
  x.asks_samples = false;
  if (out->n == 0) choose_entries(&x);
  sort(&x);
}

// ------------------------------------------------------------------ what names say

static uint32_t link_named(const tp_shape_structure *s, const char *name, size_t n) {
  uint32_t l = 0;
  while (l < s->n_links &&
         (strncmp(s->links[l]->name, name, n) != 0 || s->links[l]->name[n] != '\0'))
    l++;
  return l;
}

/* The text behind __SA__: an entry's name, then one of a link for each field, with _ before it. */
static bool read_annotation(const tp_shape_structure *s, const tp_description *entry,
                            const char *text, tp_shape_choice *out) {
  const size_t n = strlen(entry->name);
  if (strncmp(text, entry->name, n) != 0) return false;
  *out = (tp_shape_choice){.entry = entry};
  text += n;
  for (size_t f = 0; f < entry->fields.n; f++) {
    uint32_t best = s->n_links;
    if (*text != '_') return false;
    for (size_t k = strlen(text + 1); k > 0 && best == s->n_links; k--)
      if (text[1 + k] == '_' || text[1 + k] == '\0') best = link_named(s, text + 1, k);
    if (best == s->n_links) return false;
    out->link[f] = (uint8_t)best;
    text += 1 + strlen(s->links[best]->name);
  }
  return *text == '\0';
}

bool tp_shape_choice_annotated(const tp_cpa *shape, uint32_t structure, tp_shape_choice *out) {
  static const char prefix[] = "__SA__";
  const tp_program *p = shape->env->program;
  const tp_shape_structure *s = tp_shape_structure_at(shape, structure);
  const tp_shape_library *library = tp_shape_classes(shape);
  for (uint32_t t = 1; t < p->types.n; t++) {
    const tp_type_info *info = &p->types.at[t];
    if (info->kind != TP_T_STRUCT || !info->name ||
        info->members != tp_type_of(p, s->type)->members ||
        strncmp(info->name, prefix, sizeof prefix - 1) != 0)
      continue;
    for (size_t i = 0; i < library->entries.n; i++)
      if (read_annotation(s, library->entries.at[i], info->name + sizeof prefix - 1, out))
        return true;
  }
  return false;
}

bool tp_shape_choice_named(const tp_cpa *shape, uint32_t structure, const tp_shape_choices *among,
                           tp_shape_choice *out) {
  const char *name =
      tp_type_of(shape->env->program, tp_shape_structure_at(shape, structure)->type)->name;
  for (size_t i = 0; i < among->n && name; i++) {
    if (!strcasestr(name, among->at[i].entry->name)) continue;
    *out = among->at[i];
    return true;
  }
  return false;
}
