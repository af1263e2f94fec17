/* They are known by order and size, unless the function makes others. */
static void tp_recognise(void) {
  int known = tp_n_made == TP_FORETOLD;
  for (int k = 0; known && k < tp_n_made; k++) {
    known = (!tp_foretold[k].bytes || tp_bytes[k] == tp_foretold[k].bytes) && !tp_at[tp_foretold[k].atom];
    for (int i = 0; i < TP_ATOMS; i++) known = known && tp_at[i] != tp_made[k];
    for (int i = 0; i < k; i++) known = known && tp_made[i] != tp_made[k];
  }
  for (int k = 0; known && k < tp_n_made; k++) {
    tp_at[tp_foretold[k].atom] = tp_made[k];
    tp_gone[tp_foretold[k].atom] = tp_ended[k];
  }
}

