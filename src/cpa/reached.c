/* The reached set: nodes in order of creation, buckets by merge key, the waitlist as a flag of
 * nodes and a priority queue.
 *
 * A node stays; merge, adjust and edits replace its element (descending steps may mark it as
 * removed). Each waiting node has one valid ticket, so outdated entries of the queue (the node was
 * popped or queued again) are recognised and skipped. */
#include "cpa/reached_priv.h"
#include "cpa/cpa_limits.h"

tp_reached *tp_reached_new(tp_cpa *cpa, tp_wait_order order) {
  tp_reached *r = TP_NEW(tp_reached);
  *r = (tp_reached){.cpa = cpa, .steps = tp_steps_new(cpa->env->program, cpa->env->contexts)};
  if (cpa->env->omits_caller_conditions) tp_steps_omit_caller_conditions(r->steps);
  tp_waitlist_init(&r->wait, order, cpa->env->program, cpa->env->contexts);
  tp_vec_push(&r->nodes, (tp_node){0});
  tp_vec_push(&r->tickets, 0);
  tp_vec_push(&r->buckets, (tp_bucket){0});
  return r;
}

void tp_reached_free(tp_reached *r) {
  if (!r) return;
  for (size_t i = 0; i < r->buckets.n; i++) {
    tp_vec_clear(&r->buckets.at[i].states);
    tp_vec_clear(&r->buckets.at[i].nodes);
  }
  tp_vec_clear(&r->buckets);
  tp_vec_clear(&r->nodes);
  tp_vec_clear(&r->tickets);
  tp_vec_clear(&r->covers);
  tp_map_clear(&r->bucket_of);
  tp_map_clear(&r->cover_of);
  tp_vec_clear(&r->merges);
  tp_map_clear(&r->merge_of);
  tp_vec_clear(&r->initials);
  tp_vec_clear(&r->out.list);
  tp_vec_clear(&r->steps_out.list);
  tp_waitlist_clear(&r->wait);
  tp_steps_free(r->steps);
  tp_free(r);
}

// ----------------------------------------------------------------------- buckets

size_t tp_reached_bucket(const tp_reached *r, uint64_t key) {
  TP_INVARIANT(r->buckets.n > 0);  // 0 is no bucket
  uint64_t found = 0;
  return tp_map_get(&r->bucket_of, key, &found) ? (size_t)found : 0;
}

static void enter_bucket(tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node));
  const tp_node *n = &r->nodes.at[node];
  size_t i = tp_reached_bucket(r, n->key);
  if (!i) {
    i = r->buckets.n;
    tp_vec_push(&r->buckets, (tp_bucket){0});
    tp_map_set(&r->bucket_of, n->key, i);
  }
  tp_vec_push(&r->buckets.at[i].states, n->state);
  tp_vec_push(&r->buckets.at[i].nodes, node);
}

static size_t place_in_bucket(const tp_bucket *b, uint32_t node) {
  size_t i = 0;
  while (b->nodes.at[i] != node) i++;
  return i;
}

static void leave_bucket(tp_reached *r, uint32_t node) {
  TP_REQUIRE(!r->nodes.at[node].removed);  // a removed node is in no bucket
  tp_bucket *b = &r->buckets.at[tp_reached_bucket(r, r->nodes.at[node].key)];
  size_t i = place_in_bucket(b, node), behind = --b->nodes.n - i;
  b->states.n--;
  memmove(&b->states.at[i], &b->states.at[i + 1], behind * sizeof *b->states.at);
  memmove(&b->nodes.at[i], &b->nodes.at[i + 1], behind * sizeof *b->nodes.at);
}

// ------------------------------------------------------------------------- nodes

static void queue(tp_reached *r, uint32_t node, uint64_t ticket) {
  TP_REQUIRE(tp_reached_has(r, node) && !r->nodes.at[node].waiting && !r->nodes.at[node].removed);
  tp_node *n = &r->nodes.at[node];
  n->waiting = true;
  r->n_waiting++;
  r->tickets.at[node] = tp_waitlist_push(&r->wait, node, n->loc, n->context, ticket);
}

static void describe(tp_reached *r, tp_node *n, tp_succ state) {
  TP_REQUIRE(state.elem != NULL);  // a successor without states is never added
  n->state = state;
  n->key = tp_cpa_merge_key(r->cpa, state.elem);
  n->loc = tp_cpa_location_of(r->cpa, state.elem);
  n->context = tp_cpa_context(r->cpa, state.elem);
  TP_INVARIANT(n->loc.id < r->cpa->env->program->locs.n);
  TP_INVARIANT(n->context.id < r->cpa->env->contexts->list.n);
}

