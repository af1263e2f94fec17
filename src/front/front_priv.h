/* Shared by the files of the front end.
 *
 * What       the context of one load (tp_fe), of one function being lowered (tp_fb), and values.
 * Invariants a value's term is over program variables; `mask` over-approximates the set of source
 *            variables in it that assignments can change.
 * Ownership  all of it lives in fe->scratch and ends with the load; results go to the program. */
#ifndef TP_FRONT_FRONT_PRIV_H
#define TP_FRONT_FRONT_PRIV_H

#include "front/front.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

static inline uint64_t tp_fe_key(const void *p) { return (uint64_t)(uintptr_t)p; }  // of a tp_map
static inline bool tp_fe_starts_with(const char *s, const char *prefix) {
  return strncmp(s, prefix, strlen(prefix)) == 0;
}

// --------------------------------------------------------------------- values

/* The translation of an LLVM value: one term, or (structs in registers, results with a flag)
 * several.
 */
typedef struct tp_call_memo tp_call_memo;  // pure_calls.c

typedef struct {
  tp_term t;
  const tp_term *parts;
  uint32_t n_parts;
  uint64_t mask;      // bit (variable id mod 64) of changeable variables read
  bool reads_global;  // one of them is global: a call may change it
  tp_type pointee;    // of pointers, as far as known
  tp_type type;       // C type of the value, as far as known
} tp_fe_value;
static inline bool tp_fe_value_is_known(const tp_fe_value *v) {
  return tp_term_is(v->t) || v->n_parts;
}

// ------------------------------------------------------------- whole program

typedef struct {
  LLVMValueRef value;
  tp_var var;        // promoted to a variable
  tp_term constant;  // promoted and never changes
  uint32_t object;   // else: its object
  bool is_extern_volatile;
} tp_global_storage;

/* Values that a call passes. */
typedef struct {
  tp_term t;
  uint64_t byval_bytes;  // a struct behind this pointer, 0: the value itself
  uint32_t align_bytes;  // of a variadic argument
} tp_actual;
typedef struct {
  tp_actual *at;
  uint32_t n;
} tp_actuals;

/* A call through a pointer that is finished when all functions are known. */
typedef struct {
  tp_func func;
  tp_pos pos;
  tp_loc from, to;
  tp_term pointer;
  tp_actuals actuals;
  tp_var result;
} tp_pointer_call;

/* A call through a pointer, to be compared with the types of all functions once they are known. */
typedef struct {
  tp_func func;
  tp_pos pos;
  tp_loc from, to;
  tp_term pointer;
  LLVMTypeRef type;  // of the call
} tp_typed_call;

/* A call that may be an event for a monitor. */
typedef struct {
  LLVMValueRef callee;  // NULL: through a pointer
  uint32_t function;    // watched
  unsigned n_args;
} tp_event_site;

