/* Symbolic heaps of the checker: what is known of a state, object by object.
 *
 * What       values of variables as terms over symbols; objects, each with what stands in it;
 *            structures of any size (a list, a segment of one, a tree); facts about symbols.
 * Represents states in which the objects and the cells of the structures are pairwise different and
 *            live. Unless `has_more`, every live heap object is one of them (doc/certificates.md,
 *            kind `symbolic-heaps`).
 * Law        a state of a run that meets a symbolic heap meets one of those that a step of this
 *            file makes of it. What is not known of a value is a new symbol.
 * Ownership  a state owns its lists; terms belong to the program's table.
 * Source     Berdine, Calcagno, O'Hearn 2005, sec. 2 and 3 (symbolic heaps, unrolling); we differ:
 *            offsets in bytes, segments that may end where they start, structures by a table of
 *            links. */
#ifndef TP_CERTIFY_HEAPS_HEAP_STATE_H
#define TP_CERTIFY_HEAPS_HEAP_STATE_H

#include "program/program.h"

// ------------------------------------------------------------------------ kinds

/* A pointer in a cell: at `offset` stands the head of a structure of kind `to`, or (has_end) of a
 * segment of that kind up to what stands at `end` of the cell. */
typedef struct {
  uint64_t offset;
  uint32_t to;   // 0: the pointer is null
  bool is_cell;  // never null
  bool has_end;
  uint64_t end;
} tp_chk_cell_link;

/* Cells: heap objects of this size; pointers to one lead to byte `start` of it. */
typedef struct {
  uint64_t size_bytes;  // 0: any
  uint64_t start;
  TP_VEC(tp_chk_cell_link) links;
  bool has_back;  // at `back` stands the pointer to the cell before this one
  uint64_t back;
} tp_chk_cell_kind;
typedef TP_VEC(tp_chk_cell_kind) tp_chk_cell_kinds;  // [0] unused

/* What stands at `offset` of the cell that a statement about all cells of a structure speaks of,
 * and of a cell that one of its links leads to. */
typedef struct {
  uint64_t offset;
  tp_term symbol, next;
} tp_chk_cell_value;
typedef TP_VEC(tp_chk_cell_value) tp_chk_cell_values;

// ------------------------------------------------------------------------ state

typedef struct {
  uint64_t offset;
  tp_term value;
} tp_chk_heap_field;
/* Pointers at bytes `from`, `from` + `stride`, ... below `to` of an object. Those that no field
 * holds are null or first cells of structures of the kind, each one's own, before which null
 * stands; kind 0: they are null. stride 0: there are none. */
typedef struct {
  uint64_t from, to, stride;
  uint32_t kind;
} tp_chk_heap_slots;
/* What one of them holds whose place is no number. */
typedef struct {
  tp_term offset, value;
} tp_chk_heap_slot;
typedef struct {
  tp_term id, size;  // BV32; BV of pointers' width
  tp_object_kind kind;
  bool is_zero;                      // bytes of which no field is known are 0; then no slots
  TP_VEC(tp_chk_heap_field) fields;  // bytes that do not meet
  tp_chk_heap_slots slots;
  TP_VEC(tp_chk_heap_slot) open;  // none meets another one or a field
} tp_chk_heap_object;

/* A structure of cells of a kind, from the one at `at`, whose back link holds `before`: all of it
 * (it may be empty: `at` is null), or a segment, in whose last cell, `last`, the link holds `end`
 * (empty: at = end, before = last). */
typedef struct {
  uint32_t kind;
  bool is_segment;
  tp_term at, before, end, last;  // before, last: null where the kind has no back link
  tp_term where;       // holds of each cell of the kind in it; over symbols and values of the cell.
                       // NONE: nothing is said
  tp_term neighbours;  // holds of each of these and each one that its links lead to, where that is
                       // one of them, too; transitive, over values of both. NONE: nothing is said
} tp_chk_heap_part;

typedef struct {
  tp_term symbol, value;
} tp_chk_heap_binding;

typedef struct {
  tp_loc loc;
  uint32_t context;
  bool is_inside;  // it has been at this location before (start of a path, case of a split): no
                   // cutpoint is met there
  bool has_more;   // there may be heap objects of which nothing is said
  bool is_impossible;
  tp_term *vars;  // by variable; NONE: any value
  TP_VEC(tp_chk_heap_object) objects;
  TP_VEC(tp_chk_heap_part) parts;
  tp_term_list facts;
  TP_VEC(tp_chk_heap_binding) logical;  // in a contract's body: its symbols, and what they are now
  uint32_t depth;                       // steps since the cutpoint
} tp_chk_heap_state;

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  const tp_chk_cell_kinds *kinds;
  const tp_chk_cell_values *values;
} tp_chk_heap_world;

/* Does the fact hold in all states that meet s? */
typedef bool (*tp_chk_heap_ask)(void *ctx, const tp_chk_heap_state *s, tp_term fact);

tp_chk_heap_state *tp_chk_heap_new(const tp_program *p);
tp_chk_heap_state *tp_chk_heap_copy(const tp_program *p, const tp_chk_heap_state *s);
void tp_chk_heap_free(tp_chk_heap_state *s);

tp_term tp_chk_heap_symbol(const tp_chk_heap_world *w, tp_sort sort);
tp_term tp_chk_heap_var(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_var v);
/* The object of this id; UINT32_MAX: none. */
uint32_t tp_chk_heap_object_of(const tp_chk_heap_state *s, tp_term id);
/* The object that the pointer leads into, and its offset there. */
uint32_t tp_chk_heap_target(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term pointer,
                            tp_term *offset);
