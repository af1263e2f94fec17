/* Pictures on disk: a file for each, and a page that shows them.
 *
 * What       NAME.dot always, NAME.svg where Graphviz's program `dot` is installed (a message on
 *            standard error where it is not), index.html.
 * Law        the same pictures give the same files; .svg as the installed Graphviz draws them. */
#ifndef TP_APP_PICTURES_H
#define TP_APP_PICTURES_H

#include "engine/engine.h"

/* Makes the folder if it is not there. False: errno says why nothing can be written in it. */
bool tp_is_writable_directory(const char *path);
/* All pictures of a program with their places, as an index; a message if there are none. False: a
 * file cannot be written, errno. */
bool tp_pictures_write(const char *directory, const char *program, const tp_drawing *pictures,
                       size_t n);
/* directory/names[i].dot to .svg. False, after a message: it is not installed, or failed. */
bool tp_pictures_render(const char *directory, const char *const *names, size_t n);
/* Texts of Graphviz (NULL: none) as SVG, in the arena; svgs[i] stays as it is where nothing can be
 * drawn. */
void tp_pictures_as_svg(const char *const *texts, size_t n, tp_arena *arena, const char **svgs);

#endif
