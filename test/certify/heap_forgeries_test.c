/* Certificates of symbolic heaps against programs that fail: what the engine heaps writes for a
 * program, with the name of a broken one on it and, after that, with lines left out or said twice,
 * numbers changed, kinds of cells and links changed, heaps that claim less. None is accepted; for
 * the program that it was made for, it is. */
#include "certify/certify.h"
#include "engine/engine.h"
#include "front/front.h"
#include "proof/proof_engines.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                                                                 \
  "extern void abort(void); extern void *malloc(unsigned long); extern void free(void *);\n" \
  "extern int __VERIFIER_nondet_int(void);\n"

static const char owned[] = HEAD
    "struct node { int *data; struct node *next; };\n"
    "struct list { struct node *head; };\n"
    "int main(void) {\n"
    "  struct list *l = malloc(sizeof *l);\n"
    "  l->head = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct node *n = malloc(sizeof *n);\n"
    "    n->data = malloc(sizeof(int));\n"
    "    *n->data = 7;\n"
    "    n->next = l->head;\n"
    "    l->head = n;\n"
    "  }\n"
    "  struct node *n = l->head;\n"
    "  while (n) {\n"
    "    struct node *next = n->next;\n"
    "    free(n->data);\n"
    "    free(n);\n"
    "    n = next;\n"
    "  }\n"
    "  free(l);\n"
    "  return 0;\n"
    "}\n";

static const char tree[] = HEAD
    "struct tree { int key; struct tree *left, *right; };\n"
    "static struct tree *insert(struct tree *t, int key) {\n"
    "  if (!t) {\n"
    "    struct tree *n = malloc(sizeof *n);\n"
    "    n->key = key;\n"
    "    n->left = n->right = 0;\n"
    "    return n;\n"
    "  }\n"
    "  if (key < t->key) t->left = insert(t->left, key);\n"
    "  else t->right = insert(t->right, key);\n"
    "  return t;\n"
    "}\n"
    "static void destroy(struct tree *t) {\n"
    "  if (!t) return;\n"
    "  destroy(t->left);\n"
    "  destroy(t->right);\n"
    "  free(t);\n"
    "}\n"
    "int main(void) {\n"
    "  struct tree *root = 0;\n"
    "  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());\n"
    "  destroy(root);\n"
    "  return 0;\n"
    "}\n";

/* A contract whose argument is never null. */
static const char least[] = HEAD
    "struct tree { int key; struct tree *left, *right; };\n"
    "static struct tree *least(struct tree *t) {\n"
    "  if (!t->left) {\n"
    "    struct tree *rest = t->right;\n"
    "    free(t);\n"
    "    return rest;\n"
    "  }\n"
    "  t->left = least(t->left);\n"
    "  return t;\n"
    "}\n"
    "int main(void) {\n"
    "  struct tree *root = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct tree *n = malloc(sizeof *n);\n"
    "    n->left = root;\n"
    "    n->right = 0;\n"
    "    root = n;\n"
    "  }\n"
    "  while (root) root = least(root);\n"
    "  return 0;\n"
    "}\n";

/* A tree whose nodes lead to their parents: the link that is followed is a choice, the way up ends
 * at the root. */
static const char parents[] = HEAD
    "struct tree { struct tree *left, *right, *parent; };\n"
    "static struct tree *one(struct tree *parent) {\n"
    "  struct tree *n = malloc(sizeof *n);\n"
    "  n->left = n->right = 0;\n"
    "  n->parent = parent;\n"
    "  return n;\n"
    "}\n"
    "static void destroy(struct tree *t) {\n"
    "  if (!t) return;\n"
    "  destroy(t->left);\n"
    "  destroy(t->right);\n"
    "  free(t);\n"
    "}\n"
    "int main(void) {\n"
    "  struct tree *root = one(0), *n = root;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct tree **at = __VERIFIER_nondet_int() ? &n->left : &n->right;\n"
    "    if (!*at) *at = one(n);\n"
    "    n = *at;\n"
    "  }\n"
    "  while (n->parent) {\n"
    "    if (n->parent->left == n) n = n->parent;\n"
    "    else n = n->parent->right->parent;\n"
    "  }\n"
    "  destroy(root);\n"
    "  return 0;\n"
    "}\n";

