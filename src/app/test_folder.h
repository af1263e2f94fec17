/* Tests of a folder: vectors of inputs that people, `check --output` or `test --output` wrote.
 *
 * What       reads one file, or all tests of a folder by name. Of a folder that this tool wrote
 * only the tests, of any other every file but metadata.xml and hidden ones. Ownership  a list owns
 * its inputs and names. */
#ifndef TP_APP_TEST_FOLDER_H
#define TP_APP_TEST_FOLDER_H

#include "app/session.h"

/* Of a suite that `test --output` wrote: without those whose run fails, or with them. */
typedef enum { TP_TESTS_PASSING, TP_TESTS_ALL } tp_tests_of_suite;

typedef struct {
  tp_inputs *at;
  const char **names;  // paths
  size_t n;
  tp_arena arena;
} tp_test_list;
/* False: something cannot be read, which has been said on standard error, and is the reason that
 * the session gives. The list is to be cleared in any case. */
bool tp_test_list_read(tp_session *s, const char *path, tp_tests_of_suite which, tp_test_list *out);
void tp_test_list_clear(tp_test_list *t);

#endif
