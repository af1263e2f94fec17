/* From a partition without open paths to an error: invariants, certificate.
 *
 * Two sets of cells are closed under open steps, contain the start and no error: what can be
 * reached, and that from which no error can be. The union of either at each node is an inductive
 * invariant. Unions are said along the trees: a tree whose leaves are all in (or all out) is TRUE
 * (or FALSE), and the predicate that split it is not mentioned. */
#include "blocks/graph_proof.h"
#include "search/partition_priv.h"

static void find_reached(tp_partition *pt, bool *in) {
  tp_partition_distances_update(pt);
  for (size_t c = 1; c < pt->cells.n; c++) in[c] = pt->distances->links.at[c].level != TP_UNREACHED;
}

/* Cells from which a path leads to an error drop out. */
static void find_harmless(const tp_partition *pt, bool *in) {
  const struct tp_partition_distances *w = pt->distances;
  tp_cell_list queue = {0};
  for (uint32_t c = 1; c < pt->cells.n; c++) {
    in[c] = !tp_block_node_is_bad(pt->blocks, pt->cells.at[c].node);
    if (!in[c] && tp_partition_is_leaf(pt, c)) tp_vec_push(&queue, c);
  }
  while (queue.n) {
    uint32_t cell = tp_vec_pop(&queue), node = pt->cells.at[cell].node;
    for (uint32_t i = w->first_in[node]; i < w->first_in[node + 1]; i++) {
      const tp_cell_list *before = &w->leaves[pt->blocks->list.at[w->in[i]].from];
      for (size_t k = 0; k < before->n; k++) {
        uint32_t from = before->at[k];
        if (!in[from] || tp_partition_status(pt, from, cell) == TP_STEP_CLOSED) continue;
        in[from] = false;
        tp_vec_push(&queue, from);
      }
    }
  }
  tp_vec_clear(&queue);
}

/* Unions by node; the size of all of them. */
static size_t unite(const tp_partition *pt, const bool *in, tp_term *out) {
  tp_terms *tt = pt->blocks->paths->tt;
  tp_term *of = TP_NEW_ARRAY(tp_term, pt->cells.n);
  size_t size = 0;
  for (size_t c = pt->cells.n; c-- > 1;) {  // parts come behind what was split
    const tp_cell_node *cell = &pt->cells.at[c];
    of[c] = tp_term_is(cell->by) ? tp_mk_ite(tt, cell->by, of[cell->yes], of[cell->no])
                                 : tp_mk_bool(tt, in[c]);
  }
  for (size_t n = 0; n < pt->blocks->nodes.n; n++) {
    out[n] = of[pt->root[n]];
    size += tp_dag_size(tt, out[n]);
  }
  tp_free(of);
  return size;
}

void tp_partition_invariants(tp_partition *pt, tp_term *out) {
  bool *in = TP_NEW_ARRAY(bool, pt->cells.n);
  tp_term *other = TP_NEW_ARRAY(tp_term, pt->blocks->nodes.n);
  find_reached(pt, in);
  size_t size = unite(pt, in, out);
  find_harmless(pt, in);
  if (unite(pt, in, other) < size) memcpy(out, other, pt->blocks->nodes.n * sizeof *out);
  for (size_t n = 0; n < pt->blocks->nodes.n && pt->facts; n++)
    out[n] = tp_mk_and(pt->blocks->paths->tt, out[n], pt->facts[n]);
  tp_free(other);
  tp_free(in);
}

void tp_partition_conclude_true(tp_partition *pt, const tp_task *task, tp_result *out) {
  TP_REQUIRE(task && out);
  if (pt->blocks->gap) {
    tp_result_give_up(out, pt->blocks->gap, NULL);
    return;
  }
  tp_term *known = TP_NEW_ARRAY(tp_term, pt->blocks->nodes.n);
  tp_partition_invariants(pt, known);
  tp_graph_proof_conclude_true(&(tp_graph_proof){task, pt->blocks, known, NULL}, 0, out);
  tp_free(known);
}
