/* Which shape class describes which structure of the program.
 *
 * A candidate is a structure with pointers to itself; a class fits it if it has as many fields as
 * the structure has links that are followed. Fields are links of the same names, if all of them
 * are, else links in the order of the declaration. Classes are entries of the library: those of the
 * user and those of lib/shape; no name of a class stands in this file. */
#include "cpa/shape/shape_priv.h"

#include "base/nearest.h"
#include "shape/library.h"

#include <ctype.h>
#include <stdio.h>

// ------------------------------------------------------------------- structures

/* A link that nobody follows (a way back that is set and never gone) is data: graphs that do not
 * tell it are fewer. */
static void drop_unfollowed(const tp_program *p, tp_shape_cpa_candidate *c) {
  const tp_member *followed[TP_SHAPE_MAX_FIELDS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_links && c->n_links <= TP_SHAPE_MAX_FIELDS; i++)
    if (tp_is_link_read(p, c->type, c->links[i]->offset_bits / 8)) followed[n++] = c->links[i];
  if (n == 0) return;
  memcpy(c->links, followed, n * sizeof *followed);
  c->n_links = n;
}

static tp_shape_cpa_candidate with_all_links(const tp_program *p, tp_type type) {
  tp_shape_cpa_candidate c = {.type = type, .info = tp_type_of(p, type)};
  for (uint32_t i = 0; c.info->kind == TP_T_STRUCT && i < c.info->n_members; i++) {
    const tp_member *m = &c.info->members[i];
    const tp_type_info *t = tp_type_of(p, m->type);
    if (m->width_bits || t->kind != TP_T_POINTER || !t->element.id ||
        !tp_is_one_structure(p, t->element, type))
      continue;
    if (c.n_links < TP_SHAPE_MAX_FIELDS) c.links[c.n_links] = m;
    c.n_links++;
  }
  return c;
}

static tp_shape_cpa_candidate candidate_of(const tp_program *p, tp_type type) {
  tp_shape_cpa_candidate c = with_all_links(p, type);
  drop_unfollowed(p, &c);
  return c;
}

/* Another name of a structure that came before. */
static bool is_repeated(const tp_program *p, uint32_t type) {
  for (uint32_t t = 1; t < type; t++)
    if (tp_is_one_structure(p, (tp_type){t}, (tp_type){type})) return true;
  return false;
}

void tp_shape_cpa_each_candidate(tp_shape_cpa *h,
                                 void (*visit)(tp_shape_cpa *h, const tp_shape_cpa_candidate *c)) {
  for (uint32_t t = 1; t < h->p->types.n; t++) {
    const tp_shape_cpa_candidate c = with_all_links(h->p, (tp_type){t});
    if (c.n_links > 0 && c.n_links <= TP_SHAPE_MAX_FIELDS && !is_repeated(h->p, t)) visit(h, &c);
  }
}

// ------------------------------------------------------------------------ words

/* Is the word in the list of words, which spaces or commas separate? */
bool tp_shape_cpa_has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || strchr(" ,", at[-1])) && (at[n] == '\0' || strchr(" ,", at[n]))) return true;
  return false;
}

bool tp_shape_cpa_each_word(const char *list, bool (*visit)(void *ctx, const char *word),
                            void *ctx) {
  bool goes_on = true;
  for (const char *at = list + strspn(list, " ,"); *at && goes_on; at += strspn(at, " ,")) {
    const size_t n = strcspn(at, " ,");
    tp_str word = {0};
    tp_str_printf(&word, "%.*s", (int)n, at);
    goes_on = visit(ctx, tp_str_text(&word));
    tp_str_clear(&word);
    at += n;
  }
  return goes_on;
}

// ---------------------------------------------------------------------- library

/* The classes that there are; false: lib/shape cannot be read. */
bool tp_shape_cpa_open_library(tp_shape_cpa *h, tp_str *why) {
  h->library = h->cpa->env->shape_classes;
  if (h->library) return true;
  h->own_library = TP_NEW(tp_shape_library);
  h->library = h->own_library;
  if (tp_shape_library_read_standard(h->own_library, h->p->diag) == TP_OK) return true;
  tp_str_add(why, "shape.classes: the descriptions of lib/shape cannot be read");
  return false;
}

static bool fits(const tp_shape_cpa_candidate *c, const tp_description *entry) {
  return entry->fields.n == c->n_links;
}

/* One letter is a whole name, more are a part of one; without regard to case. */
static bool has_part(const char *name, const char *part) {
  char low[64] = {0};
  for (size_t i = 0; i + 1 < sizeof low && name[i]; i++)
    low[i] = (char)tolower((unsigned char)name[i]);
  return part[1] ? strstr(low, part) != NULL : strcmp(low, part) == 0;
}

