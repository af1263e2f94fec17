/* The broken twin of treep_rotate_right.c. */
#define BROKEN
#include "treep_rotate_right.c"
