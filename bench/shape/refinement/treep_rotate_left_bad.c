/* The broken twin of treep_rotate_left.c. */
#define BROKEN
#include "treep_rotate_left.c"
