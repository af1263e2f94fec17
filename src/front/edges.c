/* Building edges from the current location.
 *
 * An edge goes from the current location to a new one, which becomes current. Where control
 * continues at a location that exists already, the last edge is redirected to that location, so
 * that no empty edge is left. After an error, the end of the program, or a construct that is not
 * modelled the builder is `dead` and ignores further edges. */
#include "front/front_priv.h"

#include <stdio.h>

const char *tp_fe_printf(tp_fe *fe, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return tp_arena_strdup(&fe->p->arena, text);
}

void tp_fe_add_assumption(tp_fe *fe, const char *text) {
  TP_REQUIRE(text && *text);
  uint64_t k = tp_hash_bytes(text, strlen(text), 1);
  if (tp_map_has(&fe->reported, k)) return;
  tp_map_set(&fe->reported, k, 1);
  tp_vec_push(&fe->p->assumptions, tp_arena_strdup(&fe->p->arena, text));
}

static tp_loc new_loc(tp_fb *fb) {
  return tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func});
}
static tp_loc_info *loc_info(tp_fb *fb, tp_loc l) { return &fb->p->locs.at[l.id]; }

void tp_fb_continue_at(tp_fb *fb, tp_loc loc) {
  TP_REQUIRE(loc.id && loc.id < fb->p->locs.n && tp_loc_of(fb->p, loc)->func.id == fb->func.id);
  fb->cur = loc;
  fb->cur_edge = 0;
  fb->dead = false;
}

/* Objects in memory have no companions (uninitialised.c). */
static void add_memory_assumption(tp_fb *fb, const tp_edge_info *e) {
  if (fb->fe->check_undefined && e->kind == TP_E_ALLOC && !tp_term_is(e->b))
    tp_fe_add_assumption(fb->fe,
                         "what was never set in memory is not used (arrays, structs, locals whose "
                         "address is taken, blocks of malloc)");
}

tp_edge tp_fb_emit(tp_fb *fb, tp_edge_info e) {
  if (fb->dead) return TP_EDGE_NONE;
  TP_REQUIRE(fb->cur.id && !e.from.id && !e.to.id);
  TP_INVARIANT(tp_loc_of(fb->p, fb->cur)->error == TP_P_NONE);  // errors have no edges
  add_memory_assumption(fb, &e);
  if (!tp_pos_known(e.pos)) e.pos = fb->pos;
  if (!tp_pos_known(loc_info(fb, fb->cur)->pos)) loc_info(fb, fb->cur)->pos = e.pos;
  e.from = fb->cur;
  e.to = new_loc(fb);
  tp_edge id = tp_program_add_edge(fb->p, e);
  fb->cur = e.to;
  fb->cur_edge = id.id;
  return id;
}

/* Remove the current location if only its edge refers to it. */
static void drop_cur(tp_fb *fb) {
  TP_INVARIANT(tp_loc_of(fb->p, fb->cur)->error == TP_P_NONE);
  if (fb->cur.id + 1 == fb->p->locs.n) fb->p->locs.n--;
  fb->dead = true;
}

void tp_fb_goto(tp_fb *fb, tp_loc loc) {
  TP_REQUIRE(loc.id && loc.id < fb->p->locs.n && tp_loc_of(fb->p, loc)->func.id == fb->func.id);
  if (fb->dead) return;
  if (fb->cur_edge) {
    fb->p->edges.at[fb->cur_edge].to = loc;
    drop_cur(fb);
    return;
  }
  tp_edge e = tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
  fb->p->edges.at[e.id].to = loc;
  drop_cur(fb);
}

void tp_fb_assume(tp_fb *fb, tp_term cond, const char *why) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, cond)) == TP_SORT_BOOL);
  if (tp_is_true(fb->tt, cond)) return;
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = cond, .name = why});
  if (tp_is_false(fb->tt, cond)) fb->dead = true;
}

void tp_fb_block(tp_fb *fb, const char *why) { tp_fb_assume(fb, tp_mk_false(fb->tt), why); }

void tp_fb_assign(tp_fb *fb, tp_var v, tp_term t) {
  TP_REQUIRE(v.id &&
             tp_sort_eq(tp_sort_of(fb->tt, tp_var_of(fb->p, v)->term), tp_sort_of(fb->tt, t)));
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSIGN, .var = v, .a = t});
}

void tp_fb_forget_pointer(tp_fb *fb, tp_var v) {
  TP_REQUIRE(v.id);
  (void)tp_fb_emit(
      fb, (tp_edge_info){
              .kind = TP_E_ASSIGN, .var = v, .a = tp_mk_null(fb->tt), .name = TP_LIFETIME_ENDS});
}

