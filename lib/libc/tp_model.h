/* What the C library models may ask of the verifier.
 *
 * What       builtins that `front/` lowers to single edges, and rules for models.
 * Rules      A model covers everything that a correct library on amd64 Debian 12 may do when it is
 *            called within its contract; what the contract leaves open is an environment input.
 *            A call outside the contract may do anything in reality; the model then runs into an
 *            invalid access, which is reported or ends the run like any other of the program.
 *            Models do not call each other through public names (the program may define its own
 *            `strlen`); shared helpers are called __tp_*. Signed arithmetic never overflows, but
 *            where C makes the overflow the caller's fault, behind __tp_check_overflow (abs).
 * Building   clang-19 with the front end's own options plus -ffreestanding -fno-builtin
 *            -fno-math-errno (so that __builtin_sqrt is an instruction), for both data models.
 * Testing    the tests in test/libc compile the models natively and compare with glibc. */
#ifndef TP_MODEL_H
#define TP_MODEL_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* One environment input each (HAVOC of kind ENVIRONMENT). `who` is a string literal: the library
 * function, as inputs are labelled with it. Plain: the world decides, every value that the model lets
 * pass can really occur (rand, getchar). With a `~` in front: the library computes it and the model does
 * not know how (the length printf returns); a failing run that rests on it must fail with the real library. */
_Bool __tp_env_bool(const char *who);
char __tp_env_char(const char *who);
unsigned char __tp_env_uchar(const char *who);
short __tp_env_short(const char *who);
unsigned short __tp_env_ushort(const char *who);
int __tp_env_int(const char *who);
unsigned int __tp_env_uint(const char *who);
long __tp_env_long(const char *who);
unsigned long __tp_env_ulong(const char *who);
long long __tp_env_llong(const char *who);
unsigned long long __tp_env_ullong(const char *who);
float __tp_env_float(const char *who);
double __tp_env_double(const char *who);
long double __tp_env_long_double(const char *who);

/* n bytes at p become one environment input (HAVOC_MEMORY of kind ENVIRONMENT). */
void __tp_env_bytes(const char *who, void *p, unsigned long n);

/* The run goes on only if c holds (ASSUME). */
void __tp_assume(_Bool c);

/* The program ends here with this status (a location without out-edges). */
_Noreturn void __tp_end(int status);

/* A new object of n bytes that lives to the end and need not be freed (ALLOC of kind global);
 * its content is indeterminate. `who` is a string literal. */
void *__tp_new_global(const char *who, unsigned long n);

/* Size of the object that p points into, whatever p's offset (select of the ghost `size`). */
unsigned long __tp_object_size(const void *p);

/* The check that free(p) makes, without freeing: a branch to valid-free's error location if that
 * property is checked, else an assumption. */
void __tp_check_free(const void *p);

/* 1 if a memory property is being checked, else 0: a constant, for models whose only other reason
 * to walk a string is to touch it. */
_Bool __tp_memory_checked(void);

/* The call is undefined behaviour unless c holds: an error if that property is checked, else nothing.
 * `message` is a string literal. */
void __tp_check_defined(_Bool c, const char *message);

/* The result can be represented if c holds: an error if overflows or undefined behaviour are checked, else nothing. */
void __tp_check_overflow(_Bool c, const char *message);

/* The same as __tp_check_defined for two places of a copy, which must not be one: objects that are copied do not overlap. */
void __tp_check_apart(const void *a, const void *b);

/* 1 if some string literal of the program contains %n, else 0: a constant. Formats are walked only
 * if that, or a memory property, gives a reason to. */
_Bool __tp_format_stores(void);

/* TRUE of a program that calls the model rests on this, a string literal: what C leaves open, and the model decides. */
void __tp_assumption(const char *what);

/* Marks what the model does not cover ("wide-character format"): the end of the run is unknown. */
_Noreturn void __tp_unsupported(const char *what);

/* lib/libc/errno.c: many functions may set errno; whoever reads it next gets an input, unless the standard names the value. */
extern _Bool __tp_errno_is_stale;
void __tp_set_errno(int to);

/* Did the program itself decide what a file or the next character is: has it opened a file to write, or run a command? Did it push a character back? What it reads
 * then is no input of the world but a guess. */
extern _Bool __tp_writes_files, __tp_has_pushed_back;
/* Has it closed a file, opened one, or read from one that it had closed? Then whether a call on a file succeeds, and what it reads, is no longer the
 * world's alone. */
extern _Bool __tp_has_closed, __tp_has_opened, __tp_reads_closed;
static inline _Bool __tp_is_guess(void) { return __tp_writes_files || __tp_has_pushed_back || __tp_reads_closed; }
struct __tp_file;
void __tp_note_closed_stream(struct __tp_file *f);
/* lib/libc/unistd.c: the number of a new file, or -1. */
int __tp_descriptor(void);

#define __TP_READ(type, who) (__tp_is_guess() ? __tp_env_##type("~" who) : __tp_env_##type(who))
#define __TP_READ_BYTES(who, p, n)                      \
  do {                                                  \
    if (__tp_is_guess())                                \
      __tp_env_bytes("~" who, p, n);                    \
    else                                                \
      __tp_env_bytes(who, p, n);                        \
  } while (0)

/* lib/libc/format.c: printf's formatting, writing at most size bytes (0: none, `to` unused) with the
 * terminating 0; returns the full length. */
unsigned long __tp_format(char *to, unsigned long size, const char *format, va_list args);
/* The same for what nobody reads: the format and the strings are read, nothing is written, not even by %n, and no input is asked for. */
void __tp_touch_format(const char *format, va_list args);

/* lib/libc/touch.c: the text is read up to its terminating 0, if memory is checked. */
void __tp_touch(const char *s);
/* n bytes are read, if memory is checked. */
void __tp_touch_bytes(const void *p, unsigned long n);

/* What library functions use of each other. */
void *malloc(size_t n);
void free(void *p);

/* lib/libc/stdlib.c: front calls this before the program ends by exit() or by return from main,
 * if the program uses atexit. */
void __tp_run_atexit(void);

#endif
