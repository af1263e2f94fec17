/* Inside of the generator. */
#ifndef TP_FUZZ_GEN_PRIV_H
#define TP_FUZZ_GEN_PRIV_H

#include "gen.h"

typedef enum {
  T_BOOL, T_SCHAR, T_UCHAR, T_SHORT, T_USHORT, T_INT, T_UINT, T_LONG, T_ULONG, T_LLONG, T_ULLONG, N_INTS,
  T_FLOAT = N_INTS, T_DOUBLE, T_LDOUBLE, N_SCALARS
} ctype;

typedef struct {
  char name[8];
  ctype type;
  unsigned bits;               // of a bit-field
  unsigned len;                // of an array (a power of two)
  int nested;                  // struct, or -1
} field;

typedef struct {
  unsigned n;
  field f[6];
} structure;

typedef enum { V_SCALAR, V_ARRAY, V_MATRIX, V_STRUCT, V_UNION, V_POINTER, V_STRUCT_POINTER } var_kind;

typedef struct {
  char name[24];
  var_kind kind;
  ctype type;                  // of the scalar or element
  unsigned len, len2;          // powers of two
  int structure;
  bool fixed;                  // not to be written: loop counters, constants
  bool is_volatile;            // no pointers to it
} variable;

typedef enum { P_INT, P_DOUBLE, P_STRUCT, P_ARRAY, P_STRUCT_POINTER } param_kind;

typedef struct {
  int result;                  // ctype, or -1 - structure
  unsigned n_params;
  param_kind kind[4];
  ctype type[4];
  int structure[4];
} function;

enum { MOST_STRUCTS = 4, MOST_FUNCTIONS = 6 };

typedef struct {
  tp_rng rng;
  gen_options options;
  char prefix[12];
  tp_str *out;
  int indent;
  unsigned names;
  structure structs[MOST_STRUCTS];
  unsigned n_structs;
  function functions[MOST_FUNCTIONS];
  unsigned n_functions;
  TP_VEC(variable) vars;       // in scope, innermost last
  bool in_index;
  unsigned loops;              // depth of nesting
  unsigned budget;             // statements left for this function
} generator;

typedef struct {
  ctype type;
  tp_str text;
} expr;

static inline uint64_t below(generator *g, uint64_t n) { return tp_rng_below(&g->rng, n); }
static inline bool chance(generator *g, unsigned one_in) { return below(g, one_in) == 0; }

// types
const char *type_name(ctype t);
unsigned type_bits(const generator *g, ctype t);
bool type_is_signed(ctype t);
ctype random_int_type(generator *g);

// expressions: pure, without undefined behaviour; the text is the caller's
expr int_expr(generator *g, unsigned depth);
expr float_expr(generator *g, unsigned depth);                 // magnitude at most 1e13
expr condition(generator *g, unsigned depth);
/* A place that holds an integer: to be read, or also written. False: none (read: never). */
typedef enum { TO_READ, TO_WRITE } place_use;
bool int_place(generator *g, place_use use, expr *out, unsigned *bits);
bool float_place(generator *g, place_use use, expr *out);
const variable *pick_var(generator *g, var_kind kind, place_use use);  // NULL: none
void random_literal(generator *g, ctype t, tp_str *out);
void int_as(generator *g, ctype t, unsigned depth, tp_str *out);       // an expression cast to t

// statements
void set_piece(generator *g);                                  // one feature of C, around random operands
void piece_helpers(generator *g);                              // functions that the pieces call
__attribute__((format(printf, 2, 3))) void line(generator *g, const char *fmt, ...);
void statement(generator *g);
void block(generator *g, unsigned n);                          // n statements with declarations of their own
void declare_locals(generator *g, unsigned n);
void add_var(generator *g, variable v);
void fresh_name(generator *g, const char *stem, char *out, size_t size);
void mix_everything(generator *g, size_t first_var);           // folds variables from there on into the checksum
void initialiser(generator *g, const variable *v, tp_str *out);
void struct_initialiser(generator *g, int s, tp_str *out);
void call_to(generator *g, unsigned callee, tp_str *out);      // f(args)

#endif
