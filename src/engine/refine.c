/* The table of refiners: the cheap one first. */
#include "engine/refine.h"

const tp_refiner *const tp_refiners[] = {&tp_refiner_value, NULL};
