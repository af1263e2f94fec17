// The other half of units-good.c and units-bad.c.
static int counter = 50;
static int hidden(void) { return ++counter; }
int shared = 3;
struct point { int x, y; };
struct point corner = {4, 5};
int step(void) { return hidden() + shared; }
