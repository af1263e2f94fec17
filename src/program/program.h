/* The program model: control-flow automata over terms.
 *
 * What       types, variables, functions, locations, edges, error locations, inputs: front/ writes
 *            them, every engine reads them.
 * Represents one C program (all its translation units) after lowering. Operations sit on edges.
 *            A scalar whose address is never taken is a *variable* (its term is a symbol);
 *            everything else lives in *memory objects*, reached through pointers.
 * Memory     pointer = (object id, byte offset). Object 0: null, and integers that were cast to
 * pointers. Ids 1 .. n_statics: globals in memory, string literals, functions (all listed in
 *            `statics`). ALLOC gives later ids in order of execution.
 *            Addresses of statics are constant terms.
 * Ghosts     ghost variables can be read in edge terms like any other and are updated by
 *            ALLOC, FREE and END_SCOPE themselves, never by ASSIGN:
 *            size : object -> bytes, live : object -> Bool, kind : object -> BV8 (tp_object_kind),
 *            heap : BV32, number of live heap objects; leaked : Bool, some live heap object is
 *            unreachable from the globals and the live stack (temporaries do not count).
 * Invariants tp_program_check (program/check.c).
 * Ownership  everything lives in the program's arena; terms in program->terms. The add functions
 *            copy the names and arrays they are given.
 * Source     Theoduloz 2010, sec. 2.1 (CFA, operations); we differ: calls, general memory. */
#ifndef TP_PROGRAM_PROGRAM_H
#define TP_PROGRAM_PROGRAM_H

#include "diag/diag.h"
#include "term/term.h"

// handles; index 0 is never valid
typedef struct {
  uint32_t id;
} tp_type;
typedef struct {
  uint32_t id;
} tp_var;
typedef struct {
  uint32_t id;
} tp_loc;
typedef struct {
  uint32_t id;
} tp_edge;
typedef struct {
  uint32_t id;
} tp_func;
#define TP_TYPE_NONE ((tp_type){0})
#define TP_VAR_NONE ((tp_var){0})
#define TP_LOC_NONE ((tp_loc){0})
#define TP_EDGE_NONE ((tp_edge){0})
#define TP_FUNC_NONE ((tp_func){0})

// --------------------------------------------------------------------- C types

typedef enum {
  TP_T_VOID,
  TP_T_BOOL,
  TP_T_INT,
  TP_T_ENUM,
  TP_T_FLOAT,
  TP_T_POINTER,
  TP_T_ARRAY,
  TP_T_STRUCT,
  TP_T_UNION,
  TP_T_FUNCTION
} tp_type_kind;

typedef struct {
  const char *name;  // "" for anonymous
  tp_type type;
  uint64_t offset_bits;  // from the start of the struct
  uint32_t width_bits;   // of a bit-field, else 0
} tp_member;

typedef struct {
  tp_type_kind kind;
  const char
      *name;  // as the user writes it: "unsigned int", "struct list", typedef name; never NULL
  uint64_t size_bytes;  // 0: incomplete, void, function, VLA
  uint32_t align_bytes;
  bool is_signed;       // INT, ENUM
  bool is_char;         // INT: char, under whatever name
  tp_type element;      // POINTER, ARRAY: what it points to / holds; FUNCTION: result (NONE: void)
  uint64_t n_elements;  // ARRAY; 0: unknown or variable
  const tp_member *members;  // STRUCT, UNION, in order
  const tp_type *params;     // FUNCTION
  uint32_t n_members, n_params;
  bool is_variadic;
} tp_type_info;

/* Is the body of a function, or the definition of a variable, in the program? */
typedef enum {
  TP_PRESENT,          // yes; or a model, or a built-in meaning
  TP_ABSENT,           // no
  TP_ABSENT_IN_SYSTEM  // no, and a header of the system declares it
} tp_absence;

// ------------------------------------------------------------------- variables

