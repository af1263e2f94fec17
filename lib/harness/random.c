/* Random answers: mostly small, some at the borders, some of all bits. Each answer is printed, so
 * that a failing run can be repeated elsewhere. The seed comes from the environment. */
struct tp_input {
  tp_u64 low, high;
};
extern char **environ;
QUIET static tp_u64 tp_seed(void) {
  static const char name[] = "TWOPROOF_SEED=";
  tp_u64 seed = 0;
  for (char **e = environ; e && *e; e++) {
    int i = 0;
    while (name[i] && (*e)[i] == name[i]) i++;
    if (name[i]) continue;
    for (; (*e)[i]; i++) seed = seed * 10 + (tp_u64)((*e)[i] - '0');
  }
  return seed;
}
QUIET static tp_u64 tp_random(void) {
  static tp_u64 state;
  static int is_seeded;
  if (!is_seeded) state = tp_seed();
  is_seeded = 1;
  tp_u64 x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
QUIET static struct tp_input tp_next(const char *who, unsigned width) {
  static unsigned long asked;
  if (asked++ == 10000) tp_end(111, "enough questions by ", who);
  struct tp_input in = {tp_random(), tp_random()};
  tp_u64 small = tp_random(), top = (tp_u64)1 << (width - 1) % 64;
  switch (tp_random() % 8) {
    case 0: break;
    case 1: in.low = (tp_u64)1 << small % (width < 64 ? width : 64), in.high = 0; break;
    case 2: in.low = top - 1 + small % 3, in.high = 0; break;
    case 3: in.low = 0 - small % 17, in.high = in.low ? ~0ull : 0; break;
    case 4: in.low = small % 256, in.high = 0; break;
    default: in.low = small % 12, in.high = 0; break;
  }
  if (width < 64) in.low &= top * 2 - 1;
  if (width <= 64) in.high = 0;
  tp_print("twoproof: answer ");
  tp_print(who);
  tp_print_hex(in.high);
  tp_print_hex(in.low);
  tp_print("\n");
  return in;
}