uint32_t tp_reached_add(tp_reached *r, tp_succ state, uint32_t parent, tp_step step) {
  TP_REQUIRE(parent == 0 || tp_reached_has(r, parent));  // parents are older: paths have no cycle
  uint32_t node = (uint32_t)r->nodes.n;
  tp_vec_push(&r->nodes, (tp_node){.parent = parent, .step = step});
  tp_vec_push(&r->tickets, 0);
  describe(r, &r->nodes.at[node], state);
  enter_bucket(r, node);
  queue(r, node, 0);
  return node;
}

uint32_t tp_reached_add_initial(tp_reached *r, tp_succ initial) {
  uint32_t node = tp_reached_add(r, initial, 0, (tp_step){0});
  tp_vec_push(&r->initials, (tp_initial_node){node, initial});
  return node;
}

void tp_reached_replace(tp_reached *r, uint32_t node, tp_succ state) {
  TP_REQUIRE(tp_reached_has(r, node) && !r->nodes.at[node].removed);
  tp_node *n = &r->nodes.at[node];
  if (tp_cpa_merge_key(r->cpa, state.elem) == n->key) {
    tp_bucket *b = &r->buckets.at[tp_reached_bucket(r, n->key)];
    b->states.at[place_in_bucket(b, node)] = state;
    describe(r, n, state);
    return;
  }
  leave_bucket(r, node);
  describe(r, n, state);
  enter_bucket(r, node);
}

void tp_reached_remove(tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node) && !r->nodes.at[node].removed);
  TP_INVARIANT(!r->nodes.at[node].waiting);
  leave_bucket(r, node);
  r->nodes.at[node].removed = true;
}
void tp_reached_restore(tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node) && r->nodes.at[node].removed);
  enter_bucket(r, node);
  r->nodes.at[node].removed = false;
}

uint32_t tp_reached_pop(tp_reached *r) {
  tp_wait x;
  while (tp_waitlist_pop(&r->wait, &x)) {
    tp_node *n = &r->nodes.at[x.node];
    if (!n->waiting || r->tickets.at[x.node] != x.ticket) continue;
    TP_INVARIANT(!n->removed && r->n_waiting > 0);  // removed nodes are not waiting
    n->waiting = false;
    r->n_waiting--;
    return x.node;
  }
  TP_INVARIANT(r->n_waiting == 0);  // each waiting node has a valid entry in the queue
  return 0;
}

void tp_reached_undo_pop(tp_reached *r, uint32_t node) { queue(r, node, r->tickets.at[node]); }

void tp_reached_requeue(tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node));
  if (!r->nodes.at[node].waiting) queue(r, node, 0);
}

void tp_reached_unqueue(tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node));
  if (!r->nodes.at[node].waiting) return;
  r->nodes.at[node].waiting = false;
  r->n_waiting--;
}

/* The new element of an initial node is its initial element: later cuts restore it. */
void tp_reached_edit(tp_reached *r, uint32_t node, tp_succ state) {
  TP_REQUIRE(tp_reached_has(r, node));
  for (size_t i = 0; i < r->initials.n && !r->nodes.at[node].parent; i++)
    if (r->initials.at[i].node == node) r->initials.at[i].state = state;
  tp_reached_replace(r, node, state);
  tp_reached_requeue(r, node);
}

size_t tp_reached_n(const tp_reached *r) { return r->nodes.n - 1; }
bool tp_reached_has(const tp_reached *r, uint32_t node) { return node && node < r->nodes.n; }
const tp_node *tp_reached_node(const tp_reached *r, uint32_t node) {
  TP_REQUIRE(tp_reached_has(r, node));
  return &r->nodes.at[node];
}
size_t tp_reached_waiting(const tp_reached *r) { return r->n_waiting; }
void tp_reached_set_summary(tp_reached *r, tp_summary_hook hook) { r->summary = hook; }

// ------------------------------------------------------------------------- links

static uint64_t step_key(tp_step s) {
  return tp_hash_mix(tp_hash_mix(s.kind, s.edge.id), s.callee.id);
}
static bool same_step(tp_step a, tp_step b) {
  return a.kind == b.kind && a.edge.id == b.edge.id && a.callee.id == b.callee.id;
}

static bool same_place(const tp_cover *a, const tp_cover *b) {
  return a->from == b->from && a->successor == b->successor && same_step(a->step, b->step);
}
static bool same_merge(const tp_merge_link *a, const tp_merge_link *b) {
  return a->from == b->from && a->into == b->into && same_step(a->step, b->step);
}

