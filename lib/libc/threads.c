/* What programs that never start a second thread call of pthread.h: each call may fail, and changes nothing that they can
 * see but whether their own lock is held. Waiting for oneself ends the run without an error, as it never ends. A program that
 * starts threads is not modelled (pthread_create has no model). */
#include "tp_model.h"

static int __tp_failed(void) {
  int error = __tp_env_int("~pthread");
  __tp_assume(error >= 0);
  return error;
}
static int __tp_failed_at(const void *object) {
  (void)*(const volatile int *)object;
  return __tp_failed();
}
/* Objects are opaque; what is in them after these calls is not known. */
static int __tp_made(void *object, unsigned long n) {
  __tp_env_bytes("~pthread", object, n);
  return __tp_failed();
}
#if __SIZEOF_POINTER__ == 8
enum { MUTEX_BYTES = 40, CONDITION_BYTES = 48, RWLOCK_BYTES = 56, ATTRIBUTE_BYTES = 56 };
#else
enum { MUTEX_BYTES = 24, CONDITION_BYTES = 48, RWLOCK_BYTES = 32, ATTRIBUTE_BYTES = 36 };
#endif
enum { SMALL_BYTES = 4 };  // attributes of mutexes and conditions

int pthread_mutex_init(void *mutex, const void *attributes) {
  if (attributes) (void)*(const volatile int *)attributes;
  return __tp_made(mutex, MUTEX_BYTES);
}
int pthread_mutex_destroy(void *mutex) { return __tp_failed_at(mutex); }
int pthread_mutex_lock(void *mutex) { return __tp_failed_at(mutex); }
int pthread_mutex_trylock(void *mutex) { return __tp_failed_at(mutex); }
int pthread_mutex_unlock(void *mutex) { return __tp_failed_at(mutex); }
int pthread_mutexattr_init(void *attributes) { return __tp_made(attributes, SMALL_BYTES); }
int pthread_mutexattr_settype(void *attributes, int kind) { return (void)kind, __tp_failed_at(attributes); }
int pthread_mutexattr_destroy(void *attributes) { return __tp_failed_at(attributes); }
int pthread_cond_init(void *condition, const void *attributes) {
  if (attributes) (void)*(const volatile int *)attributes;
  return __tp_made(condition, CONDITION_BYTES);
}
int pthread_cond_destroy(void *condition) { return __tp_failed_at(condition); }
int pthread_cond_signal(void *condition) { return __tp_failed_at(condition); }
int pthread_cond_broadcast(void *condition) { return __tp_failed_at(condition); }
int pthread_condattr_init(void *attributes) { return __tp_made(attributes, SMALL_BYTES); }
int pthread_condattr_setclock(void *attributes, int clock) { return (void)clock, __tp_failed_at(attributes); }
int pthread_condattr_destroy(void *attributes) { return __tp_failed_at(attributes); }
int pthread_rwlock_init(void *lock, const void *attributes) {
  if (attributes) (void)*(const volatile int *)attributes;
  return __tp_made(lock, RWLOCK_BYTES);
}
int pthread_rwlock_destroy(void *lock) { return __tp_failed_at(lock); }
int pthread_rwlock_rdlock(void *lock) { return __tp_failed_at(lock); }
int pthread_rwlock_wrlock(void *lock) { return __tp_failed_at(lock); }
int pthread_rwlock_unlock(void *lock) { return __tp_failed_at(lock); }
int pthread_attr_init(void *attributes) { return __tp_made(attributes, ATTRIBUTE_BYTES); }
int pthread_attr_destroy(void *attributes) { return __tp_failed_at(attributes); }
int pthread_attr_setstacksize(void *attributes, unsigned long n) { return (void)n, __tp_failed_at(attributes); }
int pthread_attr_setdetachstate(void *attributes, int state) { return (void)state, __tp_failed_at(attributes); }
int pthread_once(int *done, void f(void)) {
  if (!*done) {
    *done = 2;
    f();
  }
  return 0;
}
unsigned long pthread_self(void) {
  static unsigned long self;
  if (!self) self = __tp_env_ulong("~pthread_self");
  __tp_assume(self != 0);
  return self;
}
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