typedef struct tp_fb tp_fb;
typedef struct {
  const tp_front_options *opt;
  tp_program *p;
  tp_terms *tt;
  tp_diag *diag;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  tp_arena scratch;
  uint32_t ptr_bits, ptr_bytes;

  tp_map types;                        // debug node -> tp_type
  TP_VEC(LLVMMetadataRef) type_nodes;  // by tp_type id
  uint32_t types_done;
  tp_type void_type;
  tp_map operands;  // debug node with many operands -> all of them (types.c)
  tp_map files;     // debug scope -> file
  tp_map globals;   // LLVM global -> index in global_list + 1
  TP_VEC(tp_global_storage) global_list;
  uint32_t globals_done;             // images written so far
  tp_map funcs;                      // LLVM function -> tp_func
  TP_VEC(LLVMValueRef) func_values;  // by tp_func id
  TP_VEC(tp_func) todo;              // functions to lower
  tp_map labels;                     // blocks whose address is taken -> object
  tp_map address_taken;              // LLVM functions
  TP_VEC(tp_pointer_call) dispatches;
  size_t dispatches_done;
  TP_VEC(tp_typed_call) typed_calls;
  tp_var result_is_set;  // global: did the function that has just returned set its result
                         // (uninitialised.c); NONE: no function needs it
  tp_map uninitialised;  // allocas of the function being lowered whose value may be used unset
                         // (uninitialised.c)
  tp_map implicit;       // functions that give inputs -> are they not declared? (input_functions.c)
  enum { TP_HAS_PURE_UNKNOWN, TP_HAS_PURE_YES, TP_HAS_PURE_NO } has_pure;
  tp_map jumpers;      // LLVM functions that may return because of a longjmp (nonlocal_jumps.c)
  bool pointers_jump;  // one of them may be called through a pointer
  tp_var jump_target, jump_site, jump_value, n_activations;  // globals; NONE: nobody jumps
  TP_VEC(LLVMValueRef) constructors, destructors;  // in the order of execution (constructors.c)
  TP_VEC(tp_call_memo *) memos;  // of functions that are declared const (pure_calls.c)
  tp_map parts;                  // (sort, k) -> hidden global for the k-th part of a result
  tp_map reported;               // hashes of messages that are reported once
  tp_map promotable;             // alloca -> is it a variable? (stack_slots.c)
  tp_map effects;  // LLVM function -> what a call of it does to memory (memory_effects.h)
  TP_VEC(tp_event_site) event_sites;
  TP_VEC(tp_event_site) observed_addresses;  // watched functions whose address is taken
  TP_VEC(tp_event) events;                   // marked edges

  bool check_reach, check_deref, check_free, check_leak, check_cleanup, check_overflow,
      check_undefined;
  bool label_is_error;  // label ERROR convention in force
  bool reads_bytes;     // the program reads bytes of objects, so padding is observable (padding.c)
  bool is_module;       // called from outside: no function is main
  uint32_t n_temps;
  bool extern_named;  // some external function was met
} tp_fe;

/* A module has no main: the first function of its program is a function like any other. */
static inline bool tp_fe_is_main(const tp_fe *fe, tp_func f) {
  return !fe->is_module && f.id == fe->p->main.id;
}

// ------------------------------------------------------- plan of one function

#define TP_NO_BLOCK UINT32_MAX
typedef struct {
  LLVMBasicBlockRef bb;
  uint32_t first, end;  // instructions in tp_lowering_plan.at
  uint32_t n_succ;
  const uint32_t *succ;
  uint32_t join;         // both sides are pure: continue here; or TP_NO_BLOCK
  uint32_t join_edges;   // edges of LLVM's by which it gets there
  uint32_t absorbed_by;  // block whose terminator swallowed this one
  uint32_t fold_depth;
  LLVMValueRef decider;  // the block is nothing but this phi of constants and others, and a branch
                         // by it; or NULL
  uint32_t parent;       // the only predecessor, whose state this block inherits
  uint32_t root;         // of the tree of such blocks
  uint32_t tree_in, tree_out;
  uint32_t order;  // in reverse postorder
  bool reachable, in_cycle;
  bool is_endless;    // where lost memory counts: begins a cycle behind which the function never
                      // ends
  const char *label;  // the user's
  tp_loc loc;         // of roots, once something leads here
} tp_plan_block;

typedef struct {
  LLVMValueRef inst;
  uint32_t block;
  tp_fe_value v;
} tp_plan_inst;

typedef struct {
  LLVMValueRef fn;
  tp_plan_block *blocks;
  uint32_t n_blocks;
  tp_plan_inst *at;
  uint32_t n_inst;
  tp_map index;  // instruction, argument or block -> index
} tp_lowering_plan;

void tp_lowering_plan_build(tp_fe *fe, tp_lowering_plan *plan, LLVMValueRef fn);
void tp_lowering_plan_clear(tp_lowering_plan *plan);
/* Where a block leads on without choice: its join, or its only successor; or TP_NO_BLOCK. */
uint32_t tp_lowering_plan_next(const tp_lowering_plan *plan, uint32_t block);
/* Is the instruction free of effects, so that it may be evaluated although C might skip it? */
bool tp_lowering_plan_pure(tp_fe *fe, LLVMValueRef inst);

// -------------------------------------------------------------- one function

