/* A function makes an object if it returns one and takes none, or takes one and is called init or
 * writes it before it reads it (app/initialisers.h). It is an operation if it takes one, stores
 * something in it or in what its members lead to, and ends neither it nor another one that it takes
 * (which would have to be a part: remove(list, node)). Both are looked for along the object's
 * address, through assignments, members and calls; an object ends where its address is freed. A
 * function that ends one is an operation only if it returns an object that takes the place of the
 * old one, as realloc does. */
#include "app/makers.h"

#include "app/app_limits.h"
#include "app/initialisers.h"
#include "app/module.h"
#include "app/unit_headers.h"
#include "front/front.h"

#include <stdlib.h>

// ------------------------------------------------------------------------ edges

void tp_makers_init(tp_makers *m, const tp_program *p, tp_func of, uint32_t n_exported,
                    const char *seen) {
  TP_REQUIRE(m && p && of.id && of.id < p->funcs.n && n_exported < p->funcs.n && seen);
  *m = (tp_makers){
      .p = p, .n_exported = n_exported, .file = tp_func_of(p, of)->pos.file, .seen = seen};
  m->first_edge = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1);
  m->edges = TP_NEW_ARRAY(uint32_t, p->edges.n + 1);
  for (size_t e = 1; e < p->edges.n; e++) {
    const uint32_t f = tp_loc_of(p, p->edges.at[e].from)->func.id;
    if (f + 1 <= p->funcs.n) m->first_edge[f + 1]++;
  }
  for (size_t f = 0; f < p->funcs.n; f++) m->first_edge[f + 1] += m->first_edge[f];
  uint32_t *next = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1);
  memcpy(next, m->first_edge, (p->funcs.n + 1) * sizeof *next);
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const uint32_t f = tp_loc_of(p, p->edges.at[e].from)->func.id;
    if (f < p->funcs.n) m->edges[next[f]++] = e;
  }
  tp_free(next);
  m->headers = tp_unit_headers(seen);
  m->has_public = tp_module_names_function(m->headers, tp_func_of(p, of)->name);
}

void tp_makers_clear(tp_makers *m) {
  tp_free(m->headers);
  tp_free(m->first_edge);
  tp_free(m->edges);
  *m = (tp_makers){0};
}

static const tp_edge_info *edge_at(const tp_makers *m, uint32_t i) {
  return &m->p->edges.at[m->edges[i]];
}

static void add_size(const tp_makers *m, tp_func f, tp_map *seen, uint64_t *size) {
  if (tp_map_has(seen, f.id)) return;
  tp_map_set(seen, f.id, 1);
  *size += m->first_edge[f.id + 1] - m->first_edge[f.id];
  for (uint32_t i = m->first_edge[f.id]; i < m->first_edge[f.id + 1]; i++)
    if (edge_at(m, i)->kind == TP_E_CALL && edge_at(m, i)->callee.id)
      add_size(m, edge_at(m, i)->callee, seen, size);
}

// ------------------------------------------------------------------------ types

static const tp_type_info *type_at(const tp_makers *m, tp_type t) { return tp_type_of(m->p, t); }

static bool is_structure(const tp_makers *m, tp_type t) {
  return t.id && (type_at(m, t)->kind == TP_T_STRUCT || type_at(m, t)->kind == TP_T_UNION);
}

bool tp_makers_is_handle(const tp_makers *m, tp_type t) {
  TP_REQUIRE(m && t.id < m->p->types.n);
  if (!t.id || type_at(m, t)->kind != TP_T_POINTER) return false;
  const tp_type element = type_at(m, t)->element;
  if (is_structure(m, element)) return type_at(m, element)->name[0] != 0;
  const bool has_own_name = !strpbrk(type_at(m, t)->name, "*(");
  return has_own_name && element.id && type_at(m, element)->kind != TP_T_VOID &&
         type_at(m, element)->kind != TP_T_FUNCTION;
}

