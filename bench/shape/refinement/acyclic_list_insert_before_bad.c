/* The broken twin of acyclic_list_insert_before.c. */
#define BROKEN
#include "acyclic_list_insert_before.c"
