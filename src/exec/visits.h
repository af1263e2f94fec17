/* How often places may be passed unseen.
 *
 * What       a countdown for each location, apart for each context that somebody wants to tell
 *            apart: who looks at a run says beforehand how many visits of a place are of no
 *            interest, and afterwards reads how many there were. Machine code counts here, too.
 * Represents a block of words for each context: countdowns of the locations of its function, then
 *            links to the blocks of the contexts that its calls lead to. A run is never past a
 *            location whose countdown is 0. Each function has a common block, whose countdowns
 *            never end; calls lead there unless they are linked elsewhere. Blocks and links are
 *            numbers of words, so the whole may be copied.
 * Invariants common blocks are never counted by whom they do not interest: their countdowns start
 *            so high that they never reach 0.
 * Ownership  the tp_visits owns its words; the program is borrowed. */
#ifndef TP_EXEC_VISITS_H
#define TP_EXEC_VISITS_H

#include "exec/exec.h"

#define TP_VISITS_UNLIMITED ((uint64_t)1 << 63)

typedef struct {
  uint32_t at;
} tp_visit_block;  // first word
typedef struct {
  const tp_program *p;
  TP_VEC(uint64_t) words;  // [0] unused
  uint32_t *place;         // by location: which countdown of its function's blocks
  uint32_t *link;  // by call edge: which word of its function's blocks is the first link; one for
                   // each callee that path codes number
  uint32_t *n_places, *n_words;  // by function: of a block
  tp_visit_block *common;        // by function
} tp_visits;
void tp_visits_init(tp_visits *v, const tp_program *p);
void tp_visits_clear(tp_visits *v);

/* A block for another context of the function: nothing ends, calls lead to common blocks. */
tp_visit_block tp_visits_add(tp_visits *v, tp_func f);
/* From now on this call leads from the one block to the other. */
void tp_visits_link(tp_visits *v, tp_visit_block from, tp_edge call, tp_visit_block to,
                    tp_func callee);
/* How many visits of the location are still of no interest. */
static inline uint64_t *tp_visits_countdown(tp_visits *v, tp_visit_block b, tp_loc l) {
  TP_REQUIRE(b.at && b.at + v->place[l.id] < v->words.n);
  return &v->words.at[b.at + v->place[l.id]];
}
/* Number of the link of a call in its function's blocks. */
uint32_t tp_visits_link_of(const tp_visits *v, tp_edge call, tp_func callee);
/* The block of the innermost frame of a state whose outermost frame's block is `root`. */
tp_visit_block tp_visits_block_of_state(const tp_visits *v, tp_visit_block root, const tp_state *s);

#endif
