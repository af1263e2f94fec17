/* The examples of FIPS 180-4, and a text of many blocks. */
#include "base/sha256.h"

#include <setjmp.h>

#include <cmocka.h>

static void published_examples(void **state) {
  (void)state;
  static const struct {
    const char *text, *hash;
  } cases[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
               {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
               // 64 bytes: the padding needs a block of its own
               {"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char hash[TP_SHA256_DIGITS + 1];
    tp_sha256(cases[i].text, strlen(cases[i].text), hash);
    assert_string_equal(hash, cases[i].hash);
  }
}

static void a_million_letters(void **state) {
  (void)state;
  enum { N = 1000000 };
  char *text = tp_alloc(N), hash[TP_SHA256_DIGITS + 1];
  memset(text, 'a', N);
  tp_sha256(text, N, hash);
  assert_string_equal(hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  tp_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(published_examples),
                                     cmocka_unit_test(a_million_letters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
