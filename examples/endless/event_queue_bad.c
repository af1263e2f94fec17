/* A queue of pending events with room for four: what does not fit is dropped.
 * Broken: a fifth event is thought to fit.
 * Fails with inputs: 1 7 1 7 1 7 1 7 1 7 */
extern int __VERIFIER_nondet_int(void);

enum { NOTHING, POST, TAKE, ROOM = 4 };

static int pending[ROOM];
static int n_pending;

static void post(int event) {
  if (n_pending <= ROOM) {
    pending[n_pending] = event;
    n_pending++;
  }
}

static int take(void) {
  if (n_pending == 0) return 0;
  n_pending--;
  return pending[n_pending];
}

int main(void) {
  int taken = 0;
  while (1) {
    int request = __VERIFIER_nondet_int();
    if (request == NOTHING) return taken & 1;
    if (request == POST) post(__VERIFIER_nondet_int());
    if (request == TAKE) taken = take();
  }
}
