/* What a refined value analysis tracks.
 *
 * Lvalues are identified by their terms: the symbol of a variable, the term of a memory cell.
 * Properties of objects (size, lifetime, image) are no lvalues and always kept. A cell that is not
 * tracked has any value, not the one of its object's image: havocking adds an entry. */
#include "cpa/value/value_priv.h"

bool tp_value_is_refined(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->scope != TP_TRACK_ALL;
}

bool tp_value_can_grow(const tp_cpa *self) {
  return tp_value_is_refined(self) || tp_value_lifts_thresholds(self);
}

typedef enum { FOR_PROGRAM, FOR_FUNCTION, FOR_LOCATION } scope_kind;

static uint64_t key_of(scope_kind kind, uint32_t number, tp_term lvalue) {
  TP_REQUIRE(number < UINT32_MAX >> 2);  // two bits are the kind
  return (uint64_t)(number << 2 | kind) << 32 | lvalue.id;
}

static bool track(tp_value_settings *own, scope_kind kind, uint32_t number, tp_tracked t) {
  uint64_t key = key_of(kind, number, t.lvalue);
  if (tp_map_has(&own->is_tracked, key)) return false;
  tp_map_set(&own->is_tracked, key, 1);
  tp_vec_push(&own->tracked, t);
  return true;
}

bool tp_value_track_for(tp_cpa *self, tp_loc at, tp_func func, tp_term lvalue) {
  TP_REQUIRE(tp_term_is(lvalue));
  tp_value_settings *own = tp_store_own(self);
  if (at.id)
    return track(
        own, FOR_LOCATION, at.id,
        (tp_tracked){.at = at, .func = tp_loc_of(self->env->program, at)->func, .lvalue = lvalue});
  if (func.id)
    return track(own, FOR_FUNCTION, func.id, (tp_tracked){.func = func, .lvalue = lvalue});
  return track(own, FOR_PROGRAM, 0, (tp_tracked){.lvalue = lvalue});
}

bool tp_value_track(tp_cpa *self, tp_loc at, tp_term lvalue) {
  const tp_value_settings *own = tp_store_own(self);
  switch (own->scope) {
    case TP_TRACK_ALL: return false;
    case TP_TRACK_LOCATION: return tp_value_track_for(self, at, TP_FUNC_NONE, lvalue);
    case TP_TRACK_FUNCTION:
      return tp_value_track_for(self, TP_LOC_NONE, tp_loc_of(self->env->program, at)->func, lvalue);
    case TP_TRACK_GLOBAL: return tp_value_track_for(self, TP_LOC_NONE, TP_FUNC_NONE, lvalue);
  }
  return false;
}

static bool is_tracked(const tp_cpa *self, const tp_value_settings *own, tp_loc at,
                       tp_term lvalue) {
  TP_REQUIRE(at.id && at.id < self->env->program->locs.n);
  return tp_map_has(&own->is_tracked, key_of(FOR_LOCATION, at.id, lvalue)) ||
         tp_map_has(&own->is_tracked,
                    key_of(FOR_FUNCTION, tp_loc_of(self->env->program, at)->func.id, lvalue)) ||
         tp_map_has(&own->is_tracked, key_of(FOR_PROGRAM, 0, lvalue));
}

size_t tp_value_n_tracked(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->tracked.n;
}

void tp_value_each_tracked(const tp_cpa *self,
                           void (*visit)(void *ctx, tp_loc at, tp_func func, tp_term lvalue),
                           void *ctx) {
  const tp_value_settings *own = tp_store_own(self);
  for (size_t i = 0; i < own->tracked.n; i++)
    visit(ctx, own->tracked.at[i].at, own->tracked.at[i].func, own->tracked.at[i].lvalue);
}

// -------------------------------------------------------------------- forgetting

typedef struct {
  tp_cpa *self;
  const tp_value_settings *own;
  tp_loc at;
  TP_VEC(uint64_t) others;  // lvalues that are not tracked at the location
} selection;

static void visit(void *ctx, uint64_t lvalue, tp_absval a, tp_absval b) {
  selection *s = ctx;
  (void)b;
  if (a.id && !is_tracked(s->self, s->own, s->at, tp_store_lvalue_term(s->self, lvalue)))
    tp_vec_push(&s->others, lvalue);
}

const tp_elem *tp_value_project(tp_cpa *self, const tp_elem *e, tp_loc at) {
  selection s = {.self = self, .own = tp_store_own(self), .at = at};
  tp_store_each(self, e, visit, &s);
  if (s.others.n) e = tp_store_havoc_lvalues(self, e, s.others.at, s.others.n);
  tp_vec_clear(&s.others);
  return e;
}
