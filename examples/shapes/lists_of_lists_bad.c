/* Lists of lists of three kinds whose members have the same names; the innermost cells own a block
 * each that leads back to its cell.
 * Broken: a book's loop asks first, so a book may have no page, and its pages are given back unasked.
 * Fails with inputs: 0 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct page {
  struct page *next;
  char *down;
};
struct book {
  struct book *next;
  struct page *down;
};
struct shelf {
  struct shelf *next;
  struct book *down;
};

static void *make(unsigned size) {
  void *p = calloc(1, size);
  if (!p) abort();
  return p;
}

static void add_page(struct page **to) {
  struct page *p = make(sizeof *p);
  p->down = make(100);
  *(struct page **)p->down = p;
  p->next = *to;
  *to = p;
}

static void add_book(struct book **to) {
  struct book *b = make(sizeof *b);
  while (__VERIFIER_nondet_int()) add_page(&b->down);
  b->next = *to;
  *to = b;
}

static void add_shelf(struct shelf **to) {
  struct shelf *s = make(sizeof *s);
  do add_book(&s->down);
  while (__VERIFIER_nondet_int());
  s->next = *to;
  *to = s;
}

static void free_pages(struct page *p) {
  do {
    struct page *next = p->next;
    free(p->down);
    free(p);
    p = next;
  } while (p);
}

static void free_books(struct book *b) {
  do {
    struct book *next = b->next;
    free_pages(b->down);
    free(b);
    b = next;
  } while (b);
}

static void free_shelves(struct shelf *s) {
  do {
    struct shelf *next = s->next;
    free_books(s->down);
    free(s);
    s = next;
  } while (s);
}

int main(void) {
  static struct shelf *all;
  do add_shelf(&all);
  while (__VERIFIER_nondet_int());
  free_shelves(all);
  return 0;
}
