/* The row `interval`: a store over the lattice of numbers, and widening by precision adjustment.
 *
 * Merge sees two elements, not how they came to be, so it cannot widen; adjust can. The precision
 * remembers the way that led to an element: for every cutpoint passed in the frames that are still
 * active, the element with which it was passed last, and how often it had grown by then. Precisions
 * are handed on by transfer, and merge gives the merged element the precision of the newcomer, so
 * when a turn of a loop comes back to the loop's head and makes the element there grow, adjust
 * finds the previous turn's element in the precision. After `widen-after` growths it returns
 * previous-widened-by-present, which is above the present one, as the law demands.
 *
 * Why it ends: in a run without end, infinitely many expansions are linked by "led to"; every step
 * has finitely many successors, so there is one infinite chain of them. It passes some cutpoint in
 * one context infinitely often, along it precisions are handed on, and each passage is a growth (an
 * element that waits again has grown since it was expanded). From the widen-after-th on every
 * passage is an application of widen to the previous one, which can change only finitely often.
 * widen-after = 0 switches widening off, and loops may run forever.
 *
 * A call starts a new frame of the memory and its return drops it: in another context the same loop
 * starts anew. */
#include "cpa/interval/interval_cpa.h"

typedef struct passage passage;
struct passage {
  tp_loc at;
  uint32_t growths;
  const tp_elem *last;  // as adjusted
  const passage *next;  // other cutpoints of the frame
};
typedef struct frame frame;
struct frame {
  const passage *passed;
  const frame *caller;
};
struct tp_prec {
  tp_loc at;  // the cutpoint where the element is, NONE: elsewhere
  const frame *top;
};

static const tp_prec *prec_new(tp_cpa *self, tp_loc at, const frame *top) {
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  *p = (tp_prec){at, top};
  return p;
}
static const frame *frame_new(tp_cpa *self, const passage *passed, const frame *caller) {
  frame *f = tp_arena_new(&self->arena, frame);
  *f = (frame){passed, caller};
  return f;
}

/* The element arrives at a location. */
static const tp_prec *prec_at(tp_cpa *self, const tp_prec *p, tp_loc to) {
  tp_loc at = to.id && tp_loc_of(self->env->program, to)->is_cutpoint ? to : TP_LOC_NONE;
  const frame *top = p ? p->top : NULL;
  if (p ? p->at.id == at.id : !at.id) return p;
  return prec_new(self, at, top);
}
static const tp_prec *prec_behind(tp_cpa *self, const tp_prec *p, const tp_step *step) {
  const frame *top = p ? p->top : NULL;
  if (step->kind == TP_STEP_CALL) p = prec_new(self, TP_LOC_NONE, frame_new(self, NULL, top));
  if (step->kind == TP_STEP_RETURN) p = prec_new(self, TP_LOC_NONE, top ? top->caller : NULL);
  return prec_at(self, p, step->to);
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = tp_store_initial(self, entry, context);
  return (tp_succ){s.elem, prec_at(self, NULL, entry)};
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  size_t first = out->list.n;
  tp_store_transfer(self, e, p, step, out);
  if (out->list.n == first) return;
  const tp_prec *next = prec_behind(self, p, step);
  for (size_t i = first; i < out->list.n; i++) out->list.at[i].prec = next;
}

static const passage *find(const frame *f, tp_loc at) {
  for (const passage *x = f ? f->passed : NULL; x; x = x->next)
    if (x->at.id == at.id) return x;
  return NULL;
}
/* The passages but the one of this cutpoint, and then it. Few: a function has few cutpoints. */
static const tp_prec *record_passage(tp_cpa *self, const tp_prec *p, const tp_elem *e,
                                     uint32_t growths) {
  const passage *all = NULL;
  for (const passage *x = p->top ? p->top->passed : NULL; x; x = x->next) {
    if (x->at.id == p->at.id) continue;
    passage *copy = tp_arena_new(&self->arena, passage);
    *copy = (passage){x->at, x->growths, x->last, all};
    all = copy;
  }
  passage *here = tp_arena_new(&self->arena, passage);
  *here = (passage){p->at, growths, e, all};
  return prec_new(self, p->at, frame_new(self, here, p->top ? p->top->caller : NULL));
}

static tp_adjusted adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  (void)view;
  *out = (tp_succ){e, p};
  if (!p || !p->at.id) return TP_CONTINUE;
  const passage *before = find(p->top, p->at);
  if (!before) {
    out->prec = record_passage(self, p, e, 0);
    return TP_CONTINUE;
  }
  if (tp_store_leq(self, e, before->last)) return TP_CONTINUE;
  void *lattice = tp_store_lattice(self);
  uint64_t patience = tp_interval_widen_after(lattice);
  if (patience && before->growths >= patience) {
    tp_interval_use_thresholds_of(lattice, tp_loc_of(self->env->program, p->at)->func);
    out->elem = tp_store_widen(self, before->last, e);
  }
  out->prec = record_passage(self, p, out->elem, before->growths + 1);
  return TP_CONTINUE;
}

static bool open(tp_cpa *self, tp_str *why) {
  tp_store_options options = {.values = &tp_interval_values, .tracks_memory = true};
  return tp_cpa_setting_flag(self, "liveness", true, &options.havocs_dead, why) &&
         tp_store_open(self, options, why);
}

static uint32_t descents(tp_cpa *self) { return tp_interval_descents(tp_store_lattice(self)); }

static const char *const settings[] = {"widen-after", "thresholds", "narrow", "liveness", NULL};
const tp_cpa_ops tp_cpa_interval = {
    .name = "interval",
    .help = "bounds of numbers, in variables and memory; loops by widening",
    .settings = settings,
    .default_merge = "join",
    .has_join = true,
    .open = open,
    .close = tp_store_close,
    .initial = initial,
    .transfer = transfer,
    .adjust = adjust,
    .descents = descents,
    .leq = tp_store_leq,
    .top = tp_store_top,
    .join = tp_store_join,
    .widen = tp_store_widen,
    .print = tp_store_print,
    .formula = tp_store_formula,
    .range = tp_store_range,
    .strengthen = tp_store_strengthen,
    .implied_by = tp_store_implied_by,
    .reduce = tp_store_reduce,
    .expand = tp_store_expand};
