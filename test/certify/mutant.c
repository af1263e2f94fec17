#include "mutant.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct {
  const char *at;
  size_t n;
} piece;

typedef struct {
  const tp_program *p;
  tp_rng *rng;
  TP_VEC(piece) lines;
  TP_VEC(uint32_t) formulas;  // lines with one: at, pre, post
} sheet;

static uint64_t below(const sheet *s, uint64_t n) { return tp_rng_below(s->rng, n); }

static bool starts(piece x, const char *with) {
  return x.n >= strlen(with) && memcmp(x.at, with, strlen(with)) == 0;
}

static void cut_lines(sheet *s, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    piece line = {text, n};
    if (starts(line, "at ") || starts(line, "pre ") || starts(line, "post "))
      tp_vec_push(&s->formulas, (uint32_t)s->lines.n);
    tp_vec_push(&s->lines, line);
    text += n + (text[n] == '\n');
  }
}

/* The formula of a line, without the comment. */
static piece formula_of(piece line) {
  size_t fields = starts(line, "at ") ? 3 : 2, from = 0, to = 0;
  for (; from < line.n && fields; from++) fields -= line.at[from] == ' ';
  for (to = from; to < line.n && line.at[to] != '#';) to++;
  while (to > from && line.at[to - 1] == ' ') to--;
  return (piece){line.at + from, to - from};
}

/* The expression that starts here. */
static piece expression(const char *at, const char *end) {
  const char *c = at;
  int depth = 0;
  do {
    depth += *c == '(';
    depth -= *c == ')';
    c++;
  } while (c < end && (depth > 0 || (*at != '(' && *c != ' ' && *c != ')')));
  return (piece){at, (size_t)(c - at)};
}

/* A random occurrence of `key` in x; NULL: there is none. */
static const char *occurrence(const sheet *s, piece x, const char *key) {
  size_t k = strlen(key), seen = 0;
  const char *found = NULL;
  for (const char *c = x.at; c + k <= x.at + x.n; c++)
    if (memcmp(c, key, k) == 0 && below(s, ++seen) == 0) found = c;
  return found;
}

/* All lines, with `what` in place of the piece. */
static void put_replaced(const sheet *s, piece old, const char *with, tp_str *out) {
  for (size_t i = 0; i < s->lines.n; i++) {
    piece l = s->lines.at[i];
    if (old.at < l.at || old.at > l.at + l.n) {
      tp_str_add_n(out, l.at, l.n);
    } else {
      tp_str_add_n(out, l.at, (size_t)(old.at - l.at));
      tp_str_add(out, with);
      tp_str_add_n(out, old.at + old.n, (size_t)(l.at + l.n - (old.at + old.n)));
    }
    tp_str_add_char(out, '\n');
  }
}

static bool replaced(const sheet *s, piece old, const char *with, tp_str *out) {
  if (strlen(with) == old.n && memcmp(with, old.at, old.n) == 0) return false;
  put_replaced(s, old, with, out);
  return true;
}

// ------------------------------------------------------------------ in a formula

static piece random_formula(const sheet *s) {
  return formula_of(s->lines.at[s->formulas.at[below(s, s->formulas.n)]]);
}

static bool drop_conjunct(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  const char *and = occurrence(s, f, "(AND ");
  if (!and) return replaced(s, f, "TRUE", out);
  piece first = expression(and+5, f.at + f.n);
  return replaced(s, below(s, 2) ? first : expression(first.at + first.n + 1, f.at + f.n), "TRUE",
                  out);
}

static bool lose_case(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  const char *or = occurrence(s, f, "(OR ");
  if (!or) return below(s, 4) == 0 && replaced(s, f, "FALSE", out);
  piece first = expression(or +4, f.at + f.n);
  return replaced(s, below(s, 2) ? first : expression(first.at + first.n + 1, f.at + f.n), "FALSE",
                  out);
}

static bool change_bound(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  const char *c = occurrence(s, f, "(bv ");
  if (!c) return false;
  char *end;
  uint64_t width = strtoull(c + 4, &end, 10), value = strtoull(end + 1, &end, 10);
  uint64_t mask = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  switch (below(s, 5)) {
    case 0: value++; break;
    case 1: value--; break;
    case 2: value += below(s, 9); break;
    case 3: value /= 2; break;
    default: value = tp_rng_next(s->rng) >> below(s, 64); break;
  }
  tp_str text = {0};
  tp_str_printf(&text, "(bv %" PRIu64 " %" PRIu64, width, value & mask);
  bool done = replaced(s, (piece){c, (size_t)(end - c)}, text.text, out);
  tp_str_clear(&text);
  return done;
}

static bool change_comparison(const sheet *s, tp_str *out) {
  static const char *const kinds[] = {"BV_ULT", "BV_ULE", "BV_SLT", "BV_SLE", "EQ"};
  piece f = random_formula(s);
  const char *from = kinds[below(s, 5)], *c = occurrence(s, f, from);
  return c && replaced(s, (piece){c, strlen(from)}, kinds[below(s, 5)], out);
}

static bool change_variable(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  const char *c = occurrence(s, f, "(var ");
  if (!c) return false;
  tp_str text = {0};
  tp_str_printf(&text, "%" PRIu64, 1 + below(s, s->p->vars.n - 1));
  bool done = replaced(s, (piece){c + 5, strspn(c + 5, "0123456789")}, text.text, out);
  tp_str_clear(&text);
  return done;
}

