/* Character classes: ctype.h in the C locale.
 *
 * The platform's header turns isdigit(c) into a look-up in a table that
 * __ctype_b_loc() gives; the functions do the same here, so that a character
 * out of range (which C forbids) is an access outside the table. Bits and
 * layout are those of glibc: entries -128 .. 255, the first half empty. */
#include "tp_model.h"

enum {
  UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11, XDIGIT = 1 << 12, SPACE = 1 << 13,
  PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1 << 0, CNTRL = 1 << 1, PUNCT = 1 << 2, ALNUM = 1 << 3,
  SEEN = PRINT | GRAPH,
  LETTER = SEEN | ALPHA | ALNUM
};

static const unsigned short classes[384] = {
    [128 + 0x00 ... 128 + 0x08] = CNTRL,
    [128 + '\t'] = CNTRL | SPACE | BLANK,
    [128 + 0x0a ... 128 + 0x0d] = CNTRL | SPACE,
    [128 + 0x0e ... 128 + 0x1f] = CNTRL,
    [128 + ' '] = PRINT | SPACE | BLANK,
    [128 + '!' ... 128 + '/'] = SEEN | PUNCT,
    [128 + '0' ... 128 + '9'] = SEEN | ALNUM | DIGIT | XDIGIT,
    [128 + ':' ... 128 + '@'] = SEEN | PUNCT,
    [128 + 'A' ... 128 + 'F'] = LETTER | UPPER | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = LETTER | UPPER,
    [128 + '[' ... 128 + '`'] = SEEN | PUNCT,
    [128 + 'a' ... 128 + 'f'] = LETTER | LOWER | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = LETTER | LOWER,
    [128 + '{' ... 128 + '~'] = SEEN | PUNCT,
    [128 + 0x7f] = CNTRL,
};

const unsigned short **__ctype_b_loc(void) {
  static const unsigned short *table = classes + 128;
  return &table;
}

#define CHECK_CHARACTER(c) __tp_check_defined((c) >= -1 && (c) <= 255, "character that is neither EOF nor an unsigned char")

int isalnum(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & ALNUM;
}
int isalpha(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & ALPHA;
}
int isblank(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & BLANK;
}
int iscntrl(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & CNTRL;
}
int isdigit(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & DIGIT;
}
int isgraph(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & GRAPH;
}
int islower(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & LOWER;
}
int isprint(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & PRINT;
}
int ispunct(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & PUNCT;
}
int isspace(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & SPACE;
}
int isupper(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & UPPER;
}
int isxdigit(int c) {
  CHECK_CHARACTER(c);
  return classes[128 + c] & XDIGIT;
}
int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }

static int __tp_to_lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
static int __tp_to_upper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

/* glibc's tables give a negative character, but EOF, as the unsigned char it is. */
static int __tp_as_table(int c) { return c >= -128 && c < -1 ? c + 256 : c; }

int tolower(int c) {
  CHECK_CHARACTER(c);
  return __tp_as_table(__tp_to_lower(c));
}
int toupper(int c) {
  CHECK_CHARACTER(c);
  return __tp_as_table(__tp_to_upper(c));
}

/* Filled when first asked for: programs rarely look. */
static int lower_table[384], upper_table[384];
static _Bool tables_are_filled;

static void __tp_fill_tables(void) {
  if (tables_are_filled) return;
  tables_are_filled = 1;
  for (int c = -128; c < 256; c++) {
    lower_table[128 + c] = __tp_as_table(__tp_to_lower(c));
    upper_table[128 + c] = __tp_as_table(__tp_to_upper(c));
  }
}

const int **__ctype_tolower_loc(void) {
  static const int *table = lower_table + 128;
  __tp_fill_tables();
  return &table;
}

const int **__ctype_toupper_loc(void) {
  static const int *table = upper_table + 128;
  __tp_fill_tables();
  return &table;
}