/* A node that is expanded again covers anew what it covered before. Where two keys meet in one
 * hash, both links are kept. */
static void enter_cover(tp_reached *r, tp_cover x) {
  uint64_t key = tp_hash_mix(tp_hash_mix(x.from, x.successor), step_key(x.step)), at = 0;
  if (tp_map_get(&r->cover_of, key, &at) && same_place(&r->covers.at[at - 1], &x)) {
    r->covers.at[at - 1] = x;
    return;
  }
  tp_vec_push(&r->covers, x);
  tp_map_set(&r->cover_of, key, r->covers.n);
}

void tp_reached_cover(tp_reached *r, uint32_t from, tp_step step, uint32_t successor, uint32_t by,
                      tp_cover_kind kind) {
  TP_REQUIRE(tp_reached_has(r, from) && tp_reached_has(r, by));
  enter_cover(r, (tp_cover){.from = from,
                            .by = by,
                            .step = step,
                            .successor = successor,
                            .by_several = kind == TP_COVER_BY_SEVERAL});
}

/* An element never loses what was merged into it, so merge links are never replaced. */
static void enter_merge(tp_reached *r, tp_merge_link x) {
  uint64_t key = tp_hash_mix(tp_hash_mix(x.from, x.into), step_key(x.step)), at = 0;
  if (tp_map_get(&r->merge_of, key, &at) && same_merge(&r->merges.at[at - 1], &x)) return;
  tp_vec_push(&r->merges, x);
  tp_map_set(&r->merge_of, key, r->merges.n);
}

void tp_reached_merge(tp_reached *r, uint32_t from, tp_step step, uint32_t into) {
  TP_REQUIRE(tp_reached_has(r, from) && tp_reached_has(r, into));
  enter_merge(r, (tp_merge_link){.from = from, .into = into, .step = step});
}

static bool is_removed(const tp_reached *r, uint32_t node) { return r->nodes.at[node].removed; }

void tp_reached_remove_stale_links(tp_reached *r) {
  size_t n_covers = r->covers.n, n_merges = r->merges.n;
  r->covers.n = r->merges.n = 0;
  tp_map_clear(&r->cover_of);
  tp_map_clear(&r->merge_of);
  for (size_t i = 0; i < n_covers; i++) {
    tp_cover x = r->covers.at[i];
    if (!is_removed(r, x.from) && !is_removed(r, x.by)) enter_cover(r, x);
  }
  for (size_t i = 0; i < n_merges; i++) {
    tp_merge_link x = r->merges.at[i];
    if (!is_removed(r, x.from) && !is_removed(r, x.into)) enter_merge(r, x);
  }
}

const tp_cover *tp_reached_covers(const tp_reached *r, size_t *n) {
  *n = r->covers.n;
  return r->covers.at;
}

const tp_merge_link *tp_reached_merges(const tp_reached *r, size_t *n) {
  *n = r->merges.n;
  return r->merges.at;
}

// -------------------------------------------------------------------- invariants

/* Every node that is not removed is in the bucket of its merge key, once, with its element. */
static bool check_buckets(const tp_reached *r) {
  size_t n_nodes = 0, n_in_buckets = 0;
  bool *is_in = TP_NEW_ARRAY(bool, r->nodes.n), ok = r->buckets.at[0].nodes.n == 0;
  for (size_t i = 1; i < r->nodes.n; i++) n_nodes += !r->nodes.at[i].removed;
  for (size_t i = 1; i < r->buckets.n && ok; i++) {
    const tp_bucket *b = &r->buckets.at[i];
    ok = b->nodes.n == b->states.n;
    for (size_t k = 0; k < b->nodes.n && ok; k++) {
      const uint32_t node = b->nodes.at[k];
      ok = tp_reached_has(r, node) && !r->nodes.at[node].removed && !is_in[node] &&
           tp_reached_bucket(r, r->nodes.at[node].key) == i &&
           r->nodes.at[node].state.elem == b->states.at[k].elem &&
           r->nodes.at[node].state.prec == b->states.at[k].prec;
      if (!ok) break;
      is_in[node] = true;
      n_in_buckets++;
    }
  }
  tp_free(is_in);
  return ok && n_nodes == n_in_buckets;
}

/* Every waiting node has the ticket of one entry in the queue. */
static bool check_waiting(const tp_reached *r) {
  size_t n_waiting = 0, n_valid = 0;
  for (size_t i = 1; i < r->nodes.n; i++) n_waiting += r->nodes.at[i].waiting;
  for (size_t i = 0; i < r->wait.heap.n; i++) {
    const tp_wait *x = &r->wait.heap.at[i];
    if (!tp_reached_has(r, x->node)) return false;
    n_valid += r->nodes.at[x->node].waiting && r->tickets.at[x->node] == x->ticket;
  }
  return n_waiting == r->n_waiting && n_valid == n_waiting && tp_waitlist_check(&r->wait);
}

