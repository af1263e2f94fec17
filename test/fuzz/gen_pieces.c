/* Set pieces: a line or two of C for each feature that the general statements do not reach, with holes for random
 * operands: @x @y integers, @c a condition, @f a float, @n @m new names. $$ is the prefix of the program.
 *
 * Each piece folds what it computed into the checksum and obeys the same law as everything else: nothing undefined,
 * nothing unspecified, no dependence on addresses. */
#include "gen_priv.h"

#include <stdio.h>

static const char *const pieces[] = {
    // calls
    "$$mix($$sum(3, (int)@x, (long long)@y, (double)@f));",
    "$$mix($$long_sum(2, (int)@x, (long double)@f, (int)@y, 2.5L));",
    "{ union { long double d; unsigned short h[5]; } @n = {(long double)(long long)@x / 3}; $$mix(@n.h[0] + @n.h[3] * 5u + @n.h[4]); @n.d = (long double)(unsigned long long)@y + (long double)@f; $$mix(@n.h[1] * 3u + @n.h[4]); }",
    "{ long double @n = __builtin_fabsl((long double)@f) + 1, @m = @n / 3 * 1024; $$mix((unsigned long long)@m + (unsigned)(@n > @m) + (unsigned long long)(long long)(@n * 3 - @m)); }",
    "$$mix((unsigned long long)$$table[@x & 1]((int)@y));",
    "$$mix($$depth((unsigned)@x & 7));",
    "$$mix($$even((unsigned)@x & 15));",
    "$$mix($$turn((union $$u){.all = (unsigned long long)@x}).all);",
    "$$mix((unsigned long long)$$make((int)@x, (double)@f).a + (unsigned long long)$$make(3, 2.5).d);",
    "{ struct $$mixed @n = $$make((int)@x, 0.25), @m = $$make(1, (double)@f); $$mix((unsigned)(@c ? @n : @m).a); }",
    "{ unsigned (*@n)(int) = @c ? $$first : $$second; unsigned (**@m)(int) = &@n; $$mix((*@m)((int)@y) + (@n == $$first)); }",
    // arrays and pointers
    "{ int @n = (@x & 7) + 2; unsigned @m[@n]; for (int j = 0; j < @n; j++) @m[j] = (unsigned)@y + (unsigned)j;"
    " for (int j = 0; j < @n; j++) $$mix(@m[j] * sizeof @m); }",
    "{ int @n = (@x & 3) + 1; short @m[3][@n]; for (int j = 0; j < 3 * @n; j++) @m[j / @n][j % @n] = (short)j; $$mix((unsigned)@m[2][@y & 0] + sizeof @m[1]); }",
    "{ struct $$mixed @n[4] = {{(int)@x, 1.5, 2}, {2, 2.5, 3}}, *@m = @n, *end = @n + 4; unsigned t = 0;"
    " for (; @m < end; @m++) t += (unsigned)@m->a * 3 + (unsigned)@m->c; $$mix(t + (unsigned)(end - @n) + (unsigned)(@m[-1].a == 0)); }",
    "{ int @n = (int)@x, *@m = &@n, **pp = &@m; **pp ^= 21; int other = 7; if (@c) *pp = &other; $$mix((unsigned)*@m); }",
    "{ int @n[3][4] = {{1}, {2, 3}, {(int)@x}}, (*@m)[4] = @n; @m += @y & 1; (*@m)[2] = 9; $$mix((unsigned)@m[1][0] + (unsigned)(*@m)[1] + (unsigned)(&@n[2][0] - &@n[0][0])); }",
    "$$mix((unsigned)(int[]){4, 5, (int)@x, 7}[@y & 3]);",
    "{ unsigned char *@n = (unsigned char *)&$$word; @n[@x & 7] = (unsigned char)@y; $$mix($$word); }",
    "{ long @n[3] = {1, (long)@x, 3}; __UINTPTR_TYPE__ @m = (__UINTPTR_TYPE__)&@n[0]; $$mix((unsigned long long)*(long *)(@m + sizeof(long))); $$mix((unsigned)((__UINTPTR_TYPE__)&@n[2] - @m)); }",
    "{ struct $$cell @n = {3, 0}, @m = {(int)@x & 15, &@n}; struct $$cell *at = &@m; unsigned t = 0;"
    " while (at) { t = t * 16 + (unsigned)at->value; at = at->next; } $$mix(t); }",
    "{ struct { int *to; int in[2]; } @n = {0, {1, (int)@x}}, @m; @n.to = &@n.in[1]; @m = @n; *@m.to = 5; $$mix((unsigned)@n.in[1] + (unsigned)(@m.to == @n.in + 1)); }",
    // strings
    "{ static const char @n[] = \"twoproof\"; $$mix((unsigned char)@n[@x & 7] + sizeof @n); }",
    "{ const char *@n = \"one\" \"two\\0three\"; unsigned t = 0; while (*@n) t = t * 5 + (unsigned char)*@n++; $$mix(t); }",
    "{ char @n[8] = \"abc\"; @n[@x & 3] = 'z'; $$mix((unsigned)(__builtin_strlen(@n) + (__builtin_strcmp(@n, \"abz\") > 0))); }",
    "{ unsigned short @n[8]; __builtin_memset(@n, (int)(@x & 255), sizeof @n);"
    " __builtin_memmove(@n + 1, @n, 6); __builtin_memcpy(@n + 5, @n, 4); $$mix(@n[1] + @n[@y & 7]); }",
    "{ struct $$mixed @n = {1, 2.0, 3}, @m; unsigned char raw[sizeof @n]; __builtin_memcpy(raw, &@n, sizeof @n); raw[0] ^= (unsigned char)@x;"
    " __builtin_memcpy(&@m, raw, sizeof @m); $$mix((unsigned)@m.a + (unsigned)@m.d); }",
    "{ struct $$cell *@n[3] = {0}; struct $$cell @m = {(int)@x, 0}; for (int j = 0; j < 3; j++) @n[j] = &@m; struct $$cell *copy;"
    " unsigned char *from = (unsigned char *)&@n[1], *to = (unsigned char *)&copy; for (unsigned j = 0; j < sizeof copy; j++) to[j] = from[j]; $$mix((unsigned)copy->value); }",
    // unions, bit-fields, structs
    "{ union $$u @n = {.all = (unsigned long long)@y}; @n.bytes[3] ^= 0x5a; @n.halves[0]++; $$mix(@n.all); }",
    "{ struct { unsigned a : 3; signed int b : 5; unsigned c : 30; _Bool d : 1; unsigned long long e : 37; } @n = {1, 2, 3, 0, 4};"
    " @n.a += (unsigned)@x; @n.b = (int)@y; @n.c--; @n.d = @c; @n.e ^= (unsigned long long)@x; @n.b++; --@n.a;"
    " $$mix(@n.a + (unsigned)@n.b * 8u + @n.c * 7u + @n.d); $$mix(@n.e); $$mix((@n.a - 7 < 0) + 2u * (@n.c - 7 < 0)); }",
    "{ struct { char c; struct { short s[2]; double d; } in; } @n = {.in.s[1] = (short)@x, .c = 'q'}; $$mix((unsigned)@n.in.s[1] + (unsigned char)@n.c + (unsigned)@n.in.s[0] + (unsigned)@n.in.d); }",
    "{ struct $$mixed @n = {.c = 4}; struct $$mixed *@m = &@n; (*@m).a = (int)@x; @m->d = (double)@f > 0 ? 1 : 2; $$mix((unsigned)@n.a ^ (unsigned)@n.d ^ (unsigned)@n.c); }",
    // floats
    "{ union { double d; unsigned long long u; } @n = {(double)(unsigned long long)@x}; $$mix(@n.u); @n.d = (double)(long long)@y; $$mix(@n.u); }",
    "{ union { float f; unsigned u; } @n = {(float)(unsigned long long)@x}; $$mix(@n.u); @n.f = (float)(long long)@y; $$mix(@n.u); @n.f = (float)(double)@f; $$mix(@n.u); }",
    "{ double @n = (double)@f; float @m = (float)@f; $$mix((unsigned)(@n == @m) + 2u * (@n < @m) + 4u * (-@n <= @m) + 8u * (unsigned)!@n); }",
    "{ double @n = __builtin_fabs((double)@f) + 1; $$mix((unsigned long long)(@n * 3) + (unsigned long long)(float)@n + (unsigned char)(@n / 1e13 * 200)); }",
    "{ double @n = 0; for (float j = 0; j < 3; j += 0.5f) @n += j * 0.1; $$mix((unsigned long long)(@n * 1e15)); }",
    // integers
    "{ int @n = 0; _Bool @m = __builtin_add_overflow((int)@x, (int)@y, &@n); $$mix((unsigned)@n + @m); @m = __builtin_mul_overflow((unsigned)@x, (unsigned)@y, (unsigned *)&@n); $$mix((unsigned)@n * 2u + @m); }",
    "{ unsigned @n = (unsigned)@x | 1; $$mix((unsigned)__builtin_clz(@n) + 32u * (unsigned)__builtin_ctz(@n) + 999u * (unsigned)__builtin_popcount(@n)); $$mix(__builtin_bswap32(@n)); }",
    "{ unsigned long long @n = (unsigned long long)@y; unsigned @m = (unsigned)@x & 63; $$mix(@n << @m | @n >> (-@m & 63)); }",
    "{ enum { @n_a = 3, @n_b, @n_c = 10 } @m = @c ? @n_b : @n_c; $$mix((unsigned long long)@m); }",
    "$$mix((unsigned long long)_Generic((@x) + 0, int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5));",
    "$$mix((unsigned long long)({ int @n = (int)@x; @n & 0xff; }));",
    "{ signed char @n = (signed char)@x; unsigned char @m = (unsigned char)@y; $$mix((unsigned)(@n * @m) + (unsigned)(@n < @m) + (unsigned)(@n >> 2) + (unsigned)(@m << 3)); }",
    "{ _Bool @n = @x, @m = (double)@f; @n += 1; @m |= @c; $$mix(@n + 2u * @m); @n = &$$word != 0; $$mix(@n); }",
    "{ unsigned @n = (unsigned)@x, @m; @m = (@n += 2, @n ^ 5); $$mix(@m + (@c ? @n : 1u)); $$mix(@n > 4 || (@m = 3) ? @m : 9u); }",
    "{ volatile unsigned @n = (unsigned)@x; @n = @n * 3 + 1; $$mix(@n); }",
    // control
    "{ unsigned @n = (unsigned)@x & 7, @m = 0; again_@n: @m = @m * 3 + @n; if (@n-- > 0) goto again_@n; $$mix(@m); }",
    "{ unsigned @n = 0; for (int j = 0; j < 6; j++) { switch ((@x + (unsigned)j) & 3) { case 0: continue; case 1: @n += 5; break; case 2: @n ^= 3; default: @n *= 7; } @n++; } $$mix(@n); }",
    "{ unsigned @n = 0; int @m = (int)(@x & 15); do { if (@m & 1) continue; @n += (unsigned)@m; } while (@m-- > 3 && @n < 40); $$mix(@n); }",
    "switch (@x) { case 0: $$mix(3); break; case 1 ... 1000: $$mix(4); break; case -5: $$mix(5); default: $$mix(6); }",
    "{ static unsigned @n = 4; static struct $$cell @m = {1, &@m}; @n = @n * 5 + (unsigned)@x; @m.next->value++; $$mix(@n + (unsigned)@m.value); }",
    "for (unsigned @n = 0; @n < 3; @n++) { int @m[2] = {(int)@n, (int)@x}; int *p = @n & 1 ? &@m[0] : &@m[1]; ++*p; $$mix((unsigned)@m[0] + 3u * (unsigned)@m[1]); }",
};

