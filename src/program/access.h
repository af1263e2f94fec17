/* Which member of which object an address names, as far as declared types tell.
 *
 * What       reads an address as base + constant offset and finds the base's declared type, so that
 *            accesses can be shown as the user wrote them (p->next, a[i].x, s.y) and seen as field
 *            accesses. For people and for typed views: declared types prove nothing about memory.
 * Represents base: a pointer variable (its pointee is the type), an address variable or a static
 *            (the type is that of the object).
 * Cost       linear in the number of summands of the offset, plus the nesting of the type. */
#ifndef TP_PROGRAM_ACCESS_H
#define TP_PROGRAM_ACCESS_H

#include "program/program.h"

typedef struct {
  tp_var var;       // base variable, or NONE
  uint32_t object;  // base static, or 0
  tp_type type;     // declared type at offset 0, NONE: unknown
  int64_t offset;   // constant part, bytes
  tp_term index;    // variable part: index * stride, or NONE
  int64_t stride;
} tp_access;

/* false: the address has no base of this kind. */
bool tp_access_of(const tp_program *p, tp_term address, tp_access *out);

/* The type of the object itself for an address variable, of the pointee for a pointer variable. */
tp_type tp_access_target(const tp_program *p, tp_var v);

/* The scalar member at `offset` of a struct, through nested structs and arrays.
 * size_bytes 0: any. path (may be NULL): appended without leading dot ("pos.x", "a[2]").
 * Returns NONE if none fits; unions are not entered, as the offset does not say which member. */
tp_type tp_access_member(const tp_program *p, tp_type type, uint64_t offset, uint64_t size_bytes,
                         tp_str *path);

/* The access as an lvalue in user's notation; *(type *)(address) where types do not help. */
void tp_access_print(const tp_program *p, tp_term address, tp_type access, uint64_t size_bytes,
                     tp_str *out);
/* A term for people: addresses of objects by name, otherwise as tp_print_c. */
void tp_access_print_value(const tp_program *p, tp_term t, tp_str *out);

#endif