/* The variable or object of an alloca. */
typedef struct {
  LLVMValueRef inst;
  tp_var var;     // the variable, or the address of the object
  tp_var is_set;  // under `undefined`, of a variable that may be read before it is set: was it
                  // (uninitialised.c); or NONE
  bool is_object;
  bool has_markers;  // lifetime markers start and end it
  bool at_entry;     // object made once, at function entry
  bool again;  // object: its declaration can be executed again without its block being left; it
               // stays the same object
  bool early;  // object: used where its declaration was not executed, so it exists from the start
  bool is_param;       // shares the parameter's variable
  bool once;           // object: made at most once per call, before any return
  bool never_changes;  // parameter without further stores
  bool set_first;  // used before its declaration, in the entry block: a parameter that is converted
  bool is_dynamic;
  bool is_chained;    // of alloca() that is called again: its objects are in the chain (allocas.c)
  bool is_temporary;  // no variable of the user: clang made it for a value within an expression
  bool bool_sorted;   // i8 in LLVM, _Bool in C
  uint64_t size_bytes;
  tp_type type;
  tp_pos pos;
  const char *name;
} tp_stack_slot;

typedef struct {
  uint32_t inst;
  tp_fe_value old;
} tp_undo_entry;

/* A call of setjmp: behind it the result is 0, or what longjmp gives. */
typedef struct {
  LLVMValueRef inst;
  tp_var result;
  tp_loc behind;
} tp_jump_site;

/* A block to lower, and the state in which it starts. */
typedef struct {
  uint32_t block;
  tp_loc loc;
  uint32_t edge;
  size_t undo, pending;
} tp_lowering_item;

/* A call of a function that is declared const or pure. */
typedef struct {
  LLVMValueRef inst;
  tp_func f;
  const char *name;
  tp_term *args;  // constants and temporaries
  uint32_t n_args;
  tp_var result;  // a temporary
} tp_recorded_call;

struct tp_fb {
  tp_fe *fe;
  tp_program *p;
  tp_terms *tt;
  LLVMValueRef fn;
  tp_func func;
  tp_lowering_plan plan;
  tp_loc entry, exit, cur;
  uint32_t cur_edge;  // the only edge into cur, 0: none or several
  bool dead;          // what follows cannot be reached
  tp_pos pos;
  uint32_t block, at;  // being lowered: block and instruction
  TP_VEC(tp_stack_slot) slots;
  TP_VEC(tp_recorded_call) asked;  // so far
  tp_map slot_of;                  // alloca -> index + 1
  tp_map arg_of;                   // argument -> index + 1 in args
  TP_VEC(tp_fe_value) args;
  TP_VEC(uint32_t) pending;  // instructions whose terms read changeable variables
  TP_VEC(tp_undo_entry) undo;
  TP_VEC(uint32_t) roots;          // blocks to lower
  TP_VEC(tp_lowering_item) stack;  // rest of the tree being lowered
  LLVMValueRef skip;               // store that the preceding instruction has done already
  TP_VEC(tp_jump_site) sites;      // calls of setjmp
  tp_var activation;               // number of this activation; NONE: no jump leads here
  tp_loc unwind;                   // where jumps pass; NONE: none does
  tp_var chain;                    // the last link of the chain of allocas.c; NONE: there is none
  tp_var va;                       // pointer to the extra arguments
  tp_var result_is_set;  // of a function that may end without its result (uninitialised.c); or NONE
  bool is_main;
};

// types.c
tp_type tp_fe_type(tp_fe *fe, LLVMMetadataRef di);
void tp_fe_types_finish(tp_fe *fe);
LLVMMetadataRef tp_fe_operand(tp_fe *fe, LLVMMetadataRef node, unsigned i);  // NULL if absent
unsigned tp_fe_n_operands(tp_fe *fe, LLVMMetadataRef node);
const char *tp_fe_string(tp_fe *fe, LLVMMetadataRef node, unsigned i);  // "" if absent
LLVMMetadataRef tp_fe_strip(tp_fe *fe, LLVMMetadataRef di,
                            bool *is_const);  // typedefs and qualifiers
