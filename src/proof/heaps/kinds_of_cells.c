/* Kinds of cells, from the program's structures.
 *
 * Pointers to the structure's own kind (or to one that lies within it) are links; which of them
 * lead back to the cell before is a guess, by names first, then by trying; at last links are read
 * as levels of a skip list, the first one the lowest, or the highest. A link that the program never
 * reads is data. What other pointers own is found out when cells are folded. Where nothing else
 * gave a proof, pointers to void are links, too. */
#include "program/structure_links.h"
#include "proof/heaps/symbolic_heap.h"
#include "proof/proof_limits.h"

#include <ctype.h>

static bool is_pointer(const tp_program *p, tp_type t) {
  return t.id && tp_type_of(p, t)->kind == TP_T_POINTER;
}

static bool is_link_to(const tp_program *p, const tp_member *m, tp_type structure) {
  if (!is_pointer(p, m->type)) return false;
  const tp_type to = tp_type_of(p, m->type)->element;
  return to.id && tp_is_one_structure(p, to, structure);
}

/* Pointers that the member is: one, or the elements of an array of a few. */
static uint32_t n_pointers_in(const tp_program *p, const tp_member *m) {
  const tp_type_info *t = m->type.id ? tp_type_of(p, m->type) : NULL;
  if (is_pointer(p, m->type)) return 1;
  return t && t->kind == TP_T_ARRAY && t->n_elements <= TP_PROOF_HEAPS_LEVELS &&
                 is_pointer(p, t->element)
             ? (uint32_t)t->n_elements
             : 0;
}

static tp_member pointer_in(const tp_program *p, const tp_member *m, uint32_t i) {
  tp_member out = *m;
  if (is_pointer(p, m->type)) return out;
  out.type = tp_type_of(p, m->type)->element;
  out.offset_bits += i * p->ptr_bits;
  return out;
}

uint32_t tp_symheap_kind_of_type(const tp_symheap_kinds *kinds, const tp_program *p, tp_type type) {
  for (uint32_t k = 1; k < kinds->n; k++)
    if (kinds->at[k].type.id && tp_is_one_structure(p, kinds->at[k].type, type)) return k;
  return 0;
}

static bool is_back_name(const char *name) {
  static const char *const words[] = {"prev", "back",         "pred", "parent", "par",
                                      "up",   "left_sibling", "last", "before"};
  char low[32];
  size_t n = 0;
  for (; name[n] && n < sizeof low - 1; n++) low[n] = (char)tolower((unsigned char)name[n]);
  low[n] = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(low, words[i])) return true;
  return strcmp(low, "p") == 0;
}

/* Variants. 0: names say which link leads back. 1: the last one of two. 2: the first one. 3: none.
 * From ALL_LINKS on: the same, with links that the program never reads; from VOID_LINKS on: and
 * with pointers to void. */
enum { FIRST_IS_LOWEST = 4, FIRST_IS_HIGHEST = 5, ALL_LINKS = 6, VOID_LINKS = 10 };

static bool is_back(uint32_t variant, const char *name, uint32_t i, uint32_t n) {
  switch (variant < ALL_LINKS    ? variant
          : variant < VOID_LINKS ? variant - ALL_LINKS
                                 : variant - VOID_LINKS) {
    case 0: return is_back_name(name);
    case 1: return n == 2 && i == 1;
    case 2: return n == 2 && i == 0;
    default: return false;
  }
}

/* A link of cells of the structure, in this reading. */
static bool is_own_link(const tp_program *p, const tp_member *m, tp_type structure,
                        uint32_t variant) {
  if (is_link_to(p, m, structure)) return true;
  if (variant < VOID_LINKS || !is_pointer(p, m->type)) return false;
  const tp_type to = tp_type_of(p, m->type)->element;
  return !to.id || tp_type_of(p, to)->kind == TP_T_VOID;
}