/* Two levels: a cell of the higher one leads to the next of these, and into the list up to it. */
static const char levels[] = HEAD
    "struct node { struct node *next, *far; };\n"
    "int main(void) {\n"
    "  struct node *head = malloc(sizeof *head);\n"
    "  head->next = head->far = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct node *above = head, *below, *n = malloc(sizeof *n);\n"
    "    while (above->far && __VERIFIER_nondet_int()) above = above->far;\n"
    "    for (below = above; below->next != above->far; below = below->next)\n"
    "      if (__VERIFIER_nondet_int()) break;\n"
    "    n->next = below->next;\n"
    "    n->far = 0;\n"
    "    below->next = n;\n"
    "    if (__VERIFIER_nondet_int()) {\n"
    "      n->far = above->far;\n"
    "      above->far = n;\n"
    "    }\n"
    "  }\n"
    "  for (struct node *n = head; n->far; n = n->far) n->far->next = n->far->next;\n"
    "  while (head) {\n"
    "    struct node *n = head->next;\n"
    "    free(head);\n"
    "    head = n;\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

static const char doubly[] = HEAD
    "struct node { struct node *next, *prev; };\n"
    "static struct node *head, *tail;\n"
    "static void append(void) {\n"
    "  struct node *n = malloc(sizeof *n);\n"
    "  n->next = 0;\n"
    "  n->prev = tail;\n"
    "  if (tail) tail->next = n; else head = n;\n"
    "  tail = n;\n"
    "}\n"
    "static void drop(struct node *n) {\n"
    "  if (n->prev) n->prev->next = n->next; else head = n->next;\n"
    "  if (n->next) n->next->prev = n->prev; else tail = n->prev;\n"
    "  free(n);\n"
    "}\n"
    "int main(void) {\n"
    "  while (__VERIFIER_nondet_int()) append();\n"
    "  struct node *n = head;\n"
    "  while (n && __VERIFIER_nondet_int()) n = n->next;\n"
    "  if (n) drop(n);\n"
    "  while (tail) drop(tail);\n"
    "  return 0;\n"
    "}\n";

static const char table[] = HEAD
    "extern void *calloc(unsigned long, unsigned long);\n"
    "struct node { struct node *next; unsigned key; };\n"
    "int main(void) {\n"
    "  struct node **table = calloc(4, sizeof *table);\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    unsigned key = __VERIFIER_nondet_int(), h = key % 4;\n"
    "    struct node *p = table[h], *q = 0;\n"
    "    while (p && p->key != key) {\n"
    "      q = p;\n"
    "      p = p->next;\n"
    "    }\n"
    "    if (!p) {\n"
    "      p = malloc(sizeof *p);\n"
    "      p->key = key;\n"
    "      p->next = table[h];\n"
    "      table[h] = p;\n"
    "    } else {\n"
    "      if (q) q->next = p->next;\n"
    "      else table[h] = p->next;\n"
    "      free(p);\n"
    "    }\n"
    "  }\n"
    "  for (int i = 0; i < 4; i++) {\n"
    "    struct node *p = table[i];\n"
    "    while (p) {\n"
    "      struct node *q = p->next;\n"
    "      free(p);\n"
    "      p = q;\n"
    "    }\n"
    "  }\n"
    "  free(table);\n"
    "  return 0;\n"
    "}\n";

/* Numbers in all cells: between two constants, and below a variable that changes. */
static const char numbers[] = HEAD
    "extern void reach_error(void);\n"
    "struct node { struct node *next; int value, order; };\n"
    "int main(void) {\n"
    "  struct node *l = 0;\n"
    "  int most = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    int x = __VERIFIER_nondet_int();\n"
    "    if (x < 10 || x > 20) continue;\n"
    "    struct node *n = malloc(sizeof *n);\n"
    "    n->value = x;\n"
    "    n->order = x;\n"
    "    n->next = l;\n"
    "    l = n;\n"
    "    if (n->order > most) most = n->order;\n"
    "  }\n"
    "  for (struct node *n = l; n; n = n->next) {\n"
    "    if (n->value < 20) n->value = n->value + 1;\n"
    "    else n->value = 10;\n"
    "  }\n"
    "  for (struct node *n = l; n; n = n->next) {\n"
    "    if (n->value < 10 || n->value > 20) reach_error();\n"
    "    if (n->order > most) reach_error();\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