/* Prefix of the names of variables that the front end introduces; output hides them. */
#define TP_HIDDEN_PREFIX "."
/* The name of assignments that no statement of the program makes: a lifetime ends. Error paths
 * leave them out. */
#define TP_LIFETIME_ENDS "end of lifetime"

typedef enum { TP_V_GLOBAL, TP_V_PARAM, TP_V_LOCAL, TP_V_TEMP, TP_V_GHOST } tp_var_kind;
typedef struct {
  const char *name;  // the user's name; temporaries: "tmp3"
  tp_var_kind kind;
  tp_func func;                    // NONE for globals and ghosts
  tp_type type;                    // NONE for ghosts and some temporaries
  tp_term term;                    // the symbol; its sort is the variable's
  tp_pos pos;                      // of the declaration
  tp_term initial;                 // GLOBAL: value at start; NONE: indeterminate
  bool is_internal;                // GLOBAL: static, other files do not see it
  const char *enclosing_function;  // GLOBAL: the function that has this static variable; NULL: none
  tp_absence absence;              // GLOBAL without `initial`
  bool is_address;  // holds the address of the user's variable `name` (an object in memory); type:
                    // the object's
} tp_var_info;

// -------------------------------------------------------------- memory objects

typedef enum {
  TP_O_NONE,
  TP_O_GLOBAL,
  TP_O_LITERAL,
  TP_O_FUNCTION,
  TP_O_STACK,
  TP_O_HEAP
} tp_object_kind;

/* One pointer inside an initial image. */
typedef struct {
  uint64_t offset;  // in the object, bytes
  uint32_t object;  // id of the static it points to
  uint64_t addend;
} tp_reloc;

/* An object that exists from the start; its id is its index in program->statics. */
typedef struct {
  const char *name;
  tp_object_kind kind;
  tp_type type;
  tp_pos pos;
  uint64_t size_bytes;
  uint32_t align_bytes;
  const uint8_t *image;    // size_bytes; NULL: all zero
  const tp_reloc *relocs;  // pointers over the image, by offset; image bytes there are 0
  uint32_t n_relocs;
  const char *enclosing_function;  // the function that has this static variable; NULL: none
  bool is_const;                   // stores are invalid
  bool is_extern;                  // declared, not defined: content is an input
  bool is_internal;                // static: the name is not visible in other files
  tp_absence absence;              // where is_extern
  tp_func func;                    // FUNCTION
} tp_static;

/* The name of statics that are string literals of the source; constants of the user have theirs. */
#define TP_STRING_LITERAL "string literal"
static inline bool tp_static_is_string(const tp_static *s) {
  return s->kind == TP_O_LITERAL && strcmp(s->name, TP_STRING_LITERAL) == 0;
}

// ---------------------------------------------------------------------- inputs

/* The source of a nondeterministic value. */
typedef enum {
  TP_I_NONDET,         // __VERIFIER_nondet_*, nondet()
  TP_I_EXTERN,         // result of a function without body
  TP_I_ARGS,           // argc, contents of argv
  TP_I_INDETERMINATE,  // uninitialised variable or memory
  TP_I_VOLATILE,       // volatile read
  TP_I_ENVIRONMENT     // rand, getchar, time, ...
} tp_input_kind;

// ----------------------------------------------------------------------- edges

typedef enum {
  TP_E_SKIP,
  TP_E_ASSIGN,        // var := a
  TP_E_ASSUME,        // a (Bool)
  TP_E_LOAD,          // var := *a        width and kind from var's sort (BOOL: one byte, bit 0)
  TP_E_STORE,         // *a := b
  TP_E_ALLOC,         // var := new object of size a; object_kind; b: fill byte (BV8) or NONE:
                      // indeterminate
  TP_E_FREE,          // free(a); null is fine
  TP_E_COPY,          // c bytes from b to a, pointers and indeterminate bytes kept; overlap is fine
  TP_E_SET,           // c bytes at a become b (BV8)
  TP_E_HAVOC,         // var := input
  TP_E_HAVOC_MEMORY,  // c bytes at a := input; c NONE: all memory reachable from a may change
  TP_E_CALL,          // var := callee(args); callee NONE: through pointer a
  TP_E_RETURN,        // return a (NONE: void); leads to the function's exit
  TP_E_END_SCOPE      // lifetime of stack object a ends (null: nothing)
} tp_edge_kind;

