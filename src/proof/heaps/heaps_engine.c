/* Symbolic heaps: lists, trees, what they own, and the objects that hold them, of any size.
 *
 *   explore    paths of the program on symbolic heaps; at joins and loop heads cells are folded
 *              into structures (fold_cells.c), and a heap whose text was there before is not
 *              followed again.
 *   calls      go into the function, each way of calls apart. Functions that call themselves have a
 *              contract: it is given whole structures at its parameters; what its body ends with is
 *              what calls give back, and all is explored again until nothing new comes back.
 *   kinds      what cells own is learned while folding; each time more is known all is explored
 *              again.
 *   variants   which link of a structure leads back is a guess; the next one is tried where a
 * search fails.
 *
 *   facts      of numbers, where the property asks about more than memory: which candidates hold of
 *              the cells of a structure (cell_facts.h). A heap that comes back with fewer of them
 * is followed again with those that both have.
 *
 * The search does not look at the program's checks: the certificate is the heaps that were met, and
 * its checker says whether they exclude the errors. */
#include "engine/cert_lines.h"
#include "proof/heaps/heap_run.h"
#include "proof/proof_engines.h"
#include "proof/proof_limits.h"
#include "program/flags.h"

// ------------------------------------------------------------------------- flags

/* Variables that take few values, so that what they are is kept at loops: flags, and indices of
 * tables of constant size. */
static void find_flags(tp_heap_run *r) {
  r->is_index = TP_NEW_ARRAY(bool, r->p->vars.n);
  r->is_flag = TP_NEW_ARRAY(bool, r->p->vars.n);
  tp_flags_find(r->p, r->is_flag);
  tp_indices_find(r->p, TP_PROOF_HEAPS_INDEX, r->is_index);
  for (size_t v = 1; v < r->p->vars.n; v++) r->is_flag[v] |= r->is_index[v];
}

// ---------------------------------------------------------------------- contexts

static const tp_context_info *context_of(const tp_heap_run *r, uint32_t i) {
  return tp_context_of(&r->contexts, (tp_context){i});
}

static void drop_locals(const tp_heap_run *r, tp_symheap *s, tp_func f) {
  for (uint32_t i = r->locals.first[f.id]; i < r->locals.first[f.id + 1]; i++)
    s->vars[r->locals.at[i].id] = TP_TERM_NONE;
}

// ------------------------------------------------------------------------- calls

/* Through a pointer: the function whose address it is known to be; NONE: it is not known. */
static tp_func callee_of(const tp_heap_run *r, tp_symheap *s, const tp_edge_info *e) {
  if (e->callee.id) return e->callee;
  const tp_term value = tp_symheap_value(&r->x, s, e->a);
  if (tp_kind(r->x.tt, value) != TP_OP_PTR_CONST || tp_ptr_const_offset(r->x.tt, value))
    return TP_FUNC_NONE;
  const uint32_t object = tp_ptr_const_object(r->x.tt, value);
  return object < r->p->statics.n ? r->p->statics.at[object].func : TP_FUNC_NONE;
}

static void call(tp_heap_run *r, tp_symheap *s, tp_edge edge) {
  tp_edge_info e = *tp_edge_of(r->p, edge);
  e.callee = callee_of(r, s, &e);
  const tp_func_info *f = e.callee.id ? tp_func_of(r->p, e.callee) : NULL;
  if (!f || !f->has_body || !f->entry.id || f->n_params != e.n_args) {
    tp_heap_run_give_up(
        r, s, "a call through a pointer that is not known, or of a function without body");
    tp_symheap_free(s);
    return;
  }
  if (f->is_recursive || tp_context_has(&r->contexts, (tp_context){s->context}, e.callee)) {
    if (r->x.facts) tp_heap_run_give_up(r, s, "a recursive function, where numbers are followed");
    tp_heap_call_by_contract(r, s, &e);
    return;
  }
  tp_term_list args = {0};
  for (uint32_t i = 0; i < e.n_args; i++) tp_vec_push(&args, tp_symheap_value(&r->x, s, e.args[i]));
  drop_locals(r, s, e.callee);
  for (uint32_t i = 0; i < e.n_args; i++) tp_symheap_set(&r->x, s, f->params[i], args.at[i]);
  tp_vec_clear(&args);
  s->context = tp_context_push(&r->contexts, (tp_context){s->context}, edge, e.callee).id;
  s->loc = f->entry;
  s->is_inside = false;
  tp_vec_push(&r->todo, s);
}