/* A struct may have an entry by its tag, and one by each name for it. */
static bool is_same_structure(const tp_type_info *a, const tp_type_info *b) {
  if (strcmp(a->name, b->name) == 0) return true;
  bool same = a->kind == b->kind && a->n_members > 0 && a->n_members == b->n_members &&
              a->size_bytes == b->size_bytes && a->members == b->members;
  return same;
}

static bool is_same(const tp_makers *m, tp_type a, tp_type b) {
  if (!tp_makers_is_handle(m, a) || !tp_makers_is_handle(m, b)) return false;
  const tp_type x = type_at(m, a)->element, y = type_at(m, b)->element;
  if (is_structure(m, x) && is_structure(m, y))
    return is_same_structure(type_at(m, x), type_at(m, y));
  return strcmp(type_at(m, a)->name, type_at(m, b)->name) == 0;
}

/* Can a caller in another file make this argument? */
static bool is_possible(const tp_makers *m, tp_type t) {
  const tp_type_info *info = type_at(m, t);
  return info->kind == TP_T_POINTER || (info->size_bytes > 0 && info->name[0]);
}

// ---------------------------------------------------------------------- effects

/* What a call does to the object that an argument leads to. */
typedef struct {
  bool ends;     // its address is freed
  bool changes;  // something is stored in it, or in what its members lead to, or frees that
  bool frees;    // what its members lead to is freed
  bool stores;   // something is stored
} effect;

typedef struct {
  const tp_makers *m;
  tp_map known;  // function << 32 | parameter: effect as bits; 0: being looked at
  uint32_t depth;
} effect_search;

/* Symbols of one function that have the object's address (1), or one that was read from there (2).
 */
enum { IS_OBJECT = 1, IS_PART = 2 };

static uint64_t origin_of(const effect_search *x, const tp_map *symbols, tp_term t) {
  const tp_terms *tt = x->m->p->terms;
  uint64_t origin = 0;
  if (!tp_term_is(t)) return 0;
  while (tp_kind(tt, t) == TP_OP_PTR_ADD) t = tp_arg(tt, t, 0);
  return tp_map_get(symbols, t.id, &origin) ? origin : 0;
}

static effect effect_of(effect_search *x, tp_func f, uint32_t parameter);

static effect effect_of_call(effect_search *x, const tp_map *symbols, const tp_edge_info *e,
                             bool *has_part) {
  effect all = {0};
  for (uint32_t i = 0; i < e->n_args; i++) {
    const uint64_t origin = origin_of(x, symbols, e->args[i]);
    if (!origin) continue;
    const effect one = effect_of(x, e->callee, i);
    all.ends |= one.ends && origin == IS_OBJECT;
    all.changes |= one.changes || one.ends;
    all.frees |= one.frees || (one.ends && origin == IS_PART);
    all.stores |= one.stores;
    *has_part = true;
  }
  return all;
}

static void add_symbol(const effect_search *x, tp_map *symbols, tp_var v, uint64_t origin,
                       bool *has_more) {
  const uint32_t symbol = v.id ? tp_var_of(x->m->p, v)->term.id : 0;
  if (!symbol || !origin || tp_map_has(symbols, symbol)) return;
  tp_map_set(symbols, symbol, origin);
  *has_more = true;
}

