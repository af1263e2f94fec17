/* Points-to classes: which objects a pointer may lead to, found once for the whole program.
 *
 * What       partitions memory objects (statics and allocation sites) into classes such that every
 *            pointer value leads into one class, and each class's bytes into regions such that
 *            every typed access stays in one region. Targets of calls through pointers.
 * Represents a may-relation: whatever a run can do is covered; flow- and context-insensitive.
 * Law        two accesses in different regions never touch the same byte of a live object.
 *            It holds for LOAD and STORE edges of this program; COPY, SET, FREE, END_SCOPE and
 *            HAVOC_MEMORY with a length touch any region of the class of their address.
 *            HAVOC_MEMORY without length (functions without body) is not followed.
 * Ownership  a snapshot of a finished program; borrows it.
 * Source     Steensgaard 1996 (unification); Lattner, Lenharth, Adve 2007 (offsets per node); we
 *            differ: offsets are kept modulo the strides by which a pointer was moved. */
#ifndef TP_PROGRAM_POINTSTO_H
#define TP_PROGRAM_POINTSTO_H

#include "program/program.h"

typedef struct tp_pointsto tp_pointsto;
typedef struct {
  uint32_t id;
} tp_class;
#define TP_CLASS_NONE ((tp_class){0})          // leads to no object: null, invalid, or an integer
#define TP_CLASS_ANY ((tp_class){UINT32_MAX})  // may lead to any object
static inline bool tp_class_eq(tp_class a, tp_class b) { return a.id == b.id; }

tp_pointsto *tp_pointsto_new(const tp_program *p);
/* The same for runs of one function, with all that it calls; other functions are left out. */
tp_pointsto *tp_pointsto_new_of(const tp_program *p, tp_func f);
void tp_pointsto_free(tp_pointsto *pt);

uint32_t tp_pointsto_n_classes(const tp_pointsto *pt);  // ids are 1 .. n
uint32_t tp_pointsto_n_regions(const tp_pointsto *pt);  // ids are 1 .. n
tp_class tp_pointsto_of_static(const tp_pointsto *pt, uint32_t object);
tp_class tp_pointsto_of_alloc(const tp_pointsto *pt, tp_edge alloc);
/* Of a pointer-valued term of the program, or built from its variables and constants by additions.
 */
tp_class tp_pointsto_of_address(const tp_pointsto *pt, tp_term address);
/* The region of an access of this size; 0: no object at the address, or no such access in the
 * program. */
uint32_t tp_pointsto_region(const tp_pointsto *pt, tp_term address, uint64_t size_bytes);
/* The struct that all declared pointers into the class, and all its objects of known type, agree
 * on. */
tp_type tp_pointsto_struct(const tp_pointsto *pt, tp_class c);

typedef struct {
  const tp_func *at;
  uint32_t n;
} tp_func_list;
/* Functions that a CALL through a pointer can reach: those with as many parameters as the call has
 * arguments, and those without body. */
tp_func_list tp_pointsto_callees(const tp_pointsto *pt, tp_edge call);

/* A place in what pointers lead to, from a variable on; to ask what is read there. */
typedef struct {
  uint32_t node;
  int64_t offset;
} tp_pointsto_place;
#define TP_POINTSTO_NOWHERE ((tp_pointsto_place){0, 0})  // no access leads there

tp_pointsto_place tp_pointsto_place_of(const tp_pointsto *pt, tp_var pointer);
/* Where the pointer that is stored at the place may lead. */
tp_pointsto_place tp_pointsto_place_behind(const tp_pointsto *pt, tp_pointsto_place at);
/* The struct that declared pointers to there agree on; NONE: they do not. */
tp_type tp_pointsto_declared(const tp_pointsto *pt, tp_pointsto_place at);
/* Does a LOAD read one of these bytes? A block that is copied counts as read where its copy is. */
bool tp_pointsto_is_read(const tp_pointsto *pt, tp_pointsto_place at, uint64_t size_bytes);
/* Is the same known of elements of this size, one behind the other? */
bool tp_pointsto_repeats(const tp_pointsto *pt, tp_pointsto_place at, uint64_t size_bytes);
/* How many bytes from the place on the function accesses, where all accesses are at constant
 * distances; false: some are not, or no access leads there. */
bool tp_pointsto_extent(const tp_pointsto *pt, tp_pointsto_place at, uint64_t *bytes);

/* Nodes form trees; fields of roots are sorted, disjoint and within the modulus; classes and
 * regions are numbered once; callees are functions. */
bool tp_pointsto_check(const tp_pointsto *pt);

#endif