static void leave(tp_heap_run *r, tp_symheap *s) {
  const tp_context_info c = *context_of(r, s->context);
  if (!c.parent.id) {
    if (c.contract)
      tp_heap_leave_body(r, s, c.contract);
    else
      tp_symheap_free(s);
    return;
  }
  const tp_edge_info *e = tp_edge_of(r->p, c.call);
  const tp_var result = tp_func_of(r->p, c.func)->result;
  const tp_term value = result.id ? s->vars[result.id] : TP_TERM_NONE;
  drop_locals(r, s, c.func);
  if (e->var.id) tp_symheap_set(&r->x, s, e->var, value);
  s->context = c.parent.id;
  s->loc = e->to;
  s->is_inside = false;
  tp_vec_push(&r->todo, s);
}

// -------------------------------------------------------------------- cutpoints

/* Loop heads, and where paths meet: ends of functions too. */
static bool is_cutpoint(const tp_heap_run *r, tp_loc l) {
  return tp_loc_of(r->p, l)->is_loop_head || tp_in_edges(r->p, l).n > 1;
}

static bool is_needed(const tp_heap_run *r, const tp_symheap *s, tp_var v) {
  const tp_var_info *info = tp_var_of(r->p, v);
  if (info->kind == TP_V_GLOBAL) return true;
  const tp_context_info *c = context_of(r, s->context);
  if (info->func.id == c->func.id)
    return tp_is_live(r->liveness, s->loc, v) || tp_func_of(r->p, info->func)->result.id == v.id ||
           info->is_address;
  for (; c->parent.id; c = context_of(r, c->parent.id))
    if (context_of(r, c->parent.id)->func.id == info->func.id)
      return tp_is_live_across(r->liveness, c->call, v) || info->is_address;
  return false;
}

static void drop_what_is_not_needed(const tp_heap_run *r, tp_symheap *s) {
  const bool is_loop = tp_loc_of(r->p, s->loc)->is_loop_head;
  for (uint32_t v = 1; v < r->p->vars.n; v++) {
    const tp_term value = s->vars[v];
    if (!tp_term_is(value)) continue;
    const bool is_pointer = tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, value)) == TP_SORT_PTR;
    const bool is_kept = is_pointer || r->is_flag[v] || (r->x.facts && r->x.facts->is_tracked[v]) ||
                         tp_symheap_is_in_place(&r->x, s, value);
    if (!is_needed(r, s, (tp_var){v}) || (is_loop && !is_kept)) s->vars[v] = TP_TERM_NONE;
  }
}

/* Where the heap is, with the values of indices. */
static uint64_t place_of(const tp_heap_run *r, const tp_symheap *s) {
  uint64_t here = (uint64_t)s->context << 32 | s->loc.id, value;
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (r->is_index[v] && tp_term_is(s->vars[v]) && tp_bv_value_u64(r->x.tt, s->vars[v], &value))
      here = here * 31 + value + 1;
  return here;
}

/* Variables that facts name have a value where there are such variables. */
static void name_numbers(tp_heap_run *r, tp_symheap *s) {
  for (uint32_t v = 1; v < r->p->vars.n; v++) {
    const tp_var_info *info = &r->p->vars.at[v];
    const bool is_there = info->kind == TP_V_GLOBAL ||
                          tp_context_has(&r->contexts, (tp_context){s->context}, info->func);
    if (r->x.facts->is_tracked[v] && is_there && !tp_term_is(s->vars[v]))
      s->vars[v] = tp_symheap_symbol(&r->x, tp_sort_of(r->x.tt, info->term));
  }
}

static const char reached_too_many[] = "too many symbolic heaps are reached at a place";

