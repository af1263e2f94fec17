/* Inside symbolic execution: the parts that states, memory and ghosts need of each other. */
#ifndef TP_FORMULA_SYMEX_PRIV_H
#define TP_FORMULA_SYMEX_PRIV_H

#include "formula/content.h"
#include "formula/symex.h"

// memory.c
void tp_sym_load(tp_symex *x, tp_sym *s, const tp_edge_info *e);
void tp_sym_store(tp_symex *x, tp_sym *s, const tp_edge_info *e);
void tp_sym_alloc(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e);
void tp_sym_free(tp_symex *x, tp_sym *s, const tp_edge_info *e);
void tp_sym_end_scope(tp_symex *x, tp_sym *s, const tp_edge_info *e);

// block.c
void tp_sym_block(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e);

// ghost.c
typedef enum { TP_GHOST_SIZE, TP_GHOST_LIVE, TP_GHOST_KIND } tp_ghost;
tp_term tp_ghost_select(tp_symex *x, tp_sym *s, tp_ghost g, tp_term object);
tp_term tp_ghost_lost(tp_symex *x, tp_sym *s);

/* The content of an object in this state; statics appear when first used. NULL: not there. */
tp_content *tp_sym_content(tp_symex *x, tp_sym *s, uint32_t object);
/* The same, for change. */
tp_content *tp_sym_content_own(tp_symex *x, tp_sym *s, uint32_t object);

/* One object that a pointer can mean. */
typedef struct {
  uint32_t object;
  tp_term is;  // Bool: it is this one
  tp_term offset;
} tp_place;
typedef TP_VEC(tp_place) tp_places;
typedef enum { TP_ACCESS_READ, TP_ACCESS_WRITE } tp_access_mode;
/* The objects that `pointer` can mean for a valid access of `length` bytes (BV(ptr_bits)).
 * Strengthens the guard by validity. False if the guard became false. */
bool tp_sym_resolve(tp_symex *x, tp_sym *s, tp_term pointer, tp_term length, tp_access_mode mode,
                    const tp_edge_info *e, tp_places *out);
tp_term tp_places_read(tp_symex *x, tp_sym *s, const tp_places *at, uint64_t plus, tp_sort sort);
void tp_places_write(tp_symex *x, tp_sym *s, const tp_places *at, uint64_t plus, tp_term value,
                     tp_term condition);

#endif