static const char *const heap_pieces[] = {
    "{ unsigned *@n = malloc(sizeof(unsigned) * ((@x & 3) + 1)); @n[0] = (unsigned)@y; @n[@x & 3] = 7; $$mix(@n[0]); free(@n); }",
    "{ struct $$cell *@n = 0; for (int j = 0; j < 4; j++) { struct $$cell *@m = malloc(sizeof *@m); @m->value = j + (int)(@x & 7); @m->next = @n; @n = @m; }"
    " while (@n) { struct $$cell *@m = @n->next; $$mix((unsigned)@n->value); free(@n); @n = @m; } }",
    "{ unsigned char *@n = malloc(16); for (int j = 0; j < 16; j++) @n[j] = (unsigned char)(j * 3); *(unsigned *)(void *)(@n + 4 * (@x & 3)) = (unsigned)@y; unsigned t = 0;"
    " for (int j = 0; j < 16; j++) t = t * 31 + @n[j]; $$mix(t); free(@n); }",
};

static const char *const helpers[] = {
    "union $$u { unsigned long long all; unsigned char bytes[8]; short halves[4]; struct { int lo; unsigned hi; } pair; };",
    "struct $$cell { int value; struct $$cell *next; };",
    "struct $$mixed { int a; double d; short c; };",
    "static unsigned long long $$word = 0x123456789abcdefULL;",
    "static void $$mix(unsigned long long x) {",
    "  checksum_@p = (checksum_@p ^ x) * 0x9e3779b97f4a7c15ULL + (checksum_@p >> 29);",
    "}",
    "static unsigned long long $$sum(int n, ...) {",
    "  __builtin_va_list ap, again; __builtin_va_start(ap, n); __builtin_va_copy(again, ap);",
    "  int a = __builtin_va_arg(ap, int); long long b = __builtin_va_arg(ap, long long); double d = __builtin_va_arg(ap, double);",
    "  a ^= __builtin_va_arg(again, int); __builtin_va_end(again); __builtin_va_end(ap);",
    "  return (unsigned long long)a + (unsigned long long)b * 3 + (unsigned long long)(long long)(d * 2) + (unsigned)n;",
    "}",
    "static unsigned long long $$depth(unsigned n) { unsigned here = n * 7; if (n == 0 || !$$fuel) return 1; $$fuel--;",
    "  unsigned long long r = $$depth(n - 1) * 3; return r + here; }",
    "static unsigned $$odd(unsigned n);",
    "static unsigned $$even(unsigned n) { return n == 0 ? 17 : $$odd(n - 1) + 1; }",
    "static unsigned $$odd(unsigned n) { unsigned here[2] = {n, 3}; return n == 0 ? 23 : $$even(n - 1) * 2 + here[n & 1]; }",
    "static union $$u $$turn(union $$u u) { unsigned char b = u.bytes[0]; u.bytes[0] = u.bytes[7]; u.bytes[7] = b; return u; }",
    "static unsigned long long $$long_sum(int n, ...) {",
    "  __builtin_va_list ap; __builtin_va_start(ap, n); unsigned long long s = 0;",
    "  for (int i = 0; i < n; i++) { s += (unsigned)__builtin_va_arg(ap, int); s = s * 7 + (unsigned long long)(long long)(__builtin_va_arg(ap, long double) * 4); }",
    "  __builtin_va_end(ap); return s;",
    "}",
    "static struct $$mixed $$make(int a, double d) { struct $$mixed m = {a, d > 1e6 || d < -1e6 ? 1 : d, (short)a}; m.d = m.d < 0 ? -m.d : m.d; return m; }",
    "static unsigned $$first(int x) { return (unsigned)x + 777u; }",
    "static unsigned $$second(int x) { return (unsigned)x ^ $$first(12); }",
    "static unsigned (*const $$table[2])(int) = {$$first, $$second};",
};

