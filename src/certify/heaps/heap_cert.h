/* What a certificate of kind `symbolic-heaps` says: the checker's own reader of
 * doc/certificates.md.
 *
 * What       kinds of cells, contexts, contracts, and symbolic heaps at locations, before and
 *            behind calls.
 * Represents symbols of a heap are variables of the program's table, made for it; heaps of one
 *            contract share theirs.
 * Ownership  owns its heaps. */
#ifndef TP_CERTIFY_HEAPS_HEAP_CERT_H
#define TP_CERTIFY_HEAPS_HEAP_CERT_H

#include "certify/heaps/heap_state.h"

typedef enum { TP_CHK_HEAP_AT, TP_CHK_HEAP_PRE, TP_CHK_HEAP_POST } tp_chk_heap_role;

/* A heap of the certificate: variables without a value may have any. */
typedef struct {
  tp_chk_heap_role role;
  uint32_t context;  // AT
  tp_loc loc;        // AT
  uint64_t other;    // AT: an entry there that was read before; 0: none
  uint32_t
      contract;  // PRE, POST; AT: of the body at the bottom, whose heaps share symbols; 0: none
  tp_chk_heap_state *s;
  tp_map symbols;  // term id -> 1: its symbols, which stand for anything that fits
  TP_VEC(tp_chk_heap_binding)
  given;  // symbols of the heap before calls, and what they are in this one
} tp_chk_heap_entry;

typedef struct {
  uint32_t parent;  // 0: a root
  tp_edge call;
  tp_func func;
  uint32_t other;     // another context of this call, through a pointer; 0: none
  uint32_t contract;  // root: of this contract; 0: of main
} tp_chk_heap_context;

typedef struct {
  tp_func func;
  uint32_t root, pre;  // a context, an entry; 0: none yet
} tp_chk_heap_contract;

typedef struct {
  tp_chk_cell_kinds kinds;
  tp_chk_cell_values values;             // that statements about cells name
  TP_VEC(tp_chk_heap_context) contexts;  // [0] unused, as in all of these
  TP_VEC(tp_chk_heap_contract) contracts;
  TP_VEC(tp_chk_heap_entry) entries;
  tp_map at;     // context << 32 | location -> the last entry there
  tp_map calls;  // context << 32 | edge -> the last context that such a call enters
  uint32_t main;
} tp_chk_heap_cert;

bool tp_chk_heap_cert_is(const char *text);
bool tp_chk_heap_cert_read(tp_chk_heap_cert *c, const tp_program *p, tp_property prop,
                           const char *text, tp_str *why);
void tp_chk_heap_cert_clear(tp_chk_heap_cert *c);
bool tp_chk_heap_is_active(const tp_chk_heap_cert *c, uint32_t context, tp_func f);
/* The context that the call of the function enters; 0: none. */
uint32_t tp_chk_heap_context_of(const tp_chk_heap_cert *c, uint32_t parent, tp_edge call,
                                tp_func callee);
/* The contract of the function; 0: none. */
uint32_t tp_chk_heap_contract_of(const tp_chk_heap_cert *c, tp_func f);
/* The contract whose body is the bottom frame, so that there are objects of its callers; 0: main
 * is.
 */
uint32_t tp_chk_heap_contract_at_bottom(const tp_chk_heap_cert *c, uint32_t context);

#endif