/* A last cell that is told by its number, and cells before it by a flag. */
static const char marked[] = HEAD
    "extern void reach_error(void);\n"
    "struct node { int what; struct node *next; };\n"
    "int main(void) {\n"
    "  struct node *l = malloc(sizeof *l), *p = l;\n"
    "  int flag = __VERIFIER_nondet_int();\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    if (flag) p->what = 1; else p->what = 2;\n"
    "    p->next = malloc(sizeof *p);\n"
    "    p = p->next;\n"
    "  }\n"
    "  p->what = 3;\n"
    "  p->next = 0;\n"
    "  p = l;\n"
    "  if (flag) while (p->what == 1) p = p->next;\n"
    "  else while (p->what == 2) p = p->next;\n"
    "  if (p->what != 3) reach_error();\n"
    "  return 0;\n"
    "}\n";

/* Numbers in order: put in order, one taken out, a walk that asks each two neighbours. */
static const char sorted[] = HEAD
    "extern void reach_error(void);\n"
    "struct node { int key; struct node *next; };\n"
    "int main(void) {\n"
    "  struct node *l = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct node *n = malloc(sizeof *n), *before = 0, *at = l;\n"
    "    int key = __VERIFIER_nondet_int();\n"
    "    n->key = key;\n"
    "    while (at && at->key < key) {\n"
    "      before = at;\n"
    "      at = at->next;\n"
    "    }\n"
    "    n->next = at;\n"
    "    if (before) before->next = n; else l = n;\n"
    "  }\n"
    "  if (l && l->next) {\n"
    "    struct node *n = l->next;\n"
    "    l->next = n->next;\n"
    "    free(n);\n"
    "  }\n"
    "  for (struct node *at = l; at && at->next; at = at->next)\n"
    "    if (at->key > at->next->key) reach_error();\n"
    "  return 0;\n"
    "}\n";

/* In order from the front to the back, with links back; asked from the back. */
static const char descending[] = HEAD
    "extern void reach_error(void);\n"
    "struct node { unsigned key; struct node *next, *prev; };\n"
    "int main(void) {\n"
    "  struct node *l = 0, *last = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    unsigned key = (unsigned)__VERIFIER_nondet_int();\n"
    "    if (last && key >= last->key) continue;\n"
    "    struct node *n = malloc(sizeof *n);\n"
    "    n->key = key;\n"
    "    n->next = 0;\n"
    "    n->prev = last;\n"
    "    if (last) last->next = n; else l = n;\n"
    "    last = n;\n"
    "  }\n"
    "  for (struct node *at = l; at; at = at->next)\n"
    "    if (at->prev && at->prev->key <= at->key) reach_error();\n"
    "  while (l) {\n"
    "    struct node *at = l->next;\n"
    "    free(l);\n"
    "    l = at;\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

/* Calls through a pointer: two functions at the first, another one at the second; the item around
 * the link that the walk is at. */
static const char called[] = HEAD
    "struct link { struct link *next; };\n"
    "struct item { int value; struct link link; };\n"
    "static void none(struct item *i) { i->value = 0; }\n"
    "static void one(struct item *i) { i->value = 1; }\n"
    "static void drop(struct item *i) { free(i); }\n"
    "static void each(struct item *i, void (*what)(struct item *)) {\n"
    "  while (&i->link) {\n"
    "    struct item *next = (struct item *)((char *)i->link.next - 8);\n"
    "    what(i);\n"
    "    i = next;\n"
    "  }\n"
    "}\n"
    "int main(void) {\n"
    "  void (*what)(struct item *) = none, (*last)(struct item *) = drop;\n"
    "  struct link *all = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n"
    "    struct item *i = malloc(sizeof *i);\n"
    "    i->link.next = all;\n"
    "    all = &i->link;\n"
    "  }\n"
    "  if (__VERIFIER_nondet_int()) what = one;\n"
    "  each((struct item *)((char *)all - 8), what);\n"
    "  each((struct item *)((char *)all - 8), last);\n"
    "  return 0;\n"
    "}\n";

