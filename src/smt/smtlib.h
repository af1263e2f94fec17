/* SMT-LIB 2 text: lowered terms out, values in.
 *
 * What       a writer that names every shared node once (so text is linear in the DAG), and a
 *            reader of s-expressions.
 * Source     SMT-LIB 2.6, sections 3 and 4. */
#ifndef TP_SMT_SMTLIB_H
#define TP_SMT_SMTLIB_H

#include "smt/backend.h"

/* One session with a solver that keeps definitions for good (:global-declarations). */
typedef struct {
  tp_terms *tt;
  TP_VEC(uint8_t) defined;  // by term id
  TP_VEC(uint64_t) free;    // by term id: the bound variables free in it
  TP_VEC(tp_term) todo;
} tp_smtlib_writer;
void tp_smtlib_init(tp_smtlib_writer *w, tp_terms *tt);
void tp_smtlib_clear(tp_smtlib_writer *w);
/* Append the commands that declare and define what t needs. False: quantifiers nest too deeply
 * or bound variables have numbers above 63. */
bool tp_smtlib_define(tp_smtlib_writer *w, tp_term t, tp_str *out) TP_MUST_USE;
/* Append t itself, once it is defined: a literal or a name. */
void tp_smtlib_name(tp_smtlib_writer *w, tp_term t, tp_str *out);
/* A whole script with check-sat. */
bool tp_smtlib_script(tp_terms *tt, const tp_smt_query *q, tp_str *out);

typedef struct tp_sexp tp_sexp;
struct tp_sexp {
  const char *atom;  // NULL: a list
  const tp_sexp *first, *next;
};
/* Parse one s-expression; NULL if the text is none. *end: behind it. */
const tp_sexp *tp_sexp_parse(const char *text, const char **end, tp_arena *arena);
/* Length of the first complete s-expression with what precedes it, 0: none yet. */
size_t tp_sexp_complete(const char *text, size_t n);
bool tp_sexp_is(const tp_sexp *e, const char *atom);
bool tp_smtlib_value(const tp_terms *tt, tp_sort sort, const tp_sexp *e, tp_arena *arena,
                     tp_value *out);

#endif
