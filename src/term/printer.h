/* What the printers share: an explicit stack of things to print, and the choice of names.
 *
 * What       printing of DAGs without recursion: a printer pops terms, and pushes the pieces
 *            (texts and argument terms) of each in reverse order.
 * Sharing    a subterm that is used more than once gets a name, so output stays linear. */
#ifndef TP_TERM_PRINTER_H
#define TP_TERM_PRINTER_H

#include "term/term_priv.h"

typedef struct {
  const char *text;  // print this, or
  tp_term term;      // this, with operators of at least this precedence free of parentheses
  int precedence;
} tp_print_item;

typedef struct {
  const tp_terms *tt;
  tp_str *out;
  tp_arena arena;  // for texts made on the way
  TP_VEC(tp_print_item) stack;
  tp_id_list ids;  // reachable, ascending
  tp_map name;     // id -> number, for terms with a name
} tp_printer;

void tp_printer_init(tp_printer *p, const tp_terms *tt, tp_term root, tp_str *out);
void tp_printer_clear(tp_printer *p);
/* Pieces of one construct, given in the order of reading; %t is the next term argument (a
 * tp_term), %T a term and its precedence (tp_term, int), %s a text (const char *). */
void tp_printer_push(tp_printer *p, const char *format, ...);
/* Print root with `one`, which handles a single term. */
void tp_printer_run(tp_printer *p, tp_term root, int precedence,
                    void (*one)(tp_printer *, tp_term, int));

/* How to count: uses(t): how often a construct repeats its first argument (1: as usual). */
typedef struct {
  uint32_t (*uses)(const tp_terms *tt, tp_term t);
  uint32_t max_height;  // cut deeper expressions by names, 0: never
} tp_naming;
/* Choose the terms that get names: used more than once (or too high), not leaves, without bound
 * variables. */
void tp_printer_choose_names(tp_printer *p, tp_term root, const tp_naming *how);
void tp_print_c_compilable(const tp_terms *tt, tp_term t, tp_str *out);  // print_c_code.c

#endif