/* The entry of heaps with this text; true: there was one. */
static bool find_entry(tp_heap_run *r, tp_symheap *s, const char *text, uint64_t *index) {
  const uint64_t here = place_of(r, s);
  const uint32_t name = tp_name_of(r->texts, text);
  uint64_t n_here = 0;
  if (tp_map_get(&r->seen, name, index)) return true;
  *index = r->entries.n;
  tp_map_set(&r->seen, name, *index);
  (void)tp_map_get(&r->n_at, here, &n_here);
  tp_map_set(&r->n_at, here, n_here + 1);
  if (n_here >= r->n_place) tp_heap_run_give_up(r, s, reached_too_many);
  tp_vec_push(&r->entries, ((tp_heap_entry){.text = text}));
  return false;
}

/* Was the folded heap here before, with what holds of it? Otherwise it is noted, and s is it. */
static bool is_known(tp_heap_run *r, tp_symheap **at) {
  tp_symheap *s = *at;
  const uint32_t c = tp_heap_contract_at_bottom(r, s->context);
  tp_str head = {0};
  if (c) tp_heap_name_given(r, s, &r->contracts.at[c]);
  tp_str_printf(&head, "at %u %u\n", s->context, s->loc.id);
  tp_symheap *any = r->x.facts ? tp_symheap_copy(r->p, s) : s;
  if (r->x.facts) tp_heap_facts_forget(r->x.facts, any, r->is_flag);
  uint32_t *order = TP_NEW_ARRAY(uint32_t, s->objects.n + s->parts.n + 1);
  uint64_t index;
  const bool is_met =
      find_entry(r, s, tp_heap_text_of(r, tp_str_text(&head), any, c, order), &index);
  tp_heap_entry *e = &r->entries.at[index];
  r->has_lost |= s->has_more;
  r->goes_back = r->goes_back || tp_symheap_is_led_to_backwards(&r->x, s);
  const bool is = r->x.facts ? tp_heap_facts_keep(r->x.facts, s, order, &e->holds) : is_met;
  if (!is && r->x.facts) {
    tp_heap_facts_say(r->x.facts, any, order, &e->holds);
    e->text = tp_heap_text_of(r, tp_str_text(&head), any, c, NULL);
  }
  if (any != s) tp_symheap_free(s);
  *at = any;
  tp_str_clear(&head);
  tp_free(order);
  return is;
}

// ------------------------------------------------------------------------ search

static void follow_edges(tp_heap_run *r, const tp_symheap *s) {
  const tp_edge_list out = tp_out_edges(r->p, s->loc);
  for (uint32_t i = 0; i < out.n && !r->x.reason && !r->x.kinds_changed; i++) {
    const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){out.at[i]});
    const tp_loc_info *to = tp_loc_of(r->p, e->to);
    if (to->error != TP_P_NONE || to->is_unsupported) continue;
    tp_symheap *n = tp_symheap_copy(r->p, s);
    n->is_inside = false;
    if (e->kind == TP_E_CALL)
      call(r, n, (tp_edge){out.at[i]});
    else if (tp_symheap_step(&r->x, n, (tp_edge){out.at[i]}) && !n->is_impossible)
      tp_vec_push(&r->todo, n);
    else
      tp_symheap_free(n);
  }
}

/* At loops; with skip lists also where paths meet with many heaps, as conditions tell apart the
 * products of what their levels are. */
static tp_fold_what what_to_fold(const tp_heap_run *r, const tp_symheap *s) {
  uint64_t n_here = 0;
  if (r->has_levels) (void)tp_map_get(&r->n_at, place_of(r, s), &n_here);
  return tp_loc_of(r->p, s->loc)->is_loop_head || n_here >= TP_PROOF_HEAPS_UNFOLDED
             ? TP_FOLD_AT_LOOP
             : TP_FOLD_NO_CELL;
}