typedef struct {
  tp_edge_kind kind;
  tp_loc from, to;
  tp_pos pos;
  tp_var var;                  // target, or NONE
  tp_term a, b, c;             // operands by kind, see above
  tp_type type;                // C type of the access, allocation or input; NONE: from the sort
  tp_object_kind object_kind;  // ALLOC
  tp_input_kind input;         // HAVOC, HAVOC_MEMORY; ALLOC without fill is INDETERMINATE
  const char *name;  // HAVOC: function called ("__VERIFIER_nondet_int"); ALLOC: user's variable or
                     // "malloc"; SKIP: function without body that was given a pointer
                     // (program/absent.h); ASSIGN: TP_LIFETIME_ENDS; else NULL
  tp_func callee;    // CALL; HAVOC of kind EXTERN: the function, if its arguments are kept; SKIP: a
                   // function without body that returns nothing and has no effect here was called,
                   // or NONE
  const tp_term *args;  // CALL; HAVOC with a callee
  uint32_t n_args;
  uint32_t align_bytes;  // ALLOC: the object's address is a multiple of this power of two; 0: of 1
  bool negated;          // ASSUME: the "else" side of a source condition (display only)
  bool volatile_access;  // LOAD, STORE
  bool may_write;  // HAVOC of kind EXTERN: the function could write memory through its arguments
} tp_edge_info;

/* HAVOC draws one input of the variable's width; a pointer variable draws an integer that becomes
 * (0, value), so 0 is null. ALLOC without fill and HAVOC_MEMORY draw one input of kind bytes: the
 * first bytes of the object (missing ones are 0). All in order of execution. A failed `assume` ends
 * the run: neither error nor success. */

// ------------------------------------------------------------------ properties

typedef enum {
  TP_P_NONE,
  TP_P_UNREACH_CALL,
  TP_P_VALID_DEREF,
  TP_P_VALID_FREE,
  TP_P_VALID_MEMTRACK,
  TP_P_VALID_MEMCLEANUP,
  TP_P_NO_OVERFLOW,
  TP_P_UNDEFINED,        // other undefined behaviour: division by zero, shift, ...
  TP_P_VALID_MEMSAFETY,  // a group: deref, free, memtrack
  TP_P_EQUAL,  // a group: unreach-call, deref, free, undefined; of a program that compares two
  TP_N_PROPERTIES
} tp_property;
const char *tp_property_name(tp_property p);  // "unreach-call", "valid-deref", ...
bool tp_property_parse(const char *name, tp_property *out);
/* Does an error location of kind `error` violate `asked`? (deref belongs to the group memsafety.)
 */
bool tp_property_covers(tp_property asked, tp_property error);

// ------------------------------------------------------------------- locations

/* The cause of a failure, beside its kind and its line. */
typedef enum {
  TP_FAILS_AT_LOCATION,
  TP_FAILS_CALL,           // the call itself: through a pointer that is not a function
  TP_FAILS_MAIN_RETURN,    // main returns, and memory is left
  TP_FAILS_UNINITIALISED,  // an indeterminate value is used
  TP_FAILS_POINTER_PAIR    // pointers into different objects are ordered or subtracted
} tp_failure_manner;

