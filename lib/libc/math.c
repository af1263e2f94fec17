/* Floating-point functions: math.h for float, double and long double.
 *
 * What IEEE 754 defines exactly (classification, rounding, square root,
 * remainder, sign) is exact. Of the others the model knows what every
 * reasonable library guarantees: range, NaN and the simplest exact values; the
 * result is an input within that. */
#include "tp_model.h"

// -------------------------------------------------------------- classification

static uint64_t __tp_bits(double x) {
  union { double value; uint64_t bits; } u = {x};
  return u.bits;
}
static uint32_t __tp_bits_f(float x) {
  union { float value; uint32_t bits; } u = {x};
  return u.bits;
}
static double __tp_of_bits(uint64_t bits) {
  union { uint64_t bits; double value; } u = {bits};
  return u.value;
}

static _Bool __tp_is_nan(double x) { return x != x; }
static _Bool __tp_is_inf(double x) { return x == __builtin_inf() || x == -__builtin_inf(); }
static _Bool __tp_is_finite(double x) { return x - x == 0.0; }
static int __tp_sign_of_inf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }

/* The x87's numbers: exponent and significand, whose leading bit is explicit. */
typedef union {
  long double value;
  struct { uint64_t significand; uint16_t exponent; } of;
} __tp_parts;
static uint16_t __tp_exponent_l(long double x) {
  __tp_parts u;
  u.value = x;
  return u.of.exponent;
}
static uint64_t __tp_significand_l(long double x) {
  __tp_parts u;
  u.value = x;
  return u.of.significand;
}
static long double __tp_of_parts(uint16_t exponent, uint64_t significand) {
  __tp_parts u;
  u.of.exponent = exponent;
  u.of.significand = significand;
  return u.value;
}
static _Bool __tp_is_inf_l(long double x) { return x == __builtin_infl() || x == -__builtin_infl(); }
static _Bool __tp_is_finite_l(long double x) { return x - x == 0.0L; }

int isnan(double x) { return __tp_is_nan(x); }
int __isnan(double x) { return __tp_is_nan(x); }
int isnanf(float x) { return __tp_is_nan((double)x); }
int __isnanf(float x) { return __tp_is_nan((double)x); }
int isinf(double x) { return __tp_sign_of_inf(x); }
int __isinf(double x) { return __tp_sign_of_inf(x); }
int isinff(float x) { return __tp_sign_of_inf((double)x); }
int __isinff(float x) { return __tp_sign_of_inf((double)x); }
int isnanl(long double x) { return x != x; }
int __isnanl(long double x) { return x != x; }
int isinfl(long double x) { return x == __builtin_infl() ? 1 : x == -__builtin_infl() ? -1 : 0; }
int __isinfl(long double x) { return isinfl(x); }
int finitel(long double x) { return __tp_is_finite_l(x); }
int __finitel(long double x) { return __tp_is_finite_l(x); }
int finite(double x) { return __tp_is_finite(x); }
int finitef(float x) { return __tp_is_finite((double)x); }
int __finite(double x) { return __tp_is_finite(x); }
int __finitef(float x) { return __tp_is_finite((double)x); }
int isfinite(double x) { return __tp_is_finite(x); }

/* Any value but 0 says that the sign bit is set. */
static int __tp_true(_Bool is_set) {
  if (!is_set) return 0;
  int n = __tp_env_int("~signbit");
  __tp_assume(n != 0);
  return n;
}
int __signbit(double x) { return __tp_true(__tp_bits(x) >> 63); }
int __signbitf(float x) { return __tp_true(__tp_bits_f(x) >> 31); }
int __signbitl(long double x) { return __tp_true(__tp_exponent_l(x) >> 15); }
int signbit(double x) { return __tp_true(__tp_bits(x) >> 63); }

enum { IS_NAN, IS_INFINITE, IS_ZERO, IS_SUBNORMAL, IS_NORMAL };    // the platform's numbers