void tp_fb_havoc(tp_fb *fb, tp_var v, tp_input_kind kind, const char *name, bool may_write) {
  TP_REQUIRE(v.id || kind == TP_I_EXTERN);  // a function without result
  tp_type type = v.id ? tp_var_of(fb->p, v)->type : TP_TYPE_NONE;
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC,
                                      .var = v,
                                      .input = kind,
                                      .name = name,
                                      .may_write = may_write,
                                      .type = type});
}

tp_loc tp_fb_branch(tp_fb *fb, tp_term cond, tp_loc *when_false) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, cond)) == TP_SORT_BOOL);
  tp_loc from = fb->cur;
  (void)tp_fb_emit(
      fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = tp_mk_not(fb->tt, cond), .negated = true});
  *when_false = fb->cur;
  if (!fb->dead) tp_fb_continue_at(fb, from);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ASSUME, .a = cond});
  return fb->cur;
}

bool tp_fb_shows_choices(const tp_fb *fb) {
  return fb->fe->opt->shows_choices && !tp_func_of(fb->p, fb->func)->is_model;
}

void tp_fb_show_choice(tp_fb *fb, tp_term cond) {
  if (!tp_fb_shows_choices(fb) || fb->dead || tp_is_const(fb->tt, cond)) return;
  tp_loc join = new_loc(fb), when_false;
  tp_fb_branch(fb, cond, &when_false);
  const uint32_t no_edge = fb->cur_edge - 1;
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, when_false);
  fb->cur_edge = no_edge;
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
}

/* The current location must be one that a single edge leads to, and not the function's entry. */
static void own_location(tp_fb *fb) {
  if (!fb->cur_edge && !fb->dead) (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_SKIP});
}

void tp_fb_error_here(tp_fb *fb, tp_property kind, const char *message) {
  TP_REQUIRE(kind != TP_P_NONE && message);
  if (fb->dead) return;
  own_location(fb);
  tp_loc_info *l = loc_info(fb, fb->cur);
  l->error = kind;
  l->message = message;
  l->pos = fb->pos;
  fb->dead = true;
}

void tp_fb_check(tp_fb *fb, tp_term ok, tp_property kind, const char *message) {
  tp_fb_check_manner(fb, ok, kind, TP_FAILS_AT_LOCATION, message);
}

void tp_fb_check_manner(tp_fb *fb, tp_term ok, tp_property kind, tp_failure_manner manner,
                        const char *message) {
  TP_REQUIRE(kind != TP_P_NONE && message);
  if (fb->dead || tp_is_true(fb->tt, ok)) return;
  tp_loc bad;
  tp_loc good = tp_fb_branch(fb, ok, &bad);
  uint32_t edge = fb->cur_edge;
  tp_loc_info *l = loc_info(fb, bad);
  l->error = kind;
  l->message = message;
  l->manner = manner;
  l->pos = fb->pos;
  fb->cur = good;
  fb->cur_edge = edge;
}

void tp_fb_rely_on(tp_fb *fb, tp_term holds, const char *otherwise, const char *message) {
  TP_REQUIRE(otherwise && message);
  if (fb->fe->check_undefined && !tp_func_of(fb->p, fb->func)->is_model)
    tp_fb_check(fb, holds, TP_P_UNDEFINED, message);
  else
    tp_fb_assume(fb, holds, otherwise);
}

void tp_fb_unsupported(tp_fb *fb, const char *what) {
  TP_REQUIRE(what && *what);
  if (fb->dead) return;
  own_location(fb);
  tp_loc_info *l = loc_info(fb, fb->cur);
  l->is_unsupported = true;
  l->pos = fb->pos;
  tp_vec_push(&fb->p->unsupported, (tp_unsupported){fb->pos, what, fb->cur});
  fb->dead = true;
}

void tp_fb_stop(tp_fb *fb) {
  if (fb->dead) return;
  own_location(fb);
  fb->dead = true;
}

tp_var tp_fb_temp(tp_fb *fb, tp_sort sort, tp_type type) {
  tp_fe *fe = fb->fe;
  tp_var_info info = {.name = tp_fe_printf(fe, "tmp%u", ++fe->n_temps),
                      .kind = TP_V_TEMP,
                      .func = fb->func,
                      .type = type,
                      .pos = fb->pos};
  return tp_program_add_var(fe->p, info, sort);
}
