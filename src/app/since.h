/* A change: functions that it reaches are verified again, the others are not.
 *
 * What       check --since=COMMIT|DIR: the files are read as they were (a commit of the Git
 *            repository around, or another folder) and as they are; each function that other files
 *            could call and that reaches something that has changed is verified as by
 *            --all-functions. Of one that is not proved the old version is verified, too: was it
 *            proved before? And the two versions are compared (app/equal.h).
 * Represents what a function reaches by the identity of a survey (app/survey.h): operations,
 *            callees, variables, types, options; positions apart.
 * Law        a function with the same identity has the same answer, so nothing is said of it but
 *            that nothing it reaches has changed.
 * Limits     files are named relative to the folder in which the command runs, so that they mean
 *            the same in both versions. */
#ifndef TP_APP_SINCE_H
#define TP_APP_SINCE_H

#include "app/options.h"

/* check_all: of one function, all properties; check_equal: of o->equal. Returns the worst exit
 * status of what was verified again. */
int tp_since_check(tp_options *o, int (*check_all)(tp_options *o),
                   int (*check_equal)(tp_options *o));

#endif
