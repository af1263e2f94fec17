/* The broken twin of acyclic_list_insert_after.c. */
#define BROKEN
#include "acyclic_list_insert_after.c"
