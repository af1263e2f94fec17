/* The broken twin of cancel_list_insert_after.c. */
#define BROKEN
#include "cancel_list_insert_after.c"
