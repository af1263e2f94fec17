/* Inputs of the vector, in their order. Another name than the recorded one: the compiled run is not
 * the recorded one. */
static unsigned long tp_asked;
static unsigned long tp_entry, tp_repeated;  // of the table; how often this one was given
QUIET static struct tp_input tp_next(const char *who) {
  if (tp_asked == TP_INPUTS) {
    if (TP_ENDS_WITH_INPUTS) tp_end(0, "the test ends where the program asks ", who);
    tp_end(109, "no input left for ", who);
  }
  struct tp_input in = tp_inputs[tp_entry];
  tp_asked++;
  if (tp_repeated++ == in.again) {
    tp_entry++;
    tp_repeated = 0;
  }
  for (int i = 0;; i++) {
    if (in.who[i] != who[i]) {
      tp_print("twoproof: recorded question: ");
      tp_print(in.who);
      tp_print("\n");
      tp_end(108, "the program asked ", who);
    }
    if (who[i]) continue;
    if (tp_asked == TP_INPUTS) tp_print("twoproof run: every input was asked for\n");
    return in;
  }
}

QUIET static void tp_fill(const char *who, void *p, tp_size n) {
  struct tp_input in = tp_next(who);
  for (tp_size i = 0; i < n; i++)
    ((unsigned char *)p)[i] = i < in.low && in.bytes ? in.bytes[i] : 0;
}
QUIET void __VERIFIER_nondet_memory(void *p, tp_size n) {
  tp_fill("__VERIFIER_nondet_memory", p, n);
}