int __fpclassify(double x) {
  uint64_t magnitude = __tp_bits(x) & 0x7fffffffffffffffu;
  if (magnitude > 0x7ff0000000000000u) return IS_NAN;
  if (magnitude == 0x7ff0000000000000u) return IS_INFINITE;
  return magnitude == 0 ? IS_ZERO : magnitude < 0x0010000000000000u ? IS_SUBNORMAL : IS_NORMAL;
}
int __fpclassifyf(float x) {
  uint32_t magnitude = __tp_bits_f(x) & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return IS_NAN;
  if (magnitude == 0x7f800000u) return IS_INFINITE;
  return magnitude == 0 ? IS_ZERO : magnitude < 0x00800000u ? IS_SUBNORMAL : IS_NORMAL;
}
int __fpclassifyl(long double x) {
  if (x != x) return IS_NAN;
  if (__tp_is_inf_l(x)) return IS_INFINITE;
  if (x == 0) return IS_ZERO;
  return (__tp_exponent_l(x) & 0x7fff) == 0 ? IS_SUBNORMAL : IS_NORMAL;
}

// ----------------------------------------------------------------------- exact

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
long double fabsl(long double x) { return __builtin_fabsl(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
long double copysignl(long double x, long double y) { return __builtin_copysignl(x, y); }
double floor(double x) { return __builtin_floor(x); }
float floorf(float x) { return __builtin_floorf(x); }
long double floorl(long double x) { return __builtin_floorl(x); }
double ceil(double x) { return __builtin_ceil(x); }
float ceilf(float x) { return __builtin_ceilf(x); }
long double ceill(long double x) { return __builtin_ceill(x); }
double trunc(double x) { return __builtin_trunc(x); }
float truncf(float x) { return __builtin_truncf(x); }
long double truncl(long double x) { return __builtin_truncl(x); }
double round(double x) { return __builtin_round(x); }
float roundf(float x) { return __builtin_roundf(x); }
long double roundl(long double x) { return __builtin_roundl(x); }
double rint(double x) { return __builtin_rint(x); }
float rintf(float x) { return __builtin_rintf(x); }
long double rintl(long double x) { return __builtin_rintl(x); }
double nearbyint(double x) { return __builtin_nearbyint(x); }
float nearbyintf(float x) { return __builtin_nearbyintf(x); }
long double nearbyintl(long double x) { return __builtin_nearbyintl(x); }
double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

double sqrt(double x) {
  if (x < 0) __tp_errno_is_stale = 1;
  return __builtin_sqrt(x);
}
float sqrtf(float x) {
  if (x < 0) __tp_errno_is_stale = 1;
  return __builtin_sqrtf(x);
}
double fmod(double x, double y) {
  if (y == 0 || __tp_is_inf(x)) __tp_errno_is_stale = 1;
  return __builtin_fmod(x, y);
}
float fmodf(float x, float y) {
  if (y == 0 || __tp_is_inf((double)x)) __tp_errno_is_stale = 1;
  return __builtin_fmodf(x, y);
}

long double sqrtl(long double x) {
  if (x < 0) __tp_errno_is_stale = 1;
  return __builtin_sqrtl(x);
}

/* The remainder of two positive numbers, exactly: some digits of the quotient in a step. The first
 * is not less than the second, so its exponent is not. */
#ifdef __SIZEOF_INT128__
enum { REMAINDER_STEP = 64 };
static uint64_t __tp_shifted_remainder(uint64_t x, int by, uint64_t y) {
  return (uint64_t)(((unsigned __int128)x << by) % y);
}
#else
enum { REMAINDER_STEP = 1 };
static uint64_t __tp_shifted_remainder(uint64_t x, int by, uint64_t y) {
  _Bool is_large = x >> 63 || x << 1 >= y;    // by is 1, x < y
  return is_large ? (x << 1) - y : x << 1;
}
#endif
static long double __tp_remainder_l(uint64_t x, int ex, uint64_t y, int ey) {
  uint64_t rest = x % y;
  while (ex > ey && rest != 0) {
    int step = ex - ey < REMAINDER_STEP ? ex - ey : REMAINDER_STEP;
    rest = __tp_shifted_remainder(rest, step, y);
    ex -= step;
  }
  if (rest == 0) return 0;
  ex = ey;
  uint64_t digits = rest;
  while (ex > 1 && digits >> 63 == 0) {
    digits <<= 1;
    ex--;
  }
  return __tp_of_parts((uint16_t)(digits >> 63 ? ex : 0), digits);
}
long double fmodl(long double x, long double y) {
  if (y == 0 || __tp_is_inf_l(x)) __tp_errno_is_stale = 1;
  if (x != x || y != y) return x + y;
  if (y == 0 || __tp_is_inf_l(x)) return (x * y) / (x * y);
  long double size = __builtin_fabsl(x), by = __builtin_fabsl(y);
  if (size < by) return x;
  int ex = __tp_exponent_l(size), ey = __tp_exponent_l(by);
  long double rest = __tp_remainder_l(__tp_significand_l(size), ex ? ex : 1, __tp_significand_l(by), ey ? ey : 1);
  return __builtin_copysignl(rest, x);
}

/* Exact: x - n * y for the integer n nearest to the quotient, the even one of two. */
long double remainderl(long double x, long double y) {
  if (y == 0 || __tp_is_inf_l(x)) __tp_errno_is_stale = 1;
  if (x != x || y != y) return x + y;
  if (y == 0 || __tp_is_inf_l(x)) return (x * y) / (x * y);
  long double by = __builtin_fabsl(y), rest = __builtin_fabsl(x);
  if (by < 0x1p16383L) rest = fmodl(rest, by + by);
  if (by < 0x1p-16380L) {    // half of it may be no number
    if (rest + rest > by) {
      rest -= by;
      if (rest + rest >= by) rest -= by;
    }
  } else if (rest > 0.5L * by) {
    rest -= by;
    if (rest >= 0.5L * by) rest -= by;
  }
  return (__tp_exponent_l(x) >> 15) ? -rest : rest;
}

/* Of +0 and -0 either may be returned. */
static _Bool __tp_first(double x, double y) {
  if (x == 0 && y == 0 && __tp_bits(x) != __tp_bits(y)) return __tp_env_bool("~fmin");
  return 1;
}
/* A signalling NaN wins over numbers, a quiet one does not count. */
static _Bool __tp_is_signalling(double x) { return __tp_is_nan(x) && !(__tp_bits(x) >> 51 & 1); }

double fmin(double x, double y) {
  if (__tp_is_signalling(x) || __tp_is_signalling(y)) return x + y;
  if (__tp_is_nan(x)) return y;
  if (__tp_is_nan(y) || x < y) return x;
  return x == y && __tp_first(x, y) ? x : y;
}
double fmax(double x, double y) {
  if (__tp_is_signalling(x) || __tp_is_signalling(y)) return x + y;
  if (__tp_is_nan(x)) return y;
  if (__tp_is_nan(y) || x > y) return x;
  return x == y && __tp_first(x, y) ? x : y;
}
float fminf(float x, float y) { return (float)fmin(x, y); }
float fmaxf(float x, float y) { return (float)fmax(x, y); }

double fdim(double x, double y) {
  if (__tp_is_nan(x) || __tp_is_nan(y)) return x + y;
  __tp_errno_is_stale = 1;
  return x > y ? x - y : 0.0;
}
float fdimf(float x, float y) {
  if (__tp_is_nan((double)x) || __tp_is_nan((double)y)) return x + y;
  __tp_errno_is_stale = 1;
  return x > y ? x - y : 0.0f;
}

/* clang makes instructions of these, too. */
long double fminl(long double x, long double y) { return __builtin_fminl(x, y); }
long double fmaxl(long double x, long double y) { return __builtin_fmaxl(x, y); }
long double fdiml(long double x, long double y) {
  if (x != x || y != y) return x + y;
  __tp_errno_is_stale = 1;
  return x > y ? x - y : 0.0L;
}

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__tp_is_inf(x) ? 0.0 : x - *whole, x);
}
float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__tp_is_inf((double)x) ? 0.0f : x - *whole, x);
}

