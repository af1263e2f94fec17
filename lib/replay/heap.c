/* The objects of the heap have numbers: tp_at says where each of them is. Objects that the function makes get the next free numbers of their type, in
 * the order in which they are found. */
enum { TP_MANY = 1000 };
static void *tp_at[TP_ATOMS], *tp_freed[TP_MANY], *tp_made[TP_MANY];
static size_t tp_bytes[TP_MANY];
static int tp_gone[TP_ATOMS], tp_new, tp_n_freed, tp_n_made;

static void tp_free(void *p) {
  for (int i = 0; p && i < TP_ATOMS; i++)
    if (tp_at[i] == p) tp_gone[i] = 1;
  if (tp_n_freed < TP_MANY) tp_freed[tp_n_freed++] = p;
  free(p);
}

/* Does it lead into memory that the function made? A variable that is gone is none, and must not be looked into. */
static int tp_is_made(const char *p) {
  int is_made = tp_n_made == TP_MANY;
  for (int k = 0; k < tp_n_made; k++) is_made |= p >= (char *)tp_made[k] && p < (char *)tp_made[k] + tp_bytes[k];
  return is_made;
}
/* The object that a pointer leads to: null, one that is known, or a new one of the n of its type. */
static long tp_name(void *p, int first, int n) {
  if (!p) return TP_NULL;
  for (int i = 0; i < TP_ATOMS; i++)
    if (tp_at[i] == p) return i;
  for (int i = first; i < first + n && tp_is_made(p); i++)
    if (!tp_at[i]) {
      tp_at[i] = p;
      tp_new = 1;
      for (int k = 0; k < tp_n_freed; k++)
        if (tp_freed[k] == p) tp_gone[i] = 1;
      return i;
    }
  return TP_UNKNOWN;
}

static void *tp_keep(void *p, size_t n) {
  if (tp_n_made < TP_MANY) tp_made[tp_n_made] = p, tp_bytes[tp_n_made++] = n;
  return p;
}
/* Of the heap at the start: the function did not make it. */
static void *tp_object(size_t k, size_t n) { return calloc(k, n); }
static void *tp_malloc(size_t n) { return tp_keep(TP_FRESH(n), n); }
static void *tp_calloc(size_t k, size_t n) { return tp_keep(calloc(k, n), k * n); }
static inline void *tp_realloc(void *p, size_t n) { return tp_keep(realloc(p, n), n); }

/* New objects that nothing leads to. */
static void tp_adopt(size_t size, int first, int n) {
  for (int k = 0; k < tp_n_made; k++)
    if (tp_bytes[k] == size) tp_name(tp_made[k], first, n);
}
static int tp_is_unknown(void) {
  for (int k = 0; k < tp_n_made; k++) {
    int is_gone = 0;
    for (int i = 0; i < tp_n_freed; i++) is_gone |= tp_freed[i] == tp_made[k];
    if (!is_gone && tp_name(tp_made[k], 0, 0) == TP_UNKNOWN) return 1;
  }
  return 0;
}