/* Links that the program reads; all, if it reads none, or all are to be links. */
static bool is_read(const tp_program *p, tp_type structure, const tp_member *m, uint32_t variant) {
  const tp_type_info *t = tp_type_of(p, structure);
  if (variant >= ALL_LINKS || !is_pointer(p, m->type) ||
      tp_is_link_read(p, structure, m->offset_bits / 8))
    return true;
  for (uint32_t i = 0; i < t->n_members; i++)
    if (is_link_to(p, &t->members[i], structure) &&
        tp_is_link_read(p, structure, t->members[i].offset_bits / 8))
      return false;
  return true;
}

/* Own links of the structure that the reading follows. */
static uint32_t n_links(const tp_program *p, const tp_type_info *t, tp_type of, uint32_t variant) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    for (uint32_t k = 0; k < n_pointers_in(p, m); k++) {
      const tp_member one = pointer_in(p, m, k);
      n += is_own_link(p, &one, of, variant) && is_read(p, of, m, variant);
    }
  }
  return n;
}

static void add_links(tp_symheap_kind *k, const tp_program *p, const tp_type_info *t, tp_type of,
                      uint64_t base, uint32_t self, uint32_t variant) {
  const uint32_t n = n_links(p, t, of, variant);
  uint32_t i_own = 0;
  bool has_back = false;
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    for (uint32_t e = 0; e < n_pointers_in(p, m); e++) {
      const tp_member one = pointer_in(p, m, e);
      const bool is_to_own = is_own_link(p, &one, of, variant),
                 own = is_to_own && is_read(p, of, m, variant);
      if (!is_to_own && !is_pointer(p, m->type)) continue;  // arrays of others are tables
      tp_symheap_link l = {.offset = base + one.offset_bits / 8,
                           .role = own         ? TP_LINK_TO
                                   : is_to_own ? TP_LINK_UNREAD
                                               : TP_LINK_OPEN,
                           .to = own ? self : 0,
                           .is_own_kind = own};
      if (own && n > 1 && !has_back && is_back(variant, m->name, i_own, n)) {
        l.role = TP_LINK_BACK;
        has_back = true;
      }
      i_own += own;
      tp_vec_push(&k->links, l);
    }
  }
}

static bool has_own(const tp_program *p, tp_type t, uint32_t variant) {
  const tp_type_info *info = tp_type_of(p, t);
  bool has = false;
  for (uint32_t i = 0; info->kind == TP_T_STRUCT && i < info->n_members; i++)
    for (uint32_t e = 0; e < n_pointers_in(p, &info->members[i]); e++) {
      const tp_member one = pointer_in(p, &info->members[i], e);
      has |= is_own_link(p, &one, t, variant);
    }
  return has;
}

/* A member that is a structure with links to its own kind: lists lead into the middle of cells. */
static const tp_member *inner_link(const tp_program *p, const tp_type_info *t, uint32_t variant) {
  for (uint32_t i = 0; i < t->n_members; i++)
    if (t->members[i].type.id && has_own(p, t->members[i].type, variant)) return &t->members[i];
  return NULL;
}

static bool has_pointers(const tp_program *p, const tp_type_info *t) {
  for (uint32_t i = 0; i < t->n_members; i++)
    if (is_pointer(p, t->members[i].type)) return true;
  return false;
}

static void add_kind(tp_symheap_kinds *kinds, const tp_program *p, tp_type t, uint32_t variant) {
  const tp_type_info *info = tp_type_of(p, t);
  tp_symheap_kind k = {.size_bytes = info->size_bytes, .type = t};
  const uint32_t self = (uint32_t)kinds->n;
  const tp_member *inner = has_own(p, t, variant) ? NULL : inner_link(p, info, variant);
  add_links(&k, p, info, t, 0, self, variant);
  if (inner) {
    k.start = inner->offset_bits / 8;
    add_links(&k, p, tp_type_of(p, inner->type), inner->type, k.start, self, variant);
  }
  tp_vec_push(kinds, k);
}

// ------------------------------------------------------------------------ levels

