/* Tuning constants stand in one table per room, so that they can be found, compared and listed.
 *
 * What       the form of such a table. ROOM/ROOM_limits.h has TP_ROOM_LIMITS(L), rows L(NAME,
 *            value, "what is bounded, with its unit", "what happens there"), which become constants
 *            TP_ROOM_NAME, and where needed TP_ROOM_FRACTIONS(L), the same for shares and seconds.
 * Use        a bound of a search, an effort, a size of a sample or of what is shown belongs there.
 *            Sizes of formats and of words, and numbers of a standard, stand where they are used;
 *            so do first sizes of what grows.
 * Law        reaching a limit makes an answer less precise or unknown, never wrong. certify/ has
 *            limits of its own, whatever the rooms have that it checks.
 * Source     `twoproof dump --limits` prints all rows (app/limits_table.c), in the order of rooms.
 */
#ifndef TP_BASE_LIMITS_H
#define TP_BASE_LIMITS_H

typedef struct {
  const char *name;
  double value;
  const char *what, *then;
} tp_limit;

#endif