static effect effect_of_edge(effect_search *x, tp_map *symbols, const tp_edge_info *e,
                             bool *has_more) {
  const uint64_t origin = origin_of(x, symbols, e->a);
  effect found = {0};
  bool has_part = false;
  switch (e->kind) {
    case TP_E_FREE:
      found = (effect){.ends = origin == IS_OBJECT, .changes = origin, .frees = origin == IS_PART};
      break;
    case TP_E_STORE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: found.changes = found.stores = origin != 0; break;
    case TP_E_ASSIGN: add_symbol(x, symbols, e->var, origin, has_more); break;
    case TP_E_LOAD: add_symbol(x, symbols, e->var, origin ? IS_PART : 0, has_more); break;
    case TP_E_CALL:
      if (e->callee.id) found = effect_of_call(x, symbols, e, &has_part);
      if (has_part) add_symbol(x, symbols, e->var, IS_PART, has_more);
      break;
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
  return found;
}

static effect effect_of(effect_search *x, tp_func f, uint32_t parameter) {
  const tp_makers *m = x->m;
  const tp_func_info *info = tp_func_of(m->p, f);
  const uint64_t key = (uint64_t)f.id << 32 | parameter;
  uint64_t bits = 0;
  if (tp_map_get(&x->known, key, &bits))
    return (effect){(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
  if (parameter >= info->n_params || x->depth > TP_APP_ENTRY_CALLS) return (effect){0};
  tp_map_set(&x->known, key, 0);
  x->depth++;
  tp_map symbols = {0};
  effect all = {0};
  tp_map_set(&symbols, tp_var_of(m->p, info->params[parameter])->term.id, IS_OBJECT);
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (uint32_t i = m->first_edge[f.id]; i < m->first_edge[f.id + 1]; i++) {
      const effect one = effect_of_edge(x, &symbols, edge_at(m, i), &has_more);
      all.ends |= one.ends;
      all.changes |= one.changes;
      all.frees |= one.frees;
      all.stores |= one.stores;
    }
  }
  tp_map_clear(&symbols);
  x->depth--;
  tp_map_set(&x->known, key,
             (uint64_t)all.ends | (uint64_t)all.changes << 1 | (uint64_t)all.frees << 2 |
                 (uint64_t)all.stores << 3);
  return all;
}

static effect effect_on(const tp_makers *m, tp_func f, uint32_t parameter) {
  effect_search x = {.m = m};
  const effect found = effect_of(&x, f, parameter);
  tp_map_clear(&x.known);
  return found;
}

// ------------------------------------------------------------------------ roles

static bool is_of_unit(const tp_makers *m, uint32_t f) {
  const tp_func_info *info = &m->p->funcs.at[f];
  return info->has_body && !info->is_model && info->type.id &&
         (info->pos.file == m->file || tp_module_names_function(m->seen, info->name)) &&
         !type_at(m, info->type)->is_variadic && strcmp(info->name, "main") != 0 &&
         !tp_front_is_asked(info->name);
}

/* By its name, or by its code. */
static bool is_initialiser(const tp_makers *m, uint32_t f, uint32_t parameter) {
  return (parameter == 0 && tp_module_is_named_init(m->p->funcs.at[f].name)) ||
         tp_initialises(m->p, (tp_func){f}, parameter);
}

/* What the function is to objects of the type; false: nothing that helps to make one. */
static bool role_of(const tp_makers *m, uint32_t f, tp_type handle, tp_maker *out) {
  const tp_func_info *info = &m->p->funcs.at[f];
  const tp_type_info *t = type_at(m, info->type);
  uint32_t at = t->n_params, n_handles = 0;
  for (uint32_t i = 0; i < t->n_params; i++) {
    if (!is_possible(m, t->params[i])) return false;
    if (at == t->n_params && is_same(m, t->params[i], handle))
      at = i;
    else
      n_handles += tp_makers_is_handle(m, t->params[i]);
  }
  const bool returns = t->element.id && is_same(m, t->element, handle), takes = at < t->n_params;
  *out = (tp_maker){.func = {f}, .parameter = at, .n_handles = n_handles};
  if (!takes) {
    out->kind = TP_MAKER_RETURNS;
    return returns;
  }
  const bool is_struct = is_structure(m, type_at(m, handle)->element);
  if (is_struct && !returns && is_initialiser(m, f, at)) {
    out->kind = TP_MAKER_INITIALISES;
    return type_at(m, type_at(m, handle)->element)->size_bytes > 0;
  }
  out->kind = returns ? TP_MAKER_REPLACES : TP_MAKER_CHANGES;
  const effect on_object = effect_on(m, (tp_func){f}, at);
  if (!on_object.changes && !on_object.ends) return false;
  for (uint32_t i = 0; i < t->n_params; i++)  // another object that is the operation's to end
    if (i != at && tp_makers_is_handle(m, t->params[i]) && effect_on(m, (tp_func){f}, i).ends)
      return false;
  if (returns) return !is_struct || on_object.ends;
  if (on_object.frees && !on_object.stores) return false;  // what is freed stays where it was
  return !tp_module_is_named_end(info->name) && !on_object.ends;
}

bool tp_makers_is_same(const tp_makers *m, tp_type a, tp_type b) { return is_same(m, a, b); }

/* Is it the structure itself, or the address of a pointer to one? */
static bool is_value_of(const tp_makers *m, tp_type t, tp_type handle) {
  return t.id && is_structure(m, t) &&
         is_same_structure(type_at(m, t), type_at(m, type_at(m, handle)->element));
}

static bool is_address_of(const tp_makers *m, tp_type t, tp_type handle) {
  return t.id && type_at(m, t)->kind == TP_T_POINTER && is_same(m, type_at(m, t)->element, handle);
}

/* Does a structure have one of the type among its members, or a pointer to one? */
static bool holds(const tp_makers *m, tp_type t, tp_type handle, uint32_t depth) {
  const tp_type_info *info = t.id ? type_at(m, t) : NULL;
  if (!info || depth == 0) return false;
  if (info->kind == TP_T_POINTER || info->kind == TP_T_ARRAY)
    return is_value_of(m, info->element, handle) || holds(m, info->element, handle, depth - 1);
  for (uint32_t i = 0; is_structure(m, t) && i < info->n_members; i++)
    if (is_value_of(m, info->members[i].type, handle) ||
        holds(m, info->members[i].type, handle, depth - 1))
      return true;
  return false;
}

/* A function that takes no structure, but writes through a void *. */
static bool may_take_any(const tp_makers *m, tp_func f) {
  const tp_type_info *t = type_at(m, tp_func_of(m->p, f)->type);
  bool changes = false;
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type_info *a = t->params[i].id ? type_at(m, t->params[i]) : NULL;
    if (!a || a->kind != TP_T_POINTER) continue;
    if (tp_makers_is_handle(m, t->params[i])) return false;
    const bool is_any = !a->element.id || type_at(m, a->element)->kind == TP_T_VOID;
    changes |= is_any && effect_on(m, f, i).changes;
  }
  return changes;
}

/* Is a structure of the second type a member of the first, or a member's member? */
static bool has_part(const tp_makers *m, tp_type t, tp_type pointer_to_part, uint32_t depth) {
  const tp_type_info *info = t.id ? type_at(m, t) : NULL;
  if (!info || depth == 0) return false;
  if (info->kind == TP_T_ARRAY)
    return is_value_of(m, info->element, pointer_to_part) ||
           has_part(m, info->element, pointer_to_part, depth - 1);
  for (uint32_t i = 0; is_structure(m, t) && i < info->n_members; i++)
    if (is_value_of(m, info->members[i].type, pointer_to_part) ||
        has_part(m, info->members[i].type, pointer_to_part, depth - 1))
      return true;
  return false;
}

/* Pointers to the same, qualified or not. */
static bool leads_to_same(const tp_makers *m, tp_type a, tp_type b) {
  if (!a.id || !b.id || type_at(m, a)->kind != TP_T_POINTER || type_at(m, b)->kind != TP_T_POINTER)
    return false;
  const tp_type x = type_at(m, a)->element, y = type_at(m, b)->element;
  return x.id == y.id || is_same(m, a, b) ||
         (x.id && y.id && type_at(m, x)->kind == type_at(m, y)->kind &&
          type_at(m, x)->kind != TP_T_STRUCT && type_at(m, x)->kind != TP_T_UNION &&
          type_at(m, x)->size_bytes == type_at(m, y)->size_bytes);
}

/* Does a function that takes such an object return a pointer of this type? Users have it then. */
static bool hands_out(const tp_makers *m, tp_type handle, tp_type pointer) {
  for (uint32_t f = 1; f <= m->n_exported; f++) {
    const tp_func_info *info = &m->p->funcs.at[f];
    const tp_type_info *t = info->has_body && info->type.id ? type_at(m, info->type) : NULL;
    if (!t || !leads_to_same(m, t->element, pointer)) continue;
    for (uint32_t i = 0; i < t->n_params; i++)
      if (is_same(m, t->params[i], handle)) return true;
  }
  return false;
}

/* A function that writes to a part of an object, or to a number in it whose address users have, or
 * frees what an object owns: by an argument that is not the object. */
static bool changes_part(const tp_makers *m, tp_func f, tp_type handle) {
  const tp_type_info *t = type_at(m, tp_func_of(m->p, f)->type);
  const tp_type object = type_at(m, handle)->element;
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type a = t->params[i];
    if (!a.id || type_at(m, a)->kind != TP_T_POINTER || is_same(m, a, handle)) continue;
    const bool is_part = tp_makers_is_handle(m, a) && is_structure(m, type_at(m, a)->element) &&
                         has_part(m, object, a, TP_APP_ENTRY_POINTERS);
    if (!is_part && !hands_out(m, handle, a)) continue;
    const effect e = effect_on(m, f, i);
    if (e.ends || (e.changes && (is_part || !is_structure(m, type_at(m, a)->element)))) return true;
  }
  return false;
}