/* Links are pointers to void in arrays. What is left of the ends names cells that were freed. */
static const char sides[] = HEAD
    "struct cell { void *side[2]; };\n"
    "static void *end[2];\n"
    "static void put(int at) {\n"
    "  struct cell *c = malloc(sizeof *c), *next = end[at];\n"
    "  c->side[1 - at] = next;\n"
    "  c->side[at] = 0;\n"
    "  if (next) next->side[at] = c;\n"
    "  else end[1 - at] = c;\n"
    "  end[at] = c;\n"
    "}\n"
    "int main(void) {\n"
    "  while (__VERIFIER_nondet_int()) put(0);\n"
    "  struct cell *c = end[1];\n"
    "  while (c) {\n"
    "    struct cell *next = c->side[0];\n"
    "    free(c);\n"
    "    c = next;\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

typedef struct {
  const char *program, *old, *new;  // what breaks it; the graph of control stays
  tp_property property;
} twin;
static const twin twins[] = {
    {owned, "n->data = malloc(sizeof(int))", "n->data = malloc(3)", TP_P_VALID_MEMSAFETY},
    {owned, "next = n->next", "next = n", TP_P_VALID_MEMSAFETY},
    {owned, "free(n->data)", "free(n)", TP_P_VALID_MEMSAFETY},
    {owned, "n->next = l->head", "n->next = (void *)n->data", TP_P_VALID_MEMSAFETY},
    {tree, "free(t)", "free(t->left)", TP_P_VALID_MEMSAFETY},
    {tree, "n->left = n->right = 0", "n->left = n->right = n", TP_P_VALID_MEMSAFETY},
    {tree, "destroy(t->left)", "destroy(t->right)", TP_P_VALID_MEMSAFETY},
    {tree, "t->left = insert(t->left", "t->right = insert(t->left", TP_P_VALID_MEMSAFETY},
    {tree, "destroy(root)", "destroy(0)", TP_P_VALID_MEMSAFETY},
    {least, "t->left = least(t->left)", "t->left = least(t->right)", TP_P_VALID_MEMSAFETY},
    {least, "while (root)", "while (!root)", TP_P_VALID_MEMSAFETY},
    {least, "*rest = t->right", "*rest = t", TP_P_VALID_MEMSAFETY},
    {parents, "n->parent = parent", "n->parent = n->left", TP_P_VALID_MEMSAFETY},
    {parents, "if (!*at)", "if (*at)", TP_P_VALID_MEMSAFETY},
    {parents, "n->parent->right->parent", "n->parent->left->parent", TP_P_VALID_MEMSAFETY},
    {parents, "destroy(root)", "destroy(root->left)", TP_P_VALID_MEMSAFETY},
    {levels, "n->far = 0", "n->far = n", TP_P_VALID_MEMSAFETY},
    {levels, "n->far = above->far", "n->far = above", TP_P_VALID_MEMSAFETY},
    {levels, "n->next = below->next", "n->next = above->far", TP_P_VALID_MEMSAFETY},
    {levels, "n->far->next = n->far->next", "n->far->next = n->next", TP_P_VALID_MEMSAFETY},
    {levels, "n = head->next", "n = head->far", TP_P_VALID_MEMSAFETY},
    {doubly, "n->prev = tail", "n->prev = 0", TP_P_VALID_MEMSAFETY},
    {doubly, "n->next->prev = n->prev", "n->next->prev = n", TP_P_VALID_MEMSAFETY},
    {doubly, "n->prev->next = n->next", "n->prev->next = n", TP_P_VALID_MEMSAFETY},
    {table, "h = key % 4", "h = key % 5", TP_P_VALID_MEMSAFETY},
    {table, "p->next = table[h]", "p->next = 0", TP_P_VALID_MEMSAFETY},
    {table, "else table[h] = p->next", "else table[h] = p", TP_P_VALID_MEMSAFETY},
    {table, "table[h] = p;", "table[(h + 1) % 4] = p;", TP_P_VALID_MEMSAFETY},
    {table, "p = table[i]", "p = table[0]", TP_P_VALID_MEMSAFETY},
    {table, "i < 4", "i < 3", TP_P_VALID_MEMSAFETY},
    {table, "q->next = p->next", "q->next = p->next->next", TP_P_VALID_MEMSAFETY},
    {table, "free(table)", "table[0] = 0", TP_P_VALID_MEMSAFETY},
    {numbers, "n->value + 1", "n->value + 2", TP_P_UNREACH_CALL},
    {numbers, "n->value > 20", "n->value > 19", TP_P_UNREACH_CALL},
    {numbers, "most = n->order", "most = n->value - 1", TP_P_UNREACH_CALL},
    {numbers, "n->value < 20", "n->value < 21", TP_P_UNREACH_CALL},
    {numbers, "n->value = 10", "n->value = 9", TP_P_UNREACH_CALL},
    {sorted, "at->key < key", "at->key > key", TP_P_UNREACH_CALL},
    {sorted, "before->next = n", "before->next = n, before->key = key + 1", TP_P_UNREACH_CALL},
    {sorted, "n->next = at", "n->next = before", TP_P_UNREACH_CALL},
    {sorted, "at->key > at", "at->key >= at", TP_P_UNREACH_CALL},
    {sorted, "l->next = n->next", "n->next->key = l->key - 1, l->next = n->next",
     TP_P_UNREACH_CALL},
    {descending, "key >= last->key", "key > last->key", TP_P_UNREACH_CALL},
    {descending, "n->key = key", "n->key = key + 1", TP_P_UNREACH_CALL},
    {descending, "prev->key <= at", "prev->key <= 1 + at", TP_P_UNREACH_CALL},
    {called, "what = one", "what = drop", TP_P_VALID_MEMSAFETY},
    {called, "= none", "= drop", TP_P_VALID_MEMSAFETY},
    {called, "*) = drop", "*) = one", TP_P_VALID_MEMSAFETY},
    {called, "free(i)", "free(i->link.next)", TP_P_VALID_MEMSAFETY},
    {called, "i->link.next - 8", "i->link.next - 16", TP_P_VALID_MEMSAFETY},
    {sides, "next->side[at] = c", "next->side[1 - at] = c", TP_P_VALID_MEMSAFETY},
    {sides, "c->side[at] = 0", "c->side[at] = next", TP_P_VALID_MEMSAFETY},
    {sides, "c = next;", "c = end[1];", TP_P_VALID_MEMSAFETY},
    {marked, "p->what = 2", "p->what = 4", TP_P_UNREACH_CALL},
    {marked, "p->what == 2", "p->what == 1", TP_P_UNREACH_CALL},
    {marked, "p->what = 3", "p->what = 4", TP_P_UNREACH_CALL},
};
enum { N_TWINS = sizeof twins / sizeof *twins };

