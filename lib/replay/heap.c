/* The objects of the heap have numbers: tp_at says where each of them is. Objects that the function makes get the next free numbers of their type, in
 * the order in which they are found. Blocks that it makes are listed, with whether they have ended: a pointer into one that has leads to what is gone,
 * and into a newer one at the same address to another object. */
enum { TP_MANY = 1000 };
static void *tp_at[TP_ATOMS];
static int tp_gone[TP_ATOMS], tp_new;
static char *tp_made[TP_MANY];
static size_t tp_bytes[TP_MANY];
static int tp_ended[TP_MANY], tp_n_made;

/* The newest block that the function made around this place; -1: there is none. A variable that is gone is none, and must not be looked into. */
static int tp_block_of(const char *p) {
  for (int k = tp_n_made - 1; k >= 0; k--)
    if (p == tp_made[k] || (p > tp_made[k] && p < tp_made[k] + tp_bytes[k])) return k;
  return -1;
}
/* What starts here has ended, and all that was found in it. */
static void tp_end(const char *p) {
  const int k = tp_block_of(p);
  for (int i = 0; i < TP_ATOMS; i++)
    if (tp_at[i] && (tp_at[i] == p || (k >= 0 && tp_block_of(tp_at[i]) == k))) tp_gone[i] = 1;
  if (k >= 0) tp_ended[k] = 1;
}
static void tp_free(void *p) {
  if (p) tp_end(p);
  free(p);
}

/* The object that a pointer leads to: null, one that is known, or a new one of the n of its type. */
static long tp_name(void *p, int first, int n) {
  if (!p) return TP_NULL;
  const int k = tp_block_of(p), is_live = k >= 0 && !tp_ended[k];
  for (int i = 0; i < TP_ATOMS; i++)
    if (tp_at[i] == p && !(tp_gone[i] && is_live)) return i;
  for (int i = first; i < first + n && k >= 0; i++)
    if (!tp_at[i]) {
      tp_at[i] = p;
      tp_gone[i] = !is_live;
      tp_new = 1;
      return i;
    }
  return TP_UNKNOWN;
}

static void *tp_keep(void *p, size_t n) {
  if (p && tp_n_made < TP_MANY) tp_made[tp_n_made] = p, tp_bytes[tp_n_made++] = n;
  return p;
}
static void *tp_malloc(size_t n) { return tp_keep(TP_FRESH(n), n); }
static void *tp_calloc(size_t k, size_t n) { return tp_keep(calloc(k, n), k * n); }
/* Objects of the heap at the start: the function did not make them. */
static char *tp_begun[TP_ATOMS];
static size_t tp_begun_bytes[TP_ATOMS];
static int tp_n_begun;
static void *tp_object(size_t k, size_t n) {
  void *const p = calloc(k, n);
  if (tp_n_begun < TP_ATOMS) tp_begun[tp_n_begun] = p, tp_begun_bytes[tp_n_begun++] = k * n;
  return p;
}
static size_t tp_size_at(const char *p) {
  const int k = tp_block_of(p);
  if (k >= 0 && !tp_ended[k]) return tp_bytes[k];
  for (int i = 0; i < tp_n_begun; i++)
    if (tp_begun[i] == p) return tp_begun_bytes[i];
  return 0;
}
/* The block moves, also where it could grow in its place: pointers into the old one are lost in both cases. */
static inline void *tp_realloc(void *p, size_t n) {
  void *const now = p && n == 0 ? NULL : tp_malloc(n);
  const size_t size = p && now ? tp_size_at(p) : 0;
  if (size) __builtin_memcpy(now, p, size < n ? size : n);
  if (now || n == 0) tp_free(p);
  return now;
}

/* New objects that nothing leads to. */
static void tp_adopt(size_t size, int first, int n) {
  for (int k = 0; k < tp_n_made; k++)
    if (tp_bytes[k] == size) tp_name(tp_made[k], first, n);
}
static int tp_is_unknown(void) {
  for (int k = 0; k < tp_n_made; k++)
    if (!tp_ended[k] && tp_name(tp_made[k], 0, 0) == TP_UNKNOWN) return 1;
  return tp_n_made == TP_MANY;  // others may not be listed
}