static void follow(tp_heap_run *r, tp_symheap *s) {
  r->steps++;
  if (!s->is_inside && is_cutpoint(r, s->loc)) {
    drop_what_is_not_needed(r, s);
    if (tp_symheap_split_named(&r->x, s, &r->todo)) {
      tp_symheap_free(s);
      return;
    }
    if (r->x.facts) name_numbers(r, s);
    tp_symheap_fold(&r->x, s, what_to_fold(r, s));
    const bool is_impossible = r->x.facts && tp_cell_facts_is_impossible(r->x.facts, s);
    if (r->x.kinds_changed || is_impossible || is_known(r, &s)) {
      tp_symheap_free(s);
      return;
    }
  }
  if (tp_func_of(r->p, context_of(r, s->context)->func)->exit.id == s->loc.id) {
    leave(r, s);
    return;
  }
  const size_t n = r->todo.n;
  if (tp_symheap_split(&r->x, s, &r->todo)) {
    follow_edges(r, s);
  } else {
    for (size_t i = n; i < r->todo.n; i++) r->todo.at[i]->is_inside = true;
  }
  tp_symheap_free(s);
}

static void start_main(tp_heap_run *r) {
  tp_symheap *s = tp_symheap_new(r->p);
  tp_terms *tt = r->x.tt;
  s->context = tp_context_root(&r->contexts, r->p->main, 0).id;
  s->loc = tp_func_of(r->p, r->p->main)->entry;
  for (uint32_t k = 1; k < r->p->statics.n; k++) {
    const tp_static *o = &r->p->statics.at[k];
    const tp_term size = tp_program_static_ghost(r->p, tp_var_of(r->p, r->p->ghost_size)->term, k);
    if (o->kind != TP_O_GLOBAL || !tp_term_is(size)) continue;
    tp_symheap_object *n = tp_symheap_add(s, tp_mk_bv(tt, TP_OBJ_BITS, k), size, o->kind);
    n->is_zero = !o->is_extern && o->absence == TP_PRESENT && !o->image;
    for (uint32_t i = 0; i < o->n_relocs && !o->is_extern; i++)
      tp_symheap_write(&r->x, n, o->relocs[i].offset,
                       tp_mk_ptr_const(tt, o->relocs[i].object, o->relocs[i].addend));
  }
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (r->p->vars.at[v].kind == TP_V_GLOBAL) s->vars[v] = r->p->vars.at[v].initial;
  tp_vec_push(&r->todo, s);
}

static void forget_search(tp_heap_run *r) {
  while (r->todo.n) tp_symheap_free(tp_vec_pop(&r->todo));
  tp_map_clear(&r->seen);
  tp_map_clear(&r->n_at);
  while (r->entries.n) {
    tp_heap_entry e = tp_vec_pop(&r->entries);
    tp_vec_clear(&e.holds);
  }
  tp_contexts_clear(&r->contexts);
  tp_contexts_init(&r->contexts);
  for (size_t c = 1; c < r->contracts.n; c++) r->contracts.at[c].root = 0;
}

static bool is_over(tp_heap_run *r) {
  if (r->entries.n > TP_PROOF_HEAPS_ENTRIES || r->steps > TP_PROOF_HEAPS_STEPS)
    r->x.reason = "too many symbolic heaps are reached";
  if (!r->x.reason && tp_engine_is_over(r->budget, r->start_s))
    r->x.reason = "the limit came first";
  return r->x.reason != NULL;
}

/* One exploration; false: it ended early. */
static bool explore(tp_heap_run *r) {
  forget_search(r);
  r->has_lost = r->goes_back = false;
  start_main(r);
  while (r->todo.n && !r->x.kinds_changed && !is_over(r)) follow(r, tp_vec_pop(&r->todo));
  return !r->x.kinds_changed && !r->x.reason;
}

static void forget_facts(tp_heap_run *r) {
  tp_cell_facts_free(r->x.facts);
  r->x.facts = NULL;
}

/* Are these kinds new? Lists with one link are the same in many readings. */
static bool is_new_reading(tp_heap_run *r, bool with_facts) {
  tp_str text = {0};
  uint64_t ignored;
  tp_str_printf(&text, "%u %d\n", r->n_place, with_facts);
  tp_symheap_kinds_print(&r->kinds, &text);
  const uint32_t name = tp_name_of(r->texts, tp_str_text(&text));
  const bool is_new = !tp_map_get(&r->readings, name, &ignored);
  tp_map_set(&r->readings, name, 1);
  tp_str_clear(&text);
  return is_new;
}

