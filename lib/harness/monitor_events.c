/* Calls and returns as events of the automata. */
__attribute__((used)) QUIET void tp_event_before(tp_word f, const tp_word *regs,
                                                 const tp_word *stack) {
  if (tp_depth == sizeof tp_frames / sizeof *tp_frames)
    tp_end(112, "recursion is too deep to be watched", "");
  struct tp_frame *e = &tp_frames[tp_depth++];
  e->f = (unsigned)f;
  tp_site = e->site =
      (void *)stack[-2];  // behind the call of tp_before, which stands in the same line
  if (e->f) tp_take_values(e, regs, stack);
  if (e->f) tp_event(TP_CALL, e->f, e->v, 0);
}
extern const tp_word __start_tp_watched[] __attribute__((weak)),
    __stop_tp_watched[] __attribute__((weak));
__attribute__((used)) QUIET void tp_event_before_pointer(tp_word target, const tp_word *regs,
                                                         const tp_word *stack) {
  tp_word f = 0;
  for (const tp_word *w = __start_tp_watched; w < __stop_tp_watched && !f; w += 2)
    if (w[0] == target) f = w[1];
  tp_event_before(f, regs, stack);
}
__attribute__((used)) QUIET void tp_event_after(tp_word low, tp_word high) {
  struct tp_frame *e = &tp_frames[--tp_depth];
  tp_site = e->site;
  if (e->f) tp_event(TP_RETURN, e->f, e->v, sizeof low == 8 ? low : low | (tp_u64)high << 16 << 16);
}
