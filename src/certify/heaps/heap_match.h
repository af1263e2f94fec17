/* Entailment: is a state one of those that a symbolic heap of the certificate describes?
 *
 * What       values for the heap's symbols, and for each of its objects and structures the objects
 *            and structures of the state that make it up.
 * Law        if a match is found, every state of a run that meets the state meets the heap, with
 *            what is left over beside it; nothing is used twice.
 * Cost       each structure is walked along once; only segments with several ways are tried again.
 * Source     Berdine, Calcagno, O'Hearn 2005, sec. 4 and 5 (subtraction, frame); we differ: no
 *            disequalities are needed, as segments may end where they start. */
#ifndef TP_CERTIFY_HEAPS_HEAP_MATCH_H
#define TP_CERTIFY_HEAPS_HEAP_MATCH_H

#include "certify/heaps/heap_cert.h"

typedef struct {
  const tp_chk_heap_world *w;
  tp_chk_heap_ask holds;
  void *ctx;
  tp_chk_heap_state *s;  // variables without value get symbols
  const tp_chk_heap_entry *e;
  bool *object_used, *part_used;
  TP_VEC(tp_chk_heap_binding) bound;
  uint32_t attempt, n_guessed;  // which guesses are made; ends of segments that were guessed
} tp_chk_heap_match;

void tp_chk_heap_match_init(tp_chk_heap_match *m, const tp_chk_heap_world *w, tp_chk_heap_ask holds,
                            void *ctx, tp_chk_heap_state *s, const tp_chk_heap_entry *e);
void tp_chk_heap_match_clear(tp_chk_heap_match *m);
void tp_chk_heap_match_bind(tp_chk_heap_match *m, tp_term symbol, tp_term value);
/* Is the heap met, by all of the state's heap objects (TP_CHK_HEAP_WHOLE), or beside others? */
typedef enum { TP_CHK_HEAP_WHOLE, TP_CHK_HEAP_FRAME } tp_chk_heap_rest;
bool tp_chk_heap_match_entry(tp_chk_heap_match *m, tp_chk_heap_rest rest);
/* The term with values in place of the heap's symbols; *is_complete: all of them have one. */
tp_term tp_chk_heap_match_value(const tp_chk_heap_match *m, tp_term t, bool *is_complete);

#endif
