/* From a model to the inputs of a run. */
#ifndef TP_ENGINE_TEST_VECTOR_H
#define TP_ENGINE_TEST_VECTOR_H

#include "engine/query.h"
#include "exec/input.h"

/* What the run that the query's model describes draws, in order. False: the model does not tell. */
bool tp_test_vector_of_model(tp_query *q, tp_inputs *out);
/* Does that run fail on the concrete machine too? Then drawn (initialised by the caller) has its
 * inputs: the model's, and zeros if it draws more (where it depends on addresses it may differ from
 * the model and still fail). */
bool tp_test_vector_fails(tp_query *q, tp_property asked, tp_inputs *drawn, tp_property *violated);

#endif