static bool negate(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  const char *and = occurrence(s, f, "(AND ");
  piece x = and ? expression(and+5, f.at + f.n) : f;
  tp_str text = {0};
  tp_str_add(&text, "(NOT ");
  tp_str_add_n(&text, x.at, x.n);
  tp_str_add_char(&text, ')');
  bool done = replaced(s, x, text.text, out);
  tp_str_clear(&text);
  return done;
}

static bool add_conjunct(const sheet *s, tp_str *out) {
  piece f = random_formula(s);
  uint32_t v = 1 + (uint32_t)below(s, s->p->vars.n - 1);
  tp_term x = s->p->vars.at[v].term;
  if (tp_sort_kind_of(s->p->terms, tp_sort_of(s->p->terms, x)) != TP_SORT_BV) return false;
  uint32_t width = tp_width(s->p->terms, x);
  static const char *const kinds[] = {"EQ", "BV_ULE", "BV_SLE"};
  tp_str text = {0};
  tp_str_add(&text, "(AND ");
  tp_str_add_n(&text, f.at, f.n);
  tp_str_printf(&text, " (%s (var %u) (bv %u %" PRIu64 ")))", kinds[below(s, 3)], v, width,
                below(s, width >= 8 ? 9 : 2));
  bool done = replaced(s, f, text.text, out);
  tp_str_clear(&text);
  return done;
}

static bool swap_formulas(const sheet *s, tp_str *out) {
  piece a = random_formula(s), b = random_formula(s);
  tp_str text = {0};
  tp_str_add_n(&text, b.at, b.n);
  bool done = a.at != b.at && replaced(s, a, text.text, out);
  tp_str_clear(&text);
  return done;
}

// -------------------------------------------------------------------- whole lines

static bool drop_place(const sheet *s, tp_str *out) {
  uint32_t line = s->formulas.at[below(s, s->formulas.n)];
  if (!starts(s->lines.at[line], "at ")) return false;
  for (size_t i = 0; i < s->lines.n; i++) {
    if (i == line) continue;
    tp_str_add_n(out, s->lines.at[i].at, s->lines.at[i].n);
    tp_str_add_char(out, '\n');
  }
  return true;
}

/* Field i of a random line that starts so becomes another number. */
static bool change_field(const sheet *s, const char *with, size_t field, uint64_t below_this,
                         tp_str *out) {
  size_t seen = 0;
  piece line = {0};
  for (size_t i = 0; i < s->lines.n; i++)
    if (starts(s->lines.at[i], with) && below(s, ++seen) == 0) line = s->lines.at[i];
  if (!line.at || below_this < 2) return false;
  size_t at = 0;
  for (; at < line.n && field; at++) field -= line.at[at] == ' ';
  tp_str text = {0};
  tp_str_printf(&text, "%" PRIu64, 1 + below(s, below_this - 1));
  size_t n = strspn(line.at + at, "0123456789");
  bool done = n && replaced(s, (piece){line.at + at, n}, text.text, out);
  tp_str_clear(&text);
  return done;
}

static bool move_place(const sheet *s, tp_str *out) {
  return change_field(s, "at ", 2, s->p->locs.n, out);
}
static bool swap_context(const sheet *s, tp_str *out) { return change_field(s, "at ", 1, 8, out); }
static bool change_call(const sheet *s, tp_str *out) {
  return change_field(s, "context ", 4, s->p->edges.n, out);
}
static bool swap_contract(const sheet *s, tp_str *out) {
  return change_field(s, "context ", 3, 5, out);
}

static bool change_steps(const sheet *s, tp_str *out) {
  return change_field(s, "induction ", 1, 9, out);
}
static bool count_another(const sheet *s, tp_str *out) {
  return change_field(s, "count ", 2, s->p->locs.n, out);
}

/* The pre or post of a contract becomes TRUE or FALSE. */
static bool open_contract(const sheet *s, tp_str *out) {
  uint32_t line = s->formulas.at[below(s, s->formulas.n)];
  if (starts(s->lines.at[line], "at ")) return false;
  return replaced(s, formula_of(s->lines.at[line]), below(s, 3) ? "TRUE" : "FALSE", out);
}

static const struct {
  const char *what;
  bool (*make)(const sheet *s, tp_str *out);
} kinds[] = {{"a dropped conjunct", drop_conjunct},
             {"a lost case", lose_case},
             {"a changed bound", change_bound},
             {"a changed bound", change_bound},
             {"another comparison", change_comparison},
             {"another variable", change_variable},
             {"a negated conjunct", negate},
             {"one more conjunct", add_conjunct},
             {"another place's formula", swap_formulas},
             {"a missing location", drop_place},
             {"a moved location", move_place},
             {"another context", swap_context},
             {"a context of another call", change_call},
             {"a context of another contract", swap_contract},
             {"a widened contract", open_contract},
             {"another number of steps", change_steps},
             {"another label counted", count_another}};

bool mutant_make(const tp_program *p, const char *text, tp_rng *rng, tp_str *out,
                 const char **what) {
  sheet s = {.p = p, .rng = rng};
  bool done = false;
  cut_lines(&s, text);
  for (int tries = 0; s.formulas.n && tries < 40 && !done; tries++) {
    size_t k = below(&s, sizeof kinds / sizeof *kinds);
    *what = kinds[k].what;
    done = kinds[k].make(&s, out);
  }
  tp_vec_clear(&s.lines);
  tp_vec_clear(&s.formulas);
  return done;
}
