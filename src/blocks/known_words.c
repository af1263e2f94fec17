/* Equations of what is known are read in their order; each is read in the words that are there, so
 * that chains of equal variables have one word. */
#include "blocks/known_words.h"

#include "term/rewrite.h"

typedef struct {
  tp_term variable, word;
} said;
typedef struct {
  const tp_blocks *b;
  tp_terms *tt;
  TP_VEC(said) list;
} reader;

static bool is_variable(const reader *r, tp_term t) {
  return tp_kind(r->tt, t) == TP_OP_VAR && tp_program_var_of(r->b->paths->p, t).id;
}

static tp_term in_words(const reader *r, tp_term t) {
  tp_map images = {0};
  for (size_t i = 0; i < r->list.n; i++)
    tp_map_set(&images, r->list.at[i].variable.id, r->list.at[i].word.id);
  const tp_term image = tp_replace_all(r->tt, t, &images);
  tp_map_clear(&images);
  return image;
}

/* v is said as `word` from now on, in the words of others, too. */
static void say(reader *r, tp_term v, tp_term word) {
  for (size_t i = 0; i < r->list.n; i++)
    r->list.at[i].word = tp_replace(r->tt, r->list.at[i].word, v, word);
  tp_vec_push(&r->list, ((said){v, word}));
}

/* Is t the offset of a pointer variable? */
static bool is_offset(const reader *r, tp_term t) {
  return tp_kind(r->tt, t) == TP_OP_PTR_OFF && is_variable(r, tp_arg(r->tt, t, 0));
}

static void read_equation(reader *r, tp_term t) {
  tp_terms *tt = r->tt;
  t = in_words(r, t);
  if (tp_kind(tt, t) != TP_OP_EQ) return;
  for (uint32_t side = 0; side < 2; side++) {
    const tp_term a = tp_arg(tt, t, side), b = tp_arg(tt, t, 1 - side);
    const bool is_value = tp_is_const(tt, b);
    if (is_variable(r, a) && (is_value || is_variable(r, b))) {
      say(r, a, b);
      return;
    }
    if (is_value && is_offset(r, a)) {
      const tp_term p = tp_arg(tt, a, 0);
      say(r, p, tp_mk_ptr(tt, tp_mk1(tt, TP_OP_PTR_OBJ, p), b));
      return;
    }
  }
}

/* Pointers that are equal have one word before it is read where in its object that one leads. */
static void read_all(reader *r, tp_term known) {
  tp_term_list all = {0};
  tp_conjuncts(r->tt, known, &all);
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < all.n; i++) {
      const bool is_equation = tp_kind(r->tt, all.at[i]) == TP_OP_EQ;
      const bool is_place = is_equation && (is_offset(r, tp_arg(r->tt, all.at[i], 0)) ||
                                            is_offset(r, tp_arg(r->tt, all.at[i], 1)));
      if (is_equation && is_place == (pass == 1)) read_equation(r, all.at[i]);
    }
  tp_vec_clear(&all);
}

static bool is_object(const reader *r, tp_term t) { return tp_kind(r->tt, t) == TP_OP_PTR_OBJ; }

/* Equations, in the words of the node, of objects that are known to be different ones. */
static tp_term read_apart(const reader *r, tp_term known, tp_map *out) {
  tp_terms *tt = r->tt;
  tp_term_list all = {0};
  tp_term all_apart = tp_mk_true(tt);
  tp_conjuncts(tt, known, &all);
  for (size_t i = 0; i < all.n; i++) {
    if (tp_kind(tt, all.at[i]) != TP_OP_NOT) continue;
    const tp_term equation = in_words(r, tp_arg(tt, all.at[i], 0));
    if (tp_kind(tt, equation) == TP_OP_EQ && is_object(r, tp_arg(tt, equation, 0)) &&
        is_object(r, tp_arg(tt, equation, 1))) {
      tp_map_set(out, equation.id, tp_mk_false(tt).id);
      all_apart = tp_mk_and(tt, all_apart, tp_mk_not(tt, equation));
    }
  }
  tp_vec_clear(&all);
  return all_apart;
}

void tp_known_words_init(tp_known_words *w, const tp_blocks *b, const tp_term *known) {
  *w = (tp_known_words){.tt = b->paths->tt, .n = b->nodes.n};
  w->at = TP_NEW_ARRAY(tp_map, w->n + 1);
  w->apart = TP_NEW_ARRAY(tp_map, w->n + 1);
  w->all_apart = TP_NEW_ARRAY(tp_term, w->n + 1);
  for (size_t n = 0; n < w->n; n++) {
    reader r = {.b = b, .tt = w->tt};
    read_all(&r, known[n]);
    for (size_t i = 0; i < r.list.n; i++)
      tp_map_set(&w->at[n], r.list.at[i].variable.id, r.list.at[i].word.id);
    w->all_apart[n] = read_apart(&r, known[n], &w->apart[n]);
    tp_vec_clear(&r.list);
  }
}

void tp_known_words_clear(tp_known_words *w) {
  for (size_t n = 0; n < w->n; n++) tp_map_clear(&w->at[n]), tp_map_clear(&w->apart[n]);
  tp_free(w->at);
  tp_free(w->apart);
  tp_free(w->all_apart);
  *w = (tp_known_words){0};
}

tp_term tp_known_words_apart(const tp_known_words *w, uint32_t node) {
  TP_REQUIRE(node < w->n);
  return w->all_apart[node];
}

tp_term tp_known_words_of(const tp_known_words *w, uint32_t node, tp_term t) {
  if (node >= w->n) return t;
  if (w->at[node].n) t = tp_replace_all(w->tt, t, &w->at[node]);
  return w->apart[node].n ? tp_replace_all(w->tt, t, &w->apart[node]) : t;
}