tp_pos tp_fe_pos_of(tp_fe *fe, LLVMValueRef inst);
tp_pos tp_fe_pos_of_location(tp_fe *fe, LLVMMetadataRef location);
tp_pos tp_fe_pos_in_file(tp_fe *fe, LLVMMetadataRef scope, unsigned line);
/* Member of struct or union `t` at this offset that is itself of `size` bytes if possible; NONE if
 * there is none. */
tp_type tp_fe_member_at(tp_fe *fe, tp_type t, uint64_t offset_bytes);
tp_type tp_fe_pointee(tp_fe *fe, tp_type t);  // NONE unless a pointer

// statics.c
tp_global_storage *tp_fe_global(tp_fe *fe, LLVMValueRef global);
tp_func tp_fe_func(tp_fe *fe, LLVMValueRef fn);
const char *tp_fe_func_name(tp_fe *fe, LLVMValueRef fn);
LLVMMetadataRef tp_fe_func_type(tp_fe *fe, LLVMValueRef fn);  // subroutine type, or NULL
void tp_fe_images(tp_fe *fe);  // write images until no new global turns up
/* Bytes that the initialiser of a local variable leaves open: tails of unions, padding. */
typedef struct {
  uint64_t start, end;
} tp_byte_range;
typedef TP_VEC(tp_byte_range) tp_byte_ranges;
void tp_fe_undefined_ranges(tp_fe *fe, LLVMValueRef pointer, tp_byte_ranges *out);
bool tp_fe_literal_text(tp_fe *fe, LLVMValueRef pointer, tp_str *out);  // of a string literal

// models.c
bool tp_fe_is_model(LLVMValueRef fn);  // a function of a library model, or a body of addresses.c

// addresses.c
/* Functions without a body whose address is taken get one that calls them by name. Before anything
 * is lowered. */
void tp_fe_add_address_bodies(tp_fe *fe);
bool tp_fe_has_address_taken(LLVMValueRef fn);  // used other than by being called directly
/* The name that such a body calls (not terminated), NULL for all other functions. */
const char *tp_fe_called_by_address(LLVMValueRef fn, size_t *n);
void tp_fe_set_called(tp_fe *fe, LLVMValueRef fn, const char *name,
                      size_t n);  // reports say this name

// values.c
bool tp_fe_is_long_double(LLVMTypeRef type);
bool tp_fe_sort(tp_fe *fe, LLVMTypeRef type, tp_sort *out);
bool tp_fe_const(tp_fe *fe, LLVMValueRef c, tp_fe_value *out);
tp_term tp_fe_convert(tp_fe *fe, tp_term t,
                      tp_sort to);  // between sorts as a mismatched call does; NONE: cannot
tp_term tp_fe_to_bool(tp_terms *tt, tp_term t);  // bit 0
tp_term tp_fe_bool_bv(tp_terms *tt, uint32_t width, tp_term b);
tp_u128 tp_fe_int(LLVMValueRef c);
/* Sum of the offset of a GEP (instruction or constant) over its base; get() gives index terms. */
typedef bool (*tp_fe_get)(void *ctx, LLVMValueRef v, tp_fe_value *out);
bool tp_fe_gep(tp_fe *fe, LLVMValueRef gep, tp_fe_get get, void *ctx, tp_fe_value *out);
tp_term tp_fe_label_address(tp_fe *fe, LLVMBasicBlockRef block);
bool tp_fe_zero(tp_fe *fe, LLVMTypeRef type, tp_fe_value *out);