typedef struct {
  tp_diag *diag;
  tp_program *p;
} subject;

static subject load(const char *text, tp_property property) {
  char path[] = "/tmp/heap-forgeries-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  const char *files[] = {path};
  subject s = {.diag = tp_diag_new(stderr, false)};
  tp_front_options o = {
      .files = files, .n_files = 1, .property = property, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, s.diag, &s.p), TP_OK);
  unlink(path);
  return s;
}

static void unload(subject *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

static void source(const twin *t, bool is_broken, tp_str *out) {
  const char *at = strstr(t->program, t->old);
  assert_non_null(at);
  tp_str_add_n(out, t->program, (size_t)(at - t->program));
  tp_str_printf(out, "%s%s", is_broken ? t->new : t->old, at + strlen(t->old));
}

static tp_certify_result judge(const subject *s, tp_property property, const char *certificate) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s = 5};
  tp_certify_result r = tp_certify_true(s->p, property, certificate, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r;
}

/* False: the engine has none. */
static bool certificate_of(const subject *s, tp_property property, double cpu_s, tp_str *out) {
  tp_task task = {.program = s->p, .property = property};
  tp_budget budget = {.cpu_s = cpu_s};
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  tp_engine_heaps.run(&task, &budget, &stats, &result);
  const bool has = result.verdict == TP_VERDICT_TRUE;
  if (has) tp_str_add(out, tp_str_text(&result.certificate));
  tp_result_clear(&result);
  return has;
}

// -------------------------------------------------------------------- mutations

static const size_t header_lines = 5;

static char *line_start(tp_str *text, size_t line) {
  char *at = text->text;
  for (; line && at; line--) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  return at;
}

static size_t n_lines(const tp_str *text) {
  size_t n = 0;
  for (size_t i = 0; i < text->n; i++) n += text->text[i] == '\n';
  return n;
}