/* What it does to objects that are reached in other ways than by an argument of the type. */
static const char *other_way(const tp_makers *m, tp_func func, tp_type handle, tp_arena *arena) {
  const tp_func_info *f = tp_func_of(m->p, func);
  const tp_type_info *t = type_at(m, f->type);
  if (may_take_any(m, func))
    return tp_arena_printf(arena, "%s writes through a void *, which may lead to it", f->name);
  if (changes_part(m, func, handle))
    return tp_arena_printf(arena, "%s writes to what may be a part of it, or its own", f->name);
  if (is_value_of(m, t->element, handle))
    return tp_arena_printf(arena, "%s returns the structure itself", f->name);
  for (uint32_t i = 0; i < t->n_params; i++) {
    const tp_type a = t->params[i];
    if (is_value_of(m, a, handle))
      return tp_arena_printf(arena, "%s takes the structure itself", f->name);
    if (is_same(m, a, handle)) continue;
    if (!tp_module_is_named_end(f->name) && is_address_of(m, a, handle))
      return tp_arena_printf(arena, "%s takes the address of a pointer to it", f->name);
    if (holds(m, a, handle, TP_APP_ENTRY_POINTERS))
      return tp_arena_printf(arena, "%s takes a structure that leads to it", f->name);
  }
  return NULL;
}

