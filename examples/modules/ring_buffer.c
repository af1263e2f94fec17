/* A ring of bytes that takes and gives blocks: each is copied in two parts where the ring goes round.
 * Any blocks, without end. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 8, BLOCK = 6 };

static struct {
  unsigned start;              // of what is in it, below SIZE
  unsigned used;               // at most SIZE
  unsigned char bytes[SIZE];
} ring;

static unsigned char block[BLOCK];         // what is put, and where it is got to

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned wrapped(unsigned at) { return at >= SIZE ? at - SIZE : at; }

/* As many of n bytes as there is room for. */
static unsigned ring_put(unsigned n) {
  n = smaller(n, SIZE - ring.used);
  unsigned at = wrapped(ring.start + ring.used);
  unsigned part = smaller(n, SIZE - at);
  for (unsigned i = 0; i < part; i++) ring.bytes[at + i] = block[i];
  for (unsigned k = part; k < n; k++) ring.bytes[k - part] = block[k];
  ring.used += n;
  return n;
}

/* As many of n bytes as there are. */
static unsigned ring_get(unsigned n) {
  n = smaller(n, ring.used);
  unsigned part = smaller(n, SIZE - ring.start);
  for (unsigned i = 0; i < part; i++) block[i] = ring.bytes[ring.start + i];
  for (unsigned k = part; k < n; k++) block[k] = ring.bytes[k - part];
  ring.start = wrapped(ring.start + n);
  ring.used -= n;
  return n;
}

/* Drops as many of n bytes as there are. */
static unsigned ring_skip(unsigned n) {
  n = smaller(n, ring.used);
  ring.start = wrapped(ring.start + n);
  ring.used -= n;
  return n;
}

enum { STOP, PUT, GET, SKIP };

int main(void) {
  ring.start = ring.used = 0;
  while (1) {
    unsigned char what = __VERIFIER_nondet_uchar();
    if (what == STOP) return 0;
    unsigned n = smaller(__VERIFIER_nondet_uchar(), BLOCK);
    if (what == PUT) {
      for (unsigned i = 0; i < BLOCK; i++) block[i] = what + i;
      ring_put(n);
    } else if (what == GET) {
      ring_get(n);
    } else if (what == SKIP) {
      ring_skip(n);
    }
  }
}