static bool has_default_name(const tp_shape_cpa_candidate *c, const tp_description *entry) {
  for (size_t i = 0; i < entry->default_for.n; i++)
    for (uint32_t k = 0; k < c->n_links; k++)
      if (has_part(c->links[k]->name, entry->default_for.at[i])) return true;
  return false;
}

/* shape.classes = auto: the first class of the user that fits; else the default whose names are
 * found, else the one for any names. NULL: none. */
static const tp_description *default_class(const tp_shape_library *library,
                                           const tp_shape_cpa_candidate *c) {
  const tp_description *for_any = NULL, *for_names = NULL;
  for (size_t i = 0; i < library->entries.n; i++) {
    const tp_description *entry = library->entries.at[i];
    if (!fits(c, entry)) continue;
    if (i < library->n_users) return entry;
    if (!for_names && has_default_name(c, entry)) for_names = entry;
    if (!for_any && entry->is_default && entry->default_for.n == 0) for_any = entry;
  }
  return for_names ? for_names : for_any;
}

// ----------------------------------------------------------------------- choice

typedef struct {
  tp_shape_cpa *h;
  const tp_shape_cpa_candidate *c;
  tp_shape_cpa_use use;
  tp_str *why;
} choice;

static bool use_named(void *ctx, const char *word) {
  const choice *x = ctx;
  const tp_description *entry = tp_shape_library_find(x->h->library, word);
  return !entry || !fits(x->c, entry) || x->use(x->h, x->c, entry, x->why);
}

static bool is_class(void *ctx, const char *word) {
  const choice *x = ctx;
  const tp_shape_library *library = x->h->library;
  if (tp_shape_library_find(library, word)) return true;
  const char **known = TP_NEW_ARRAY(const char *, library->entries.n + 2);
  known[0] = "auto";
  for (size_t i = 0; i < library->entries.n; i++) known[i + 1] = library->entries.at[i]->name;
  tp_str_printf(x->why, "shape.classes: there is no class '%s'", word);
  tp_add_known_names(x->why, word, known);
  tp_free(known);
  return false;
}

/* A class of the user that no structure of the program fits is most likely a mistake. */
static void warn_of_unused(const tp_shape_cpa *h) {
  for (size_t i = 0; i < h->library->n_users; i++) {
    const tp_description *entry = h->library->entries.at[i];
    bool is_used = false;
    for (uint32_t k = 0; k < h->n; k++) is_used |= h->kinds[k].entry == entry;
    if (!is_used)
      tp_diag_say(h->p->diag, TP_WARNING, entry->pos, "structure",
                  "'%s' describes no structure of the program: none that is allocated has %zu "
                  "links to its own kind that are followed, or shape.classes does not name it",
                  entry->name, entry->fields.n);
  }
}

bool tp_shape_cpa_choose_classes(tp_shape_cpa *h, tp_shape_cpa_use use, tp_str *why) {
  const char *classes = tp_cpa_setting(h->cpa, "classes", "auto");
  const bool is_auto = strcmp(classes, "auto") == 0;
  choice x = {h, NULL, use, why};
  if (!tp_shape_cpa_open_library(h, why) ||
      (!is_auto && !tp_shape_cpa_each_word(classes, is_class, &x)))
    return false;
  for (uint32_t t = 1; t < h->p->types.n; t++) {
    const tp_shape_cpa_candidate c = candidate_of(h->p, (tp_type){t});
    if (c.n_links == 0 || c.n_links > TP_SHAPE_MAX_FIELDS || is_repeated(h->p, t)) continue;
    const tp_description *entry = is_auto ? default_class(h->library, &c) : NULL;
    x.c = &c;
    if ((entry && !use(h, &c, entry, why)) ||
        (!is_auto && !tp_shape_cpa_each_word(classes, use_named, &x)))
      return false;
  }
  warn_of_unused(h);
  return true;
}

/* The link that is field f of the entry. */
const tp_member *tp_shape_cpa_field_link(const tp_shape_cpa_candidate *c,
                                         const tp_description *entry, uint32_t f) {
  TP_REQUIRE(f < entry->fields.n && entry->fields.n == c->n_links);
  const tp_member *found[TP_SHAPE_MAX_FIELDS] = {NULL};
  bool all = true;
  for (uint32_t i = 0; i < entry->fields.n; i++) {
    for (uint32_t k = 0; k < c->n_links; k++)
      if (strcmp(c->links[k]->name, entry->fields.at[i]) == 0) found[i] = c->links[k];
    all = all && found[i];
  }
  return all ? found[f] : c->links[f];
}
