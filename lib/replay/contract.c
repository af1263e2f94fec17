/* What the contract speaks of, read out of the heap as it is. */

/* The last of the n objects of a type that is there. */
static const tp_set *tp_last(int first, int n) {
  const tp_set *last = tp_none(1);
  for (int a = first; a < first + n && tp_at[a]; a++) last = tp_only(a);
  return last;
}

static const tp_set *tp_there(void) {
  tp_set *there = tp_none(1);
  for (int a = 0; a < TP_ATOMS; a++)
    if (tp_at[a] && !tp_gone[a]) tp_add(there, a);
  return there;
}

/* The atom of a value; -1: there is none. */
static long tp_atom_of_value(long value, int is_pointer) {
  if (is_pointer) return value;
  return value >= TP_LEAST && value <= TP_MOST ? TP_INT(value) : -1;
}

/* The values of all members, elements and globals as relations; NULL, or why that cannot be. */
static const char *tp_relate(const long *heap, int is_after) {
  for (int k = 0; k < TP_SLOTS; k++) {
    const long value = heap[tp_slots[k].number];
    if (value == TP_ABSENT) continue;
    if (value == TP_UNKNOWN) return "a pointer leads to something unknown";
    long tuple = tp_slots[k].owner < 0 ? 0 : tp_slots[k].owner;
    const long atom = tp_atom_of_value(value, tp_slots[k].is_pointer);
    if (atom < 0) return "an integer does not fit the width";
    if (tp_slots[k].index >= 0) tuple = tuple * TP_ATOMS + TP_INT(tp_slots[k].index);
    tp_set **const relation = is_after ? tp_slots[k].after : tp_slots[k].before;
    if (relation) tp_add(*relation, tuple * TP_ATOMS + atom);
  }
  tp_moment++;
  return NULL;
}

static int tp_no_answer(const char *when, const char *why) {
  printf("nothing can be said: %s the call %s\n", when, why);
  return 2;
}

/* 0: the function may be called. */
static int tp_may_be_called(void) {
  for (int k = 0; k < TP_N_GIVEN; k++)
    if (tp_given[k].holds() != TP_TRUE) return tp_no_answer("before", tp_given[k].clause);
  return 0;
}

/* 10: a clause fails; 2: nothing can be said; 0: all of them hold. */
static int tp_judge(void) {
  for (int k = 0; k < TP_N_CLAIMS; k++)
    if (tp_claims[k].holds() == TP_FALSE) {
      printf("clause %d fails: %s\n", k + 1, tp_claims[k].clause);
      return 10;
    }
  puts("the contract is kept");
  return 0;
}

