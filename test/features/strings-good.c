// String literals are arrays with a final zero; initialised arrays are copies.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static const char *find(const char *s, char c) {
  while (*s && *s != c) s++;
  return *s ? s : 0;
}
int main(void) {
  char t[] = "hello", u[8] = "abc";
  const char *s = "x\0y\x41\101\n" "tail";
  t[0] = 'j';
  CHECK(sizeof t == 6 && t[0] == 'j' && t[5] == 0 && u[3] == 0 && u[7] == 0);
  CHECK(s[1] == 0 && s[2] == 'y' && s[3] == 'A' && s[4] == 'A' && s[5] == 10 && s[6] == 't');
  const char *p = "hello";
  CHECK(p[0] == 'h' && find(p, 'l') == p + 2 && find(p, 'z') == 0);
  unsigned short w[] = u"\u00e9z";
  CHECK(w[0] == 0xe9 && sizeof w == 6);
  CHECK(sizeof "four" == 5);
  return 0;
}
