/* Relations between the objects of the heap. A tuple of objects is one number, its columns the digits to the base TP_ATOMS; a relation is a sorted
 * list of tuples. What an integer that does not fit the width is used for is undefined. */
typedef enum { TP_FALSE, TP_TRUE, TP_UNDEFINED } tp_truth;
typedef struct { int is_defined; long value; } tp_number;
typedef struct tp_tuples {
  int arity, is_defined, n, room;
  long *at;
  struct tp_tuples *older;
} tp_set;
static tp_set *tp_sets;                          /* all of them, until the end */
static int tp_moment = 1;                        /* counts on when relations change: what was worked out before is worked out again */

static tp_set *tp_none(int arity) {
  tp_set *s = calloc(1, sizeof *s);
  s->arity = arity;
  s->is_defined = 1;
  s->older = tp_sets;
  return tp_sets = s;
}

static long tp_power(int n) { return n > 0 ? TP_ATOMS * tp_power(n - 1) : 1; }

/* Where it is, or where it belongs. */
static int tp_place(const tp_set *s, long tuple) {
  int low = 0, high = s->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (s->at[middle] < tuple) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int tp_has(const tp_set *s, long tuple) {
  const int place = tp_place(s, tuple);
  return place < s->n && s->at[place] == tuple;
}

static void tp_add(tp_set *s, long tuple) {
  const int place = tp_place(s, tuple);
  if (place < s->n && s->at[place] == tuple) return;
  if (s->n == s->room) s->at = realloc(s->at, (size_t)(s->room = 2 * s->room + 4) * sizeof *s->at);
  for (int k = s->n++; k > place; k--) s->at[k] = s->at[k - 1];
  s->at[place] = tuple;
}

/* n tuples, one after the other, column by column. */
static const tp_set *tp_list(int arity, int n, const int *atoms) {
  tp_set *s = tp_none(arity);
  for (int k = 0; k < n; k++) {
    long tuple = 0;
    for (int i = 0; i < arity; i++) tuple = tuple * TP_ATOMS + *atoms++;
    tp_add(s, tuple);
  }
  return s;
}

static const tp_set *tp_only(long atom) {
  tp_set *s = tp_none(1);
  tp_add(s, atom);
  return s;
}

static int tp_size(const tp_set *s) { return s->is_defined ? s->n : 0; }

/* ------------------------------------------------------------- sets and relations */

static const tp_set *tp_univ(void) {
  tp_set *s = tp_none(1);
  for (int a = 0; a < TP_ATOMS; a++) tp_add(s, a);
  return s;
}
static const tp_set *tp_iden(void) {
  tp_set *s = tp_none(2);
  for (long a = 0; a < TP_ATOMS; a++) tp_add(s, a * TP_ATOMS + a);
  return s;
}
static const tp_set *tp_ints(void) {
  tp_set *s = tp_none(1);
  for (long i = TP_LEAST; i <= TP_MOST; i++) tp_add(s, TP_INT(i));
  return s;
}

static tp_set *tp_made_of(int arity, const tp_set *a, const tp_set *b) {
  tp_set *s = tp_none(arity);
  s->is_defined = a->is_defined && b->is_defined;
  return s;
}
static const tp_set *tp_union(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(a->arity, a, b);
  for (int i = 0; i < a->n; i++) tp_add(s, a->at[i]);
  for (int k = 0; k < b->n; k++) tp_add(s, b->at[k]);
  return s;
}
static const tp_set *tp_intersection(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(a->arity, a, b);
  for (int i = 0; i < a->n; i++)
    if (tp_has(b, a->at[i])) tp_add(s, a->at[i]);
  return s;
}
static const tp_set *tp_difference(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(a->arity, a, b);
  for (int i = 0; i < a->n; i++)
    if (!tp_has(b, a->at[i])) tp_add(s, a->at[i]);
  return s;
}
/* a.b */
static const tp_set *tp_join(const tp_set *a, const tp_set *b) {
  const long rest = tp_power(b->arity - 1);
  tp_set *s = tp_made_of(a->arity + b->arity - 2, a, b);
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++)
      if (a->at[i] % TP_ATOMS == b->at[k] / rest) tp_add(s, a->at[i] / TP_ATOMS * rest + b->at[k] % rest);
  return s;
}
/* a -> b */
static const tp_set *tp_product(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(a->arity + b->arity, a, b);
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++) tp_add(s, a->at[i] * tp_power(b->arity) + b->at[k]);
  return s;
}
/* a ++ b */
static const tp_set *tp_override(const tp_set *a, const tp_set *b) {
  const long rest = tp_power(a->arity - 1);
  tp_set *s = tp_made_of(a->arity, a, b);
  for (int k = 0; k < b->n; k++) tp_add(s, b->at[k]);
  for (int i = 0; i < a->n; i++) {
    int is_replaced = 0;
    for (int k = 0; k < b->n; k++) is_replaced |= a->at[i] / rest == b->at[k] / rest;
    if (!is_replaced) tp_add(s, a->at[i]);
  }
  return s;
}
/* a <: b */
static const tp_set *tp_domain(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(b->arity, a, b);
  for (int k = 0; k < b->n; k++)
    if (tp_has(a, b->at[k] / tp_power(b->arity - 1))) tp_add(s, b->at[k]);
  return s;
}
/* a :> b */
static const tp_set *tp_range(const tp_set *a, const tp_set *b) {
  tp_set *s = tp_made_of(a->arity, a, b);
  for (int i = 0; i < a->n; i++)
    if (tp_has(b, a->at[i] % TP_ATOMS)) tp_add(s, a->at[i]);
  return s;
}
/* ~a */
static const tp_set *tp_transpose(const tp_set *a) {
  tp_set *s = tp_made_of(2, a, a);
  for (int i = 0; i < a->n; i++) tp_add(s, a->at[i] % TP_ATOMS * TP_ATOMS + a->at[i] / TP_ATOMS);
  return s;
}
/* ^a: Warshall. */
static const tp_set *tp_closure(const tp_set *a) {
  tp_set *s = tp_made_of(2, a, a);
  for (int i = 0; i < a->n; i++) tp_add(s, a->at[i]);
  for (long by = 0; by < TP_ATOMS; by++)
    for (long from = 0; from < TP_ATOMS; from++)
      for (long to = 0; to < TP_ATOMS && tp_has(s, from * TP_ATOMS + by); to++)
        if (tp_has(s, by * TP_ATOMS + to)) tp_add(s, from * TP_ATOMS + to);
  return s;
}
/* *a */
static const tp_set *tp_reflexive(const tp_set *a) { return tp_union(tp_closure(a), tp_iden()); }

