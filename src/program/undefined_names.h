/* Names of assumptions that the front end puts in front of operations without a result.
 *
 * What       an ASSUME edge of this name excludes runs whose behaviour is undefined; whoever does
 *            not take that for granted makes a failure of the edge. */
#ifndef TP_PROGRAM_UNDEFINED_NAMES_H
#define TP_PROGRAM_UNDEFINED_NAMES_H

#define TP_DIVISION_BY_ZERO "division by zero"

#endif