long double modfl(long double x, long double *whole) {
  *whole = __builtin_truncl(x);
  return __builtin_copysignl(__tp_is_inf_l(x) ? 0.0L : x - *whole, x);
}

/* x = m * 2^e with 1/2 <= |m| < 1. */
double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !__tp_is_finite(x)) return x;
  int shift = 0;
  if (__fpclassify(x) == IS_SUBNORMAL) {
    x *= 0x1p54;
    shift = 54;
  }
  uint64_t bits = __tp_bits(x);
  *exponent = (int)(bits >> 52 & 0x7ff) - 1022 - shift;
  return __tp_of_bits((bits & ~((uint64_t)0x7ff << 52)) | (uint64_t)1022 << 52);
}

long double frexpl(long double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !__tp_is_finite_l(x)) return x;
  int shift = 0;
  if (__fpclassifyl(x) == IS_SUBNORMAL) {
    x *= 0x1p64L;
    shift = 64;
  }
  uint16_t top = __tp_exponent_l(x);
  *exponent = (int)(top & 0x7fff) - 16382 - shift;
  return __tp_of_parts((uint16_t)((top & 0x8000) | 16382), __tp_significand_l(x));
}

double nan(const char *tag) {
  (void)tag;
  return __builtin_nan("");
}
float nanf(const char *tag) {
  (void)tag;
  return __builtin_nanf("");
}