tp_use_kind tp_makers_use(const tp_makers *m, tp_func f, tp_type handle, uint32_t *parameter,
                          tp_arena *arena, const char **obstacle) {
  TP_REQUIRE(m && f.id && f.id < m->p->funcs.n && handle.id && parameter && obstacle);
  const tp_func_info *info = tp_func_of(m->p, f);
  if (!info->has_body || info->is_model || !info->type.id || strcmp(info->name, "main") == 0 ||
      tp_front_is_asked(info->name))
    return TP_USE_NONE;
  const tp_type_info *t = type_at(m, info->type);
  if ((*obstacle = other_way(m, f, handle, arena))) return TP_USE_NONE;
  uint32_t at = 0;
  while (at < t->n_params && !is_same(m, t->params[at], handle)) at++;
  *parameter = at;
  const bool returns = t->element.id && is_same(m, t->element, handle), takes = at < t->n_params;
  if (!takes && !returns) return TP_USE_NONE;
  if (t->is_variadic) {
    *obstacle = tp_arena_printf(arena, "%s takes variable arguments", info->name);
    return TP_USE_NONE;
  }
  if (!takes) return TP_USE_RETURNS;
  if (!is_of_unit(m, f.id)) {
    *obstacle = tp_arena_printf(arena, "%s is not declared in this file", info->name);
    return TP_USE_NONE;
  }
  if (!returns && is_initialiser(m, f.id, at)) return TP_USE_INITIALISES;
  if (!returns && tp_module_is_named_end(info->name)) return TP_USE_ENDS;
  const bool ends = effect_on(m, f, at).ends;
  return ends ? returns ? TP_USE_REPLACES : TP_USE_ENDS : TP_USE_CHANGES;
}

