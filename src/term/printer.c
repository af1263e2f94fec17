/* Printing without recursion: an item on the stack is a text to write or a term to take apart;
 * taking a term apart pushes its pieces in reverse. Names are chosen beforehand, in one pass over
 * the ids in ascending order (uses) and one more (heights). */
#include "term/printer.h"

#include <stdarg.h>

void tp_printer_init(tp_printer *p, const tp_terms *tt, tp_term root, tp_str *out) {
  TP_REQUIRE(tp_is_in_table(tt, root) && out);
  *p = (tp_printer){.tt = tt, .out = out};
  tp_arena_init(&p->arena);
  tp_reachable(tt, &root, 1, &p->ids);
}

void tp_printer_clear(tp_printer *p) {
  tp_arena_clear(&p->arena);
  tp_vec_clear(&p->stack);
  tp_vec_clear(&p->ids);
  tp_map_clear(&p->name);
}

void tp_printer_push(tp_printer *p, const char *format, ...) {
  va_list ap;
  size_t first = p->stack.n;
  va_start(ap, format);
  for (const char *at = format; *at;) {
    tp_print_item item = {NULL, TP_TERM_NONE, 0};
    if (at[0] == '%' && at[1] == 't') {
      item.term = va_arg(ap, tp_term);
      at += 2;
    } else if (at[0] == '%' && at[1] == 'T') {
      item.term = va_arg(ap, tp_term);
      item.precedence = va_arg(ap, int);
      at += 2;
    } else if (at[0] == '%' && at[1] == 's') {
      item.text = va_arg(ap, const char *);
      at += 2;
    } else {
      size_t n = 1;
      while (at[n] && !(at[n] == '%' && (at[n + 1] == 't' || at[n + 1] == 'T' || at[n + 1] == 's')))
        n++;
      item.text = tp_arena_strndup(&p->arena, at, n);
      at += n;
    }
    tp_vec_push(&p->stack, item);
  }
  va_end(ap);
  for (size_t i = first, j = p->stack.n; i + 1 < j; i++, j--) {  // the first piece on top
    tp_print_item swap = p->stack.at[i];
    p->stack.at[i] = p->stack.at[j - 1];
    p->stack.at[j - 1] = swap;
  }
}

void tp_printer_run(tp_printer *p, tp_term root, int precedence,
                    void (*one)(tp_printer *, tp_term, int)) {
  tp_vec_push(&p->stack, (tp_print_item){NULL, root, precedence});
  while (p->stack.n) {
    tp_print_item item = tp_vec_pop(&p->stack);
    TP_INVARIANT(!item.text != !tp_term_is(item.term));  // a piece is a text or a term
    if (item.text)
      tp_str_add(p->out, item.text);
    else
      one(p, item.term, item.precedence);
  }
}

void tp_printer_choose_names(tp_printer *p, tp_term root, const tp_naming *how) {
  const tp_terms *tt = p->tt;
  size_t n = p->ids.n;
  TP_REQUIRE(n > 0 && p->ids.at[n - 1] == root.id);  // the printer was made for this root
  tp_map index = {0};                                // id -> position in ids
  uint32_t *uses = TP_NEW_ARRAY(uint32_t, n), *height = TP_NEW_ARRAY(uint32_t, n);
  bool *open = TP_NEW_ARRAY(bool, n);  // a bound variable is inside
  for (size_t i = 0; i < n; i++) {
    tp_term t = {p->ids.at[i]};
    uint32_t times = how->uses ? how->uses(tt, t) : 1;
    open[i] = tp_k(tt, t) == TP_OP_BOUND;
    for (uint32_t j = 0; j < tp_n_args(tt, t); j++) {
      uint64_t at = 0;
      bool known = tp_map_get(&index, tp_a(tt, t, j).id, &at);
      TP_INVARIANT(known);  // arguments come first in ids
      (void)known;
      uses[at] += times;
      open[i] |= open[at];
    }
    tp_map_set(&index, t.id, i);
  }
  uint64_t number = 0;
  for (size_t i = 0; i < n; i++) {
    tp_term t = {p->ids.at[i]};
    for (uint32_t j = 0; j < tp_n_args(tt, t); j++) {
      uint64_t at = 0;
      (void)tp_map_get(&index, tp_a(tt, t, j).id, &at);
      if (height[at] + 1 > height[i]) height[i] = height[at] + 1;
    }
    bool high = how->max_height && height[i] >= how->max_height;
    if (t.id == root.id || open[i] || tp_n_args(tt, t) == 0 || (uses[i] < 2 && !high)) continue;
    tp_map_set(&p->name, t.id, ++number);
    height[i] = 0;
  }
  tp_map_clear(&index);
  tp_free(uses);
  tp_free(height);
  tp_free(open);
}
