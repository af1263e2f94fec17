/* The rows `constant` and `constant-location`: stores over the lattice of constants. */
#include "cpa/constant/constant_cpa.h"
#include "program/flags.h"

/* Setting track: NULL, all variables; else what is kept, by variable. */
typedef struct {
  const bool *is_kept;
} tracking;

static bool open(tp_cpa *self, tp_str *why) {
  const char *track = tp_cpa_setting(self, "track", "all");
  const bool is_all = strcmp(track, "all") == 0;
  if (!is_all && strcmp(track, "flags") != 0) {
    tp_str_printf(why, "constant.track = %s: all or flags was expected", track);
    return false;
  }
  tracking *own = tp_arena_new(&self->arena, tracking);
  if (!is_all) {
    bool *is_flag = tp_arena_array(&self->arena, bool, self->env->program->vars.n);
    tp_flags_find(self->env->program, is_flag);
    own->is_kept = is_flag;
  }
  return tp_store_open(
      self,
      (tp_store_options){
          .values = &tp_constant_values, .integers_only = true, .havocs_dead = !is_all, .own = own},
      why);
}

typedef struct {
  const bool *is_kept;
  TP_VEC(uint64_t) others;
} selection;

static void select_other(void *ctx, uint64_t lvalue, tp_absval a, tp_absval b) {
  selection *s = ctx;
  (void)b;
  if (a.id && !s->is_kept[lvalue >> 1]) tp_vec_push(&s->others, lvalue);
}

/* The element without what is not tracked. */
static const tp_elem *restrict_to_tracked(tp_cpa *self, const tp_elem *e) {
  const tracking *own = tp_store_own(self);
  if (!own->is_kept || !e) return e;
  selection s = {.is_kept = own->is_kept};
  tp_store_each(self, e, select_other, &s);
  if (s.others.n) e = tp_store_havoc_lvalues(self, e, s.others.at, s.others.n);
  tp_vec_clear(&s.others);
  return e;
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = tp_store_initial(self, entry, context);
  s.elem = restrict_to_tracked(self, s.elem);
  return s;
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  const size_t first = out->list.n;
  tp_store_transfer(self, e, p, step, out);
  for (size_t i = first; i < out->list.n; i++)
    out->list.at[i].elem = restrict_to_tracked(self, out->list.at[i].elem);
}

static const char *const settings[] = {"track", NULL};

static bool open_location(tp_cpa *self, tp_str *why) {
  tp_store_options options = {
      .values = &tp_constant_values, .integers_only = true, .own_location = true};
  return tp_store_open(self, options, why);
}

const tp_cpa_ops tp_cpa_constant = {.name = "constant",
                                    .help = "integer variables with one value",
                                    .settings = settings,
                                    .has_join = true,
                                    .default_merge = "join",
                                    .open = open,
                                    .close = tp_store_close,
                                    .initial = initial,
                                    .transfer = transfer,
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
const tp_cpa_ops tp_cpa_constant_location = {
    .name = "constant-location",
    .help = "the same with the location as a part of the element",
    .default_merge = "join",
    .open = open_location,
    .merge_key = tp_store_merge_key,
    .location = tp_store_location,
    .context = tp_store_context,
    TP_STORE_OPS};
