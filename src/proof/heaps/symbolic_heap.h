/* Symbolic heaps of the search: what a path knows, object by object.
 *
 * What       values of variables, objects with their fields, structures of any size; steps of the
 *            program on them, folding of cells into structures, and their text in certificates.
 * Represents as doc/certificates.md says, kind `symbolic-heaps`. The search believes what its
 *            folding guesses: what it finds is a proof only once the checker has confirmed it. So
 *            numbers are forgotten at joins, conditions on them are not followed, and checks of the
 *            program are left to the checker.
 * Ownership  a heap owns its lists; kinds belong to the search.
 * Source     Distefano, O'Hearn, Yang 2006 (abstraction of symbolic heaps); Chang, Rival 2008
 *            (structures by what links mean); we differ: cells that variables lead to are folded
 *            only where a body with a contract ends, so a state needs no disequalities. */
#ifndef TP_PROOF_HEAPS_SYMBOLIC_HEAP_H
#define TP_PROOF_HEAPS_SYMBOLIC_HEAP_H

#include "program/liveness.h"
#include "program/locals.h"
#include "program/program.h"

// ------------------------------------------------------------------------ kinds

/* What stands at a pointer member of cells. */
typedef enum {
  TP_LINK_OPEN,     // no cell was folded yet
  TP_LINK_ANY,      // a pointer of which nothing is said
  TP_LINK_UNREAD,   // ... as the program never reads it
  TP_LINK_TO,       // the head of a structure
  TP_LINK_TO_CELL,  // ... that is not empty
  TP_LINK_UPTO,     // the head of a segment, up to what the link one level above leads to
  TP_LINK_NULL,     // null
  TP_LINK_BACK      // the cell before this one
} tp_link_role;
typedef struct {
  uint64_t offset;
  tp_link_role role;
  uint32_t to;
  bool is_own_kind;  // declared as a pointer to this structure
  uint32_t level;    // in cells of a skip list, from 1 on
} tp_symheap_link;
/* Cells of a skip list of n levels have n kinds, which stand behind each other, the highest level
 * first: a cell of level j goes on along its link j; each link i below leads along cells of level i
 * up to what link i + 1 leads to; those above are null, or are not followed. */
typedef struct {
  uint64_t size_bytes;  // 0: any
  uint64_t start;
  tp_type type;    // NONE: a block
  uint32_t level;  // 0: of no skip list
  TP_VEC(tp_symheap_link) links;
} tp_symheap_kind;
typedef TP_VEC(tp_symheap_kind) tp_symheap_kinds;  // [0] unused

/* The kinds of the program's structures; `variant`: which reading of members that may be links
 * back, or levels. False: there is nothing to read so. */
bool tp_symheap_kinds_find(tp_symheap_kinds *kinds, const tp_program *p, uint32_t variant);
/* Does the variant read links as levels? */
bool tp_symheap_has_levels(uint32_t variant);
void tp_symheap_kinds_clear(tp_symheap_kinds *kinds);
/* The kind of this structure; 0: it has none. */
uint32_t tp_symheap_kind_of_type(const tp_symheap_kinds *kinds, const tp_program *p, tp_type type);
/* The first kind of objects of this size; 0: none has links. */
uint32_t tp_symheap_kind_of_size(const tp_symheap_kinds *kinds, uint64_t size_bytes);
/* One without links, made if there is none. */
uint32_t tp_symheap_kind_of_block(tp_symheap_kinds *kinds, uint64_t size_bytes);
const tp_symheap_link *tp_symheap_back_of(const tp_symheap_kinds *kinds, uint32_t kind);
/* Links of such cells along which their structure goes on. */
uint32_t tp_symheap_n_ways(const tp_symheap_kinds *kinds, uint32_t kind);
/* The kind of cells of this level, in the same skip list. */
uint32_t tp_symheap_kind_of_level(const tp_symheap_kinds *kinds, uint32_t kind, uint32_t level);
/* Has the skip list cells of a higher level? Structures of this kind are segments. */
bool tp_symheap_is_below(const tp_symheap_kinds *kinds, uint32_t kind);
/* The link of that level; NULL: it has none. */
const tp_symheap_link *tp_symheap_link_of_level(const tp_symheap_kinds *kinds, uint32_t kind,
                                                uint32_t level);
void tp_symheap_kinds_print(const tp_symheap_kinds *kinds, tp_str *out);

