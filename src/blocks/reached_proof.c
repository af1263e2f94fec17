/* The proof that a finished reached set is: what it reaches decides the verdict, its elements as
 * formulas and graphs are the certificate. */
#include "blocks/reached_proof.h"

#include "blocks/unproved.h"
#include "engine/extract.h"

static const char *position_text(const tp_reached_proof *x, tp_pos pos) {
  return tp_position_text(x->task->program, pos, &x->out->arena);
}

static void give_up_unproved(const tp_reached_proof *x) {
  TP_REQUIRE(x->out->unproved.n > 0);
  const tp_loc_info *l = tp_loc_of(x->task->program, x->out->unproved.at[0]);
  const char *message = l->message ? l->message : tp_property_name(l->error);
  size_t more = x->out->unproved.n - 1;
  tp_str s = {0};
  tp_str_printf(&s, "the abstraction cannot exclude the error at %s: %s", position_text(x, l->pos),
                message);
  if (more) tp_str_printf(&s, " (and %zu more)", more);
  tp_result_give_up_at(x->out, (tp_obstacle){.kind = TP_OBSTACLE_ABSTRACTION, .pos = l->pos},
                       tp_arena_strdup(&x->out->arena, s.text),
                       "try a more precise --config, or --engine=bmc to look for a failing run");
  tp_str_clear(&s);
}

// -------------------------------------------------------------- what was reached

static bool *reached_locations(const tp_reached_proof *x) {
  bool *seen = TP_NEW_ARRAY(bool, x->task->program->locs.n);
  for (uint32_t i = 1; i <= tp_reached_n(tp_recursion_reached(x->r)); i++) {
    const tp_node *n = tp_reached_node(tp_recursion_reached(x->r), i);
    if (!n->removed) seen[n->loc.id] = true;
  }
  return seen;
}

void tp_reached_find_errors(const tp_reached_proof *x, bool is_complete) {
  bool *seen = reached_locations(x);
  for (uint32_t i = 1; i <= tp_reached_n(tp_recursion_reached(x->r)); i++) {
    tp_loc l = tp_reached_node(tp_recursion_reached(x->r), i)->loc;
    if (!seen[l.id] ||
        !tp_property_covers(x->task->property, tp_loc_of(x->task->program, l)->error))
      continue;
    tp_vec_push(&x->out->unproved, l);
    seen[l.id] = false;
  }
  for (size_t i = 0; i < x->out->unproved.n; i++) seen[x->out->unproved.at[i].id] = true;
  for (uint32_t l = 1; l < x->task->program->locs.n && is_complete; l++)
    if (!seen[l] && tp_property_covers(x->task->property, x->task->program->locs.at[l].error))
      tp_vec_push(&x->out->proved, (tp_loc){l});
  tp_free(seen);
}

/* "inline assembly at a.c:3:4", of the first unsupported location that is reached; or what concerns
 * the whole program. */
static const char *find_unsupported(const tp_reached_proof *x, tp_obstacle *obstacle) {
  bool *seen = reached_locations(x);
  const char *text = NULL;
  *obstacle = (tp_obstacle){.kind = TP_OBSTACLE_CONSTRUCT};
  for (size_t i = 1; i < x->task->program->unsupported.n && !text; i++) {
    const tp_unsupported *u = &x->task->program->unsupported.at[i];
    if (u->loc.id && !seen[u->loc.id]) continue;
    obstacle->pos = u->pos;
    text = tp_arena_printf(&x->out->arena, "%s at %s", u->what, position_text(x, u->pos));
  }
  for (uint32_t l = 1; l < x->task->program->locs.n && !text; l++) {
    if (!seen[l] || !x->task->program->locs.at[l].is_unsupported) continue;
    obstacle->pos = x->task->program->locs.at[l].pos;
    text = tp_arena_printf(&x->out->arena, "a construct that is not modelled at %s",
                           position_text(x, obstacle->pos));
  }
  tp_free(seen);
  return text;
}

/* Every element tells where it is? Without that there is no certificate. */
static bool has_locations(const tp_reached_proof *x) {
  for (uint32_t i = 1; i <= tp_reached_n(tp_recursion_reached(x->r)); i++) {
    const tp_node *n = tp_reached_node(tp_recursion_reached(x->r), i);
    if (!n->loc.id || !n->context.id) return false;
  }
  return true;
}

// -------------------------------------------------------------------- evidence

/* The reached set as a record of invariants: the claim of TRUE, or (property NONE) what other
 * engines may import. NULL: it does not stand by itself. shapes: initialised; it outlives the
 * record. */
static tp_invariants *extract(const tp_reached_proof *x, tp_property property,
                              const tp_unproved *unproved, tp_cert_shapes *shapes) {
  TP_REQUIRE((property == TP_P_NONE) == (shapes == NULL));
  tp_invariants *v = tp_invariants_new();
  bool ok = tp_extract_invariants(x->r, &x->c->env, x->c->cpa, property, shapes, v);
  for (size_t i = 0; i < unproved->assumptions.n; i++)
    tp_invariants_add_assumption(v, unproved->assumptions.at[i]);
  if (ok) return v;
  tp_invariants_free(v);
  return NULL;
}

static void conclude_true(const tp_reached_proof *x, const tp_unproved *unproved) {
  TP_REQUIRE(x->out->unproved.n == 0 && !unproved->gap);
  TP_REQUIRE(tp_reached_waiting(tp_recursion_reached(x->r)) == 0);
  tp_cert_shapes shapes;
  tp_cert_shapes_init(&shapes);
  tp_invariants *v = extract(x, x->task->property, unproved, &shapes);
  if (!v || !tp_invariants_write(v, x->task->program, &x->out->certificate)) {
    tp_str_clear(&x->out->certificate);
    tp_result_give_up(x->out, "the proof speaks of something that has no name in certificates",
                      NULL);
  } else {
    for (size_t i = 0; i < unproved->assumptions.n; i++)
      tp_vec_push(&x->out->assumptions,
                  tp_arena_strdup(&x->out->arena, unproved->assumptions.at[i]));
    x->out->verdict = TP_VERDICT_TRUE;
    if (!v->shapes) {  // with graphs, formulas are not all that it says
      tp_result_set_invariants(x->out, v);
      v = NULL;
    }
  }
  tp_invariants_free(v);
  tp_cert_shapes_clear(&shapes);
}

void tp_reached_conclude(const tp_reached_proof *x) {
  TP_REQUIRE(tp_reached_waiting(tp_recursion_reached(x->r)) == 0);
  tp_unproved unproved;
  tp_unproved_find(x->r, &x->c->env, x->c->cpa, &unproved);
  tp_obstacle obstacle;
  const char *unsupported = find_unsupported(x, &obstacle);
  if (!has_locations(x)) {
    tp_result_give_up(
        x->out, "the configuration does not keep locations and calls apart, so it proves nothing",
        "add location and callstack to `analysis`");
  } else {
    if (unsupported)
      tp_result_give_up_at(x->out, obstacle, unsupported, NULL);
    else if (unproved.gap)
      tp_result_give_up_at(x->out,
                           (tp_obstacle){.kind = TP_OBSTACLE_CALLEE, .pos = unproved.gap_pos},
                           tp_arena_strdup(&x->out->arena, unproved.gap), NULL);
    else if (x->out->unproved.n)
      give_up_unproved(x);
    else
      conclude_true(x, &unproved);
    if (x->out->verdict == TP_VERDICT_UNKNOWN)
      tp_result_set_invariants(x->out, extract(x, TP_P_NONE, &unproved, NULL));
  }
  tp_unproved_clear(&unproved);
}