/* A line behind the header and before "end" is left out, or stands twice, or becomes another text.
 */
static void change_line(tp_str *text, tp_rng *rng, int how) {
  const size_t n = n_lines(text);
  char *at = line_start(text, header_lines + tp_rng_below(rng, n - header_lines - 1));
  const size_t length = strcspn(at, "\n") + 1;
  tp_str out = {0};
  tp_str_add_n(&out, text->text, (size_t)(at - text->text));
  if (how == 1) tp_str_add_n(&out, at, length);
  if (how == 1) tp_str_add_n(&out, at, length);
  if (how == 2) tp_str_add(&out, "more\n");
  tp_str_add(&out, at + length);
  tp_str_clear(text);
  *text = out;
}

static void change_number(tp_str *text, tp_rng *rng) {
  char *from = line_start(text, header_lines);
  const size_t skip = (size_t)(from - text->text);
  for (int tries = 0; tries < 200; tries++) {
    char *at = text->text + skip + tp_rng_below(rng, text->n - skip), was = *at;
    if (was < '0' || was > '9') continue;
    *at = (char)('0' + tp_rng_below(rng, 10));
    if (*at != was) return;
  }
}

static void change_word(tp_str *text, tp_rng *rng) {
  static const struct {
    const char *old, *new;
  } words[] = {{" null\n", " cell\n"},       {" cell\n", " null\n"},
               {"(ptr 0 0)", "(ptr 1 0)"},   {" null\n", " 1\n"},
               {" 1\n", " null\n"},          {"slots 0", "slots 8"},
               {"field ", "slot "},          {" 5\n", " 4\n"},
               {"back ", "back 1"},          {"post ", "pre  "},
               {"where ", "fact "},          {"(cell 8", "(cell 12"},
               {"(cell 0", "(cell 1"},       {"neighbours ", "where "},
               {"where ", "neighbours "},    {"(next 0", "(cell 0"},
               {"BV_SLE", "BV_SLT"},         {"BV_ULT", "BV_ULE"},
               {"(BV_SLE", "(NOT (EQ"},      {" 2 upto 8\n", " 2 null\n"},
               {" 2 upto 8\n", " 1 null\n"}, {" 0 null\n", " 1 null\n"},
               {" 2 null\n", " 1 upto 8\n"}, {"segment 2", "segment 1"},
               {"segment 1", "segment 2"},   {"structure 1", "structure 2"},
               {" drop ", " one "},          {" one ", " none "},
               {" none ", " drop "},         {" call ", " main "}};
  const size_t w = tp_rng_below(rng, sizeof words / sizeof *words);
  char *at = strstr(text->text, words[w].old);
  for (char *next = at; next && tp_rng_below(rng, 3); next = strstr(next + 1, words[w].old))
    at = next;
  if (!at) return;
  tp_str out = {0};
  tp_str_add_n(&out, text->text, (size_t)(at - text->text));
  tp_str_printf(&out, "%s%s", words[w].new, at + strlen(words[w].old));
  tp_str_clear(text);
  *text = out;
}

static void mutate(tp_str *text, tp_rng *rng) {
  switch (tp_rng_below(rng, 8)) {
    case 0:
    case 1:
    case 2: change_line(text, rng, 0); return;
    case 3: change_line(text, rng, 1); return;
    case 4: change_line(text, rng, 2); return;
    case 5: change_word(text, rng); return;
    default: change_number(text, rng); return;
  }
}

static void rename_program(tp_str *text, const tp_program *p) {
  char name[32];
  snprintf(name, sizeof name, "program %016" PRIx64, tp_program_fingerprint(p));
  memcpy(strstr(text->text, "program "), name, strlen(name));
}

static void try_on(const subject *broken, tp_property property, const tp_str *certificate,
                   const char *text, tp_rng *rng) {
  const uint64_t mutations = getenv("TP_SOAK") ? 3000 : 1;
  tp_str named = {0};
  tp_str_add(&named, certificate->text);
  rename_program(&named, broken->p);
  for (uint64_t m = 0; m <= mutations; m++) {
    tp_str changed = {0};
    tp_str_add(&changed, named.text);
    for (uint64_t k = 0; k < m % 4; k++) mutate(&changed, rng);
    if (judge(broken, property, changed.text) == TP_CERTIFY_ACCEPTED)
      fail_msg("accepted for\n%s%s", text, changed.text);
    tp_str_clear(&changed);
  }
  tp_str_clear(&named);
}

