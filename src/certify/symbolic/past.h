/* The past of a segment: what happened to memory and to the ghost arrays since its start, and what
 * is read there.
 *
 * What       two logs, newest entry first: writes to memory, writes to the arrays size, live and
 *            kind. An entry has a guard: where ways met, what either of them wrote stands behind
 *            what both had, each under the condition that tells the ways apart.
 * Represents every value as a term over the state at the start of the segment. What was in memory
 * before is the program's own
 *            memory symbol (program/cells.h); entry 0 of both logs. A log is persistent: branches
 *            of a segment share it.
 * Law        a read gives the value that the bytes have, or, where that cannot be said exactly
 *            (parts of other values, unknown lengths), a symbol that nothing is known of: any
 *            value. Two reads of one sort at one address after the same entry give the same value.
 * Objects    ids made in the segment are next, next + 1, ...; "older" objects are those below.
 *            Where it is not known how many were made (calls by contract, ways that met) counting
 *            goes on from a new symbol that is known to be at least some id before. */
#ifndef TP_CERTIFY_SYMBOLIC_PAST_H
#define TP_CERTIFY_SYMBOLIC_PAST_H

#include "program/program.h"

/* Pointers in memory that malloc gives are what stood there before, addresses too. Where reads are
 * marked, memory holds the number 1, (0, 1), in their place, whatever stands there: then such
 * memory has no links. That is as good as what stands there if every load of a number gives any
 * pointer. */
enum { TP_UNWRITTEN = 1 };

/* What an integer or a floating-point number may hide: the object that it is an address of
 * (doc/semantics.md). NOTHING: the program computed it without addresses and inputs. POINTER: the
 * one pointer that its term shows. */
typedef enum { TP_HIDES_ANYTHING, TP_HIDES_NOTHING, TP_HIDES_POINTER } tp_chides;
typedef struct {
  tp_term term;
  tp_chides hides;
} tp_cvalue;

/* A point in the order of creation: the id of the next object is base + made. */
typedef struct {
  tp_term base;   // symbol
  uint32_t made;  // objects since base
} tp_cage;

typedef struct tp_cpast {
  const tp_program *p;
  tp_terms *tt;
  tp_term next;  // symbol: the next object's id at the start
  struct memory_event *memory;
  size_t n_memory, cap_memory;
  struct ghost_event *ghosts;
  size_t n_ghosts, cap_ghosts;
  tp_map arrays;            // entry << 32 | sort -> symbol of what is not known after that entry
  struct tp_cpools *pools;  // fresh symbols, used again in each segment
  tp_map pool_of_sort;      // sort -> index of its pool
  tp_map ages;    // symbol of pointers (or of an array of them) -> age: older objects only
  tp_map made;    // term of the id of an object that was made -> the age at which it was the next
  tp_map bounds;  // base -> an age that it is at least, in every run; the start's has none
  tp_map said;    // a read at the start -> the constant that it gives
  bool (*knows)(void *ctx, tp_term t);  // is t certain where reads are made?
  void *ctx;
  bool from_beginning;   // entry 0 is the start of the program
  bool marks_unwritten;  // a pointer that nobody has written is the number 1 (TP_UNWRITTEN), else
                         // any
  bool is_exact;         // no read was given up
} tp_cpast;

void tp_cpast_init(tp_cpast *x, const tp_program *p);
void tp_cpast_clear(tp_cpast *x);
/* Start a new segment. from_beginning: at the start of the program, where memory is known. */
void tp_cpast_restart(tp_cpast *x, bool from_beginning);

/* The pointer that an integer of pointer width is an address of, as far as it shows; NONE: it may
 * be any. */
tp_term tp_cpast_pointer_of(tp_cpast *x, tp_cvalue integer);

/* A symbol that is not used in this segment yet. Pointers lead to objects older than `age`. */
tp_term tp_cpast_fresh(tp_cpast *x, tp_sort s, tp_cage age);
/* All pointers of this leaf of a term (a symbol, or SELECT of one) lead to objects below *next. */
bool tp_cpast_is_older(const tp_cpast *x, tp_term leaf, tp_term *next);
/* The next object of this age is made: its id. */
tp_term tp_cpast_object(tp_cpast *x, tp_cage age);
tp_term tp_cpast_next(const tp_cpast *x, tp_cage age);
/* The object was made before this age. */
tp_term tp_cpast_is_made(const tp_cpast *x, tp_cage age, tp_term object);
/* Go on from a new base, after `age`; the caller says what is known of it. */
tp_cage tp_cpast_later(tp_cpast *x, tp_cage age);
/* Go on from a new base where two ways meet; the caller says which of the two it is. */
tp_cage tp_cpast_either(tp_cpast *x, tp_cage a, tp_cage b);
/* What a value that is one of two hides. */
tp_chides tp_cpast_hides_of_both(tp_cvalue a, tp_cvalue b);
/* Are these object ids certain to be different? Told from the order of creation, and from what is
 * known. */
bool tp_cpast_differ(const tp_cpast *x, tp_term object, tp_term other);

// memory: each gives the new log
uint32_t tp_cpast_store(tp_cpast *x, uint32_t log, tp_cage age, tp_term at, tp_cvalue value);
uint32_t tp_cpast_set(tp_cpast *x, uint32_t log, tp_cage age, tp_term at, tp_term length,
                      tp_term byte);
uint32_t tp_cpast_copy(tp_cpast *x, uint32_t log, tp_cage age, tp_term at, tp_term length,
                       tp_term from);
uint32_t tp_cpast_input(tp_cpast *x, uint32_t log, tp_cage age, tp_term at, tp_term length);
/* New object: filled with a byte, or (NONE) of any content. */
uint32_t tp_cpast_object_content(tp_cpast *x, uint32_t log, tp_cage age, tp_term object,
                                 tp_term fill);
uint32_t tp_cpast_forget(tp_cpast *x, uint32_t log, tp_cage age);  // anything may have changed
/* Where two ways meet: what `yes` says if cond, else what `no` says. */
uint32_t tp_cpast_join(tp_cpast *x, tp_term cond, uint32_t yes, uint32_t no);
tp_cvalue tp_cpast_read(tp_cpast *x, uint32_t log, tp_term at, tp_sort s);

/* The ids of the objects of which bytes, life, size or kind may differ from the start of the
 * segment, without statics. False: they are more than `most`, or not known. */
bool tp_cpast_changed(const tp_cpast *x, uint32_t memory, uint32_t ghosts, tp_term *objects,
                      uint32_t most, uint32_t *n) TP_MUST_USE;

// ghosts
typedef enum { TP_GHOST_SIZE, TP_GHOST_LIVE, TP_GHOST_KIND, TP_N_GHOSTS } tp_cghost;
uint32_t tp_cpast_ghost_write(tp_cpast *x, uint32_t log, tp_cghost which, tp_term guard,
                              tp_term object, tp_term value);
/* Any object that is not static may have ended, and those from `below` on may be anything. */
uint32_t tp_cpast_ghost_forget(tp_cpast *x, uint32_t log, tp_cage below);
uint32_t tp_cpast_ghost_join(tp_cpast *x, tp_term cond, uint32_t yes, uint32_t no);
tp_term tp_cpast_ghost_read(tp_cpast *x, uint32_t log, tp_cghost which, tp_term object);
/* The ghost array that this symbol is at the start; false: none. */
bool tp_cpast_is_ghost(const tp_cpast *x, tp_term symbol, tp_cghost *which);
/* What the model guarantees of static k. */
tp_term tp_cpast_static(const tp_cpast *x, tp_cghost which, uint32_t k);

#endif