// edges.c: building edges
tp_edge tp_fb_emit(tp_fb *fb, tp_edge_info e);  // from the current location to a new one
void tp_fb_assume(tp_fb *fb, tp_term cond, const char *why);
void tp_fb_assign(tp_fb *fb, tp_var v, tp_term t);
/* v becomes null because its lifetime, or its object's, ends: no assignment of the program's. */
void tp_fb_forget_pointer(tp_fb *fb, tp_var v);
tp_var tp_fb_temp(tp_fb *fb, tp_sort sort, tp_type type);
/* Split on cond: the true side becomes the current location, the false side is returned. */
tp_loc tp_fb_branch(tp_fb *fb, tp_term cond, tp_loc *when_false);
/* Is the function one whose chosen values are branches (tp_front_options.shows_choices)? */
bool tp_fb_shows_choices(const tp_fb *fb);
/* If so, both outcomes as edges that meet again. */
void tp_fb_show_choice(tp_fb *fb, tp_term cond);
void tp_fb_continue_at(tp_fb *fb, tp_loc loc);
void tp_fb_goto(tp_fb *fb, tp_loc loc);
/* Where ok fails, an error of this kind. */
void tp_fb_check(tp_fb *fb, tp_term ok, tp_property kind, const char *message);
void tp_fb_check_manner(tp_fb *fb, tp_term ok, tp_property kind, tp_failure_manner manner,
                        const char *message);
void tp_fb_error_here(tp_fb *fb, tp_property kind, const char *message);
void tp_fb_unsupported(tp_fb *fb, const char *what);
void tp_fb_block(tp_fb *fb, const char *why);  // the run ends here
void tp_fb_stop(tp_fb *fb);                    // the program ends here
const char *tp_fe_printf(tp_fe *fe, const char *fmt, ...)
    TP_PRINTF(2, 3);                                     // into the program's arena
void tp_fe_add_assumption(tp_fe *fe, const char *text);  // once, beside TRUE

// instruction_values.c: values of instructions
bool tp_fb_get(void *fb, LLVMValueRef v, tp_fe_value *out);  // false: unsupported, already said
void tp_fb_set(tp_fb *fb, LLVMValueRef inst, tp_fe_value v);
void tp_fb_set_term(tp_fb *fb, LLVMValueRef inst, tp_term t, const tp_fe_value *a,
                    const tp_fe_value *b);
void tp_fb_save_readers(tp_fb *fb, tp_var v);  // before an assignment to a source variable
void tp_fb_save_global_readers(tp_fb *fb);     // before a call
tp_fe_value tp_fb_read_var(tp_fb *fb, tp_var v);
tp_var tp_fb_target(tp_fb *fb, LLVMValueRef inst, tp_sort sort, tp_type type);
void tp_fb_set_target(tp_fb *fb, LLVMValueRef inst, tp_var v);
tp_term tp_fb_save_term(tp_fb *fb, tp_term t,
                        tp_type type);  // in a temporary, unless it is constant
bool tp_fb_mentions(tp_fb *fb, const tp_fe_value *v, tp_term symbol);
void tp_fb_compact_pending(tp_fb *fb, size_t start);
void tp_fb_restore(tp_fb *fb, size_t undo, size_t pending);
uint32_t tp_fb_index(const tp_fb *fb, LLVMValueRef inst);

// body.c
void tp_fb_lower(tp_fe *fe, tp_func func);

// ------------------------------------------------------------- long_doubles.c

/* NONE: not modelled. */
tp_term tp_fe_long_double_binary(tp_terms *tt, LLVMOpcode op, tp_term a, tp_term b);
tp_term tp_fe_long_double_compare(tp_terms *tt, LLVMRealPredicate p, tp_term a, tp_term b);
/* A cast from or to long double. *fits: that it has a meaning. */
tp_term tp_fe_long_double_convert(tp_terms *tt, LLVMValueRef inst, tp_term t, tp_sort to,
                                  tp_term *fits);
tp_term tp_fe_long_double_extremum(tp_terms *tt, bool is_max, tp_term a, tp_term b);
void tp_fe_long_double_classes(tp_terms *tt, tp_term a, tp_term out[4]);

// ops.c
/* Does a check of undefined behaviour stand in front of the instruction, which clang does not make?
 */
bool tp_fe_has_check(const tp_fe *fe, LLVMValueRef inst);
void tp_fb_lower_op(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op);

// stack_slots.c
bool tp_fe_promotable(tp_fe *fe, LLVMValueRef alloca);  // only loaded and stored, with its own type
void tp_fb_classify_slots(tp_fb *fb);
LLVMValueRef tp_fe_declared_storage(
    LLVMValueRef declare);  // that a dbg.declare describes; NULL: none