bool tp_reached_is_linked(const tp_reached *r) {
  if (r->tickets.n != r->nodes.n) return false;
  for (uint32_t i = 1; i < r->nodes.n; i++) {
    const tp_node *n = &r->nodes.at[i];
    if (n->parent >= i || (n->removed && n->waiting)) return false;
  }
  for (size_t i = 0; i < r->covers.n; i++)
    if (!tp_reached_has(r, r->covers.at[i].from) || !tp_reached_has(r, r->covers.at[i].by))
      return false;
  for (size_t i = 0; i < r->merges.n; i++)
    if (!tp_reached_has(r, r->merges.at[i].from) || !tp_reached_has(r, r->merges.at[i].into))
      return false;
  for (size_t i = 0; i < r->initials.n; i++)
    if (!tp_reached_has(r, r->initials.at[i].node)) return false;
  return check_buckets(r) && check_waiting(r);
}

void tp_reached_look(tp_reached *r) {
  const uint32_t n = ++r->n_looks;
  const bool is_due =
      r->nodes.n <= TP_CPA_CHECKED_NODES || (n & (n - 1)) == 0 || n % TP_CPA_LOOK_EACH == 0;
  TP_INVARIANT(!is_due || tp_reached_is_linked(r));
}

// ------------------------------------------------------------------- paths, pictures

tp_step *tp_reached_path(const tp_reached *r, uint32_t node, tp_arena *arena, size_t *n) {
  TP_REQUIRE(tp_reached_has(r, node));
  size_t length = 0;
  for (uint32_t at = node; r->nodes.at[at].parent; at = r->nodes.at[at].parent) length++;
  TP_INVARIANT(length < r->nodes.n);  // each parent is older than its child
  tp_step *steps = tp_arena_array(arena, tp_step, length + 1);
  *n = length;
  for (uint32_t at = node; r->nodes.at[at].parent; at = r->nodes.at[at].parent)
    steps[--length] = r->nodes.at[at].step;
  return steps;
}

static void add_escaped(tp_str *out, const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') tp_str_add_char(out, '\\');
    tp_str_add_char(out, *c);
  }
}

static void print_step(const tp_reached *r, const tp_step *s, tp_str *out) {
  static const char *const kinds[] = {[TP_STEP_EDGE] = "",
                                      [TP_STEP_CALL] = "call ",
                                      [TP_STEP_RETURN] = "return of ",
                                      [TP_STEP_SUMMARY] = "whole "};
  tp_str text = {0};
  tp_str_add(&text, kinds[s->kind]);
  tp_edge_print(r->cpa->env->program, s->edge, &text);
  add_escaped(out, tp_str_text(&text));
  tp_str_clear(&text);
}

static void print_node(const tp_reached *r, uint32_t node, tp_str *out) {
  const tp_node *n = &r->nodes.at[node];
  bool is_error = n->loc.id && tp_loc_of(r->cpa->env->program, n->loc)->error != TP_P_NONE;
  tp_str text = {0};
  r->cpa->ops->print(r->cpa, n->state.elem, &text);
  tp_str_printf(out, "  n%u [label=\"%u: ", node, node);
  add_escaped(out, tp_str_text(&text));
  tp_str_printf(out, "\"%s%s];\n", n->waiting ? ", style=dashed" : "",
                is_error ? ", color=red" : "");
  tp_str_clear(&text);
  if (!n->parent) return;
  tp_str_printf(out, "  n%u -> n%u [label=\"", n->parent, node);
  print_step(r, &n->step, out);
  tp_str_add(out, "\"];\n");
}

/* Waiting nodes are dashed, error locations red, covered-by links dotted; what was removed is not
 * shown. */
void tp_reached_print_dot(const tp_reached *r, tp_str *out) {
  tp_str_add(out, "digraph reached {\n  node [shape=box, fontname=monospace];\n");
  for (uint32_t i = 1; i < r->nodes.n; i++)
    if (!r->nodes.at[i].removed) print_node(r, i, out);
  for (size_t i = 0; i < r->covers.n; i++) {
    const tp_cover *c = &r->covers.at[i];
    tp_str_printf(out, "  n%u -> n%u [style=dotted, label=\"", c->from, c->by);
    print_step(r, &c->step, out);
    tp_str_add(out, "\"];\n");
  }
  tp_str_add(out, "}\n");
}
