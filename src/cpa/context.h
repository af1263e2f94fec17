/* Call strings: the active calls of a state.
 *
 * What       interned chains of calls from a root. A root is main, or a function that is analysed
 *            on its own under a contract (recursion).
 * Represents the frames of a run above the root. No function occurs twice in a chain: recursive
 *            functions are always called through their contract, so every variable of an active
 *            frame has one value and the variables of all frames of a context can live side by side
 *            in one element.
 * Ownership  contexts live as long as their table. */
#ifndef TP_CPA_CONTEXT_H
#define TP_CPA_CONTEXT_H

#include "program/program.h"

typedef struct {
  uint32_t id;
} tp_context;  // 0: none
#define TP_CONTEXT_NONE ((tp_context){0})

typedef struct {
  tp_context parent;  // NONE: a root
  tp_edge call;       // the call in the parent; NONE for roots
  tp_func func;       // whose frame is on top
  uint32_t contract;  // root: number of the summary it is analysed under, 0: main
  uint32_t depth;     // root: 1
} tp_context_info;

typedef struct {
  TP_VEC(tp_context_info) list;  // [0] unused
  tp_map index;
} tp_contexts;
void tp_contexts_init(tp_contexts *c);
void tp_contexts_clear(tp_contexts *c);
tp_context tp_context_root(tp_contexts *c, tp_func func, uint32_t contract);
tp_context tp_context_push(tp_contexts *c, tp_context top, tp_edge call, tp_func callee);
static inline const tp_context_info *tp_context_of(const tp_contexts *c, tp_context x) {
  return &c->list.at[x.id];
}
bool tp_context_has(const tp_contexts *c, tp_context x, tp_func f);  // is f active?
void tp_context_print(
    const tp_contexts *c, const tp_program *p, tp_context x,
    tp_str *out);  // "main > f (a.c:3:4)"; of many frames the outermost and the last ones

#endif