/* May a load of the variable be reached from instruction `start` with no store, nor `declare`,
 * before it? */
bool tp_fe_may_read_uninitialised(tp_fe *fe, const tp_lowering_plan *plan, LLVMValueRef alloca,
                                  uint32_t start, LLVMValueRef declare);
tp_stack_slot *tp_fb_slot(tp_fb *fb, LLVMValueRef v);  // NULL: not an alloca of this function
void tp_fb_declare(tp_fb *fb, LLVMValueRef inst);      // a declaration, or a lifetime marker
void tp_fb_make_object(tp_fb *fb, tp_stack_slot *slot, bool filled);
/* Does the instruction stand in this block of the text, or in one inside of it? */
bool tp_fb_is_within(tp_fb *fb, LLVMValueRef inst, LLVMMetadataRef block);
void tp_fb_end_scopes(tp_fb *fb);  // before a return
tp_var tp_fb_alloc(tp_fb *fb, tp_var v, tp_term size, tp_object_kind kind, tp_term fill,
                   const char *name, tp_type type);
void tp_fb_alloc_aligned(tp_fb *fb, tp_var v, tp_term size, tp_object_kind kind, tp_term fill,
                         const char *name, tp_type type, uint32_t align_bytes);
void tp_fb_end_scope(tp_fb *fb, tp_var v);  // of the object that the variable is the address of

// allocas.c
void tp_fb_start_chain(tp_fb *fb);  // behind tp_fb_classify_slots
void tp_fb_lower_alloca(tp_fb *fb, LLVMValueRef inst);
void tp_fb_end_chain(tp_fb *fb);  // before a return: ends what alloca() has made
/* The stack is restored to the state that was saved: the variable-length arrays made since then
 * have ended. Their variables become null, so that a second END_SCOPE does nothing. */
void tp_fb_end_arrays(tp_fb *fb, LLVMValueRef restore);

// uninitialised.c: reads of variables that were never set
void tp_fe_find_uninitialised(tp_fe *fe,
                              const tp_lowering_plan *plan);  // of a function: fe->uninitialised
void tp_fb_add_companions(tp_fb *fb);                         // gives them companions
void tp_fb_mark_uninitialised(tp_fb *fb,
                              const tp_stack_slot *slot);  // the variable's lifetime starts
void tp_fb_mark_stored(tp_fb *fb, const tp_stack_slot *slot,
                       LLVMValueRef value);  // after the store of a value
void tp_fb_check_set(tp_fb *fb, const tp_stack_slot *slot, LLVMValueRef load);
void tp_fb_mark_result(tp_fb *fb);                                           // before a return
void tp_fb_check_result(tp_fb *fb, LLVMValueRef call, LLVMValueRef callee);  // behind a call

// memory.c
void tp_fb_lower_load(tp_fb *fb, LLVMValueRef inst);
void tp_fb_lower_store(tp_fb *fb, LLVMValueRef inst);
typedef enum { TP_FRONT_READ, TP_FRONT_WRITE } tp_access_direction;
/* Do the addresses certainly lead to different objects that are alive? */
bool tp_fb_are_distinct(tp_fb *fb, tp_term p, tp_term q);
/* Insert the checks of the property for an access of n bytes (a term of pointer width) at p. */
void tp_fb_check_access(tp_fb *fb, tp_term p, tp_term n, tp_access_direction how);
tp_term tp_fb_load_at(tp_fb *fb, tp_fe_value p, uint64_t offset, tp_sort sort);
/* The same for a part of an access that has been checked as a whole. */
tp_term tp_fb_load_part(tp_fb *fb, const tp_fe_value *p, uint64_t offset, tp_sort sort);
/* A long double is in memory in two parts; what the access may touch has been checked. */
tp_term tp_fb_load_long_double(tp_fb *fb, const tp_fe_value *p, uint64_t offset);
void tp_fb_store_long_double(tp_fb *fb, tp_term to, tp_term value);
void tp_fb_store_at(tp_fb *fb, tp_fe_value p, uint64_t offset, tp_term value);
tp_term tp_fe_size_term(tp_fe *fe, uint64_t n);  // BV of pointer width

