/* What a refined value analysis tracks.
 *
 * Places go by their terms: the symbol of a variable, the term of a memory cell. What is known of objects (size, life, image) is no
 * place and always kept. A cell that is not tracked has any value, not the one of its object's image: forgetting says so. */
#include "cpa/value/value_priv.h"

bool tp_value_is_refined(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->scope != TP_TRACK_ALL;
}

/* Where a place at this location is looked up. */
static uint64_t key_of(const tp_cpa *self, const tp_value_settings *own, tp_loc at, tp_term place) {
  uint32_t scope = 0;
  if (own->scope == TP_TRACK_LOCATION) scope = at.id;
  if (own->scope == TP_TRACK_FUNCTION) scope = tp_loc_of(self->env->program, at)->func.id;
  return (uint64_t)scope << 32 | place.id;
}

bool tp_value_track(tp_cpa *self, tp_loc at, tp_term place) {
  tp_value_settings *own = tp_store_own(self);
  uint64_t key = key_of(self, own, at, place);
  if (tp_map_has(&own->is_tracked, key)) return false;
  tp_map_set(&own->is_tracked, key, 1);
  tp_tracked t = {.place = place};
  if (own->scope == TP_TRACK_LOCATION) t.at = at;
  if (own->scope != TP_TRACK_GLOBAL) t.func = tp_loc_of(self->env->program, at)->func;
  tp_vec_push(&own->tracked, t);
  return true;
}

size_t tp_value_n_tracked(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->tracked.n;
}

void tp_value_each_tracked(const tp_cpa *self, void (*see)(void *ctx, tp_loc at, tp_func func, tp_term place), void *ctx) {
  const tp_value_settings *own = tp_store_own(self);
  for (size_t i = 0; i < own->tracked.n; i++) see(ctx, own->tracked.at[i].at, own->tracked.at[i].func, own->tracked.at[i].place);
}

// -------------------------------------------------------------------- forgetting

typedef struct {
  tp_cpa *self;
  const tp_value_settings *own;
  tp_loc at;
  TP_VEC(uint64_t) others;     // places that are not tracked here
} selection;

static void see(void *ctx, uint64_t place, tp_absval a, tp_absval b) {
  selection *s = ctx;
  (void)b;
  if (a.id && !tp_map_has(&s->own->is_tracked, key_of(s->self, s->own, s->at, tp_store_place_term(s->self, place)))) tp_vec_push(&s->others, place);
}

const tp_elem *tp_value_only_tracked(tp_cpa *self, const tp_elem *e, tp_loc at) {
  selection s = {.self = self, .own = tp_store_own(self), .at = at};
  tp_store_each(self, e, see, &s);
  if (s.others.n) e = tp_store_forget_places(self, e, s.others.at, s.others.n);
  tp_vec_clear(&s.others);
  return e;
}