// ------------------------------------------------------------------------ heaps

typedef struct {
  uint64_t offset;
  tp_term value;
} tp_symheap_field;
/* Pointers at bytes `from`, `from` + `stride`, ... below `to` (table_slots.c): null, or the head of
 * a structure of the kind (0: null), where no field or open slot says more. stride 0: none. */
typedef struct {
  uint64_t from, to, stride;
  uint32_t kind;
} tp_symheap_slots;
typedef struct {
  tp_term offset, value;
} tp_symheap_slot;
typedef struct {
  tp_term id, size;
  tp_object_kind kind;
  bool is_zero;
  uint32_t cell;  // its kind, by the type of a variable that leads to it; 0: not known
  TP_VEC(tp_symheap_field) fields;
  tp_symheap_slots slots;
  TP_VEC(tp_symheap_slot) open;  // places that are no numbers
} tp_symheap_object;
typedef struct {
  uint32_t kind;
  bool is_segment;
  tp_term at, before, end, last;
  bool is_cell;      // not empty: what a link of a cell that is none any more leads to
  tp_term where;     // holds of each of its cells (cell_facts.h); NONE: nothing is said
  uint64_t holds;    // the candidates that `where` says
  uint64_t ordered;  // orders between neighbours (cell_orders.h)
} tp_symheap_part;
typedef struct {
  tp_loc loc;
  uint32_t context;
  bool is_impossible;
  bool has_more;   // objects that nothing leads to were left out
  bool is_inside;  // a case of a state that was at its location before
  tp_term *vars;   // NONE: any value
  TP_VEC(tp_symheap_object) objects;
  TP_VEC(tp_symheap_part) parts;
  tp_term_list facts;  // what the path has assumed of numbers, where they are followed
  tp_term_list given;  // in a contract's body: what its symbols are now; NONE: not known any more
  tp_term_list apart;  // equations of places that are false
} tp_symheap;

typedef struct tp_cell_facts tp_cell_facts;
typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_symheap_kinds *kinds;
  tp_cell_facts *facts;  // NULL: numbers are not followed
  bool kinds_changed;    // a kind, or a contract, is weaker than was guessed: all is explored anew
  const char *reason;    // why the search ends; NULL: it goes on
  tp_loc where;
} tp_symheap_search;

tp_symheap *tp_symheap_new(const tp_program *p);
tp_symheap *tp_symheap_copy(const tp_program *p, const tp_symheap *s);
void tp_symheap_free(tp_symheap *s);
tp_term tp_symheap_symbol(const tp_symheap_search *x, tp_sort sort);
uint32_t tp_symheap_object_at(const tp_symheap_search *x, const tp_symheap *s,
                              tp_term pointer);                            // UINT32_MAX: none
tp_symheap_object *tp_symheap_object_of(const tp_symheap *s, tp_term id);  // NULL: none
tp_symheap_object *tp_symheap_add(tp_symheap *s, tp_term id, tp_term size, tp_object_kind kind);
void tp_symheap_remove(tp_symheap *s, uint32_t object);
void tp_symheap_remove_part(tp_symheap *s, uint32_t part);
tp_term tp_symheap_read(const tp_symheap_search *x, const tp_symheap_object *o, uint64_t offset,
                        tp_sort sort);
void tp_symheap_write(const tp_symheap_search *x, tp_symheap_object *o, uint64_t offset,
                      tp_term value);
/* Nothing is known any more of these bytes. */
void tp_symheap_clobber(const tp_symheap_search *x, tp_symheap_object *o, uint64_t offset,
                        uint64_t n_bytes);
void tp_symheap_replace(const tp_symheap_search *x, tp_symheap *s, tp_term old, tp_term with);
/* The kind of cells that the object is one of; 0: none. */
uint32_t tp_symheap_kind_of_object(const tp_symheap_search *x, const tp_symheap_object *o);
/* Equal pointers become one; s->is_impossible if they cannot be. */
void tp_symheap_equate(const tp_symheap_search *x, tp_symheap *s, tp_term a, tp_term b);
/* The part goes, as it is empty. */
void tp_symheap_make_empty(const tp_symheap_search *x, tp_symheap *s, uint32_t part);
void tp_symheap_settle(const tp_symheap_search *x, tp_symheap *s);

