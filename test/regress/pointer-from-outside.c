// expect: unknown  property: valid-memsafety  machine: lp64  cause: null was taken for the result of an allocator that is only declared
struct node { struct node *next; };
extern struct node *outside_allocator(void);
int main(void) {
  struct node *n = outside_allocator();
  return n->next != 0;
}
