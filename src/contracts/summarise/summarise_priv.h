/* Inside of the analysis that makes summaries: the run over one function. */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARISE_PRIV_H
#define TP_CONTRACTS_SUMMARISE_SUMMARISE_PRIV_H

#include "contracts/summarise/summarise.h"
#include "formula/wto.h"
#include "program/pointsto.h"

typedef struct tp_summariser tp_summariser;

struct tp_rsums {
  /* The transfer of all edges: tp_rsum_edge, but in tests that plant an unsound one. */
  void (*transfer)(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e);
  tp_arena arena;
  const tp_object_model *u;
  const tp_program *p;
  tp_rbounds *t;
  tp_rsum_limits limits;
  TP_VEC(tp_rsum_place) places;
  tp_map place_of;               // symbol to place
  tp_map var_of, place_of_name;  // name to what it is the name of: a variable, a place
  tp_rbound alloc;               // the objects of the pre-state
  uint32_t *slot_of, *n_slots;   // by variable; by function
  TP_VEC(tp_var) globals;        // by slot
  /* Of arguments: tp_rsum_is_unreferenced, but in tests that plant an unsound one. */
  bool (*is_unreferenced)(const tp_summariser *r, const tp_rsum_state *s, tp_rinterval at);
  tp_rsum_template **templates;            // by function; NULL: not asked for yet
  tp_map in_context;                       // (function, parameters) to number in `contexts`
  TP_VEC(tp_rsum_template *) contexts;     // templates for calls of one kind
  uint32_t *n_contexts;                    // by function
  tp_map unreferenced_of;                  // parameter to its name in such contexts
  TP_VEC(tp_rsum_template *) active;       // recursive functions of the fixpoint that runs
  bool is_iterating, has_used_unfinished;  // a template that was not done
  tp_pointsto *pointsto;                   // made where a call through a pointer is met
};

/* One analysis of one function. */
struct tp_summariser {
  tp_rsums *s;
  tp_arena *arena;
  const tp_program *p;
  tp_rbounds *t;
  tp_func func;
  tp_wto wto;
  tp_rsum_template *into;
  uint32_t loop_depth;  // of the edge being executed, below
  uint32_t base_depth;  // that of the loop of which one round is interpreted
  tp_map new_of;        // (edge, number of the callee's) to the number of a new object
  tp_map freed;         // numbers of new objects that some run may have freed
  tp_pos pos;
};

static inline bool tp_rsum_is_kind(const tp_summariser *r, tp_type t, tp_type_kind k) {
  return t.id && tp_type_of(r->p, t)->kind == k;
}
static inline tp_rsum_value *tp_rsum_slot(const tp_summariser *r, const tp_rsum_state *s,
                                          tp_var v) {
  return &s->vars[r->s->slot_of[v.id]];
}

// --------------------------------------------------------------- summary_places.c

/* The parameter, as an object, not null, to which no member of the pre-state leads. */
tp_rbound tp_rsums_name_of_unreferenced(tp_rsums *s, tp_var v);
tp_rsums *tp_rsums_without_transfer(const tp_object_model *u, tp_rsum_limits limits);
uint32_t tp_rsums_place_of(const tp_rsums *s, const tp_symbol *symbol);  // NO_PLACE: it has none
bool tp_rsums_basic_of(const tp_rsums *s, tp_type pointee, uint32_t *basic);
bool tp_rsum_is_struct(const tp_rsums *s, uint32_t basic);
tp_rsum_state *tp_rsum_state_in(tp_arena *a, const tp_rsums *s, uint32_t n_slots);
void tp_rsum_state_copy_into(tp_rsum_state *to, const tp_rsum_state *from, const tp_rsums *s,
                             uint32_t n_slots);
tp_rsum_state *tp_rsum_state_new(const tp_summariser *r);
tp_rsum_state *tp_rsum_state_copy(const tp_summariser *r, const tp_rsum_state *s);
void tp_rsum_fact(tp_summariser *r, tp_rsum_state *s, tp_rbound f, tp_rsum_fact_kind kind);
/* The fact, and choices that it decides. */
void tp_rsum_learn(tp_summariser *r, tp_rsum_state *s, tp_rbound f, tp_rsum_fact_kind kind);
/* Nothing is said of the function at all. */
void tp_rsum_refuse(tp_summariser *r, const char *why);
/* Everything in memory may have changed, and why. */
void tp_rsum_forget(tp_summariser *r, tp_rsum_state *s, const char *why);

// -------------------------------------------------------------------- summarise.c

/* The template of the function, computed as far as the fixpoint that runs has come. */
tp_rsum_template *tp_rsums_demand(tp_rsums *s, tp_func f);
/* The same for calls with arguments to which no member leads (a bit for each parameter): a template
 * of its own, if the function may have one more; else the one that serves all calls. */
tp_rsum_template *tp_rsums_demand_in(tp_rsums *s, tp_func f, uint32_t unreferenced);
/* It is being analysed, and not as part of a fixpoint, which would analyse it again: a call of it
 * has no template. Functions whose addresses nobody takes are not recursive for the program, but a
 * pointer of a heap may lead back to them. */
bool tp_rsums_is_running(const tp_rsums *s, tp_func f);

// ----------------------------------------------------------------- summary_joins.c