/* Kinds of this variant; the facts of numbers, if they are to be followed. False: the program has
 * nothing that is read so, or not otherwise than before, or says nothing of numbers. */
static bool start_variant(tp_heap_run *r, uint32_t variant, bool with_facts) {
  tp_symheap_kinds_clear(&r->kinds);
  if (!tp_symheap_kinds_find(&r->kinds, r->p, variant) || !is_new_reading(r, with_facts))
    return false;
  tp_heap_forget_contracts(r);
  memset(r->may_be_null, 0, r->p->vars.n * sizeof *r->may_be_null);
  forget_facts(r);
  r->has_levels = tp_symheap_has_levels(variant);
  if (!with_facts) return true;
  r->x.facts = tp_cell_facts_new(&r->x, TP_PROOF_HEAPS_RLIMIT, r->stats);
  return !tp_cell_facts_is_empty(r->x.facts);
}

/* Until kinds and contracts stay as they are. */
static bool explore_variant(tp_heap_run *r) {
  r->x.reason = NULL;
  r->steps = 0;
  for (uint32_t round = 0; round < TP_PROOF_HEAPS_ROUNDS; round++) {
    r->x.kinds_changed = r->posts_changed = false;
    const bool is_done = explore(r);
    if (r->x.reason) return false;
    if (r->x.kinds_changed) tp_heap_forget_contracts(r);
    if (is_done && !r->posts_changed) return true;
  }
  r->x.reason = "what functions give back has no end";
  return false;
}

// ------------------------------------------------------------------- certificate

static void write_certificate(tp_heap_run *r, tp_str *out) {
  tp_lines_put_header(r->p, "symbolic-heaps", r->task->property, tp_program_fingerprint(r->p), out);
  tp_symheap_kinds_print(&r->kinds, out);
  for (uint32_t c = 1; c < r->contracts.n; c++)
    tp_str_printf(out, "contract %u %s\n", c, tp_func_of(r->p, r->contracts.at[c].func)->name);
  tp_lines_put_contexts(&r->contexts, r->p, out);
  for (uint32_t c = 1; c < r->contracts.n; c++) {
    tp_map numbers = {0};
    tp_str_printf(out, "pre %u\n", c);
    tp_symheap_print(&r->x, r->contracts.at[c].pre, NULL, &numbers, TP_HEAP_FIRST_SYMBOL, NULL,
                     out);
    tp_map_clear(&numbers);
    for (size_t i = 0; i < r->contracts.at[c].posts.n; i++)
      tp_str_printf(out, "post %u\n%s", c, r->contracts.at[c].texts.at[i]);
  }
  for (size_t i = 0; i < r->entries.n; i++) tp_str_add(out, r->entries.at[i].text);
  tp_str_add(out, "end\n");
}

// ------------------------------------------------------------------------ engine

/* Do numbers matter? For accesses and leaks the search gets by without. */
static bool asks_about_numbers(tp_property p) {
  return p != TP_P_VALID_DEREF && p != TP_P_VALID_FREE && p != TP_P_VALID_MEMTRACK &&
         p != TP_P_VALID_MEMCLEANUP && p != TP_P_VALID_MEMSAFETY;
}

/* Is a heap with lost memory no proof of this property? */
static bool asks_about_leaks(tp_property p) {
  return p == TP_P_VALID_MEMTRACK || p == TP_P_VALID_MEMCLEANUP || p == TP_P_VALID_MEMSAFETY;
}

/* What another reading finds replaces a proof that its checker will hardly confirm: memory is lost
 * in it, or found again by links back alone. True: the proof is a good one. */
static bool keep_proof(tp_heap_run *r, tp_result *out) {
  const bool is_good = !r->goes_back && (!r->has_lost || !asks_about_leaks(r->task->property));
  if (!is_good && out->verdict == TP_VERDICT_TRUE) return false;
  out->verdict = TP_VERDICT_TRUE;
  r->has_lost_in_proof = r->has_lost;
  tp_str_clear(&out->certificate);
  write_certificate(r, &out->certificate);
  return is_good;
}

