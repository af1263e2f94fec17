/* Shared by models.c and models_rich.c: the model being built. */
#ifndef TP_FUZZ_MODELS_PRIV_H
#define TP_FUZZ_MODELS_PRIV_H

#include "models.h"

/* Variables of the function being built: small fixed sets, so that expressions meet often. */
enum { N_BYTES = 2, N_WORDS = 3, N_PTRS = 3, MAX_FUNCS = 3, MAX_LABELS = 6, BLOCK = 4, NEST = 3, MAX_INPUTS = 4, N_COUNTERS = 4, OBJECT = 16, N_FLOATS = 2, SLOT = 8 };

typedef enum {
  DO_ASSIGN, DO_CLAIM, DO_INPUT, DO_ACCESS, DO_ALLOCATE, DO_RELEASE, DO_USE_OWNER, DO_OVERLAP, DO_BLOCK, DO_CALL, DO_JUMP, DO_ASSUME,
  DO_IF, DO_COUNTED, DO_DATA,    // these nest
  N_KINDS,
  DO_FLOAT = N_KINDS, DO_UNKNOWN_BYTE, DO_EXTERN, DO_LOCAL_OBJECT, DO_OPEN_LOOP,   // rich models only
  N_RICH_KINDS
} statement_kind;

typedef struct {
  tape *t;
  uint32_t kinds;              // of statements in this program: each program goes without some, so that others meet more often
  tp_program *p;
  tp_terms *tt;
  tp_property asked;
  tp_func func;
  tp_loc at, exit;
  bool dead;                   // what follows is unreachable
  tp_var bytes[N_BYTES], words[N_WORDS], ptrs[N_PTRS];
  tp_var counters[N_COUNTERS], limits[N_COUNTERS];
  tp_loc labels[MAX_LABELS];
  uint32_t n_counters, n_labels, n_inputs, n_statements;
  tp_func funcs[MAX_FUNCS];    // finished: Word f(Word, Ptr)
  uint32_t n_funcs;
  tp_type func_type;
  tp_var fuel, global_word, global_ptr;
  uint32_t statics[2];
  bool is_rich;
  tp_var floats[N_FLOATS], slot;   // rich: a float, a double; the address of a local object
  bool compares_addresses;
  bool pointers_in_memory;     // pointers are stored in objects, where they may be read as numbers
} model;

static inline tp_loc new_loc(model *m) { return tp_program_add_loc(m->p, (tp_loc_info){.func = m->func}); }
static inline tp_term term_of(const model *m, tp_var v) { return tp_var_of(m->p, v)->term; }
static inline tp_term word(model *m, int64_t v) { return tp_mk_bv_signed(m->tt, 32, v); }
static inline tp_term offset(model *m, uint64_t v) { return tp_mk_bv(m->tt, m->p->ptr_bits, v); }
static inline tp_sort word_sort(model *m) { return tp_sort_bv(m->tt, 32); }

// models.c
void model_edge(model *m, tp_edge_info e);
void model_assign(model *m, tp_var v, tp_term t);
tp_loc model_branch(model *m, tp_term c);                // goes on where c holds; returns where it does not
void model_require(model *m, tp_term c, tp_property kind);
tp_var model_var(model *m, const char *name, tp_var_kind kind, tp_sort s);
tp_term model_number(model *m, int depth);
tp_term model_condition(model *m, int depth);
void model_block(model *m, int nest);

// models_rich.c
void model_rich_locals(model *m);
void model_rich_statement(model *m, statement_kind kind, int nest);
tp_term model_rich_condition(model *m);                  // over floats
void model_rich_leave(model *m);                         // before a function returns

#endif
