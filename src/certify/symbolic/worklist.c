/* States that wait, ordered so that all paths to a location within a segment have met before it is
 * left. */
#include "certify/symbolic/worklist.h"

void tp_chk_worklist_init(tp_chk_worklist *a, const tp_program *p, const tp_chk_cert *e) {
  *a = (tp_chk_worklist){.p = p, .e = e, .has_positions = TP_NEW_ARRAY(bool, e->contexts.n + 1)};
  tp_arena_init(&a->keys);
}

void tp_chk_worklist_clear(tp_chk_worklist *a) {
  tp_map_clear(&a->positions);
  tp_free(a->has_positions);
  tp_arena_clear(&a->keys);
  tp_vec_clear(&a->waiting);
}

void tp_chk_worklist_restart(tp_chk_worklist *a) {
  a->waiting.n = 0;
  tp_arena_clear(&a->keys);
  tp_arena_init(&a->keys);
}

void tp_chk_worklist_pass_cutpoints(tp_chk_worklist *a, bool passes) {
  a->passes_cutpoints = passes;
  tp_map_clear(&a->positions);
  memset(a->has_positions, 0, a->e->contexts.n * sizeof *a->has_positions);
}

// ------------------------------------------------------------------- positions

static uint64_t place_of(uint32_t context, tp_loc l) { return (uint64_t)context << 32 | l.id; }

typedef struct {
  tp_chk_worklist *a;
  uint32_t context;
  tp_map seen;
  struct {
    struct step {
      uint32_t loc, edge;
    } *at;
    size_t n, cap;
  } path;
  TP_VEC(uint32_t) finished;
} search;

static void enter(search *s, tp_loc l) {
  if (tp_map_has(&s->seen, l.id)) return;
  tp_map_set(&s->seen, l.id, 1);
  tp_vec_push(&s->path, (struct step){l.id, 0});
}

static bool is_cut(const tp_chk_worklist *a, uint32_t context, tp_loc l) {
  return (a->passes_cutpoints ? tp_chk_cert_counted_cutpoint(a->e, context, l)
                              : tp_chk_cert_cutpoint(a->e, context, l)) != 0;
}

/* Depth first, not into cutpoints. */
static void search_from(search *s, tp_loc root) {
  const tp_program *p = s->a->p;
  enter(s, root);
  while (s->path.n) {
    struct step *top = &tp_vec_last(&s->path);
    tp_edge_list out = tp_out_edges(p, (tp_loc){top->loc});
    if (top->edge == out.n) {
      tp_vec_push(&s->finished, top->loc);
      (void)tp_vec_pop(&s->path);
      continue;
    }
    tp_loc to = p->edges.at[out.at[top->edge++]].to;
    if (!is_cut(s->a, s->context, to)) enter(s, to);
  }
}

static void order_context(tp_chk_worklist *a, uint32_t context) {
  TP_REQUIRE(context > 0 && context < a->e->contexts.n);
  if (a->has_positions[context]) return;
  a->has_positions[context] = true;
  search s = {.a = a, .context = context};
  search_from(&s, tp_func_of(a->p, a->e->contexts.at[context].func)->entry);
  for (size_t i = 1; i < a->e->cutpoints.n; i++)
    if (a->e->cutpoints.at[i].context == context) search_from(&s, a->e->cutpoints.at[i].loc);
  for (size_t i = 0; i < s.finished.n; i++)
    tp_map_set(&a->positions, place_of(context, (tp_loc){s.finished.at[i]}), s.finished.n - i);
  tp_map_clear(&s.seen);
  tp_vec_clear(&s.path);
  tp_vec_clear(&s.finished);
}

static uint32_t position(tp_chk_worklist *a, uint32_t context, tp_loc l) {
  uint64_t n = 0;
  order_context(a, context);
  return tp_map_get(&a->positions, place_of(context, l), &n) ? (uint32_t)n : 0;
}

