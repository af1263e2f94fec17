/* Floating-point functions: math.h for float and double.
 *
 * What IEEE 754 defines exactly (classification, rounding, square root,
 * remainder, sign) is exact. Of the others the model knows what every
 * reasonable library guarantees: range, NaN and the simplest exact values; the
 * result is an input within that. long double is not modelled. */
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

int isnan(double x) { return __tp_is_nan(x); }
int __isnan(double x) { return __tp_is_nan(x); }
int isnanf(float x) { return __tp_is_nan((double)x); }
int __isnanf(float x) { return __tp_is_nan((double)x); }
int isinf(double x) { return __tp_sign_of_inf(x); }
int __isinf(double x) { return __tp_sign_of_inf(x); }
int isinff(float x) { return __tp_sign_of_inf((double)x); }
int __isinff(float x) { return __tp_sign_of_inf((double)x); }
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

// ----------------------------------------------------------------------- exact

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
double floor(double x) { return __builtin_floor(x); }
float floorf(float x) { return __builtin_floorf(x); }
double ceil(double x) { return __builtin_ceil(x); }
float ceilf(float x) { return __builtin_ceilf(x); }
double trunc(double x) { return __builtin_trunc(x); }
float truncf(float x) { return __builtin_truncf(x); }
double round(double x) { return __builtin_round(x); }
float roundf(float x) { return __builtin_roundf(x); }
double rint(double x) { return __builtin_rint(x); }
float rintf(float x) { return __builtin_rintf(x); }
double nearbyint(double x) { return __builtin_nearbyint(x); }
float nearbyintf(float x) { return __builtin_nearbyintf(x); }
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

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__tp_is_inf(x) ? 0.0 : x - *whole, x);
}
float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__tp_is_inf((double)x) ? 0.0f : x - *whole, x);
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

// ------------------------------------------------------------- rounding mode

int fegetround(void) { return 0; }
int fesetround(int mode) {
  if (mode != 0) __tp_unsupported("rounding mode other than to nearest");
  return 0;
}
