/* Paths as elements: a persistent list of locations, the last first, so appending shares what came
 * before. */
#include "cpa/path/path_cpa.h"

struct tp_elem {
  const tp_elem *before;  // NULL: the start
  tp_loc loc;             // last; NONE: any path
  uint32_t length;
};

struct tp_prec {
  const bool *interrupts;
};  // by location

typedef struct {
  tp_prec prec;
  tp_elem top;
} config;

static bool open(tp_cpa *self, tp_str *why) {
  const tp_program *p = self->env->program;
  const char *at = tp_cpa_setting(self, "interrupt", "error");
  bool at_errors = strcmp(at, "error") == 0;
  if (!at_errors && strcmp(at, "none") != 0) {
    tp_str_printf(why, "path.interrupt = %s: error or none was expected", at);
    return false;
  }
  bool *interrupts = tp_arena_array(&self->arena, bool, p->locs.n + 1);
  for (uint32_t l = 1; at_errors && l < p->locs.n; l++) {
    tp_property error = p->locs.at[l].error;
    interrupts[l] = error != TP_P_NONE && tp_property_covers(self->env->property, error);
  }
  config *c = tp_arena_new(&self->arena, config);
  c->prec.interrupts = interrupts;
  self->state = c;
  return true;
}

static const tp_elem *append(tp_cpa *self, const tp_elem *before, tp_loc l) {
  tp_elem *e = tp_arena_new(&self->arena, tp_elem);
  *e = (tp_elem){.before = before, .loc = l, .length = before ? before->length + 1 : 1};
  return e;
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  (void)context;
  return (tp_succ){append(self, NULL, entry), &((config *)self->state)->prec};
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  TP_REQUIRE(tp_step_check(self->env->program, step));
  if (e->loc.id == 0)
    tp_vec_push(&out->list, (tp_succ){e, p});
  else if (e->loc.id == step->from.id)
    tp_vec_push(&out->list, (tp_succ){append(self, e, step->to), p});
}

/* Last locations only: what a path means are the states at its end. */
static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self;
  return b->loc.id == 0 || a->loc.id == b->loc.id;
}

static const tp_elem *top(tp_cpa *self) { return &((config *)self->state)->top; }
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a->loc.id == b->loc.id ? b : top(self);
}

static tp_adjusted adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  (void)self;
  (void)view;
  *out = (tp_succ){e, p};
  return p && p->interrupts[e->loc.id] ? TP_INTERRUPT : TP_CONTINUE;
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  (void)self;
  if (e->loc.id)
    tp_str_printf(out, "at %u, %u locations", e->loc.id, e->length);
  else
    tp_str_add(out, "any path");
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
  return append(self, NULL, tp_func_of(self->env->program, call->callee)->entry);
}

static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call) {
  (void)exit;
  return before->loc.id ? append(self, before, call->to) : before;
}

static const char *const settings[] = {"interrupt", NULL};

const tp_cpa_ops tp_cpa_path = {
    .name = "path",
    .help = "the way that a run came; interrupts at error locations",
    .settings = settings,
    .can_interrupt = true,
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
    .adjust = adjust,
    .merge_key = merge_key,
    .location = location,
    .reduce = reduce,
    .expand = expand,
};

size_t tp_path_locations(const tp_elem *e, tp_arena *arena, tp_loc **out) {
  tp_loc *all = tp_arena_array(arena, tp_loc, e->length + 1);
  for (const tp_elem *at = e; at; at = at->before)
    if (at->length) all[at->length - 1] = at->loc;
  *out = all;
  return e->length;
}

const tp_prec *tp_path_interrupts(tp_cpa *self, const tp_loc *at, size_t n) {
  bool *interrupts = tp_arena_array(&self->arena, bool, self->env->program->locs.n + 1);
  for (size_t i = 0; i < n; i++) interrupts[at[i].id] = true;
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  p->interrupts = interrupts;
  return p;
}