/* Conversion to integers; out of range the result is unspecified and the platform gives the minimum. */
long lrint(double x) { return (long)__builtin_rint(x); }
long lrintf(float x) { return (long)__builtin_rintf(x); }
long lround(double x) { return (long)__builtin_round(x); }
long lroundf(float x) { return (long)__builtin_roundf(x); }
long lrintl(long double x) { return (long)__builtin_rintl(x); }
long lroundl(long double x) { return (long)__builtin_roundl(x); }
long long llrintl(long double x) { return (long long)__builtin_rintl(x); }
long long llroundl(long double x) { return (long long)__builtin_roundl(x); }
long long llrint(double x) { return (long long)__builtin_rint(x); }
long long llround(double x) { return (long long)__builtin_round(x); }

// ------------------------------------------------------------- within a range

/* A result of `who` in [low, high], which is no NaN. */
static double __tp_between(double low, double high) {
  double y = __tp_env_double("~math");
  __tp_assume(y >= low && y <= high);
  __tp_errno_is_stale = 1;
  return y;
}
static double __tp_nan(void) {
  __tp_errno_is_stale = 1;
  return __builtin_nan("");
}
static double __tp_anything(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_double("~math");
}

#define INF __builtin_inf()
double sin(double x) { return __tp_is_finite(x) ? __tp_between(-1.0, 1.0) : __tp_nan(); }
double cos(double x) { return __tp_is_finite(x) ? __tp_between(-1.0, 1.0) : __tp_nan(); }
double tan(double x) { return __tp_is_finite(x) ? __tp_between(-INF, INF) : __tp_nan(); }
double asin(double x) { return x >= -1 && x <= 1 ? __tp_between(-1.5708, 1.5708) : __tp_nan(); }
double acos(double x) { return x >= -1 && x <= 1 ? __tp_between(0.0, 3.1416) : __tp_nan(); }
double atan(double x) { return __tp_is_nan(x) ? x : __tp_between(-1.5708, 1.5708); }
double atan2(double y, double x) { return __tp_is_nan(x) || __tp_is_nan(y) ? __tp_nan() : __tp_between(-3.1416, 3.1416); }
double sinh(double x) { return __tp_is_nan(x) ? x : __tp_between(-INF, INF); }
double cosh(double x) { return __tp_is_nan(x) ? x : __tp_between(1.0, INF); }
double tanh(double x) { return __tp_is_nan(x) ? x : __tp_between(-1.0, 1.0); }
double exp(double x) { return __tp_is_nan(x) ? x : x == 0 ? 1.0 : __tp_between(0.0, INF); }
double exp2(double x) { return __tp_is_nan(x) ? x : x == 0 ? 1.0 : __tp_between(0.0, INF); }
double expm1(double x) { return __tp_is_nan(x) ? x : __tp_between(-1.0, INF); }

