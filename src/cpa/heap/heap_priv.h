/* What the files of the explicit heap analysis share. */
#ifndef TP_CPA_HEAP_HEAP_PRIV_H
#define TP_CPA_HEAP_HEAP_PRIV_H

#include "cpa/explicit.h"
#include "cpa/heap/heap_cpa.h"
#include "program/interior.h"
#include "program/liveness.h"

#define TP_HEAP_NO_THRESHOLD UINT64_MAX

struct tp_elem {
  tp_explicit_heap heap;
};

/* Structures that were seen: the cells below a pointer, as large as the thresholds ask. */
typedef struct {
  TP_VEC(tp_heap_sample) list;
  tp_map seen;                     // hash of a sample -> 1
  uint64_t wanted;                 // setting samples: so many different ones end the run
  uint64_t adjusts, most_adjusts;  // elements since the last request to follow; most of them
} tp_heap_samples;

struct tp_heap_count;
typedef struct {
  tp_cpa *cpa;
  tp_program *p;
  tp_terms *tt;
  tp_pointsto *pt;
  tp_interior *inside;
  tp_liveness *liveness;  // NULL: all variables count as live
  uint32_t first_object;  // of cell 0, in pointer constants
  uint32_t *kind_of_class;
  uint64_t *most_cells, *most_values;  // by variable
  uint64_t values_of_fields, fewest_values;
  TP_VEC(uint64_t) never;       // kinds of pointers with threshold 0
  bool starts_off, interrupts;  // settings start = off, over = interrupt
  bool *is_followed;            // start = off: by kind
  tp_heap_samples samples;      // over = interrupt: what was seen of the kinds that are followed
  tp_map elems;                 // hash -> index into chain
  TP_VEC(struct {
    const tp_elem *e;
    uint32_t next;
  })
  chain;  // [0] unused
  TP_VEC(struct tp_heap_count *) counts;
  tp_map count_of;  // first element of a view -> index into counts
  tp_map is_plain;  // condition or value -> does it treat objects as names only?
} tp_explicit;
static inline tp_explicit *tp_explicit_of(const tp_cpa *cpa) { return cpa->state; }

// ------------------------------------------------------------- precision.c

/* What is not tracked: variables, fields and kinds as numbers. */
struct tp_prec {
  const uint64_t *dropped;  // ascending
  size_t n;
};
typedef enum { TP_HEAP_OF_VARIABLE, TP_HEAP_OF_FIELD, TP_HEAP_OF_KIND } tp_heap_place_sort;
static inline uint64_t tp_heap_place(tp_heap_place_sort sort, uint64_t number) {
  return number << 2 | sort;
}
static inline uint64_t tp_heap_field_number(tp_class of, uint64_t offset) {
  return (uint64_t)of.id << 29 ^ (offset & 0x1fffffff);
}
int tp_heap_by_number(const void *a, const void *b);  // for qsort and bsearch of these numbers
uint32_t tp_heap_kind_of(const tp_explicit *h, tp_class c);
/* p without these numbers; p itself if it tracks none of them. */
const tp_prec *tp_heap_without(tp_explicit *h, const tp_prec *p, const uint64_t *more, size_t n);
bool tp_heap_read_settings(tp_explicit *h, tp_str *why);
const tp_prec *tp_heap_first_precision(tp_explicit *h);
bool tp_heap_tracks_var(const tp_explicit *h, const tp_prec *p, tp_var v);
bool tp_heap_tracks_field(const tp_explicit *h, const tp_prec *p, tp_class of, uint64_t offset);
bool tp_heap_tracks_kind(const tp_explicit *h, const tp_prec *p, tp_class of);

// ------------------------------------------------------------- heap_draft.c

typedef TP_VEC(tp_explicit_field) tp_field_list;
typedef struct {
  tp_explicit_cell cell;  // but for its fields
  tp_field_list fields;
} tp_draft_cell;

/* An element under construction. */
typedef struct {
  tp_explicit *h;
  TP_VEC(tp_explicit_var) vars;
  TP_VEC(tp_draft_cell) cells;
  tp_other_cells others;
} tp_heap_draft;
void tp_heap_draft_open(tp_heap_draft *d, tp_explicit *h,
                        const tp_elem *from);  // NULL: top
void tp_heap_draft_drop(tp_heap_draft *d);
/* What p tracks of it, in canonical form; drops the draft. */
const tp_elem *tp_heap_seal(tp_heap_draft *d, const tp_prec *p);
tp_term tp_heap_get(const tp_heap_draft *d, tp_var v);        // NONE: any value
void tp_heap_put(tp_heap_draft *d, tp_var v, tp_term value);  // NONE: unknown
void tp_heap_havoc_vars(tp_heap_draft *d, bool (*is_havocked)(void *ctx, tp_var v), void *ctx);
tp_term tp_heap_pointer_to(const tp_explicit *h, uint32_t cell, uint64_t offset);
/* The other cells of a heap that had `a` and loses this cell. */
tp_other_cells tp_heap_join_others(tp_other_cells a, const tp_explicit_cell *left);
/* Is the value a pointer to a cell? */
bool tp_heap_cell_of(const tp_explicit *h, tp_term value, uint32_t *cell, uint64_t *offset);

// ------------------------------------------------------------- heap_eval.c

/* What the term is in the states of the draft: a constant, or a term that is left. Pointers to
 * cells are only put in where names cannot matter. */
tp_term tp_heap_fold(const tp_heap_draft *d, tp_term t);
tp_term tp_heap_eval(const tp_heap_draft *d, tp_term t);   // NONE: no constant
bool tp_heap_assume(tp_heap_draft *d, tp_term condition);  // false: impossible
tp_term tp_heap_formula(tp_cpa *cpa, const tp_elem *e);
bool tp_heap_has_exact_formula(tp_cpa *cpa, const tp_elem *e);

// heap_memory.c: false: the run ends
bool tp_heap_load(tp_heap_draft *d, const tp_edge_info *e);
bool tp_heap_store(tp_heap_draft *d, const tp_edge_info *e);
bool tp_heap_block(tp_heap_draft *d, const tp_edge_info *e);  // COPY, SET, HAVOC_MEMORY
bool tp_heap_free(tp_heap_draft *d, const tp_edge_info *e);
void tp_heap_alloc(tp_heap_draft *d, const tp_edge_info *e, tp_edge edge);
void tp_heap_havoc_contents(tp_heap_draft *d,
                            tp_class of);  // of all cells that an address of the class may lead to

// transfer.c
void tp_heap_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                      tp_out *out);

// heap_adjust.c
tp_adjusted tp_heap_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                           tp_succ *out);
void tp_heap_each_untracked(tp_cpa *cpa, tp_succ before, tp_succ after,
                            void (*visit)(void *ctx, tp_term lvalue), void *ctx);
void tp_heap_close_precision(tp_explicit *h);

// samples.c
/* Notes the structures of e that are large enough; are there enough of them? Or were so many
 * elements seen that no others will come? */
bool tp_heap_sample_elem(tp_explicit *h, const tp_elem *e);
void tp_heap_close_samples(tp_explicit *h);
/* Is any kind of cells followed? Otherwise nothing is said of heaps from the start. */
bool tp_heap_follows_some(const tp_explicit *h);

#endif
