/* One word for what is known to be equal: questions about a block speak of one variable where
 * several have the same value.
 *
 * What       by node, variables that are known to be constants, variables that are known to be
 *            other ones, pointers to the start of their object, and objects that are different.
 * Law        t in these words has the value of t in all states in which what is known of the node
 *            holds. What is known is TRUE in its own words where it says no more.
 * Ownership  made with _init, ends with _clear; terms live in the program's table. */
#ifndef TP_BLOCKS_KNOWN_WORDS_H
#define TP_BLOCKS_KNOWN_WORDS_H

#include "blocks/blocks.h"

typedef struct {
  tp_terms *tt;
  tp_map *at;          // by node: variable -> its word
  tp_map *apart;       // by node: equation of objects that are different ones, in words -> false
  tp_term *all_apart;  // by node: that all of these are false
  size_t n;
} tp_known_words;
/* known: by node. */
void tp_known_words_init(tp_known_words *w, const tp_blocks *b, const tp_term *known);
void tp_known_words_clear(tp_known_words *w);
/* That objects are different ones, which is TRUE in these words: for places that may be in any. */
tp_term tp_known_words_apart(const tp_known_words *w, uint32_t node);
/* requires: t is flat. Without _init: t itself. */
tp_term tp_known_words_of(const tp_known_words *w, uint32_t node, tp_term t);

#endif
