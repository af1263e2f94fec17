/* A flag is set, fifty turns do not touch it, then it is asked for. Exact pre-images carry the guard of the loop along and split turn by
 * turn; without the guard one predicate is enough, whatever the number of turns. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int flag = 1;
  int i = 0, c = 0;
  while (i < 50) {
    c = c + i;
    i = i + 1;
  }
  if (flag != 1) reach_error();
  return 0;
}
