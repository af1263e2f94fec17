/* Options of other verifiers, and what stands for them.
 *
 * What       hints for users of CBMC and CPAchecker who try the options that they know.
 * Ownership  hints are static texts.
 * Source     manual pages of CBMC 6 and CPAchecker 4. */
#ifndef TP_APP_FOREIGN_OPTIONS_H
#define TP_APP_FOREIGN_OPTIONS_H

/* name: without dashes and value, ended by NUL. NULL: no option of another verifier. */
const char *tp_foreign_option_hint(const char *name);
/* value: of our option `option`, as another verifier would have it ("32" for machine, or the path
 * of a configuration of CPAchecker's). NULL: of none. */
const char *tp_foreign_value_hint(const char *option, const char *value);

#endif