void piece_helpers(generator *g) {
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    tp_str text = {0};
    for (const char *p = helpers[i]; *p; p++) {
      if (*p == '@') tp_str_add(&text, g->prefix + 1), p++;
      else tp_str_add_char(&text, *p);
    }
    line(g, "%s", tp_str_text(&text));
    tp_str_clear(&text);
  }
}

/* A hole stays the same within a piece: operands are made once. */
void set_piece(generator *g) {
  enum { N_PIECES = sizeof pieces / sizeof *pieces, N_HEAP = sizeof heap_pieces / sizeof *heap_pieces };
  size_t k = below(g, g->options.with_heap ? N_PIECES + N_HEAP : N_PIECES);
  const char *piece = k < N_PIECES ? pieces[k] : heap_pieces[k - N_PIECES];
  expr x = int_expr(g, 1), y = int_expr(g, 1), c = condition(g, 1), f = float_expr(g, 0);
  char n[16], m[16];
  fresh_name(g, "w", n, sizeof n);
  fresh_name(g, "k", m, sizeof m);
  tp_str text = {0};
  for (const char *p = piece; *p; p++) {
    if (*p != '@') {
      tp_str_add_char(&text, *p);
      continue;
    }
    switch (*++p) {
      case 'x': tp_str_add(&text, tp_str_text(&x.text)); break;
      case 'y': tp_str_add(&text, tp_str_text(&y.text)); break;
      case 'c': tp_str_add(&text, tp_str_text(&c.text)); break;
      case 'f': tp_str_add(&text, tp_str_text(&f.text)); break;
      case 'n': tp_str_add(&text, n); break;
      default: tp_str_add(&text, m); break;
    }
  }
  line(g, "%s", tp_str_text(&text));
  tp_str_clear(&text);
  tp_str_clear(&x.text);
  tp_str_clear(&y.text);
  tp_str_clear(&c.text);
  tp_str_clear(&f.text);
}