/* ------------------------------------------------------------------------ truth */

static tp_truth tp_known(int is_defined, int holds) { return !is_defined ? TP_UNDEFINED : holds ? TP_TRUE : TP_FALSE; }
static tp_truth tp_not(tp_truth f) { return f == TP_UNDEFINED ? f : f == TP_TRUE ? TP_FALSE : TP_TRUE; }
static tp_truth tp_and(tp_truth f, tp_truth g) {
  return f == TP_FALSE || g == TP_FALSE ? TP_FALSE : f == TP_UNDEFINED || g == TP_UNDEFINED ? TP_UNDEFINED : TP_TRUE;
}
static tp_truth tp_or(tp_truth f, tp_truth g) { return tp_not(tp_and(tp_not(f), tp_not(g))); }
static tp_truth tp_iff(tp_truth f, tp_truth g) { return tp_known(f != TP_UNDEFINED && g != TP_UNDEFINED, f == g); }
static tp_truth tp_if(tp_truth c, tp_truth f, tp_truth g) { return c == TP_UNDEFINED ? c : c == TP_TRUE ? f : g; }

static tp_truth tp_in(const tp_set *a, const tp_set *b) {
  int holds = 1;
  for (int i = 0; i < a->n; i++) holds &= tp_has(b, a->at[i]);
  return tp_known(a->is_defined && b->is_defined, holds);
}
static tp_truth tp_equal(const tp_set *a, const tp_set *b) { return tp_and(tp_in(a, b), tp_in(b, a)); }
static tp_truth tp_some(const tp_set *a) { return tp_known(a->is_defined, a->n > 0); }
static tp_truth tp_no(const tp_set *a) { return tp_known(a->is_defined, a->n == 0); }
static tp_truth tp_one(const tp_set *a) { return tp_known(a->is_defined, a->n == 1); }
static tp_truth tp_lone(const tp_set *a) { return tp_known(a->is_defined, a->n <= 1); }
static const tp_set *tp_set_if(tp_truth c, const tp_set *a, const tp_set *b) {
  if (c != TP_UNDEFINED) return c == TP_TRUE ? a : b;
  tp_set *s = tp_none(a->arity);
  s->is_defined = 0;
  return s;
}

