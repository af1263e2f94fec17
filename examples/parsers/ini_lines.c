/* Reads "name = value" lines and "[section]" lines of any eight characters, in place: blanks are
 * cut off at both ends, names and values are terminated. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { N = 8 };

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static char *skip_blanks(char *s) {
  while (is_blank(*s)) s++;
  return s;
}

static void cut_blanks(char *start, char *end) {
  while (end > start && is_blank(end[-1])) end--;
  *end = 0;
}

static char *find(char *s, char wanted) {
  while (*s && *s != wanted) s++;
  return s;
}

static int entry(char *name) {
  char *middle = find(name, '=');
  if (!*middle) return 0;
  cut_blanks(name, middle);
  char *value = skip_blanks(middle + 1);
  cut_blanks(value, find(value, 0));
  return name[0] != 0 && value[0] != 0;
}

static int line(char *start) {
  start = skip_blanks(start);
  if (*start == 0 || *start == ';') return 0;
  if (*start != '[') return entry(start);
  char *end = find(start + 1, ']');
  if (!*end) return 0;
  cut_blanks(start + 1, end);
  return 1;
}

int main(void) {
  char text[N + 1];
  int known = 0;
  for (int i = 0; i < N; i++) {
    text[i] = (char)__VERIFIER_nondet_uchar();
  }
  text[N] = 0;
  for (char *at = text; *at;) {
    char *end = find(at, '\n');
    int is_last = *end == 0;
    *end = 0;
    known += line(at);
    if (is_last) break;
    at = end + 1;
  }
  return known;
}
