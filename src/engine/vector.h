/* From a model to the inputs of a run. */
#ifndef TP_ENGINE_VECTOR_H
#define TP_ENGINE_VECTOR_H

#include "engine/query.h"
#include "exec/input.h"

/* What the run that the query's model describes draws, in order. False: the model does not tell. */
bool tp_vector_of_model(tp_query *q, tp_inputs *out);

#endif