#define TP_ORDER_NONE UINT32_MAX
typedef struct {
  tp_func func;
  tp_pos pos;                // of the next operation
  const char *label;         // user's label, or NULL
  tp_property error;         // NONE, or: reaching this location violates it
  const char *message;       // error locations: "dereference of a null pointer", ... or NULL
  tp_failure_manner manner;  // error locations
  bool is_unsupported;       // the next operation is not modelled (see `unsupported`); no out-edges
  bool is_idle;  // a cycle that does nothing, without a way out, was cut open here: a run that gets
                 // there stays for ever
  bool is_loop_head;  // target of a back edge (program/loops.c)
  bool is_cutpoint;   // in the chosen minimal set that cuts every cycle
  uint32_t loop;      // innermost loop that contains it, 0: none
  uint32_t order;     // position in reverse postorder of its function; TP_ORDER_NONE: unreachable
} tp_loc_info;

typedef struct {
  tp_loc head;
  uint32_t parent;      // enclosing loop, 0: none
  uint32_t depth;       // 1: outermost
  tp_pos pos;           // of the keyword, or of the head for goto loops
  bool is_irreducible;  // entered other than through its head
} tp_loop;

/* Effects of a call of a function without body beside its result, by its declaration. */
typedef enum {
  TP_IMPURE,
  TP_PURE,  // __attribute__((pure)): the same result for the same arguments and the same memory
  TP_CONST  // __attribute__((const)): the same result for the same arguments
} tp_purity;

typedef struct {
  const char *name;
  tp_type type;
  tp_pos pos;
  tp_loc entry, exit;  // NONE for functions without body
  const tp_var *params;
  uint32_t n_params;
  tp_var result;                          // variable that holds what RETURN gave, NONE: void
  uint32_t object;                        // its id among the statics
  bool has_body, is_recursive, is_model;  // model: from lib/libc
  bool is_variadic;  // then the last of params is the pointer to the extra arguments
  tp_absence absence;
  tp_purity purity;  // of a function without body
} tp_func_info;

typedef struct {
  tp_pos pos;
  const char *what;  // "inline assembly", "x87 long double"
  tp_loc loc;        // reaching it makes the verdict UNKNOWN; NONE: whole program
} tp_unsupported;

/* Values of an input that failing runs may use; proofs consider all (program/absent.h). */
typedef struct {
  tp_edge at;        // the SKIP after the input
  tp_term holds;     // Bool: failing runs may use the value
  const char *name;  // of the input
} tp_input_restriction;

/* A remark on the program, printed with every answer. */
typedef struct {
  tp_pos pos;
  const char *text;
} tp_remark;

enum { TP_N_MEMORIES = 9 };

typedef struct tp_program tp_program;
struct tp_program {
  tp_arena arena;
  tp_terms *terms;
  tp_diag *diag;      // borrowed: positions
  uint32_t ptr_bits;  // 32 (ilp32) or 64 (lp64)
  tp_func main;
  TP_VEC(tp_type_info) types;  // [0] unused in all of these, unsupported and assumptions too
  TP_VEC(tp_var_info) vars;
  TP_VEC(tp_static) statics;
  TP_VEC(tp_loc_info) locs;
  TP_VEC(tp_edge_info) edges;
  TP_VEC(tp_func_info) funcs;
  TP_VEC(tp_loop) loops;
  TP_VEC(tp_unsupported) unsupported;
  TP_VEC(tp_input_restriction) input_restrictions;  // from [0] on, as remarks
  TP_VEC(tp_remark) remarks;
  TP_VEC(const char *)
  assumptions;         // printed beside TRUE ("function f has no body: ...")
  tp_map var_of_term;  // term id of a symbol -> tp_var id
  tp_var ghost_size, ghost_live, ghost_kind, ghost_heap, ghost_leaked;
  tp_term memory[TP_N_MEMORIES];  // symbols of memory cells (program/cells.h)
  // derived by tp_program_finish: edges leaving and entering each location, CSR
  uint32_t *out_start, *out_edges, *in_start, *in_edges;
  size_t n_finished_locs, n_finished_edges;  // sizes of the tables when that was derived
};

