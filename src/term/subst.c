#include "term/term.h"

#include "term/term_priv.h"

/* Simultaneous substitution: one pass in post-order with an explicit stack. Images are kept in
 * dense marks by id (a call's own) or in the caller's map (kept between calls). Nodes whose
 * arguments did not change are taken over without looking them up again. */

typedef struct {
  tp_terms *tt;
  tp_subst_fn with;
  void *ctx;
  tp_map *memo;  // NULL: use marks
  tp_marks *marks;
  TP_VEC(uint32_t) stack;
} subst;

static bool image_of(const subst *s, uint32_t id, tp_term *out) {
  if (s->memo) {
    uint64_t v;
    if (!tp_map_get(s->memo, id, &v)) return false;
    *out = (tp_term){(uint32_t)v};
    return true;
  }
  if (s->marks->stamp[id] != s->marks->epoch) return false;
  *out = (tp_term){s->marks->value[id]};
  return true;
}

static void set_image(subst *s, uint32_t id, tp_term image) {
  if (s->memo) {
    tp_map_set(s->memo, id, image.id);
    return;
  }
  s->marks->stamp[id] = s->marks->epoch;
  s->marks->value[id] = image.id;
}

/* The image of t if those of its arguments are known; else the missing ones go on the stack. */
static void step(subst *s, tp_term t) {
  tp_terms *tt = s->tt;
  if (tp_k(tt, t) == TP_OP_VAR) {
    tp_term with = s->with(s->ctx, t);
    set_image(s, t.id, tp_term_is(with) ? with : t);
    return;
  }
  uint32_t n = tp_n_args(tt, t);
  tp_term args[3];
  bool changed = false, ready = true;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = tt->arg[t.id][i];
    if (!image_of(s, a, &args[i])) {
      ready = false;
      tp_vec_push(&s->stack, a);
    } else if (args[i].id != a) {
      changed = true;
    }
  }
  if (ready) set_image(s, t.id, changed ? tp_remake(tt, t, args) : t);
}

tp_term tp_subst(tp_terms *tt, tp_term t, tp_subst_fn with, void *ctx, tp_map *memo) {
  subst s = {.tt = tt, .with = with, .ctx = ctx, .memo = memo};
  tp_term result = t;
  if (tp_is_scalar_const(tt, t)) return t;
  if (tp_k(tt, t) == TP_OP_VAR) {
    tp_term image = with(ctx, t);
    return tp_term_is(image) ? image : t;
  }
  if (!memo) s.marks = tp_marks_begin(tt, t.id);
  tp_vec_push(&s.stack, t.id);
  while (s.stack.n) {
    uint32_t top = tp_vec_last(&s.stack);
    if (image_of(&s, top, &result))
      (void)tp_vec_pop(&s.stack);
    else
      step(&s, (tp_term){top});
  }
  (void)image_of(&s, t.id, &result);
  if (!memo) tp_marks_end(tt, s.marks);
  tp_vec_clear(&s.stack);
  return result;
}