/* The member's pointers to the structure. */
static uint32_t n_links_in(const tp_program *p, const tp_member *m, tp_type structure) {
  const uint32_t n = n_pointers_in(p, m);
  if (!n) return 0;
  const tp_member first = pointer_in(p, m, 0);
  return is_link_to(p, &first, structure) ? n : 0;
}

static uint32_t n_levels(const tp_program *p, tp_type t) {
  const tp_type_info *info = tp_type_of(p, t);
  uint32_t n = 0;
  for (uint32_t i = 0; i < info->n_members; i++) n += n_links_in(p, &info->members[i], t);
  return n >= 2 && n <= TP_PROOF_HEAPS_LEVELS ? n : 0;
}

static tp_symheap_link link_in_level(uint64_t offset, uint32_t level, uint32_t n, uint32_t top,
                                     uint32_t of_cell) {
  return (tp_symheap_link){.offset = offset,
                           .role = level > of_cell    ? TP_LINK_NULL
                                   : level == of_cell ? TP_LINK_TO
                                                      : TP_LINK_UPTO,
                           .to = level > of_cell ? 0 : top + n - level,
                           .is_own_kind = true,
                           .level = level};
}

static void add_level(tp_symheap_kinds *kinds, const tp_program *p, tp_type t, uint32_t variant,
                      uint32_t top, uint32_t level) {
  const tp_type_info *info = tp_type_of(p, t);
  const uint32_t n = n_levels(p, t);
  tp_symheap_kind k = {.size_bytes = info->size_bytes, .type = t, .level = level};
  uint32_t n_before = 0;
  for (uint32_t i = 0; i < info->n_members; i++) {
    const tp_member *m = &info->members[i];
    const uint32_t n_here = n_links_in(p, m, t);
    for (uint32_t l = 0; l < n_here; l++, n_before++)
      tp_vec_push(&k.links, link_in_level(m->offset_bits / 8 + l * (p->ptr_bits / 8),
                                          variant == FIRST_IS_LOWEST ? n_before + 1 : n - n_before,
                                          n, top, level));
    if (n_here == 0 && is_pointer(p, m->type))
      tp_vec_push(&k.links,
                  ((tp_symheap_link){.offset = m->offset_bits / 8, .role = TP_LINK_OPEN}));
  }
  tp_vec_push(kinds, k);
}

uint32_t tp_symheap_kind_of_level(const tp_symheap_kinds *kinds, uint32_t kind, uint32_t level) {
  return kind + kinds->at[kind].level - level;
}

const tp_symheap_link *tp_symheap_link_of_level(const tp_symheap_kinds *kinds, uint32_t kind,
                                                uint32_t level) {
  for (size_t i = 0; i < kinds->at[kind].links.n; i++)
    if (kinds->at[kind].links.at[i].level == level) return &kinds->at[kind].links.at[i];
  return NULL;
}

bool tp_symheap_is_below(const tp_symheap_kinds *kinds, uint32_t kind) {
  const uint32_t level = kinds->at[kind].level;
  return level && tp_symheap_link_of_level(kinds, kind, level + 1);
}

// ------------------------------------------------------------------------- kinds

bool tp_symheap_has_levels(uint32_t variant) {
  return variant == FIRST_IS_LOWEST || variant == FIRST_IS_HIGHEST;
}

/* Structures with links come first: of two of one size the first one describes objects of that
 * size. */
