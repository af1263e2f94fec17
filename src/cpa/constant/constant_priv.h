/* What the files of constant propagation share. */
#ifndef TP_CPA_CONSTANT_CONSTANT_PRIV_H
#define TP_CPA_CONSTANT_CONSTANT_PRIV_H

#include "cpa/constant/constant_cpa.h"

/* By variable, in the arena: is it a flag (flags.c)? */
const bool *tp_constant_flags(const tp_program *p, tp_arena *arena);

#endif