void tp_rsum_state_join(tp_summariser *r, tp_rsum_state *into, const tp_rsum_state *s);
/* At the head of a loop: `into` widened by s. False: nothing is new. is_last: what is new becomes
 * universal. */
bool tp_rsum_state_widen(tp_summariser *r, tp_rsum_state *into, const tp_rsum_state *s,
                         bool is_last);
/* Of results of a recursive function: globals, places, objects, value. */
bool tp_rsum_template_widen(tp_summariser *r, tp_rsum_template *into, const tp_rsum_state *after,
                            const tp_rsum_value *result, bool is_last);
tp_rsum_value tp_rsum_value_join(tp_summariser *r, tp_rsum_value a, tp_rsum_value b);

// ----------------------------------------------------------------- summary_terms.c

tp_rsum_value tp_rsum_any_value(const tp_summariser *r);
tp_rsum_value tp_rsum_value_of(tp_summariser *r, const tp_rsum_state *s, tp_term t);
/* The condition as a formula over the pre-state; id 0: it depends on what is not exact. */
tp_rbound tp_rsum_formula_of(tp_summariser *r, const tp_rsum_state *s, tp_term t);
/* The integer's interval when it is read so; width of its bits. */
tp_rsum_value tp_rsum_read_as(tp_summariser *r, tp_rsum_value v, uint32_t width,
                              tp_rsum_reading reading);
/* The value as one of this C type: what is stored, passed or returned. */
tp_rsum_value tp_rsum_convert(tp_summariser *r, tp_rsum_value v, tp_type to);

// --------------------------------------------------------------- summary_address.c

/* A place in memory: a member or the elements of an object. */
typedef struct {
  tp_rinterval object;
  tp_rinterval index;  // of elements
  uint32_t place;
  tp_type type;  // of the value
} tp_rsum_cell;
tp_rsum_value tp_rsum_address_of(tp_summariser *r, const tp_rsum_state *s, tp_term t);
/* What an access of this size at the address reads or writes. False: it is not known. */
bool tp_rsum_cell_at(tp_summariser *r, const tp_rsum_state *s, tp_term address, uint64_t size,
                     tp_rsum_cell *out);
tp_rsum_value tp_rsum_view_as(tp_summariser *r, tp_rsum_value v, tp_type pointee);
/* A global object of struct type; id 0: none. */
tp_rbound tp_rsum_static(tp_summariser *r, uint32_t object);

// -------------------------------------------------------------- summary_transfer.c

void tp_rsum_edge(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e);
/* New objects among these may be gone where the function returns, but for those that exist in s. */
void tp_rsum_may_free(tp_summariser *r, const tp_rsum_state *s, tp_rbound objects);
void tp_rsum_set_var(tp_summariser *r, tp_rsum_state *s, tp_var v, tp_rsum_value value);
/* What was read through the place is not in variables' origins any more. NO_PLACE: any. */
void tp_rsum_place_changed(tp_summariser *r, tp_rsum_state *s, uint32_t place);
tp_rsum_value tp_rsum_of_type(tp_summariser *r, tp_rinterval at, tp_type type);
/* The symbol of a new object of the type, or the set of those. key: equal keys, equal objects. */
tp_rinterval tp_rsum_new_symbol(tp_summariser *r, const tp_rsum_state *s, uint32_t basic,
                                uint64_t key);

// ------------------------------------------------------------------ summary_visit.c

/* A loop that visits all of a linked structure: exact members in the states that leave it.
 * waiting: by position, the states of its last round; entry: before the loop. */
void tp_rsum_visit_all(tp_summariser *r, const tp_wto_component *c, tp_rsum_state *const *waiting,
                       const tp_rsum_state *entry, tp_rsum_state *const *exits, size_t n_exits);

// ------------------------------------------------------------------- summary_walk.c

typedef struct {
  tp_var var;
  tp_rbound symbol;    // its value when a round starts; id 0: any value
  tp_rinterval value;  // of the symbol where the loop is left
} tp_rsum_walk_var;

/* A loop that may walk along a member and change nothing. */
typedef struct {
  const tp_rsum_state *entry;
  TP_VEC(tp_rsum_walk_var) changed;  // variables that the loop assigns
  tp_rbound cursor;
} tp_rsum_walk;

/* The state from which one round is to be interpreted; NULL: the loop is no walk. Clear it. */
tp_rsum_state *tp_rsum_walk_start(tp_summariser *r, const tp_wto_component *c,
                                  const tp_rsum_state *entry, tp_rsum_walk *w);
/* From that round to the states that leave the loop, in place; one of them may be dead then. False:
 * the loop is no walk, and they are of no use. */
bool tp_rsum_walk_end(tp_summariser *r, tp_rsum_walk *w, const tp_rsum_state *back,
                      tp_rsum_state *const *exits, size_t n_exits);
void tp_rsum_walk_clear(tp_rsum_walk *w);

// ----------------------------------------------------------------- summary_calls.c

/* Is it one object, not null, to which no member leads? */
bool tp_rsum_is_unreferenced(const tp_summariser *r, const tp_rsum_state *s, tp_rinterval at);
void tp_rsum_call(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e);
void tp_rsum_assume(tp_summariser *r, tp_rsum_state *s, tp_term condition);

#endif
