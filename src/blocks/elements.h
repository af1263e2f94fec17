/* Candidates for facts about all elements of arrays, from the program's own text.
 *
 * What       bodies are what a block writes into a cell at a counter's place, what conditions ask
 * of such a cell, and the contrary of what leads to an error, each with an index in the counter's
 * place; ranges are from where counters start, or from a counter, up to a counter or to what
 * counters are compared with. Represents guesses: nothing rests on them before they are proved
 * (blocks/universals.h). Source     ranges by the loop's counter: Flanagan, Qadeer 2002 (predicate
 * abstraction with universally quantified indices); bodies from the program: Gulwani, McCloskey,
 * Tiwari 2008 (templates); we differ in that they come from path formulas of blocks. */
#ifndef TP_BLOCKS_ELEMENTS_H
#define TP_BLOCKS_ELEMENTS_H

#include "blocks/universals.h"

/* variables: by node, those that conditions depend on (blocks/templates.h). known: by node. level:
 * 0: where the program has a search with bounds that close in, what it asks of cells, on the sides
 * of the bounds; 1: bodies under ranges; 2: orders of variables, too; 3: sorted ranges, where the
 * program orders cells, and little else; 4: bodies under conditions on flags and on numbers of
 * elements so far, and in ranges that end where a counter is in the mirror; 5: bodies from one
 * counter to another, and sorted ranges beside all else; 6: what 2 has, and sums and other folds
 * that loops compute; 7: what 2 has, for whoever adds what runs tell of sums and other numbers
 * (blocks/elements_mined.h). From 1 to 5 a higher level tries those of the lower ones once more,
 * but for 3. False: nothing at this level fits the program. */
enum {
  TP_ELEMENTS_SEARCHING = 0,
  TP_ELEMENTS_SORTING = 3,
  TP_ELEMENTS_FOLDING = 6,
  TP_ELEMENTS_MINING = 7,
  TP_ELEMENTS_LEVELS = 8
};
bool tp_elements_add(tp_universals *u, const tp_node_formulas *variables, const tp_term *known,
                     uint32_t level);
/* Candidates about pointers of nodes, which tell arrays apart: that two lead into different
 * objects, that one leads to the start of its own. */
void tp_elements_add_pointers(const tp_blocks *b, tp_node_formulas *candidates);
/* Does a condition, or a variable that conditions depend on, read elements of an array? Else no
 * fact about elements matters. variables: as above. */
bool tp_elements_decide(const tp_blocks *b, const tp_node_formulas *variables);

#endif
