/* The past of a segment: what happened to memory and to the ghost arrays since its start, and what
 * is read there.
 *
 * What       two logs, newest entry first: writes to memory, writes to the arrays size, live and
 *            kind. An entry has a guard: where paths met, what either of them wrote stands behind
 *            what both had, each under the condition that tells the paths apart.
 * Represents every value as a term over the state at the start of the segment. What was in memory
 *            before is the program's own memory symbol (program/cells.h); entry 0 of both logs. A
 *            log is persistent: branches of a segment share it.
 * Law        a read gives the value that the bytes have, or, where that cannot be said exactly
 *            (parts of other values, unknown lengths), a symbol that nothing is known of: any
 *            value. Two reads of one sort at one address after the same entry give the same value.
 * Objects    ids made in the segment are next, next + 1, ...; "older" objects are those below.
 *            Where it is not known how many were made (calls by contract, paths that met) counting
 *            goes on from a new symbol that is known to be at least some id before. */
#ifndef TP_CERTIFY_SYMBOLIC_STORE_HISTORY_H
#define TP_CERTIFY_SYMBOLIC_STORE_HISTORY_H

#include "certify/symbolic/pointer_leaves.h"
#include "certify/symbolic/value_bytes.h"
#include "program/program.h"

/* Pointers in memory that malloc gives are what stood there before, addresses too. Where reads are
 * marked, memory holds the number 1, (0, 1), in their place, whatever stands there: then such
 * memory has no links. That is as good as what stands there if every load of a number gives any
 * pointer. */
enum { TP_UNWRITTEN = 1 };

/* A point in the order of creation: the id of the next object is base + made. */
typedef struct {
  tp_term base;   // symbol
  uint32_t made;  // objects since base
} tp_chk_epoch;

typedef struct tp_chk_history {
  const tp_program *p;
  tp_terms *tt;
  tp_term next;                   // symbol: the next object's id at the start
  struct history_entry *entries;  // of all logs; [0] is the start
  size_t n_entries, cap_entries;
  struct read_request *reads;  // requests with their values; [0] unused
  size_t n_reads, cap_reads;
  tp_map read_at;  // hash of a request -> its number
  tp_map skips;    // log << 32 | object -> newest entry that may concern the object
  tp_map fixed;    // constant id << 2 | SIZE or KIND -> its value
  TP_VEC(uint32_t) todo;
  tp_arena arena;
  tp_chk_leaf_table leaves;
  bool used_facts;  // a value rests on facts of the path
  tp_map arrays;    // entry << 32 | sort -> symbol of what is not known after that entry
  struct tp_chk_symbol_pools *pools;  // fresh symbols, used again in each segment
  tp_map pool_of_sort;                // sort -> index of its pool
  tp_map ages;    // symbol of pointers (or of an array of them) -> age: older objects only
  tp_map made;    // term of the id of an object that was made -> the age at which it was the next
  tp_map bounds;  // base -> an age that it is at least, in every run; the start's has none
  tp_map said;    // a read at the start -> the constant that it gives
  bool (*knows)(void *ctx, tp_term t);  // is t certain where reads are made?
  void *ctx;
  bool numbers_objects;  // ids are constants, given once on all paths together; no formula is read
  bool from_beginning;   // entry 0 is the start of the program
  bool marks_uninitialised;  // a pointer that nobody has written is the number 1 (TP_UNWRITTEN),
                             // else any
  bool is_exact;             // no read was given up
} tp_chk_history;

void tp_chk_history_init(tp_chk_history *x, const tp_program *p);
void tp_chk_history_clear(tp_chk_history *x);
/* Start a new segment. from_beginning: at the start of the program, where memory is known. */
void tp_chk_history_restart(tp_chk_history *x, bool from_beginning);

/* In an unrolled program: ids count from the number of statics, each is given once on all paths
 * together; reads follow valid pointers only. At the start of the program. */
