/* The report of an adequacy check over heaps. */
#include "report/heap_adequacy_report.h"

typedef unsigned long long number;

static void print_place(const tp_program *p, tp_loc loc, tp_str *out) {
  const tp_loc_info *l = tp_loc_of(p, loc);
  tp_str_add(out, tp_func_of(p, l->func)->name);
  if (tp_pos_known(l->pos)) tp_str_printf(out, ", line %u", l->pos.line);
}

static void print_missed(const tp_heap_adequacy_report *r, const tp_program *p, tp_str *out) {
  for (size_t i = 0; i < r->places.n; i++) {
    const tp_heap_place *at = &r->places.at[i];
    if (!at->n_missed) continue;
    tp_str_add(out, "missed: ");
    print_place(p, at->loc, out);
    tp_str_printf(out, ": %u of %u abstract states\n", at->n_missed, at->n);
    if (at->example) tp_str_printf(out, "  such as %s\n", at->example);
  }
}

static void print_potential(const tp_heap_adequacy_report *r, const tp_program *p,
                            const tp_diag *diag, tp_str *out) {
  for (size_t i = 0; i < r->potential.n; i++) {
    const tp_heap_potential *e = &r->potential.at[i];
    const tp_loc_info *l = tp_loc_of(p, e->error);
    tp_str_add(out, "potential error: ");
    tp_pos_print(diag, l->pos, out);
    tp_str_printf(out, "%s%s\n", l->message ? ": " : "", l->message ? l->message : "");
    if (e->heap) tp_str_printf(out, "  from the fabricated heap %s\n", e->heap);
  }
}

void tp_heap_adequacy_print(const tp_heap_adequacy_report *r, const tp_program *p,
                            const tp_diag *diag, tp_str *out) {
  const tp_heap_adequacy_counters *n = &r->counters;
  print_missed(r, p, out);
  print_potential(r, p, diag, out);
  for (size_t i = 0; i < r->functions.n; i++) {
    const tp_heap_function *f = &r->functions.at[i];
    tp_str_printf(out, "heaps: %s: %llu abstract states, %llu missed, %llu fabricated\n",
                  tp_func_of(p, f->func)->name, (number)f->abstract_states, (number)f->missed,
                  (number)f->fabricated);
  }
  if (r->is_adequate)
    tp_str_add(out, "TESTS: adequate\n");
  else
    tp_str_printf(out, "TESTS: not adequate (%llu of %llu abstract states missed)\n",
                  (number)n->abstract_states_missed, (number)n->abstract_states);
}

void tp_heap_adequacy_json(const tp_heap_adequacy_report *r, const tp_program *p, tp_str *out) {
  tp_str_printf(out, "\"tests_adequate\": %s, \"closed\": %s, \"potential_errors\": %zu",
                r->is_adequate ? "true" : "false", r->is_closed ? "true" : "false", r->potential.n);
#define TP_C(name) tp_str_printf(out, ", \"%s\": %llu", #name, (number)r->counters.name);
  TP_HEAP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
  tp_str_add(out, ", \"functions\": [");
  for (size_t i = 0; i < r->functions.n; i++) {
    const tp_heap_function *f = &r->functions.at[i];
    tp_str_printf(out,
                  "%s{\"function\": \"%s\", \"abstract_states\": %llu, \"missed\": %llu, "
                  "\"fabricated\": %llu}",
                  i ? ", " : "", tp_func_of(p, f->func)->name, (number)f->abstract_states,
                  (number)f->missed, (number)f->fabricated);
  }
  tp_str_add(out, "]");
}
