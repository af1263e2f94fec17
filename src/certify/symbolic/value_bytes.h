/* Values and their bytes, and which integers are addresses.
 *
 * What       a value as one integer of its bytes and back; parts of values; tags in the low bits of
 *            addresses.
 * Represents the lowest address stands in the lowest bits. With each value goes what it may hide: a
 *            pointer that is read from an integer is known only where the integer shows it.
 * Source     doc/semantics.md, pointers and integers. */
#ifndef TP_CERTIFY_SYMBOLIC_VALUE_BYTES_H
#define TP_CERTIFY_SYMBOLIC_VALUE_BYTES_H

#include "term/term.h"

/* What an integer or a floating-point number may hide: the object that it is an address of
 * (doc/semantics.md). NOTHING: the program computed it without addresses and inputs. POINTER: the
 * one pointer that its term shows. */
typedef enum { TP_PROVENANCE_ANY, TP_PROVENANCE_NONE, TP_PROVENANCE_ONE } tp_chk_provenance;
typedef struct {
  tp_term term;
  tp_chk_provenance provenance;
} tp_chk_value;

/* The value's bytes as one integer, the lowest address in the lowest bits. NONE: its sort has no
 * bytes. */
tp_chk_value tp_chk_bits_of_value(tp_terms *tt, tp_chk_value v);
/* A value of sort s from exactly its bytes; NONE: a pointer that they do not show. */
tp_chk_value tp_chk_value_of_bits(tp_terms *tt, tp_chk_value bits, tp_sort s);
/* n bytes of v from byte `first` on, as a value of sort s; NONE: it cannot be said. */
tp_chk_value tp_chk_part_of_value(tp_terms *tt, tp_chk_value v, uint32_t first, uint32_t n,
                                  tp_sort s);
/* n times one byte, as a value of sort s. */
tp_chk_value tp_chk_repeated_byte(tp_terms *tt, tp_term byte, uint32_t n, tp_sort s);

/* Does k (and, or, exclusive or) with this operand change at most the 12 low bits of the other one:
 * a constant, a narrow number, or a choice among these? Such an operand is a tag in an address, or
 * clears it. */
bool tp_chk_is_tag(const tp_terms *tt, tp_term_kind k, tp_term operand);

/* The pointer that an integer of pointer width is an address of, as far as it shows; NONE: it may
 * be any. */
tp_term tp_chk_pointer_of_integer(tp_terms *tt, tp_chk_value integer);
/* The one PTR_TO_INT that the sum is, moved by numbers and with other low bits, or a choice among
 * such values of one PTR_TO_INT; NONE: none, or several. */
tp_term tp_chk_address_in(const tp_terms *tt, tp_term sum);
/* What a value that is one of two is derived from. */
tp_chk_provenance tp_chk_merge_provenance(const tp_terms *tt, tp_chk_value a, tp_chk_value b);

#endif