void tp_chk_history_number_objects(tp_chk_history *x);

/* A symbol that is not used in this segment yet. Pointers lead to objects older than `age`. */
tp_term tp_chk_history_nondet(tp_chk_history *x, tp_sort s, tp_chk_epoch age);
/* All pointers of this leaf of a term (a symbol, or SELECT of one) lead to objects below *next. */
bool tp_chk_history_is_older(const tp_chk_history *x, tp_term leaf, tp_term *next);
/* The next object of this age is made: its id. */
tp_term tp_chk_history_allocate(tp_chk_history *x, tp_chk_epoch age);
tp_term tp_chk_history_next_object(const tp_chk_history *x, tp_chk_epoch age);
/* The object was made before this age. */
tp_term tp_chk_history_is_allocated(const tp_chk_history *x, tp_chk_epoch age, tp_term object);
/* Go on from a new base, after `age`; the caller says what is known of it. */
tp_chk_epoch tp_chk_history_later_epoch(tp_chk_history *x, tp_chk_epoch age);
/* Go on from a new base where two paths meet; the caller says which of the two it is. */
tp_chk_epoch tp_chk_history_merge_epochs(tp_chk_history *x, tp_chk_epoch a, tp_chk_epoch b);
/* Are these object ids certain to be different? Told from the order of creation, and from what is
 * known. */
bool tp_chk_history_objects_differ(const tp_chk_history *x, tp_term object, tp_term other);

// memory: each gives the new log
uint32_t tp_chk_history_store(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_chk_value value);
uint32_t tp_chk_history_set(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                            tp_term length, tp_term byte);
uint32_t tp_chk_history_copy(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                             tp_term length, tp_term from);
uint32_t tp_chk_history_input(tp_chk_history *x, uint32_t log, tp_chk_epoch age, tp_term at,
                              tp_term length);
/* New object: filled with a byte, or (NONE) of any content. */
uint32_t tp_chk_history_new_content(tp_chk_history *x, uint32_t log, tp_chk_epoch age,
                                    tp_term object, tp_term fill);
uint32_t tp_chk_history_havoc(tp_chk_history *x, uint32_t log,
                              tp_chk_epoch age);  // anything may have changed
/* Where two paths meet: what `yes` says if cond, else what `no` says. */
uint32_t tp_chk_history_merge(tp_chk_history *x, tp_term cond, uint32_t yes, uint32_t no);
tp_chk_value tp_chk_history_read(tp_chk_history *x, uint32_t log, tp_term at, tp_sort s);

/* The ids of the objects of which bytes, life, size or kind may differ from the start of the
 * segment, without statics. False: they are more than `most`, or not known. */
bool tp_chk_history_changed_objects(const tp_chk_history *x, uint32_t memory, uint32_t ghosts,
                                    tp_term *objects, uint32_t most, uint32_t *n) TP_MUST_USE;

// ghosts
typedef enum {
  TP_CHK_GHOST_SIZE,
  TP_CHK_GHOST_LIVE,
  TP_CHK_GHOST_KIND,
  TP_CHK_N_GHOSTS
} tp_chk_ghost;
uint32_t tp_chk_history_ghost_write(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                    tp_term guard, tp_term object, tp_term value);
/* Any object that is not static may have ended, and those from `below` on may be anything. */
uint32_t tp_chk_history_ghost_havoc(tp_chk_history *x, uint32_t log, tp_chk_epoch below);
tp_term tp_chk_history_ghost_read(tp_chk_history *x, uint32_t log, tp_chk_ghost which,
                                  tp_term object);
/* The ghost array that this symbol is at the start; false: none. */
bool tp_chk_history_is_ghost(const tp_chk_history *x, tp_term symbol, tp_chk_ghost *which);
/* What the model guarantees of static k. */
tp_term tp_chk_history_ghost_of_static(const tp_chk_history *x, tp_chk_ghost which, uint32_t k);

#endif
