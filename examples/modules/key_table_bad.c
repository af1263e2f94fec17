/* A table of keys whose search does not go round: behind the last slot it reads what comes next.
 * Fails with inputs: 1 3 1 11 */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { SLOTS = 8, MOST = 6, FREE = 0, REMOVED = 255 };

static struct {
  unsigned keys;               // in it, at most MOST
  unsigned marks;              // of removed ones
  unsigned char slots[SLOTS];
} table;

static void table_init(void) {
  for (unsigned i = 0; i < SLOTS; i++) table.slots[i] = FREE;
  table.keys = table.marks = 0;
}

static unsigned table_hash(unsigned char key) { return key * 5u % SLOTS; }
static unsigned table_next(unsigned at) { return at + 1; }

/* Where the key is; SLOTS: nowhere. */
static unsigned table_find(unsigned char key) {
  unsigned at = table_hash(key), n = 0;
  for (; n < SLOTS && table.slots[at] != FREE && table.slots[at] != key; n++) at = table_next(at);
  return n < SLOTS && table.slots[at] == key ? at : SLOTS;
}

static int table_put(unsigned char key) {
  if (table.keys == MOST || table_find(key) != SLOTS) return 0;
  unsigned at = table_hash(key);
  for (unsigned n = 0; n < SLOTS && table.slots[at] != FREE && table.slots[at] != REMOVED; n++) at = table_next(at);
  if (table.slots[at] != FREE && table.slots[at] != REMOVED) return 0;
  if (table.slots[at] == REMOVED && table.marks > 0) table.marks--;
  table.slots[at] = key;
  table.keys++;
  return 1;
}

static int table_remove(unsigned char key) {
  unsigned at = table_find(key);
  if (at == SLOTS || table.keys == 0) return 0;
  table.slots[at] = REMOVED;
  table.keys--;
  if (table.keys == 0) table_init();
  else table.marks++;
  return 1;
}

enum { STOP, PUT, REMOVE };

int main(void) {
  table_init();
  while (1) {
    unsigned char what = __VERIFIER_nondet_uchar(), key = 0;
    if (what == STOP) return 0;
    key = __VERIFIER_nondet_uchar();
    if (key == FREE || key == REMOVED) continue;
    if (what == PUT) table_put(key);
    else if (what == REMOVE) table_remove(key);
  }
}