bool tp_symheap_kinds_find(tp_symheap_kinds *kinds, const tp_program *p, uint32_t variant) {
  const bool has_levels = tp_symheap_has_levels(variant);
  bool is_new = !has_levels;
  if (kinds->n == 0) tp_vec_push(kinds, (tp_symheap_kind){0});
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t i = 1; i < p->types.n; i++) {
      const tp_type_info *t = &p->types.at[i];
      if (t->kind != TP_T_STRUCT || t->size_bytes == 0 || t->n_members == 0) continue;
      const uint32_t n = has_levels ? n_levels(p, (tp_type){i}) : 0;
      const int rank = n || has_own(p, (tp_type){i}, variant) ? 1
                       : inner_link(p, t, variant)            ? 0
                       : has_pointers(p, t)                   ? 2
                                                              : 3;
      if (rank != pass || tp_symheap_kind_of_type(kinds, p, (tp_type){i})) continue;
      is_new |= n > 0;
      const uint32_t top = (uint32_t)kinds->n;
      for (uint32_t level = n; level > 0; level--)
        add_level(kinds, p, (tp_type){i}, variant, top, level);
      if (!n) add_kind(kinds, p, (tp_type){i}, variant);
    }
  return is_new;
}

void tp_symheap_kinds_clear(tp_symheap_kinds *kinds) {
  for (size_t i = 0; i < kinds->n; i++) tp_vec_clear(&kinds->at[i].links);
  tp_vec_clear(kinds);
}

uint32_t tp_symheap_kind_of_size(const tp_symheap_kinds *kinds, uint64_t size_bytes) {
  for (uint32_t k = 1; k < kinds->n; k++)
    if (kinds->at[k].size_bytes == size_bytes && kinds->at[k].links.n) return k;
  return 0;
}

uint32_t tp_symheap_kind_of_block(tp_symheap_kinds *kinds, uint64_t size_bytes) {
  for (uint32_t k = 1; k < kinds->n; k++)
    if (kinds->at[k].size_bytes == size_bytes && !kinds->at[k].links.n) return k;
  tp_vec_push(kinds, ((tp_symheap_kind){.size_bytes = size_bytes}));
  return (uint32_t)kinds->n - 1;
}

const tp_symheap_link *tp_symheap_back_of(const tp_symheap_kinds *kinds, uint32_t kind) {
  for (size_t i = 0; i < kinds->at[kind].links.n; i++)
    if (kinds->at[kind].links.at[i].role == TP_LINK_BACK) return &kinds->at[kind].links.at[i];
  return NULL;
}

uint32_t tp_symheap_n_ways(const tp_symheap_kinds *kinds, uint32_t kind) {
  uint32_t n = 0;
  for (size_t i = 0; i < kinds->at[kind].links.n; i++) {
    const tp_symheap_link *l = &kinds->at[kind].links.at[i];
    n += (l->role == TP_LINK_TO || l->role == TP_LINK_TO_CELL) && l->to == kind;
  }
  return n;
}

void tp_symheap_kinds_print(const tp_symheap_kinds *kinds, tp_str *out) {
  for (uint32_t k = 1; k < kinds->n; k++) {
    const tp_symheap_link *back = tp_symheap_back_of(kinds, k);
    tp_str_printf(out, "cell %u ", k);
    if (kinds->at[k].size_bytes)
      tp_str_printf(out, "%llu", (unsigned long long)kinds->at[k].size_bytes);
    else
      tp_str_add(out, "any");
    tp_str_printf(out, " %llu", (unsigned long long)kinds->at[k].start);
    if (back) tp_str_printf(out, " back %llu", (unsigned long long)back->offset);
    tp_str_add(out, "\n");
  }
  for (uint32_t k = 1; k < kinds->n; k++)
    for (size_t i = 0; i < kinds->at[k].links.n; i++) {
      const tp_symheap_link *l = &kinds->at[k].links.at[i];
      if (l->role == TP_LINK_ANY || l->role == TP_LINK_OPEN || l->role == TP_LINK_BACK ||
          l->role == TP_LINK_UNREAD)
        continue;
      tp_str_printf(out, "link %u %llu %u ", k, (unsigned long long)l->offset, l->to);
      if (l->role == TP_LINK_UPTO)
        tp_str_printf(out, "upto %llu\n",
                      (unsigned long long)tp_symheap_link_of_level(kinds, k, l->level + 1)->offset);
      else
        tp_str_printf(out, "%s\n", l->role == TP_LINK_TO_CELL ? "cell" : "null");
    }
}
