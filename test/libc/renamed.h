/* The models under names of their own: name -> model_name. Undone by restored.h. */
#undef _Exit
#define _Exit model__Exit
#undef _IO_getc
#define _IO_getc model__IO_getc
#undef _IO_putc
#define _IO_putc model__IO_putc
#undef __ctype_b_loc
#define __ctype_b_loc model___ctype_b_loc
#undef __ctype_tolower_loc
#define __ctype_tolower_loc model___ctype_tolower_loc
#undef __ctype_toupper_loc
#define __ctype_toupper_loc model___ctype_toupper_loc
#undef __errno_location
#define __errno_location model___errno_location
#undef __finite
#define __finite model___finite
#undef __finitef
#define __finitef model___finitef
#undef __fpclassify
#define __fpclassify model___fpclassify
#undef __fpclassifyf
#define __fpclassifyf model___fpclassifyf
#undef __isinf
#define __isinf model___isinf
#undef __isinff
#define __isinff model___isinff
#undef __isnan
#define __isnan model___isnan
#undef __isnanf
#define __isnanf model___isnanf
#undef __isoc99_fscanf
#define __isoc99_fscanf model___isoc99_fscanf
#undef __isoc99_scanf
#define __isoc99_scanf model___isoc99_scanf
#undef __isoc99_sscanf
#define __isoc99_sscanf model___isoc99_sscanf
#undef __signbit
#define __signbit model___signbit
#undef __signbitf
#define __signbitf model___signbitf
#undef __strdup
#define __strdup model___strdup
#undef _exit
#define _exit model__exit
#undef abs
#define abs model_abs
#undef access
#define access model_access
#undef acos
#define acos model_acos
#undef aligned_alloc
#define aligned_alloc model_aligned_alloc
#undef asctime
#define asctime model_asctime
#undef asin
#define asin model_asin
#undef asprintf
#define asprintf model_asprintf
#undef atan
#define atan model_atan
#undef atan2
#define atan2 model_atan2
#undef atexit
#define atexit model_atexit
#undef atof
#define atof model_atof
#undef atoi
#define atoi model_atoi
#undef atol
#define atol model_atol
#undef atoll
#define atoll model_atoll
#undef bcmp
#define bcmp model_bcmp
#undef bcopy
#define bcopy model_bcopy
#undef bsearch
#define bsearch model_bsearch
#undef bzero
#define bzero model_bzero
#undef cbrt
#define cbrt model_cbrt
#undef ceil
#define ceil model_ceil
#undef ceilf
#define ceilf model_ceilf
#undef chdir
#define chdir model_chdir
#undef clearerr
#define clearerr model_clearerr
#undef clock
#define clock model_clock
#undef clock_gettime
#define clock_gettime model_clock_gettime
#undef close
#define close model_close
#undef copysign
#define copysign model_copysign
#undef copysignf
#define copysignf model_copysignf
#undef cos
#define cos model_cos
#undef cosf
#define cosf model_cosf
#undef cosh
#define cosh model_cosh
#undef creat
#define creat model_creat
#undef ctime
#define ctime model_ctime
#undef difftime
#define difftime model_difftime
#undef div
#define div model_div
#undef dprintf
#define dprintf model_dprintf
#undef drand48
#define drand48 model_drand48
#undef dup
#define dup model_dup
#undef erf
#define erf model_erf
#undef exp
#define exp model_exp
#undef exp2
#define exp2 model_exp2
#undef expf
#define expf model_expf
#undef expm1
#define expm1 model_expm1
#undef fabs
#define fabs model_fabs
#undef fabsf
#define fabsf model_fabsf
#undef fclose
#define fclose model_fclose
#undef fdim
#define fdim model_fdim
#undef fdimf
#define fdimf model_fdimf
#undef fdopen
#define fdopen model_fdopen
#undef fegetround
#define fegetround model_fegetround
#undef feof
#define feof model_feof
#undef ferror
#define ferror model_ferror
#undef fesetround
#define fesetround model_fesetround
#undef fflush
#define fflush model_fflush
#undef ffs
#define ffs model_ffs
#undef ffsl
#define ffsl model_ffsl
#undef ffsll
#define ffsll model_ffsll
#undef fgetc
#define fgetc model_fgetc
#undef fgets
#define fgets model_fgets
#undef fileno
#define fileno model_fileno
#undef finite
#define finite model_finite
#undef finitef
#define finitef model_finitef
#undef floor
#define floor model_floor
#undef floorf
#define floorf model_floorf
#undef fma
#define fma model_fma
#undef fmaf
#define fmaf model_fmaf
#undef fmax
#define fmax model_fmax
#undef fmaxf
#define fmaxf model_fmaxf
#undef fmin
#define fmin model_fmin
#undef fminf
#define fminf model_fminf
#undef fmod
#define fmod model_fmod
#undef fmodf
#define fmodf model_fmodf
#undef fopen
#define fopen model_fopen
#undef fprintf
#define fprintf model_fprintf
#undef fputc
#define fputc model_fputc
#undef fputs
#define fputs model_fputs
#undef fread
#define fread model_fread
#undef freopen
#define freopen model_freopen
#undef frexp
#define frexp model_frexp
#undef fscanf
#define fscanf model_fscanf
#undef fseek
#define fseek model_fseek
#undef ftell
#define ftell model_ftell
#undef fwrite
#define fwrite model_fwrite
#undef getc
#define getc model_getc
#undef getchar
#define getchar model_getchar
#undef getchar_unlocked
#define getchar_unlocked model_getchar_unlocked
#undef getcwd
#define getcwd model_getcwd
#undef getdelim
#define getdelim model_getdelim
#undef getenv
#define getenv model_getenv
#undef geteuid
#define geteuid model_geteuid
#undef getgid
#define getgid model_getgid
#undef getline
#define getline model_getline
#undef getpagesize
#define getpagesize model_getpagesize
#undef getpid
#define getpid model_getpid
#undef getppid
#define getppid model_getppid
#undef gets
#define gets model_gets
#undef gettimeofday
#define gettimeofday model_gettimeofday
#undef getuid
#define getuid model_getuid
#undef gmtime
#define gmtime model_gmtime
#undef gmtime_r
#define gmtime_r model_gmtime_r
#undef htonl
#define htonl model_htonl
#undef htons
#define htons model_htons
#undef hypot
#define hypot model_hypot
#undef imaxabs
#define imaxabs model_imaxabs
#undef index
#define index model_index
#undef isalnum
#define isalnum model_isalnum
#undef isalpha
#define isalpha model_isalpha
#undef isascii
#define isascii model_isascii
#undef isatty
#define isatty model_isatty
#undef isblank
#define isblank model_isblank
#undef iscntrl
#define iscntrl model_iscntrl
#undef isdigit
#define isdigit model_isdigit
#undef isfinite
#define isfinite model_isfinite
#undef isgraph
#define isgraph model_isgraph
#undef isinf
#define isinf model_isinf
#undef isinff
#define isinff model_isinff
#undef islower
#define islower model_islower
#undef isnan
#define isnan model_isnan
#undef isnanf
#define isnanf model_isnanf
#undef isprint
#define isprint model_isprint
#undef ispunct
#define ispunct model_ispunct
#undef isspace
#define isspace model_isspace
#undef isupper
#define isupper model_isupper
#undef isxdigit
#define isxdigit model_isxdigit
#undef labs
#define labs model_labs
#undef ldexp
#define ldexp model_ldexp
#undef ldiv
#define ldiv model_ldiv
#undef llabs
#define llabs model_llabs
#undef lldiv
#define lldiv model_lldiv
#undef llrint
#define llrint model_llrint
#undef llround
#define llround model_llround
#undef localtime
#define localtime model_localtime
#undef localtime_r
#define localtime_r model_localtime_r
#undef log
#define log model_log
#undef log10
#define log10 model_log10
#undef log1p
#define log1p model_log1p
#undef log2
#define log2 model_log2
#undef logf
#define logf model_logf
#undef lrand48
#define lrand48 model_lrand48
#undef lrint
#define lrint model_lrint
#undef lrintf
#define lrintf model_lrintf
#undef lround
#define lround model_lround
#undef lroundf
#define lroundf model_lroundf
#undef memalign
#define memalign model_memalign
#undef memccpy
#define memccpy model_memccpy
#undef memchr
#define memchr model_memchr
#undef memcmp
#define memcmp model_memcmp
#undef memcpy
#define memcpy model_memcpy
#undef memmove
#define memmove model_memmove
#undef mempcpy
#define mempcpy model_mempcpy
#undef memrchr
#define memrchr model_memrchr
#undef memset
#define memset model_memset
#undef mktime
#define mktime model_mktime
#undef modf
#define modf model_modf
#undef modff
#define modff model_modff
#undef mrand48
#define mrand48 model_mrand48
#undef nan
#define nan model_nan
#undef nanf
#define nanf model_nanf
#undef nanosleep
#define nanosleep model_nanosleep
#undef nearbyint
#define nearbyint model_nearbyint
#undef nearbyintf
#define nearbyintf model_nearbyintf
#undef ntohl
#define ntohl model_ntohl
#undef ntohs
#define ntohs model_ntohs
#undef open
#define open model_open
#undef pclose
#define pclose model_pclose
#undef perror
#define perror model_perror
#undef popen
#define popen model_popen
#undef posix_memalign
#define posix_memalign model_posix_memalign
#undef pow
#define pow model_pow
#undef powf
#define powf model_powf
#undef printf
#define printf model_printf
#undef putc
#define putc model_putc
#undef putchar
#define putchar model_putchar
#undef putchar_unlocked
#define putchar_unlocked model_putchar_unlocked
#undef puts
#define puts model_puts
#undef qsort
#define qsort model_qsort
#undef quick_exit
#define quick_exit model_quick_exit
#undef rand
#define rand model_rand
#undef rand_r
#define rand_r model_rand_r
#undef random
#define random model_random
#undef read
#define read model_read
#undef readlink
#define readlink model_readlink
#undef realloc
#define realloc model_realloc
#undef reallocarray
#define reallocarray model_reallocarray
#undef remainder
#define remainder model_remainder
#undef remove
#define remove model_remove
#undef rename
#define rename model_rename
#undef rewind
#define rewind model_rewind
#undef rindex
#define rindex model_rindex
#undef rint
#define rint model_rint
#undef rintf
#define rintf model_rintf
#undef round
#define round model_round
#undef roundf
#define roundf model_roundf
#undef scalbn
#define scalbn model_scalbn
#undef scanf
#define scanf model_scanf
#undef sched_yield
#define sched_yield model_sched_yield
#undef secure_getenv
#define secure_getenv model_secure_getenv
#undef setbuf
#define setbuf model_setbuf
#undef setvbuf
#define setvbuf model_setvbuf
#undef signbit
#define signbit model_signbit
#undef sin
#define sin model_sin
#undef sinf
#define sinf model_sinf
#undef sinh
#define sinh model_sinh
#undef sleep
#define sleep model_sleep
#undef snprintf
#define snprintf model_snprintf
#undef sprintf
#define sprintf model_sprintf
#undef sqrt
#define sqrt model_sqrt
#undef sqrtf
#define sqrtf model_sqrtf
#undef srand
#define srand model_srand
#undef srand48
#define srand48 model_srand48
#undef srandom
#define srandom model_srandom
#undef sscanf
#define sscanf model_sscanf
#undef stpcpy
#define stpcpy model_stpcpy
#undef strcasecmp
#define strcasecmp model_strcasecmp
#undef strcat
#define strcat model_strcat
#undef strchr
#define strchr model_strchr
#undef strchrnul
#define strchrnul model_strchrnul
#undef strcmp
#define strcmp model_strcmp
#undef strcoll
#define strcoll model_strcoll
#undef strcpy
#define strcpy model_strcpy
#undef strcspn
#define strcspn model_strcspn
#undef strdup
#define strdup model_strdup
#undef strerror
#define strerror model_strerror
#undef strftime
#define strftime model_strftime
#undef strlen
#define strlen model_strlen
#undef strncasecmp
#define strncasecmp model_strncasecmp
#undef strncat
#define strncat model_strncat
#undef strncmp
#define strncmp model_strncmp
#undef strncpy
#define strncpy model_strncpy
#undef strndup
#define strndup model_strndup
#undef strnlen
#define strnlen model_strnlen
#undef strpbrk
#define strpbrk model_strpbrk
#undef strrchr
#define strrchr model_strrchr
#undef strsep
#define strsep model_strsep
#undef strspn
#define strspn model_strspn
#undef strstr
#define strstr model_strstr
#undef strtod
#define strtod model_strtod
#undef strtof
#define strtof model_strtof
#undef strtoimax
#define strtoimax model_strtoimax
#undef strtok
#define strtok model_strtok
#undef strtok_r
#define strtok_r model_strtok_r
#undef strtol
#define strtol model_strtol
#undef strtoll
#define strtoll model_strtoll
#undef strtoul
#define strtoul model_strtoul
#undef strtoull
#define strtoull model_strtoull
#undef strtoumax
#define strtoumax model_strtoumax
#undef sysconf
#define sysconf model_sysconf
#undef syslog
#define syslog model_syslog
#undef system
#define system model_system
#undef tan
#define tan model_tan
#undef tanh
#define tanh model_tanh
#undef time
#define time model_time
#undef tmpfile
#define tmpfile model_tmpfile
#undef toascii
#define toascii model_toascii
#undef tolower
#define tolower model_tolower
#undef toupper
#define toupper model_toupper
#undef trunc
#define trunc model_trunc
#undef truncf
#define truncf model_truncf
#undef umask
#define umask model_umask
#undef ungetc
#define ungetc model_ungetc
#undef unlink
#define unlink model_unlink
#undef usleep
#define usleep model_usleep
#undef valloc
#define valloc model_valloc
#undef vasprintf
#define vasprintf model_vasprintf
#undef vfprintf
#define vfprintf model_vfprintf
#undef vprintf
#define vprintf model_vprintf
#undef vsnprintf
#define vsnprintf model_vsnprintf
#undef vsprintf
#define vsprintf model_vsprintf
#undef wcpcpy
#define wcpcpy model_wcpcpy
#undef wcscat
#define wcscat model_wcscat
#undef wcschr
#define wcschr model_wcschr
#undef wcschrnul
#define wcschrnul model_wcschrnul
#undef wcscmp
#define wcscmp model_wcscmp
#undef wcscpy
#define wcscpy model_wcscpy
#undef wcscspn
#define wcscspn model_wcscspn
#undef wcsdup
#define wcsdup model_wcsdup
#undef wcslen
#define wcslen model_wcslen
#undef wcsncat
#define wcsncat model_wcsncat
#undef wcsncmp
#define wcsncmp model_wcsncmp
#undef wcsncpy
#define wcsncpy model_wcsncpy
#undef wcsnlen
#define wcsnlen model_wcsnlen
#undef wcspbrk
#define wcspbrk model_wcspbrk
#undef wcsrchr
#define wcsrchr model_wcsrchr
#undef wcsspn
#define wcsspn model_wcsspn
#undef wcsstr
#define wcsstr model_wcsstr
#undef wcstok
#define wcstok model_wcstok
#undef wmemchr
#define wmemchr model_wmemchr
#undef wmemcmp
#define wmemcmp model_wmemcmp
#undef wmemcpy
#define wmemcpy model_wmemcpy
#undef wmemmove
#define wmemmove model_wmemmove
#undef wmempcpy
#define wmempcpy model_wmempcpy
#undef wmemset
#define wmemset model_wmemset
#undef write
#define write model_write
#undef FILE
#define FILE model_FILE
#undef div_t
#define div_t model_div_t
#undef ldiv_t
#define ldiv_t model_ldiv_t
#undef lldiv_t
#define lldiv_t model_lldiv_t
#undef timespec
#define timespec model_timespec
#undef timeval
#define timeval model_timeval
#undef tm
#define tm model_tm