/* --------------------------------------------------------------------- integers */

static tp_number tp_fit(int is_defined, long value) {
  const int fits = is_defined && value >= TP_LEAST && value <= TP_MOST;
  return (tp_number){fits, fits ? value : 0};
}
static tp_number tp_constant(long value) { return tp_fit(1, value); }
/* #a */
static tp_number tp_cardinality(const tp_set *a) { return tp_fit(a->is_defined, a->n); }
static int tp_is_int(long atom) { return atom >= TP_INT(TP_LEAST) && atom <= TP_INT(TP_MOST); }
static tp_number tp_total(const tp_set *a) {
  long total = 0;
  for (int i = 0; i < a->n; i++)
    if (tp_is_int(a->at[i])) total += a->at[i] - TP_INT(0);
  return tp_fit(a->is_defined, total);
}
/* The integer in a set of one; 0 if there is none. */
static tp_number tp_the(const tp_set *a) {
  int n_ints = 0;
  for (int i = 0; i < a->n; i++) n_ints += tp_is_int(a->at[i]);
  return n_ints > 1 ? tp_fit(0, 0) : tp_total(a);
}
static const tp_set *tp_atom_of(tp_number i) {
  tp_set *s = tp_none(1);
  s->is_defined = i.is_defined;
  if (i.is_defined) tp_add(s, TP_INT(i.value));
  return s;
}
static tp_number tp_plus(tp_number a, tp_number b) { return tp_fit(a.is_defined && b.is_defined, a.value + b.value); }
static tp_number tp_minus(tp_number a, tp_number b) { return tp_fit(a.is_defined && b.is_defined, a.value - b.value); }
static tp_number tp_times(tp_number a, tp_number b) { return tp_fit(a.is_defined && b.is_defined, a.value * b.value); }
static tp_number tp_quotient(tp_number a, tp_number b) { return tp_fit(a.is_defined && b.is_defined && b.value, b.value ? a.value / b.value : 0); }
static tp_number tp_remainder(tp_number a, tp_number b) { return tp_fit(a.is_defined && b.is_defined && b.value, b.value ? a.value % b.value : 0); }
static tp_number tp_negative(tp_number a) { return tp_fit(a.is_defined, -a.value); }
static tp_number tp_number_if(tp_truth c, tp_number a, tp_number b) { return c == TP_UNDEFINED ? tp_fit(0, 0) : c == TP_TRUE ? a : b; }
static tp_truth tp_int_equal(tp_number a, tp_number b) { return tp_known(a.is_defined && b.is_defined, a.value == b.value); }
static tp_truth tp_less(tp_number a, tp_number b) { return tp_known(a.is_defined && b.is_defined, a.value < b.value); }
static tp_truth tp_at_most(tp_number a, tp_number b) { return tp_known(a.is_defined && b.is_defined, a.value <= b.value); }