// ------------------------------------------------------------------------ keys

/* Arrivals, turns, then from the root up: the position of the call, the context that it enters,
 * ...; at last the position of the place. */
static uint32_t key_length(const tp_chk_frame *v) {
  uint32_t n = 0;
  for (; v; v = v->caller) n += 2 + 2 * v->at.n;
  return n;
}

/* Of each frame, outermost first: its context, positions and iterations from the outermost loop
 * inwards. */
static void locate_visit(tp_chk_worklist *a, tp_chk_state *m) {
  TP_REQUIRE(a->order);
  uint32_t n = m->n_key = key_length(m->frame), *key = tp_arena_array(&a->keys, uint32_t, n);
  m->key = key;
  for (const tp_chk_frame *v = m->frame; v; v = v->caller) {
    const tp_chk_nesting *place = tp_chk_order_place(a->order, v->at.loc);
    key[--n] = place->levels.at[v->at.n].position;
    for (uint32_t i = v->at.n; i-- > 0;) {
      key[--n] = v->at.iterations[i];
      key[--n] = place->levels.at[i].position;
    }
    key[--n] = v->context;
  }
}

void tp_chk_worklist_locate(tp_chk_worklist *a, tp_chk_state *m) {
  if (m->frame) {
    locate_visit(a, m);
    return;
  }
  const tp_chk_context *contexts = a->e->contexts.at;
  uint32_t n = 3;
  for (uint32_t c = m->context; contexts[c].parent; c = contexts[c].parent) n += 2;
  uint32_t *key = tp_arena_array(&a->keys, uint32_t, n);
  key[0] = m->arrivals;
  key[1] = m->n_back_moves;
  m->key = key;
  m->n_key = n;
  key[--n] = position(a, m->context, m->loc);
  for (uint32_t c = m->context; contexts[c].parent; c = contexts[c].parent) {
    key[--n] = c;
    key[--n] = position(a, contexts[c].parent, tp_edge_of(a->p, contexts[c].call)->from);
  }
}

int tp_chk_worklist_compare(const tp_chk_state *m, const tp_chk_state *n) {
  TP_REQUIRE(m->key && n->key);  // both are located
  for (uint32_t i = 0; i < m->n_key && i < n->n_key; i++)
    if (m->key[i] != n->key[i]) return m->key[i] < n->key[i] ? -1 : 1;
  if (m->n_key != n->n_key) return m->n_key < n->n_key ? -1 : 1;
  return (m->way > n->way) - (m->way < n->way);
}

void tp_chk_worklist_add(tp_chk_worklist *a, tp_chk_state m) {
  TP_REQUIRE(m.key && m.n_key > 0);
  size_t from = 0, to = a->waiting.n;
  while (from < to) {  // the first that is not greater
    size_t mid = (from + to) / 2;
    if (tp_chk_worklist_compare(&a->waiting.at[mid], &m) > 0)
      from = mid + 1;
    else
      to = mid;
  }
  TP_INVARIANT(from == a->waiting.n || tp_chk_worklist_compare(&a->waiting.at[from], &m) <= 0);
  TP_INVARIANT(from == 0 || tp_chk_worklist_compare(&a->waiting.at[from - 1], &m) > 0);
  tp_vec_push(&a->waiting, m);
  memmove(a->waiting.at + from + 1, a->waiting.at + from,
          (a->waiting.n - 1 - from) * sizeof *a->waiting.at);
  a->waiting.at[from] = m;
}

bool tp_chk_worklist_next(tp_chk_worklist *a, tp_chk_states *out) {
  out->n = 0;
  if (!a->waiting.n) return false;
  do {
    tp_chk_state m = tp_vec_pop(&a->waiting);
    tp_vec_push(out, m);
  } while (a->waiting.n && tp_chk_worklist_compare(&tp_vec_last(&a->waiting), &out->at[0]) == 0);
  return true;
}