/* Facts of numbers are followed where the property asks about numbers, before readings without; of
 * memory where a proof has been found in which it is lost: numbers may say that it is not. */
static bool is_tried(const tp_heap_run *r, const tp_result *out, bool with_facts) {
  return asks_about_numbers(r->task->property) || !with_facts ||
         (out->verdict == TP_VERDICT_TRUE && r->has_lost_in_proof);
}

typedef struct {
  const char *reason;  // of the first reading; NULL: it was a proof
  tp_loc where;
  uint64_t too_many;  // readings with too many heaps at a place
  bool is_over;
} reading_outcome;

/* All readings of the set; a good proof ends it. */
static void try_readings(tp_heap_run *r, uint64_t set, reading_outcome *o, tp_result *out) {
  for (uint32_t i = 0; i < TP_PROOF_HEAPS_VARIANTS * 2 && !o->is_over; i++) {
    const bool with_facts = asks_about_numbers(r->task->property) == (i % 2 == 0);
    if (!(set >> i & 1) || !is_tried(r, out, with_facts)) continue;
    // levels make ever more heaps in other readings
    if (tp_symheap_has_levels(i / 2) && o->reason != reached_too_many) continue;
    if (!start_variant(r, i / 2, with_facts)) continue;
    if (explore_variant(r)) {
      o->is_over = keep_proof(r, out);
      continue;
    }
    if (r->x.reason == reached_too_many) o->too_many |= UINT64_C(1) << i;
    if (!o->reason) o->reason = r->x.reason, o->where = r->x.where;
    o->is_over = tp_engine_is_over(r->budget, r->start_s);
  }
}

/* With few heaps at a place first: readings that are wrong make ever more. */
static void search(tp_heap_run *r, tp_result *out) {
  reading_outcome few = {0}, more = {0};
  r->n_place = TP_PROOF_HEAPS_PLACE;
  try_readings(r, UINT64_MAX, &few, out);
  if (!few.is_over && few.too_many) {
    r->n_place = TP_PROOF_HEAPS_PLACE_MORE;
    more.reason = few.reason;
    try_readings(r, few.too_many, &more, out);
  }
  if (out->verdict == TP_VERDICT_TRUE) return;
  const tp_obstacle obstacle = {
      .kind = TP_OBSTACLE_ABSTRACTION,
      .pos = few.where.id ? tp_loc_of(r->p, few.where)->pos : TP_POS_NONE};
  tp_result_give_up_at(out, obstacle, few.reason, "other engines may have an answer");
}

static void run_heaps(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                      tp_result *out) {
  const tp_program *p = task->program;
  if (!p->main.id) {
    tp_result_give_up(out, "the program has no main", NULL);
    return;
  }
  tp_heap_run r = {.task = task, .p = p, .budget = budget, .stats = stats, .start_s = tp_cpu_s()};
  r.x = (tp_symheap_search){.p = p, .tt = p->terms, .kinds = &r.kinds};
  r.liveness = tp_liveness_new(p);
  tp_effects_init(&r.effects, p);
  tp_locals_init(&r.locals, p);
  r.texts = tp_names_new();
  tp_vec_push(&r.contracts, (tp_heap_contract){0});
  find_flags(&r);
  r.may_be_null = TP_NEW_ARRAY(bool, p->vars.n);
  search(&r, out);
  forget_search(&r);
  tp_heap_forget_contracts(&r);
  forget_facts(&r);
  tp_symheap_kinds_clear(&r.kinds);
  tp_vec_clear(&r.contracts);
  tp_contexts_clear(&r.contexts);
  tp_vec_clear(&r.entries);
  tp_vec_clear(&r.todo);
  tp_map_clear(&r.readings);
  tp_names_free(r.texts);
  tp_free(r.is_flag);
  tp_free(r.is_index);
  tp_free(r.may_be_null);
  tp_locals_clear(&r.locals);
  tp_effects_clear(&r.effects);
  tp_liveness_free(r.liveness);
}

const tp_engine tp_engine_heaps = {"heaps",
                                   "lists, trees and what they own, as symbolic heaps: cells that "
                                   "only cells lead to are folded into structures",
                                   run_heaps};