static int by_cost(const void *a, const void *b) {
  const tp_maker *x = a, *y = b;
  if (x->n_handles != y->n_handles) return x->n_handles < y->n_handles ? -1 : 1;
  if (x->size != y->size) return x->size < y->size ? -1 : 1;
  return (x->func.id > y->func.id) - (x->func.id < y->func.id);
}

static void keep_cheapest(tp_maker_list *list, size_t most) {
  if (list->n) qsort(list->at, list->n, sizeof *list->at, by_cost);
  if (list->n > most) list->n = most;
}

/* Where a header declares the function in question, functions that none declares are not for
 * users. */
static bool is_internal(const tp_makers *m, uint32_t f) {
  return m->has_public && !tp_module_names_function(m->headers, m->p->funcs.at[f].name);
}

void tp_makers_find(const tp_makers *m, tp_type handle, tp_maker_list *makers,
                    tp_maker_list *operations) {
  TP_REQUIRE(m && tp_makers_is_handle(m, handle) && makers && operations);
  for (uint32_t f = 1; f <= m->n_exported; f++) {
    tp_maker maker;
    if (!is_of_unit(m, f) || is_internal(m, f) || !role_of(m, f, handle, &maker)) continue;
    tp_map seen = {0};
    add_size(m, maker.func, &seen, &maker.size);
    tp_map_clear(&seen);
    if (maker.size > TP_APP_MADE_EDGES) continue;
    const bool makes = maker.kind == TP_MAKER_RETURNS || maker.kind == TP_MAKER_INITIALISES;
    tp_vec_push(makes ? makers : operations, maker);
  }
  keep_cheapest(makers, TP_APP_MADE_MAKERS);
  // without objects of others there is no need for those that take some
  while (makers->n > 1 && makers->at[0].n_handles == 0 && tp_vec_last(makers).n_handles > 0)
    (void)tp_vec_pop(makers);
  keep_cheapest(operations, TP_APP_MADE_OPERATIONS);
}

bool tp_makers_has_any(const tp_makers *m, tp_type handle) {
  tp_maker_list makers = {0}, operations = {0};
  tp_makers_find(m, handle, &makers, &operations);
  const bool has_any = makers.n > 0;
  tp_vec_clear(&makers);
  tp_vec_clear(&operations);
  return has_any;
}

const char *tp_makers_hidden_use(const tp_makers *m, const bool *is_exposed, tp_type handle,
                                 tp_arena *arena) {
  TP_REQUIRE(m && is_exposed && handle.id && arena);
  const char *obstacle = NULL;
  for (uint32_t f = m->n_exported + 1; f < m->p->funcs.n && !obstacle; f++) {
    const tp_func_info *info = &m->p->funcs.at[f];
    if (!is_exposed[f] || !info->has_body || info->is_model || !info->type.id) continue;
    const tp_type_info *t = type_at(m, info->type);
    for (uint32_t i = 0; i < t->n_params && !obstacle; i++)
      if (is_same(m, t->params[i], handle))
        obstacle =
            tp_arena_printf(arena, "%s takes one, and users may have its address", info->name);
  }
  return obstacle;
}