/* With the certificate of the program that is right, and with what the engine writes for the broken
 * one. */
static void broken_programs_are_never_accepted(void **unused) {
  (void)unused;
  tp_rng rng;
  tp_rng_init(&rng, 29);
  const double seconds = getenv("TP_SOAK") ? 10 : 1;  // most broken ones use up all of it
  for (int i = 0; i < N_TWINS; i++) {
    const tp_property property = twins[i].property;
    tp_str good = {0}, bad = {0}, certificate = {0}, own = {0};
    source(&twins[i], false, &good);
    source(&twins[i], true, &bad);
    subject right = load(good.text, property), broken = load(bad.text, property);
    if (!certificate_of(&right, property, 10, &certificate)) fail_msg("no proof of\n%s", good.text);
    assert_int_equal(judge(&right, property, certificate.text), TP_CERTIFY_ACCEPTED);
    try_on(&broken, property, &certificate, bad.text, &rng);
    if (certificate_of(&broken, property, seconds, &own))
      try_on(&broken, property, &own, bad.text, &rng);
    unload(&right);
    unload(&broken);
    tp_str_clear(&good);
    tp_str_clear(&bad);
    tp_str_clear(&certificate);
    tp_str_clear(&own);
  }
}

// -------------------------------------------------------- links that are never null

/* A cell whose link is null, and a loop on either side of which the heap is said anew. */
static const char followed[] = HEAD
    "struct node { struct node *next; int v; };\n"
    "int main(void) {\n"
    "  int i = 0;\n"
    "  struct node *x = malloc(sizeof *x);\n"
    "  x->v = 1; x->next = 0;\n"
    "  while (__VERIFIER_nondet_int()) { i++; }\n"
    "  while (__VERIFIER_nondet_int()) { i++; }\n"
    "  FOLLOWED = 3;\n"
    "  return 0;\n"
    "}\n";

static tp_certify_result judge_followed(const char *place, const char *link) {
  const char *at = strstr(followed, "FOLLOWED");
  tp_str text = {0}, certificate = {0};
  tp_str_add_n(&text, followed, (size_t)(at - followed));
  tp_str_printf(&text, "%s%s", place, at + strlen("FOLLOWED"));
  subject s = load(text.text, TP_P_VALID_DEREF);
  tp_str_printf(&certificate,
                "twoproof-certificate 2\nkind symbolic-heaps\nproperty valid-deref\nmachine lp64\n"
                "program 0000000000000000\ncell 1 16 0\nlink 1 0 1 %s\ncontext 1 main\n"
                "at 1 12\nvar 9 (sym 1 ptr)\nsegment 1 (sym 1 ptr) (ptr 0 0) (ptr 0 0) (ptr 0 0)\n"
                "fact (NOT (EQ (sym 1 ptr) (ptr 0 0)))\n"
                "at 1 16\nvar 9 (sym 1 ptr)\nstructure 1 (sym 1 ptr) (ptr 0 0)\n"
                "fact (NOT (EQ (sym 1 ptr) (ptr 0 0)))\nend\n",
                link);
  rename_program(&certificate, s.p);
  const tp_certify_result r = judge(&s, TP_P_VALID_DEREF, certificate.text);
  unload(&s);
  tp_str_clear(&text);
  tp_str_clear(&certificate);
  return r;
}

/* Links that are said to lead to a cell do so along a segment, too: else one that ends in null
 * becomes a structure none of whose links is null. */
static void links_to_cells_are_never_null(void **unused) {
  (void)unused;
  assert_int_equal(judge_followed("x->v", "null"), TP_CERTIFY_ACCEPTED);  // the places are right
  assert_int_not_equal(judge_followed("x->next->v", "null"), TP_CERTIFY_ACCEPTED);
  assert_int_not_equal(judge_followed("x->v", "cell"), TP_CERTIFY_ACCEPTED);
  assert_int_not_equal(judge_followed("x->next->v", "cell"), TP_CERTIFY_ACCEPTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_programs_are_never_accepted),
                                     cmocka_unit_test(links_to_cells_are_never_null)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
