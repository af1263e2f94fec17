// goto forwards, backwards, into loops and out of nested ones.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int n = 0, sum = 0;
again:
  n++;
  sum += n;
  if (n < 5) goto again;
  CHECK(sum == 15);
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if (i * j == 42) {
        sum = i * 10 + j;
        goto out;
      }
out:
  CHECK(sum == 76);
  n = 0;
  goto inside;
  while (n < 4) {
    n += 10;
  inside:
    n++;
  }
  CHECK(n == 12);
  return 0;
}
