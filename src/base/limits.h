/* Tuning constants stand in one table per room, so that they can be found, compared and listed.
 *
 * What       the form of such a table. ROOM/ROOM_limits.h has TP_ROOM_LIMITS(L), rows L(NAME,
 *            value, "what is bounded, with its unit"), which become constants TP_ROOM_NAME, and
 *            where needed TP_ROOM_FRACTIONS(L), the same for shares and seconds.
 * Use        a bound of a search, an effort, a size of what is shown belongs there. Sizes of
 *            formats and numbers of a standard stand where they are used.
 * Source     `twoproof dump --limits` prints all rows (app/limits_table.c). */
#ifndef TP_BASE_LIMITS_H
#define TP_BASE_LIMITS_H

typedef struct {
  const char *room, *name;
  double value;
  const char *what;
} tp_limit;

#endif
