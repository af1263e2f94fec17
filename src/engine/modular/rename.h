/* Heaps that differ in the names of their objects only.
 *
 * What       tells the model finder that objects which are there at the start may change names: of the heaps that are one up to names it looks at few.
 * Represents for two objects of one type, both there at the start: they change places, with all that lies inside of them. Atoms of a type are in
 *            a fixed order, which bounds name, so the finder cannot see this by itself. What the order says is how many objects are there (those up
 *            to `last`) and which one comes next; neither changes, as both are there: order, first and last stay as they are, all else is renamed.
 *            Nothing else names an object, but for global ones and functions, which keep their names.
 * Source     Torlak & Jackson 2007, sec. 4; the condition is ours. */
#ifndef TP_ENGINE_MODULAR_RENAME_H
#define TP_ENGINE_MODULAR_RENAME_H

#include "engine/modular/heap.h"
#include "rel/finder.h"

/* The heap is bound. Before anything is asked. */
void tp_rheap_rename(const tp_rheap *h, tp_rel_finder *f);

#endif