static double __tp_logarithm(double x) {
  if (__tp_is_nan(x)) return x;
  if (x < 0) return __tp_nan();
  return x == 1 ? 0.0 : __tp_between(-INF, INF);
}
double log(double x) { return __tp_logarithm(x); }
double log2(double x) { return __tp_logarithm(x); }
double log10(double x) { return __tp_logarithm(x); }
double log1p(double x) { return x < -1 ? __tp_nan() : __tp_is_nan(x) ? x : __tp_between(-INF, INF); }

double pow(double x, double y) { return y == 0 || x == 1 ? 1.0 : y == 1 ? x : __tp_anything(); }
double cbrt(double x) { return __tp_is_nan(x) || x == 0 ? x : __tp_between(-INF, INF); }
double hypot(double x, double y) {
  if (__tp_is_inf(x) || __tp_is_inf(y)) return INF;
  if (x == 0 || y == 0) return __builtin_fabs(x == 0 ? y : x);
  return __tp_is_nan(x) || __tp_is_nan(y) ? __tp_nan() : __tp_between(0.0, INF);
}
double ldexp(double x, int n) { return n == 0 || x == 0 || !__tp_is_finite(x) ? x : __tp_between(-INF, INF); }
double scalbn(double x, int n) { return n == 0 || x == 0 || !__tp_is_finite(x) ? x : __tp_between(-INF, INF); }
double remainder(double x, double y) { return __tp_is_nan(x) || __tp_is_nan(y) ? __tp_nan() : __tp_anything(); }
double erf(double x) { return __tp_is_nan(x) ? x : __tp_between(-1.0, 1.0); }

float sinf(float x) { return __tp_is_finite((double)x) ? (float)__tp_between(-1.0, 1.0) : (float)__tp_nan(); }
float cosf(float x) { return __tp_is_finite((double)x) ? (float)__tp_between(-1.0, 1.0) : (float)__tp_nan(); }
float expf(float x) { return __tp_is_nan((double)x) ? x : x == 0 ? 1.0f : (float)__tp_between(0.0, INF); }
float logf(float x) { return (float)__tp_logarithm((double)x); }
float powf(float x, float y) { return y == 0 || x == 1 ? 1.0f : y == 1 ? x : (float)__tp_anything(); }

static long double __tp_between_l(long double low, long double high) {
  long double y = __tp_env_long_double("~math");
  __tp_assume(y >= low && y <= high);
  __tp_errno_is_stale = 1;
  return y;
}
static long double __tp_nan_l(void) {
  __tp_errno_is_stale = 1;
  return __builtin_nanl("");
}
static long double __tp_anything_l(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_long_double("~math");
}
#define INFL __builtin_infl()
long double sinl(long double x) { return __tp_is_finite_l(x) ? __tp_between_l(-1.0L, 1.0L) : __tp_nan_l(); }
long double cosl(long double x) { return __tp_is_finite_l(x) ? __tp_between_l(-1.0L, 1.0L) : __tp_nan_l(); }
long double expl(long double x) { return x != x ? x : x == 0 ? 1.0L : __tp_between_l(0.0L, INFL); }
long double logl(long double x) {
  if (x != x) return x;
  if (x < 0) return __tp_nan_l();
  return x == 1 ? 0.0L : __tp_between_l(-INFL, INFL);
}
long double powl(long double x, long double y) { return y == 0 || x == 1 ? 1.0L : y == 1 ? x : __tp_anything_l(); }
long double ldexpl(long double x, int n) { return n == 0 || x == 0 || !__tp_is_finite_l(x) ? x : __tp_between_l(-INFL, INFL); }

// ------------------------------------------------------------- rounding mode

int fegetround(void) { return 0; }
int fesetround(int mode) {
  if (mode != 0) __tp_unsupported("rounding mode other than to nearest");
  return 0;
}
