/* The tuning constants of all rooms as one table. */
#ifndef TP_APP_LIMITS_TABLE_H
#define TP_APP_LIMITS_TABLE_H

#include "base/base.h"

/* Lines "ROOM_NAME value what", room by room. */
void tp_limits_print(tp_str *out);

#endif
