/* Locations as elements: one per location of the program, made at once; number 0 is top. */
#include "cpa/location/location_cpa.h"

struct tp_elem {
  tp_loc loc;
};  // NONE: any

static const tp_elem *at(tp_cpa *self, tp_loc l) { return (const tp_elem *)self->state + l.id; }

static bool open(tp_cpa *self, tp_str *why) {
  (void)why;
  size_t n = self->env->program->locs.n;
  tp_elem *all = tp_arena_array(&self->arena, tp_elem, n + 1);
  for (uint32_t l = 0; l < n; l++) all[l].loc = (tp_loc){l};
  self->state = all;
  return true;
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  (void)context;
  return (tp_succ){at(self, entry), NULL};
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  TP_REQUIRE(tp_step_check(self->env->program, step));
  if (e->loc.id == 0)
    tp_vec_push(&out->list, (tp_succ){e, p});
  else if (e->loc.id == step->from.id)
    tp_vec_push(&out->list, (tp_succ){at(self, step->to), p});
}

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self;
  return b->loc.id == 0 || a->loc.id == b->loc.id;
}

static const tp_elem *top(tp_cpa *self) { return at(self, TP_LOC_NONE); }
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a->loc.id == b->loc.id ? b : top(self);
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  if (!e->loc.id) {
    tp_str_add(out, "anywhere");
    return;
  }
  const tp_program *p = self->env->program;
  const tp_loc_info *info = tp_loc_of(p, e->loc);
  tp_str_printf(out, "%s:%u", info->func.id ? tp_func_of(p, info->func)->name : "?", e->loc.id);
}

static uint64_t merge_key(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->loc.id;
}

static tp_loc location(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->loc;
}

static const tp_elem *reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  (void)e;
  return at(self, tp_func_of(self->env->program, call->callee)->entry);
}

static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call) {
  (void)exit;
  return before->loc.id ? at(self, call->to) : before;
}

const tp_cpa_ops tp_cpa_location = {
    .name = "location",
    .help = "where a run is",
    .has_join = true,
    .default_merge = "sep",
    .open = open,
    .initial = initial,
    .transfer = transfer,
    .leq = leq,
    .print = print,
    .formula = tp_formula_true,
    .top = top,
    .join = join,
    .merge_key = merge_key,
    .location = location,
    .reduce = reduce,
    .expand = expand,
};
