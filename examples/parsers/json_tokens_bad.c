/* A tokenizer in the manner of small JSON libraries: objects, arrays, strings with escapes and bare
 * words of any four characters become tokens that know which one encloses them.
 * Broken: a backslash at the end of the text is skipped together with the end.
 * Fails with inputs: 34 97 97 92 */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { N = 4, NONE = -1 };
enum kind { OBJECT, ARRAY, STRING, WORD };

struct token {
  enum kind kind;
  int start, end, parent;
};

struct parser {
  const char *text;
  unsigned at, used;
  int open;
};

static struct token *add(struct parser *p, struct token *tokens, enum kind kind) {
  struct token *t = &tokens[p->used++];
  t->kind = kind;
  t->start = (int)p->at;
  t->end = NONE;
  t->parent = p->open;
  return t;
}

static int string(struct parser *p, struct token *tokens) {
  struct token *t = add(p, tokens, STRING);
  p->at++;
  while (p->text[p->at] != '"') {
    if (p->text[p->at] == 0) return 0;
    if (p->text[p->at] == '\\') p->at++;
    p->at++;
  }
  p->at++;
  t->end = (int)p->at;
  return 1;
}

static void word(struct parser *p, struct token *tokens) {
  struct token *t = add(p, tokens, WORD);
  for (;; p->at++) {
    char c = p->text[p->at];
    if (c == 0 || c == ',' || c == ':' || c == ']' || c == '}' || c == ' ') break;
  }
  t->end = (int)p->at;
}

static int parse(struct parser *p, struct token *tokens) {
  while (p->text[p->at]) {
    char c = p->text[p->at];
    switch (c) {
      case '{':
      case '[':
        add(p, tokens, c == '{' ? OBJECT : ARRAY);
        p->open = (int)p->used - 1;
        p->at++;
        break;
      case '}':
      case ']':
        if (p->open == NONE || tokens[p->open].kind != (c == '}' ? OBJECT : ARRAY)) return 0;
        p->at++;
        tokens[p->open].end = (int)p->at;
        p->open = tokens[p->open].parent;
        break;
      case '"':
        if (!string(p, tokens)) return 0;
        break;
      case ' ':
      case ',':
      case ':': p->at++; break;
      default: word(p, tokens);
    }
  }
  return p->open == NONE;
}

int main(void) {
  char text[N + 1];
  struct token tokens[N];
  struct parser p = {text, 0, 0, NONE};
  for (int i = 0; i < N; i++) {
    text[i] = (char)__VERIFIER_nondet_uchar();
  }
  text[N] = 0;
  return parse(&p, tokens);
}