/* The value of a term: variables replaced, comparisons decided where the heap decides them. */
tp_term tp_symheap_value(const tp_symheap_search *x, tp_symheap *s, tp_term t);

/* The variable gets the value; its type says of which kind the object is. */
void tp_symheap_set(const tp_symheap_search *x, tp_symheap *s, tp_var v, tp_term value);

// heap_steps.c
typedef TP_VEC(tp_symheap *) tp_symheap_list;
/* The part that has to be a cell, or empty, before the location's edges can be followed: the cases
 * join `out`, and the answer is false. */
bool tp_symheap_split(tp_symheap_search *x, tp_symheap *s, tp_symheap_list *out);
/* The list that a variable leads to, and a structure: no statement speaks of cells of two parts, so
 * where numbers are in order it has to be a cell, or empty, before the heap is folded. True: the
 * cases join `out`. */
bool tp_symheap_split_named(tp_symheap_search *x, const tp_symheap *s, tp_symheap_list *out);
/* One edge that is no call; false: no state is behind it, or x->reason. */
bool tp_symheap_step(tp_symheap_search *x, tp_symheap *s, tp_edge e);

// table_slots.c
/* Do these bytes belong to slots? */
bool tp_symheap_meets_slots(const tp_symheap_search *x, const tp_symheap_slots *slots,
                            uint64_t offset, uint64_t n_bytes);
bool tp_symheap_is_slot(const tp_symheap_slots *slots, uint64_t offset);
/* The slot at the offset; NULL: there is none, or it is open which one. */
tp_term *tp_symheap_slot_at(const tp_symheap_search *x, tp_symheap *s, uint32_t object,
                            tp_term offset);
/* A load or store of a pointer of which it is open whether its slot is one with a value: the cases
 * join `out`. */
bool tp_symheap_split_slots(const tp_symheap_search *x, tp_symheap *s, const tp_edge_info *e,
                            tp_symheap_list *out);
/* n bytes that are no whole slot get any value. */
void tp_symheap_write_beside(const tp_symheap_search *x, tp_symheap *s, uint32_t object,
                             tp_term offset, uint64_t n);
/* Nothing is known of the object's bytes any more. */
void tp_symheap_forget(const tp_symheap_search *x, tp_symheap *s, uint32_t object);
bool tp_symheap_has_hidden(const tp_symheap_search *x, const tp_symheap_object *o);
/* Is the number a part of the place of a slot? */
bool tp_symheap_is_in_place(const tp_symheap_search *x, const tp_symheap *s, tp_term number);
/* Does a variable tell which slot the place is? */
bool tp_symheap_is_told(const tp_symheap_search *x, const tp_symheap *s, tp_term place);
/* Symbols for the values of variables in places, and for places in which there are none. */
void tp_symheap_name_places(const tp_symheap_search *x, tp_symheap *s);

// heap_text.c
/* The lines of a certificate; symbols are numbered as they come, so equal heaps have equal texts.
 * `numbers`: of symbols that have one; the others get those from `first_symbol` on. symbols: those
 * of `given`; NULL: there are none. order: objects, and parts (from s->objects.n on), as they are
 * written; NULL: not asked. */
void tp_symheap_print(const tp_symheap_search *x, const tp_symheap *s, const tp_term_list *symbols,
                      tp_map *numbers, uint32_t first_symbol, uint32_t *order, tp_str *out);

// cell_references.c
/* Does nothing but a link back lead to some cell? A checker, which walks along forth, hardly finds
 * it. */
bool tp_symheap_is_led_to_backwards(tp_symheap_search *x, tp_symheap *s);

// fold_cells.c
/* Forgets what is no structure. AT_LOOP: cells that nothing but cells lead to become structures,
 * and links that are null become structures of any size, in cells with several. NAMED: and cells
 * that variables lead to become structures. Where paths meet elsewhere cells stay: what a condition
 * found out of a link is often used behind it. */
typedef enum { TP_FOLD_NO_CELL, TP_FOLD_AT_LOOP, TP_FOLD_NAMED } tp_fold_what;
void tp_symheap_fold(tp_symheap_search *x, tp_symheap *s, tp_fold_what what);
/* The structure at the pointer goes out of the heap; false: there is none. before: what its link
 * back holds, or NONE. */
bool tp_symheap_take(tp_symheap_search *x, tp_symheap *s, uint32_t kind, tp_term at,
                     tp_term *before);
#endif
