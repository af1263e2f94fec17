/* Call strings as elements: one per context, made when it is first needed, found by the context's
 * number. */
#include "cpa/callstack/callstack_cpa.h"

struct tp_elem {
  tp_context context;
};  // NONE: any

typedef struct {
  TP_VEC(const tp_elem *) made;
} store;

static const tp_elem *at(tp_cpa *self, tp_context c) {
  store *s = self->state;
  if (s->made.n <= c.id) tp_vec_resize(&s->made, c.id + 1);
  if (!s->made.at[c.id]) {
    tp_elem *e = tp_arena_new(&self->arena, tp_elem);
    e->context = c;
    s->made.at[c.id] = e;
  }
  return s->made.at[c.id];
}

static bool open(tp_cpa *self, tp_str *why) {
  (void)why;
  self->state = TP_NEW(store);
  return true;
}

static void close(tp_cpa *self) {
  store *s = self->state;
  tp_vec_clear(&s->made);
  tp_free(s);
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  (void)entry;
  return (tp_succ){at(self, context), NULL};
}

/* The call string behind a step; false: the step is impossible with this one. */
static bool context_behind(tp_cpa *self, tp_context c, const tp_step *step, tp_context *out) {
  tp_contexts *all = self->env->contexts;
  const tp_context_info *top = tp_context_of(all, c);
  *out = c;
  if (top->func.id != tp_loc_of(self->env->program, step->from)->func.id) return false;
  switch (step->kind) {
    case TP_STEP_EDGE:
    case TP_STEP_SUMMARY: return true;
    case TP_STEP_CALL:
      *out = tp_context_has(all, c, step->callee)
                 ? TP_CONTEXT_NONE
                 : tp_context_push(all, c, step->edge, step->callee);
      return true;
    case TP_STEP_RETURN:
      *out = top->parent;
      return top->call.id == step->edge.id;  // a root has none: no run returns from it here
  }
  return false;
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  TP_REQUIRE(tp_step_check(self->env->program, step));
  tp_context to = TP_CONTEXT_NONE;
  if (!e->context.id || context_behind(self, e->context, step, &to))
    tp_vec_push(&out->list, (tp_succ){at(self, to), p});
}

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self;
  return b->context.id == 0 || a->context.id == b->context.id;
}

static const tp_elem *top(tp_cpa *self) { return at(self, TP_CONTEXT_NONE); }
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a->context.id == b->context.id ? b : top(self);
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  if (e->context.id)
    tp_context_print(self->env->contexts, self->env->program, e->context, out);
  else
    tp_str_add(out, "any calls");
}

static uint64_t merge_key(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->context.id;
}

static tp_context context(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->context;
}

static const tp_elem *reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  (void)e;
  return at(self, call->root);
}

static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call) {
  (void)self;
  (void)exit;
  (void)call;
  return before;
}

const tp_cpa_ops tp_cpa_callstack = {
    .name = "callstack",
    .help = "which calls are active",
    .has_join = true,
    .default_merge = "sep",
    .open = open,
    .close = close,
    .initial = initial,
    .transfer = transfer,
    .leq = leq,
    .print = print,
    .formula = tp_formula_true,
    .top = top,
    .join = join,
    .merge_key = merge_key,
    .context = context,
    .reduce = reduce,
    .expand = expand,
};
