/* The broken twin of bintree_rotate_left.c. */
#define BROKEN
#include "bintree_rotate_left.c"
