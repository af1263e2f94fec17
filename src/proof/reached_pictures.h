/* Pictures of what a composition of analyses reached: graphs and explicit heaps at loop heads, ends
 * of functions, errors.
 *
 * What       a picture (Graphviz text) for each graph of the analysis `shape` and each heap of
 *            `heap` there, with where it is and a name for a file.
 * Law        the same reached set gives the same pictures. They prove nothing: a run that was
 *            stopped has pictures, too.
 * Limits     TP_PROOF_PICTURES in all, TP_PROOF_PICTURES_AT_PLACE for each place; the last entry of
 *            a place that has more says so.
 * Ownership  texts belong to the result's arena. */
#ifndef TP_PROOF_REACHED_PICTURES_H
#define TP_PROOF_REACHED_PICTURES_H

#include "cpa/reached.h"
#include "engine/engine.h"
#include "proof/proof_limits.h"

void tp_pictures_draw(tp_cpa *composite, const tp_reached *r, tp_property property, tp_result *out);

#endif
