/* One block of 64 bytes after the other; the last one or two are padded with the length in bits. */
#include "base/sha256.h"

#include <stdio.h>

enum { BLOCK = 64, SCHEDULE = 64, WORDS = 8 };

static const uint32_t constants[SCHEDULE] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void add_block(uint32_t state[WORDS], const uint8_t *block) {
  uint32_t w[SCHEDULE], v[WORDS];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < SCHEDULE; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
           (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  memcpy(v, state, sizeof v);
  for (int i = 0; i < SCHEDULE; i++) {
    const uint32_t e = v[4], a = v[0];
    const uint32_t t = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
    const uint32_t u =
        (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t;
    v[0] = t + u;
  }
  for (int i = 0; i < WORDS; i++) state[i] += v[i];
}

void tp_sha256(const void *text, size_t n, char out[TP_SHA256_DIGITS + 1]) {
  TP_REQUIRE((text || n == 0) && out);
  uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const uint8_t *at = text;
  const uint64_t bits = (uint64_t)n * 8;
  size_t left = n;
  for (; left >= BLOCK; left -= BLOCK, at += BLOCK) add_block(state, at);
  uint8_t last[2 * BLOCK] = {0};
  if (left) memcpy(last, at, left);
  last[left] = 0x80;
  const size_t n_last = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  for (size_t i = 0; i < 8; i++) last[n_last - 1 - i] = (uint8_t)(bits >> (8 * i));
  for (size_t i = 0; i < n_last; i += BLOCK) add_block(state, last + i);
  for (int i = 0; i < WORDS; i++) snprintf(out + 8 * i, 9, "%08x", state[i]);
}
