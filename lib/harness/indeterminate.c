/* Indeterminate values of the vector, put where a lifetime starts. */
/* Called where a variable's lifetime starts; line 0: a heap block. */
QUIET void tp_fill_local(void *p, tp_u64 size, const char *name, int line) {
  static unsigned long next;
  for (unsigned long k = next; k < TP_UNKNOWNS && tp_unknowns[k].asked <= tp_asked; k++) {
    const struct tp_unknown *u = &tp_unknowns[k];
    int i = 0;
    while (name[i] && u->name[i] == name[i]) i++;
    if (u->asked < tp_asked || name[i] || u->name[i] || (line && u->line != (unsigned)line))
      continue;
    for (tp_u64 b = 0; b < size; b++) ((char *)p)[b] = b < u->n ? u->bytes[b] : 0;
    next = k + 1;
    return;
  }
}