// input_functions.c: functions that give inputs
bool tp_fe_is_input_function(const char *name);
/* The call gives one value of this sort; type: what its declaration says. */
void tp_fb_lower_input(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name,
                       tp_sort sort, tp_type type);
/* The call gives a number of 128 bits in two registers; false: it does not. */
bool tp_fb_lower_wide_input(tp_fb *fb, LLVMValueRef inst, const char *name, tp_type type);

// pure_calls.c
/* Sets call.result, to what a function with this declaration may return. Changes call.args. */
void tp_fb_lower_pure_call(tp_fb *fb, LLVMValueRef callee, tp_recorded_call call, tp_type type);

// wide_vectors.c: operations on vectors of more than TP_BV_MAX_BITS become operations on elements
void tp_fe_split_wide_vectors(tp_fe *fe);

// assembly.c: assembly without instructions
void tp_fb_lower_assembly(tp_fb *fb, LLVMValueRef inst, LLVMValueRef code);

// calls.c, library_calls.c, intrinsics.c
tp_purity tp_fe_purity(LLVMValueRef callee);  // by its attributes
bool tp_fe_has_pure(tp_fe *fe);  // does the program declare any function without body pure?
void tp_fb_lower_call(tp_fb *fb, LLVMValueRef inst);
/* The program ends: atexit handlers (unless at once), leak checks. */
typedef enum { TP_END_BY_RETURN, TP_END_BY_EXIT, TP_END_AT_ONCE } tp_program_end;
void tp_fb_check_end(tp_fb *fb, tp_program_end how);
/* A turn of a loop without way out: memory that is lost by then stays so, and no end will say it.
 */
void tp_fb_check_turn(tp_fb *fb);
bool tp_fb_lower_known(tp_fb *fb, LLVMValueRef inst, LLVMValueRef callee, const char *name);
bool tp_fb_lower_intrinsic(tp_fb *fb, LLVMValueRef inst, const char *name);
// traps.c
/* The kind of error that a call of llvm.ubsantrap reports, and a message; NONE: the property does
 * not ask for it. */
tp_property tp_fe_trap_kind(const tp_fe *fe, LLVMValueRef call, const char **message);
/* Is the block the trap of a failed check of clang? The kind of error and a message, or NONE. */
tp_property tp_fe_trap_block(tp_fe *fe, LLVMBasicBlockRef bb, const char **message);
/* The program promises that `holds`: a promise that fails is undefined behaviour, an error where
 * the property asks for it; elsewhere the run ends, and TRUE lists "no <otherwise> at ...". */
void tp_fb_rely_on(tp_fb *fb, tp_term holds, const char *otherwise, const char *message);
void tp_fe_check_typed_calls(tp_fe *fe);  // after dispatch
void tp_fe_dispatch(tp_fe *fe);           // finish the calls through pointers that were put off
void tp_fb_lower_atomic(tp_fb *fb, LLVMValueRef inst, LLVMOpcode op);
tp_var tp_fe_part(tp_fe *fe, tp_sort sort, uint32_t k);
bool tp_fe_is_error_name(const char *name);
bool tp_fe_is_known(const char *name);  // a meaning of its own where it has no body
void tp_fe_mark_absent(
    tp_fe *fe);  // after lowering: functions without body that nobody calls by name
bool tp_fe_uses_error_functions(tp_fe *fe);
bool tp_fe_is_error_function(const tp_fe *fe,
                             const char *name);  // entering it is the error asked for
/* May a call of this declared function end the run without an error, or with one? */
void tp_fe_call_ends(const tp_fe *fe, const char *name, bool *silently, bool *with_error);
void tp_fb_havoc(tp_fb *fb, tp_var v, tp_input_kind kind, const char *name, bool may_write);

