/* Loops and cutpoints.
 *
 * Loops are found by collapsing them from the inside out over one depth-first
 * search (Havlak 1997, "Nesting of reducible and irreducible loops"). A location
 * w that some descendant leads back to is a head; its body is what reaches
 * those back edges without passing w. Bodies already found are collapsed into
 * their heads by a union-find, so each location is visited about once per
 * level at which it is a head. If the search for the body leaves w's subtree,
 * the loop has an entry beside w: it is irreducible, and the entry is
 * recorded as a predecessor of w for the enclosing loops. Where all loops
 * are entered through their heads this gives exactly the natural loops of the
 * dominator definition.
 *
 * Every cycle contains a target of a back edge, so the heads cut all cycles.
 * Cutpoints are what remains of the heads after dropping, one at a time, each
 * head whose cycles all pass another one. One round is enough: a cutpoint that a
 * larger set needed is needed by each smaller one. */
#include "program/finish_priv.h"

typedef struct {
  uint32_t from;  // location outside the loop that enters it
  uint32_t next;  // in the list of the same head, 0: end
} extra_entry;

typedef struct {
  tp_program *p;
  const tp_dfs_tree *w;
  uint32_t *rep;                // union-find over locations
  uint32_t *head;               // head of the innermost loop around a location, not itself; 0: none
  uint32_t *extra;              // first extra entry of a head, index into entries
  TP_VEC(extra_entry) entries;  // [0] unused
  bool *is_irreducible;         // by head
  uint32_t *in_body;            // head whose body search has visited the location
  TP_VEC(uint32_t) body;        // of the loop being collapsed: collapsed locations
} loop_search;

static uint32_t find(loop_search *s, uint32_t l) {
  TP_REQUIRE(l && l < s->p->locs.n);
  while (s->rep[l] != l) {
    s->rep[l] = s->rep[s->rep[l]];
    l = s->rep[l];
  }
  return l;
}

static void add_to_body(loop_search *s, tp_loc head, uint32_t l) {
  if (l == head.id || s->in_body[l] == head.id) return;
  s->in_body[l] = head.id;
  tp_vec_push(&s->body, l);
}

/* One predecessor of a member of head's body: inside, or an entry beside the head. */
static void visit_predecessor(loop_search *s, tp_loc head, uint32_t pred) {
  uint32_t l = find(s, pred);
  if (tp_dfs_is_ancestor(s->w, head, (tp_loc){l})) {
    add_to_body(s, head, l);
    return;
  }
  s->is_irreducible[head.id] = true;
  tp_vec_push(&s->entries, (extra_entry){l, s->extra[head.id]});
  s->extra[head.id] = (uint32_t)(s->entries.n - 1);
}

static bool start_body(loop_search *s, tp_loc head) {
  bool is_head = false;
  s->body.n = 0;
  tp_edge_list in = tp_in_edges(s->p, head);
  for (uint32_t i = 0; i < in.n; i++) {
    tp_loc from = s->p->edges.at[in.at[i]].from;
    if (!tp_dfs_is_ancestor(s->w, head, from)) continue;
    is_head = true;
    if (from.id != head.id) add_to_body(s, head, find(s, from.id));
  }
  return is_head;
}

static void collapse_loop(loop_search *s, tp_loc head) {
  for (size_t i = 0; i < s->body.n; i++) {  // grows in this loop
    tp_loc member = {s->body.at[i]};
    tp_edge_list in = tp_in_edges(s->p, member);
    for (uint32_t k = 0; k < in.n; k++) {
      tp_loc from = s->p->edges.at[in.at[k]].from;
      if (!tp_dfs_is_ancestor(s->w, member, from)) visit_predecessor(s, head, from.id);
    }
    for (uint32_t k = s->extra[member.id]; k; k = s->entries.at[k].next)
      visit_predecessor(s, head, s->entries.at[k].from);
  }
  for (size_t i = 0; i < s->body.n; i++) {
    TP_INVARIANT(s->head[s->body.at[i]] == 0);  // else it were collapsed into its head
    s->head[s->body.at[i]] = head.id;
    s->rep[s->body.at[i]] = head.id;
  }
}

