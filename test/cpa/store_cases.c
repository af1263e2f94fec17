/* What a store must find out about memory, in pairs: no run of good_NAME reaches the error, and the analysis must see that;
 * some run of bad_NAME does, and no analysis may miss it. good_NAME_v: only the analysis of explicit values sees it, _i: only
 * intervals do, _n: nobody is asked to. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void);
#define MUST(c) do { if (!(c)) reach_error(); } while (0)

typedef struct { int a, b; } pair;
typedef struct node { int v; struct node *next; } node;

// ------------------------------------------------------------------ variables

int good_copies(void) { int x = __VERIFIER_nondet_int(), y = x; if (y == 3) MUST(x == 3); return 0; }
int bad_copies(void) { int x = __VERIFIER_nondet_int(), y = x; x++; if (y == 3) MUST(x == 3); return 0; }

int good_copy_of_cell(void) { int x = __VERIFIER_nondet_int(), *p = &x; if (*p == 3) MUST(x == 3); return 0; }
int bad_copy_of_cell(void) {
  int x = __VERIFIER_nondet_int(), *p = &x, was = *p;
  x = __VERIFIER_nondet_int();
  if (was == 3) MUST(*p == 3);
  return 0;
}

int good_conjunction(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if ((x == 1) & (y == 2)) MUST(x + y == 3);
  return 0;
}
int bad_conjunction(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if ((x == 1) | (y == 2)) MUST(x + y == 3);
  return 0;
}

int good_wrap(void) { unsigned x = 0xffffffffu; x++; MUST(x == 0); return 0; }
int bad_wrap(void) { unsigned x = __VERIFIER_nondet_int(); unsigned y = x + 1; MUST(y > x); return 0; }

int good_floats_v(void) { double d = 0.5; MUST(d + d == 1.0); return 0; }
int bad_floats(void) { double d = 0.1; MUST(d + d + d == 0.3); return 0; }

int good_zero_floats_n(void) { double z = 0.0, m = -z; MUST(z == m); return 0; }
int bad_zero_floats(void) { double z = 0.0, m = -z; MUST(1.0 / z == 1.0 / m); return 0; }

int good_bools(void) { _Bool b = __VERIFIER_nondet_bool(), c = b; if (c) MUST(b); return 0; }
int bad_bools(void) { _Bool b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool(); if (c) MUST(!b); return 0; }

// ---------------------------------------------------------------- one location

int good_strong_update(void) { int x = 1, *p = &x; *p = 2; MUST(x == 2); return 0; }
int bad_strong_update(void) { int x = 1, *p = &x; *p = 2; MUST(x == 1); return 0; }

int good_aliases(void) { int x = 1, *p = &x, **q = &p; **q = 5; MUST(*p == 5 && x == 5); return 0; }
int bad_aliases(void) { int x = 1, y = 2, *p = &x, **q = &p; *q = &y; **q = 5; MUST(x == 5); return 0; }

int good_other_object(void) { int x = 1, y = 2, *p = &x, *q = &y; *p = 7; MUST(*q == 2 && y == 2); return 0; }
int bad_other_object(void) {
  int x = 1, y = 2, *p = &x, *q = &y;
  if (__VERIFIER_nondet_int()) q = p;
  *p = 7;
  MUST(*q == 2);
  return 0;
}

int good_members(void) { pair s; pair *p = &s; p->a = 1; p->b = 2; MUST(s.a == 1 && p->b == 2); return 0; }
int bad_members(void) { pair s; int *p = &s.a; s.b = 2; p[1] = 3; MUST(s.b == 2); return 0; }

int good_overlap(void) { unsigned x = 0; unsigned char *c = (unsigned char *)&x; c[0] = 1; x = 4; MUST(x == 4); return c[0]; }
int bad_overlap(void) { unsigned x = 4; unsigned char *c = (unsigned char *)&x; c[3] = 1; MUST(x == 4); return 0; }
int bad_overlap_of_union(void) { union { int i; short s[2]; } u; u.i = 0; u.s[1] = 1; MUST(u.i == 0); return 0; }

int good_null(void) { int x = 1, *p = NULL; if (p == NULL) p = &x; MUST(p != NULL && *p == 1); return 0; }
int bad_null(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : NULL; MUST(p != NULL); return x; }

int good_learns_the_pointer(void) {
  int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y;
  if (p == &x) MUST(*p == 1);
  return y;
}
int bad_learns_the_pointer(void) {
  int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y;
  if (p != &x) MUST(*p == 1);
  return y;
}

int good_pointer_difference(void) { int a[5], *p = a + 3, *q = a; q++; MUST(p - q == 2 && (unsigned long)p == (unsigned long)(q + 2)); return 0; }
int bad_pointer_difference(void) { int a[5], *p = a + 3, *q = a; if (__VERIFIER_nondet_int()) q++; MUST(p - q == 2); return 0; }

// ------------------------------------------------------------------- statics

static pair table[3] = {{1, 2}, {3, 4}, {5, 6}};
static const char *const names[] = {"one", "two"};
static int counter = 5;
static int *to_counter = &counter;
static pair untouched = {8, 9};

int good_images(void) { MUST(table[1].b == 4 && names[1][0] == 't' && *to_counter == 5); return untouched.a; }
int bad_images(void) { table[__VERIFIER_nondet_uchar() % 3].b = 0; MUST(table[1].b == 4); return 0; }

int good_image_beside_a_write(void) { table[0].a = 9; MUST(table[0].b == 2 && table[2].a == 5 && table[0].a == 9); return 0; }
int bad_image_beside_a_write(void) { *(short *)((char *)&table[0].b + 2) = 1; MUST(table[0].b == 2); return 0; }

int good_choice_of_images_i(void) { int i = __VERIFIER_nondet_uchar() % 3; MUST(table[i].a <= 5 && table[i].a >= 1); return 0; }
int bad_choice_of_images(void) { int i = __VERIFIER_nondet_uchar() % 3; MUST(table[i].a <= 4); return 0; }

int good_pointer_to_static(void) { *to_counter = 6; to_counter = &untouched.a; *to_counter = 1; MUST(counter == 6 && untouched.b == 9); return 0; }
int bad_pointer_to_static(void) { to_counter = &untouched.b; *to_counter = 1; MUST(untouched.b == 9); return 0; }

// ---------------------------------------------------------------- weak updates

int good_weak_update_i(void) {
  int a[4] = {1, 1, 1, 1};
  a[__VERIFIER_nondet_uchar() % 4] = 3;
  int i = __VERIFIER_nondet_uchar() % 4;
  MUST(a[i] >= 1 && a[i] <= 3);
  return 0;
}
int bad_weak_update(void) {
  int a[4] = {1, 1, 1, 1};
  a[__VERIFIER_nondet_uchar() % 4] = 3;
  MUST(a[2] == 1);
  return 0;
}

int good_weak_update_misses_n(void) {
  pair a[4] = {{1, 2}, {1, 2}, {1, 2}, {1, 2}};
  a[__VERIFIER_nondet_uchar() % 4].a = 3;
  MUST(a[2].b == 2);
  return 0;
}
int bad_weak_update_misses(void) {
  int a[4] = {1, 1, 1, 1};
  a[1 + __VERIFIER_nondet_uchar() % 2] = 3;
  MUST(a[1] == 1);
  return 0;
}

int good_loop_over_array_v(void) {
  int a[5], sum = 0;
  for (int i = 0; i < 5; i++) a[i] = i;
  for (int i = 0; i < 5; i++) sum += a[i];
  MUST(sum == 10);
  return 0;
}
int bad_loop_over_array(void) {
  int a[5], sum = 0;
  for (int i = 0; i < 5; i++) a[i] = i;
  for (int i = 0; i < 5; i++) sum += a[i];
  MUST(sum != 10);
  return 0;
}

// --------------------------------------------------------------------- blocks

int good_block_copy(void) { pair s = {1, 2}, t; t = s; s.a = 7; MUST(t.a == 1 && t.b == 2 && s.a == 7); return 0; }
int bad_block_copy(void) { pair s = {1, 2}, t; t = s; s.a = 7; MUST(t.a == 7); return 0; }

int good_block_set(void) { pair s; memset(&s, 0, sizeof s); s.b = 1; MUST(s.a == 0 && s.b == 1); return 0; }
int bad_block_set(void) { pair s = {1, 2}; memset((char *)&s + 1, 1, 4); MUST(s.a == 1 || s.b == 2); return 0; }

int good_part_of_block(void) { pair s = {1, 2}, t = {3, 4}; memcpy(&t, &s, sizeof(int)); MUST(t.b == 4); return 0; }
int bad_part_of_block(void) { pair s = {1, 2}, t = {3, 4}; memcpy(&t, &s, 6); MUST(t.b == 4); return 0; }

int good_fresh_locals_v(void) {
  int last = 0;
  for (int i = 0; i < 3; i++) {
    int x = i, *p = &x;
    *p += 1;
    last = x;
  }
  MUST(last == 3);
  return 0;
}
int bad_fresh_locals(void) {
  int *p = NULL, old = 0;
  for (int i = 0; i < 2; i++) {
    int x;
    int *q = &x;
    if (i == 0) { *q = 4; p = q; }
    else { *q = __VERIFIER_nondet_int(); old = *q; }
  }
  MUST(old == 4);
  return p != NULL;
}

// ---------------------------------------------------------------------- heap

int good_heap(void) {
  pair *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  if (!p || !q) return 0;
  p->a = 1, q->a = 2;
  MUST(p->a == 1 && p != q);
  free(p), free(q);
  return 0;
}
int bad_heap(void) {
  pair *p = malloc(sizeof *p), *q = p;
  if (!p) return 0;
  p->a = 1, q->a = 2;
  MUST(p->a == 1);
  free(p);
  return 0;
}

int good_heap_is_renamed(void) {
  int *p = malloc(sizeof *p), *q = p;
  if (!q) return 0;
  *p = 1;
  p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 2;
  MUST(*q == 1 && *p == 2 && p != q);
  return 0;
}
int bad_heap_is_renamed(void) {
  int *p = malloc(sizeof *p), *q = p;
  if (!q) return 0;
  *p = 1;
  p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 2;
  if (__VERIFIER_nondet_int()) q = p;
  MUST(*q == 1);
  return 0;
}

int good_zeroed_heap(void) { int *p = calloc(4, sizeof *p); if (p) MUST(p[3] == 0); free(p); return 0; }
int bad_zeroed_heap(void) { int *p = malloc(4 * sizeof *p); if (p) MUST(p[3] == 0); free(p); return 0; }

int good_list_v(void) {
  node *l = NULL;
  int sum = 0;
  for (int i = 1; i <= 3; i++) {
    node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->v = i;
    n->next = l;
    l = n;
    sum += l->v;
  }
  MUST(l->v == 3 && sum == 6);
  return 0;
}
int bad_list(void) {
  node *l = NULL;
  for (int i = 1; i <= 3; i++) {
    node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->v = i;
    n->next = l;
    l = n;
  }
  MUST(l->next->v == 3);
  return 0;
}

// --------------------------------------------------------------------- calls

static void set(int *p, int v) { *p = v; }
static int *same(int *p) { return p; }
static int *make(int v) { int *p = malloc(sizeof *p); if (p) *p = v; return p; }
static int deref(int **p) { return **p; }
static int global;
static void set_global(int v) { global = v; }

int good_call_writes(void) { int x = 1, y = 1; set(&x, 2); MUST(x == 2 && y == 1); return *(&y); }
int bad_call_writes(void) { int x = 1; set(same(&x), 2); MUST(x == 1); return 0; }

int good_call_returns_pointer(void) { int x = 1, *p = same(&x); *p = 4; MUST(x == 4); return 0; }
int bad_call_returns_pointer(void) { int x = 1, y = 1, *p = __VERIFIER_nondet_int() ? same(&x) : same(&y); *p = 4; MUST(x == 1); return 0; }

int good_call_makes_object(void) { int *p = make(1), *q = make(2); if (p && q) MUST(*p == 1 && *q == 2 && deref(&p) == 1); return 0; }
int bad_call_makes_object(void) { int *p = make(1); if (p) { set(p, 3); MUST(deref(&p) == 1); } return 0; }

int good_calls_twice(void) { set_global(1); int a = global; set_global(2); MUST(a == 1 && global == 2); return 0; }
int bad_calls_twice(void) { set_global(1); set_global(__VERIFIER_nondet_int()); MUST(global == 1); return 0; }

static int down(int n, int *p) { if (n <= 0) return 0; *p = n; return down(n - 1, p); }
int good_recursion(void) { int x = 3, kept = 4; int r = down(2, &x); MUST(r == 0 && kept == 4); return 0; }
int bad_recursion(void) { int x = 3; (void)down(2, &x); MUST(x == 3); return 0; }
static int depth(int n) { int mine = n, *p = &mine; if (n > 0) { (void)depth(n - 1); } return *p; }
int bad_recursion_keeps_frames(void) { MUST(depth(2) == 0); return 0; }
static void global_down(int n) { if (n > 0) { global = n; global_down(n - 1); } }
int bad_recursion_writes_globals(void) { global = 7; global_down(2); MUST(global == 7); return 0; }

// ------------------------------------------------------------ unknown pointers

static int g1 = 1, g2 = 2;
int bad_unknown_pointer(void) {
  int *p = __VERIFIER_nondet_int() ? &g1 : &g2;
  *p = 9;
  MUST(g1 == 1);
  return 0;
}
int good_constants_survive(void) {
  static const int fixed[2] = {3, 4};
  const int *volatile unused = fixed;
  int *p = __VERIFIER_nondet_int() ? &g1 : &g2;
  *p = 9;
  MUST(fixed[1] == 4);
  return unused != NULL;
}

// ---------------------------------------------------- bounds (intervals: _i)

int good_products_i(void) {
  int w = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int();
  if (w < 0 || w > 1000 || h < -5 || h > 1000) return 0;
  MUST(w * h <= 1000000 && w * h >= -5000);
  return 0;
}
int bad_products(void) {
  int w = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int();
  if (w < 0 || w > 1000 || h < -5 || h > 1000) return 0;
  MUST(w * h <= 999999);
  return 0;
}
int good_sides_of_a_condition_i(void) {
  int v = __VERIFIER_nondet_int();
  int sign = v % 5 < 0 ? -(v % 5) : v % 5 + 1;
  MUST(sign >= 1 && sign <= 5);
  return 0;
}
int bad_sides_of_a_condition(void) {
  int v = __VERIFIER_nondet_int();
  int sign = v % 5 < 0 ? v % 5 : v % 5 + 1;
  MUST(sign >= 1 && sign <= 5);
  return 0;
}
int good_saturates_i(void) {
  int level = 0;
  while (__VERIFIER_nondet_bool()) {
    if (level < 50) level++;
    MUST(level >= 0 && level <= 50);
  }
  return 0;
}
int bad_saturates(void) {
  int level = 0;
  while (__VERIFIER_nondet_bool()) {
    if (level <= 3) level++;
    MUST(level >= 0 && level <= 3);
  }
  return 0;
}
int good_unsigned_and_signed_i(void) {
  int index = __VERIFIER_nondet_int();
  if ((unsigned)index < 10) MUST(index >= 0 && index <= 9);
  return 0;
}
int bad_unsigned_and_signed(void) {
  int index = __VERIFIER_nondet_int();
  if ((unsigned)index > 10) MUST(index >= 0);
  return 0;
}
int good_remainders_and_masks_i(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = (unsigned)x;
  MUST(x % 7 < 7 && x % 7 > -7 && u % 7 < 7 && (x & 15) <= 15 && (u >> 28) < 16);
  return 0;
}
int bad_remainders_and_masks(void) {
  int x = __VERIFIER_nondet_int();
  MUST(x % 7 >= 0);
  return 0;
}
int good_choices_i(void) {
  unsigned turn = 0;
  while (__VERIFIER_nondet_bool()) {
    MUST(turn < 5);
    turn = turn + 1 == 5 ? 0 : turn + 1;
  }
  return 0;
}
int bad_choices(void) {
  unsigned turn = 0;
  while (__VERIFIER_nondet_bool()) {
    MUST(turn < 3);
    turn = turn == 3 ? 0 : turn + 1;
  }
  return 0;
}
int good_conditions_with_calls_i(void) {
  unsigned used = 0;
  while (used < 3 && __VERIFIER_nondet_bool()) used++;
  MUST(used <= 3);
  return 0;
}
int bad_conditions_with_calls(void) {
  unsigned used = 0;
  while (used < 3 || __VERIFIER_nondet_bool()) used++;
  MUST(used <= 3);
  return 0;
}
int good_averages_i(void) {
  double average = 0;
  while (1) {
    int measured = __VERIFIER_nondet_int();
    if (measured < 0 || measured > 100) return 0;
    average = average / 2 + measured / 2.0;
    MUST(average >= 0 && average <= 100);
  }
}
int bad_averages(void) {
  double average = 0;
  while (1) {
    int measured = __VERIFIER_nondet_int();
    if (measured < 0 || measured > 100) return 0;
    average = average / 2 + measured;
    MUST(average >= 0 && average <= 100);
  }
}
int good_index_of_the_turn_i(void) {
  int ring[8] = {0};
  unsigned next = 0;
  while (__VERIFIER_nondet_bool()) {
    ring[next] = 1;
    next = (next + 1) % 8;
    MUST(next < 8 && ring[0] >= 0 && ring[7] <= 1);
  }
  return 0;
}
int bad_index_of_the_turn(void) {
  int ring[8] = {0};
  unsigned next = 0;
  while (__VERIFIER_nondet_bool()) {
    ring[next] = 1;
    next = (next + 1) % 8;
    MUST(ring[2] == 0);
  }
  return 0;
}

#define CASE(name) case __COUNTER__: name(); break
int main(void) {
  switch (__VERIFIER_nondet_uchar()) {
    CASES
  }
  return 0;
}