// call_values.c
/* Argument i of a call of a library function; as a size. False: the call is unsupported. */
bool tp_fb_argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_fe_value *out);
bool tp_fb_size_argument(tp_fb *fb, LLVMValueRef inst, unsigned i, tp_term *out);
/* The variable of a call's value that is a pointer, and the value once the variable is set. */
tp_var tp_fb_pointer_target(tp_fb *fb, LLVMValueRef inst);
void tp_fb_set_pointer(tp_fb *fb, LLVMValueRef inst, tp_var v);

// allocator_calls.c: calls of allocators; `name` is what runs call the object
void tp_fb_lower_malloc(tp_fb *fb, LLVMValueRef inst, unsigned size_at, const char *name);
void tp_fb_lower_calloc(tp_fb *fb, LLVMValueRef inst);
void tp_fb_lower_realloc(tp_fb *fb, LLVMValueRef inst);
void tp_fb_lower_free(tp_fb *fb, LLVMValueRef inst);
void tp_fb_lower_alloca_call(tp_fb *fb, LLVMValueRef inst);
/* The precondition of free, and its check where the property asks for it. */
tp_term tp_fb_may_be_freed(tp_fb *fb, tp_term p);
void tp_fb_check_free(tp_fb *fb, tp_term p);
tp_loc tp_fb_fork_loc(tp_fb *fb);  // a new location where ways of one instruction meet

void tp_fb_enter_main(tp_fb *fb);  // main_arguments.c

// nonlocal_jumps.c
void tp_fe_find_jumps(tp_fe *fe);
/* May a call of this function, or through this pointer, return because of a jump? */
bool tp_fe_call_may_jump(const tp_fe *fe, LLVMValueRef callee);
void tp_fb_start_jumps(tp_fb *fb);                    // behind tp_fb_classify_slots
void tp_fb_lower_jump(tp_fb *fb, LLVMValueRef inst);  // setjmp, longjmp
void tp_fb_follow_jump(tp_fb *fb);                    // behind a call that may jump
void tp_fb_lower_unwinding(tp_fb *fb);                // behind all blocks

// constructors.c
void tp_fe_find_constructors(tp_fe *fe);
void tp_fb_run_constructors(tp_fb *fb);  // main starts
void tp_fb_run_destructors(tp_fb *fb);   // the program ends
/* Does main's return do more: leak checks, destructors, functions registered with atexit? */
bool tp_fe_main_ends_with_work(const tp_fe *fe);
/* That, or constructors, or jumps that may pass: a second call of main would do it again. */
bool tp_fe_main_has_work(const tp_fe *fe);

// monitor_events.c: events for monitors
void tp_fe_add_events(tp_fe *fe);  // companions of calls, before lowering
bool tp_fb_lower_event(tp_fb *fb, LLVMValueRef inst, const char *name);  // false: no companion
void tp_fb_add_exit_event(tp_fb *fb);

// padding.c
/* The bytes that no member of the struct at `to` has become indeterminate; pointer is the same in
 * LLVM's words, size that of the object. Nothing where the program never looks at bytes. */
void tp_fb_havoc_padding(tp_fb *fb, const tp_fe_value *to, LLVMValueRef pointer, tp_term size);
bool tp_fe_is_struct_copy(tp_fe *fe,
                          LLVMValueRef inst);  // a memcpy that is an assignment of structs
bool tp_fe_reads_bytes(tp_fe *fe);             // over all functions of the user

// differences.c: what TRUE rests on where compilers differ
void tp_fb_find_differences(tp_fb *fb, LLVMValueRef inst);
/* A call of strcmp or a sister of which more than the sign matters, as far as its function shows: C
 * leaves the magnitude open. */
bool tp_fb_magnitude_matters(tp_fb *fb, LLVMValueRef call);
void tp_fe_find_compiler_tests(tp_fe *fe);  // that the sources ask their compiler

// library_calls.c: some string of the program could be a format that stores through an argument
bool tp_fe_some_format_stores(const tp_fe *fe);
// formats.c: calls of printf and its sisters whose format is a literal do not walk it
void tp_fe_resolve_formats(tp_fe *fe);

// models.c
tp_status tp_fe_link_models(const tp_front_options *opt, LLVMContextRef context,
                            LLVMModuleRef module);

#endif