/* Loops get their numbers in preorder of heads, so parents come before children. */
static void write_loops(loop_search *s) {
  tp_program *p = s->p;
  for (uint32_t i = 1; i <= s->w->n; i++) {
    tp_loc l = s->w->at[i];
    tp_loc_info *loc = &p->locs.at[l.id];
    uint32_t around = s->head[l.id] ? p->locs.at[s->head[l.id]].loop : 0;
    TP_INVARIANT(!s->head[l.id] || around);  // the head comes earlier in preorder
    loc->loop = around;
    if (!loc->is_loop_head) continue;
    tp_vec_push(&p->loops, (tp_loop){.head = l,
                                     .parent = around,
                                     .depth = around ? p->loops.at[around].depth + 1 : 1,
                                     .pos = loc->pos,
                                     .is_irreducible = s->is_irreducible[l.id]});
    loc->loop = (uint32_t)(p->loops.n - 1);
  }
}

void tp_program_find_loops(tp_program *p, const tp_dfs_tree *w, tp_arena *scratch) {
  size_t n = p->locs.n;
  loop_search s = {.p = p,
                   .w = w,
                   .rep = tp_arena_array(scratch, uint32_t, n),
                   .head = tp_arena_array(scratch, uint32_t, n),
                   .extra = tp_arena_array(scratch, uint32_t, n),
                   .is_irreducible = tp_arena_array(scratch, bool, n),
                   .in_body = tp_arena_array(scratch, uint32_t, n)};
  tp_vec_push(&s.entries, (extra_entry){0, 0});
  for (uint32_t l = 0; l < n; l++) s.rep[l] = l;
  for (uint32_t i = w->n; i > 0; i--) {
    tp_loc l = w->at[i];
    if (!start_body(&s, l)) continue;
    p->locs.at[l.id].is_loop_head = true;
    collapse_loop(&s, l);
  }
  write_loops(&s);
  tp_vec_clear(&s.entries);
  tp_vec_clear(&s.body);
}

// ------------------------------------------------------------------- cutpoints

typedef struct {
  uint32_t *seen;  // by location: candidate whose search has visited it
  uint32_t *stack;
} cycle_search;

/* Is there a cycle through `from` that no cutpoint but `from` itself lies on? */
static bool has_uncut_cycle(const tp_program *p, cycle_search *s, tp_loc from) {
  size_t depth = 0;
  s->stack[depth++] = from.id;
  while (depth > 0) {
    tp_edge_list out = tp_out_edges(p, (tp_loc){s->stack[--depth]});
    for (uint32_t i = 0; i < out.n; i++) {
      tp_loc to = p->edges.at[out.at[i]].to;
      if (to.id == from.id) return true;
      const tp_loc_info *loc = tp_loc_of(p, to);
      if (loc->is_cutpoint || loc->loop == 0 || s->seen[to.id] == from.id) continue;
      s->seen[to.id] = from.id;
      s->stack[depth++] = to.id;
    }
  }
  return false;
}

void tp_program_choose_cutpoints(tp_program *p, const tp_dfs_tree *w, tp_arena *scratch) {
  cycle_search s = {tp_arena_array(scratch, uint32_t, p->locs.n),
                    tp_arena_array(scratch, uint32_t, p->locs.n)};
  for (size_t l = 1; l < p->locs.n; l++) p->locs.at[l].is_cutpoint = p->locs.at[l].is_loop_head;
  for (uint32_t i = 1; i <= w->n; i++) {
    tp_loc_info *loc = &p->locs.at[w->at[i].id];
    if (loc->is_cutpoint) loc->is_cutpoint = has_uncut_cycle(p, &s, w->at[i]);
  }
}