tp_program *tp_program_new(tp_diag *diag, uint32_t ptr_bits);
void tp_program_free(tp_program *p);
/* Does some edge make an object on the heap? */
bool tp_program_allocates(const tp_program *p);
/* What a ghost array holds at the number of an object that exists from the start: its kind, its
 * size, that it is live. NONE: no such ghost or object, or the size is another file's. */
tp_term tp_program_static_ghost(const tp_program *p, tp_term array, uint64_t object);

tp_type tp_program_add_type(tp_program *p, tp_type_info info);
tp_var tp_program_add_var(tp_program *p, tp_var_info info, tp_sort sort);  // makes the symbol
tp_func tp_program_add_func(tp_program *p, tp_func_info info);
tp_loc tp_program_add_loc(tp_program *p, tp_loc_info info);
tp_edge tp_program_add_edge(tp_program *p, tp_edge_info info);
uint32_t tp_program_add_static(tp_program *p, tp_static info);  // returns the object id

/* Derives adjacency, loops, cutpoints, recursion flags and orders from the edges. Edges out of
 * locations that their function's entry does not reach become SKIPs without locations. May be
 * called again after changes. */
void tp_program_finish(tp_program *p);

static inline const tp_type_info *tp_type_of(const tp_program *p, tp_type t) {
  return &p->types.at[t.id];
}
static inline const tp_var_info *tp_var_of(const tp_program *p, tp_var v) {
  return &p->vars.at[v.id];
}
static inline const tp_loc_info *tp_loc_of(const tp_program *p, tp_loc l) {
  return &p->locs.at[l.id];
}
static inline const tp_edge_info *tp_edge_of(const tp_program *p, tp_edge e) {
  return &p->edges.at[e.id];
}
static inline const tp_func_info *tp_func_of(const tp_program *p, tp_func f) {
  return &p->funcs.at[f.id];
}
tp_var tp_program_var_of(const tp_program *p, tp_term symbol);  // NONE: no variable of the program

typedef struct {
  const uint32_t *at;
  uint32_t n;
} tp_edge_list;  // ids of edges
tp_edge_list tp_out_edges(const tp_program *p, tp_loc l);
tp_edge_list tp_in_edges(const tp_program *p, tp_loc l);

/* Bytes that a value of this sort takes in memory (Bool: 1; BV: rounded up; PTR: ptr_bits / 8). */
uint32_t tp_sort_bytes(const tp_terms *tt, tp_sort s);

/* The invariants of a finished program: handles in range, well-sorted operands, variables in their
 * own function, calls that fit, one exit per function; and adjacency, orders, loops, cutpoints and
 * recursion flags follow from the edges. On failure writes what is wrong and where to `why` and
 * returns false. Linear in the program's size. */
bool tp_program_check(const tp_program *p, tp_str *why);
/* The same without what tp_program_finish derives: before it. */
bool tp_program_check_tables(const tp_program *p, tp_str *why);
/* In check builds stops where tp_program_check fails; between passes that rewrite a program. */
#ifdef TP_CHECKED
void tp_program_require_checked(const tp_program *p);
void tp_program_require_derived(const tp_program *p);  // of what tp_program_finish derives
#else
static inline void tp_program_require_checked(const tp_program *p) { (void)p; }
static inline void tp_program_require_derived(const tp_program *p) { (void)p; }
#endif

/* Structural hash of the model (operations, checks, images; no names, no positions); certificates
 * are bound to it. */
uint64_t tp_program_fingerprint(const tp_program *p);

// dumps (program/dump.c)
void tp_edge_print(const tp_program *p, tp_edge e, tp_str *out);  // one line, C-like
// all functions, the models of the C library included; or one of them (NONE: all)
void tp_program_print(const tp_program *p, tp_str *out);
void tp_program_print_dot(const tp_program *p, tp_str *out);
void tp_program_print_function(const tp_program *p, tp_func only, tp_str *out);
void tp_program_print_function_dot(const tp_program *p, tp_func only, tp_str *out);

#endif
