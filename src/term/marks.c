/* Marks of traversals: one value for each term id, cleared in constant time by a new epoch. Marks
 * that no traversal uses wait in the table's pool, so a traversal allocates only if it is deeper
 * nested, or its terms are newer, than any before. */
#include "term/term_priv.h"

/* No stamp is of this epoch or a later one, so nothing counts as visited yet. */
static bool are_stamps_older(const tp_marks *m) {
  for (size_t i = 0; i < m->cap; i++)
    if (m->stamp[i] >= m->epoch) return false;
  return true;
}

tp_marks *tp_marks_begin(const tp_terms *tt, uint32_t max) {
  TP_REQUIRE(max <= tt->n);
  tp_marks **pool = tt->marks, *m = *pool;
  if (m)
    *pool = m->next;
  else
    m = TP_NEW(tp_marks);
  const bool grows = m->cap <= max;
  if (grows) {
    size_t cap = (size_t)max * 2 + 64;
    tp_free(m->stamp);
    m->stamp = TP_NEW_ARRAY(uint32_t, cap);
    m->value = tp_realloc(m->value, cap * sizeof *m->value);
    m->cap = cap;
    m->epoch = 0;
  }
  if (++m->epoch == 0) {  // wrapped: old stamps could match
    memset(m->stamp, 0, m->cap * sizeof *m->stamp);
    m->epoch = 1;
  }
  TP_INVARIANT(!grows || are_stamps_older(m));  // each growth doubles, so this is linear in all
  m->next = NULL;
  return m;
}

void tp_marks_end(const tp_terms *tt, tp_marks *m) {
  TP_REQUIRE(!m->next);
  m->next = *tt->marks;
  *tt->marks = m;
}

void tp_marks_free(tp_marks *m) {
  while (m) {
    tp_marks *next = m->next;
    tp_free(m->stamp);
    tp_free(m->value);
    tp_free(m);
    m = next;
  }
}