tp_chk_heap_object *tp_chk_heap_add_object(tp_chk_heap_state *s, tp_term id, tp_term size,
                                           tp_object_kind kind);
void tp_chk_heap_remove_object(tp_chk_heap_state *s, uint32_t i);
/* Have these bytes, from a and b on, some in common? */
bool tp_chk_heap_meet(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b);
/* What stands at these bytes; NONE: not known. */
tp_term tp_chk_heap_read(const tp_chk_heap_world *w, const tp_chk_heap_object *o, uint64_t offset,
                         tp_sort sort);
void tp_chk_heap_write(const tp_chk_heap_world *w, tp_chk_heap_object *o, uint64_t offset,
                       tp_term value);
/* Nothing is known any more of these bytes. */
void tp_chk_heap_clobber(const tp_chk_heap_world *w, tp_chk_heap_object *o, uint64_t offset,
                         uint64_t n_bytes);
/* ... nor of the object's; what its slots held has no place any more. */
void tp_chk_heap_forget(const tp_chk_heap_world *w, tp_chk_heap_state *s, uint32_t object);

/* The slot at this byte; the offset is a number. Has the range bytes of slots? */
bool tp_chk_heap_is_slot(const tp_chk_heap_slots *slots, uint64_t offset);
bool tp_chk_heap_meets_slots(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                             uint64_t offset, uint64_t n_bytes);
/* Does the field lie between slots, or in one? Others would leave a slot that nothing is known of
 * where they are overwritten in part. */
bool tp_chk_heap_fits_slots(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                            const tp_chk_heap_field *field);
/* The field that has bytes of the slot there; NULL: none. */
const tp_chk_heap_field *tp_chk_heap_field_of_slot(const tp_chk_heap_world *w,
                                                   const tp_chk_heap_object *o, uint64_t offset);
/* May a slot that no field holds have a structure? */
bool tp_chk_heap_has_hidden(const tp_chk_heap_world *w, const tp_chk_heap_object *o);
/* The offset, a term, is that of a slot. */
tp_term tp_chk_heap_is_slot_term(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                                 tp_term offset);

/* The term with program variables replaced by their values; comparisons and questions about objects
 * (ghosts) are left as they are. */
tp_term tp_chk_heap_value(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term t);
/* A value in which comparisons of pointers, and questions about objects, are decided where the heap
 * decides them. What is not known of an object is a new symbol. lost, n_heap: the answers to those
 * questions; NONE: not known. */
typedef struct {
  tp_term lost, n_heap;
} tp_chk_heap_sums;
tp_term tp_chk_heap_decide(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term t,
                           tp_chk_heap_sums sums);
/* Is every live heap object reached from the program's variables and from objects that are not on
 * the heap? */
bool tp_chk_heap_reaches_all(const tp_chk_heap_world *w, const tp_chk_heap_state *s,
                             const tp_var *roots, size_t n_roots);

/* The fact holds from here on: equations of symbols are carried out. */
void tp_chk_heap_assume(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term fact);
/* The two are equal from here on. */
void tp_chk_heap_equate(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term a, tp_term b);
/* A statement about the cells of a part, said of this object; what is not known of it is a new
 * symbol. NONE stays NONE, as in the next three. */
tp_term tp_chk_heap_of_cell(const tp_chk_heap_world *w, const tp_chk_heap_object *o, tp_term where);
/* A statement about neighbours, with this object as the second one. */
tp_term tp_chk_heap_of_next(const tp_chk_heap_world *w, const tp_chk_heap_object *o, tp_term said);
/* A statement about a cell, said of a cell that a link leads to. */
tp_term tp_chk_heap_as_next(const tp_chk_heap_world *w, tp_term where);
/* The other way round. */
tp_term tp_chk_heap_as_cell(const tp_chk_heap_world *w, tp_term said);
/* From `said` of two neighbours, and of the second one and a third, follows `said` of the first and
 * the third: a term that is valid if so. */
tp_term tp_chk_heap_transitivity(const tp_chk_heap_world *w, tp_term said);
/* Parts that can only be empty are left out. Once after `replace`. */
void tp_chk_heap_settle(const tp_chk_heap_world *w, tp_chk_heap_state *s);
/* A symbol, or another part of terms whose value is known. */
void tp_chk_heap_replace(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term symbol,
                         tp_term with);

/* The part whose first, or last, cell the symbol may lead to; UINT32_MAX: none. */
uint32_t tp_chk_heap_part_of(const tp_chk_heap_world *w, const tp_chk_heap_state *s, tp_term symbol,
                             bool *at_end);
/* The cases of a part. unfold: a copy in which it has a cell at its start (or end), an object now;
 * way: which of the tp_chk_heap_n_ways links a segment goes on along. empty: the state becomes the
 * case in which the part is empty. */
uint32_t tp_chk_heap_n_ways(const tp_chk_heap_world *w, const tp_chk_heap_part *part);
tp_chk_heap_state *tp_chk_heap_unfold(const tp_chk_heap_world *w, const tp_chk_heap_state *s,
                                      uint32_t part, bool at_end, uint32_t way);
void tp_chk_heap_empty(const tp_chk_heap_world *w, tp_chk_heap_state *s, uint32_t part);

#endif
