/* The broken twin of cancel_list_insert_before.c. */
#define BROKEN
#include "cancel_list_insert_before.c"
