/* The models under names of their own: name -> model_name. Undone by restored.h. */
#undef FILE
#define FILE model_FILE
#undef _Exit
#define _Exit model__Exit
#undef _IO_getc
#define _IO_getc model__IO_getc
#undef _IO_putc
#define _IO_putc model__IO_putc
#undef __ctype_b_loc
#define __ctype_b_loc model___ctype_b_loc
#undef __ctype_get_mb_cur_max
#define __ctype_get_mb_cur_max model___ctype_get_mb_cur_max
#undef __ctype_tolower_loc
#define __ctype_tolower_loc model___ctype_tolower_loc
#undef __ctype_toupper_loc
#define __ctype_toupper_loc model___ctype_toupper_loc
#undef __errno_location
#define __errno_location model___errno_location
#undef __fdelt_chk
#define __fdelt_chk model___fdelt_chk
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
#undef __xpg_basename
#define __xpg_basename model___xpg_basename
#undef __xpg_strerror_r
#define __xpg_strerror_r model___xpg_strerror_r
#undef _exit
#define _exit model__exit
#undef abs
#define abs model_abs
#undef accept
#define accept model_accept
#undef accept4
#define accept4 model_accept4
#undef access
#define access model_access
#undef acos
#define acos model_acos
#undef addrinfo
#define addrinfo model_addrinfo
#undef alarm
#define alarm model_alarm
#undef aligned_alloc
#define aligned_alloc model_aligned_alloc
#undef arc4random
#define arc4random model_arc4random
#undef arc4random_buf
#define arc4random_buf model_arc4random_buf
#undef arc4random_uniform
#define arc4random_uniform model_arc4random_uniform
#undef asctime
#define asctime model_asctime
#undef asctime_r
#define asctime_r model_asctime_r
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
#undef basename
#define basename model_basename
#undef bcmp
#define bcmp model_bcmp
#undef bcopy
#define bcopy model_bcopy
#undef bind
#define bind model_bind
#undef bind_textdomain_codeset
#define bind_textdomain_codeset model_bind_textdomain_codeset
#undef bindtextdomain
#define bindtextdomain model_bindtextdomain
#undef bsearch
#define bsearch model_bsearch
#undef btowc
#define btowc model_btowc
#undef bzero
#define bzero model_bzero
#undef cbrt
#define cbrt model_cbrt
#undef ceil
#define ceil model_ceil
#undef ceilf
#define ceilf model_ceilf
#undef cfgetispeed
#define cfgetispeed model_cfgetispeed
#undef cfgetospeed
#define cfgetospeed model_cfgetospeed
#undef chdir
#define chdir model_chdir
#undef chmod
#define chmod model_chmod
#undef chown
#define chown model_chown
#undef clearenv
#define clearenv model_clearenv
#undef clearerr
#define clearerr model_clearerr
#undef clearerr_unlocked
#define clearerr_unlocked model_clearerr_unlocked
#undef clock
#define clock model_clock
#undef clock_getres
#define clock_getres model_clock_getres
#undef clock_gettime
#define clock_gettime model_clock_gettime
#undef close
#define close model_close
#undef closedir
#define closedir model_closedir
#undef connect
#define connect model_connect
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
#undef ctime_r
#define ctime_r model_ctime_r
#undef dcgettext
#define dcgettext model_dcgettext
#undef dcngettext
#define dcngettext model_dcngettext
#undef dgettext
#define dgettext model_dgettext
#undef difftime
#define difftime model_difftime
#undef dirfd
#define dirfd model_dirfd
#undef dirname
#define dirname model_dirname
#undef div
#define div model_div
#undef div_t
#define div_t model_div_t
#undef dprintf
#define dprintf model_dprintf
#undef drand48
#define drand48 model_drand48
#undef dup
#define dup model_dup
#undef dup2
#define dup2 model_dup2
#undef endpwent
#define endpwent model_endpwent
#undef epoll_create
#define epoll_create model_epoll_create
#undef epoll_create1
#define epoll_create1 model_epoll_create1
#undef epoll_ctl
#define epoll_ctl model_epoll_ctl
#undef epoll_event
#define epoll_event model_epoll_event
#undef epoll_wait
#define epoll_wait model_epoll_wait
#undef erf
#define erf model_erf
#undef eventfd
#define eventfd model_eventfd
#undef execl
#define execl model_execl
#undef execlp
#define execlp model_execlp
#undef execv
#define execv model_execv
#undef execve
#define execve model_execve
#undef execvp
#define execvp model_execvp
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
#undef faccessat
#define faccessat model_faccessat
#undef fchdir
#define fchdir model_fchdir
#undef fchmod
#define fchmod model_fchmod
#undef fchown
#define fchown model_fchown
#undef fclose
#define fclose model_fclose
#undef fcntl
#define fcntl model_fcntl
#undef fdatasync
#define fdatasync model_fdatasync
#undef fdim
#define fdim model_fdim
#undef fdimf
#define fdimf model_fdimf
#undef fdopen
#define fdopen model_fdopen
#undef fdopendir
#define fdopendir model_fdopendir
#undef fegetround
#define fegetround model_fegetround
#undef feof
#define feof model_feof
#undef feof_unlocked
#define feof_unlocked model_feof_unlocked
#undef ferror
#define ferror model_ferror
#undef ferror_unlocked
#define ferror_unlocked model_ferror_unlocked
#undef fesetround
#define fesetround model_fesetround
#undef fflush
#define fflush model_fflush
#undef fflush_unlocked
#define fflush_unlocked model_fflush_unlocked
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
#undef flock
#define flock model_flock
#undef flockfile
#define flockfile model_flockfile
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
#undef fnmatch
#define fnmatch model_fnmatch
#undef fopen
#define fopen model_fopen
#undef fprintf
#define fprintf model_fprintf
#undef fputc
#define fputc model_fputc
#undef fputc_unlocked
#define fputc_unlocked model_fputc_unlocked
#undef fputs
#define fputs model_fputs
#undef fputs_unlocked
#define fputs_unlocked model_fputs_unlocked
#undef fread
#define fread model_fread
#undef fread_unlocked
#define fread_unlocked model_fread_unlocked
#undef freeaddrinfo
#define freeaddrinfo model_freeaddrinfo
#undef freopen
#define freopen model_freopen
#undef frexp
#define frexp model_frexp
#undef fscanf
#define fscanf model_fscanf
#undef fseek
#define fseek model_fseek
#undef fseeko
#define fseeko model_fseeko
#undef fstat
#define fstat model_fstat
#undef fstat64
#define fstat64 model_fstat64
#undef fstatat
#define fstatat model_fstatat
#undef fstatfs
#define fstatfs model_fstatfs
#undef fsync
#define fsync model_fsync
#undef ftell
#define ftell model_ftell
#undef ftello
#define ftello model_ftello
#undef ftruncate
#define ftruncate model_ftruncate
#undef funlockfile
#define funlockfile model_funlockfile
#undef futimens
#define futimens model_futimens
#undef fwrite
#define fwrite model_fwrite
#undef fwrite_unlocked
#define fwrite_unlocked model_fwrite_unlocked
#undef gai_strerror
#define gai_strerror model_gai_strerror
#undef getaddrinfo
#define getaddrinfo model_getaddrinfo
#undef getc
#define getc model_getc
#undef getc_unlocked
#define getc_unlocked model_getc_unlocked
#undef getchar
#define getchar model_getchar
#undef getchar_unlocked
#define getchar_unlocked model_getchar_unlocked
#undef getcwd
#define getcwd model_getcwd
#undef getdelim
#define getdelim model_getdelim
#undef getegid
#define getegid model_getegid
#undef getentropy
#define getentropy model_getentropy
#undef getenv
#define getenv model_getenv
#undef geteuid
#define geteuid model_geteuid
#undef getgid
#define getgid model_getgid
#undef getgrgid
#define getgrgid model_getgrgid
#undef getgrnam
#define getgrnam model_getgrnam
#undef gethostname
#define gethostname model_gethostname
#undef getline
#define getline model_getline
#undef getlogin
#define getlogin model_getlogin
#undef getnameinfo
#define getnameinfo model_getnameinfo
#undef getopt
#define getopt model_getopt
#undef getopt_long
#define getopt_long model_getopt_long
#undef getpagesize
#define getpagesize model_getpagesize
#undef getpeername
#define getpeername model_getpeername
#undef getpgrp
#define getpgrp model_getpgrp
#undef getpid
#define getpid model_getpid
#undef getppid
#define getppid model_getppid
#undef getpwent
#define getpwent model_getpwent
#undef getpwnam
#define getpwnam model_getpwnam
#undef getpwuid
#define getpwuid model_getpwuid
#undef getrandom
#define getrandom model_getrandom
#undef getrusage
#define getrusage model_getrusage
#undef gets
#define gets model_gets
#undef getsockname
#define getsockname model_getsockname
#undef getsockopt
#define getsockopt model_getsockopt
#undef gettext
#define gettext model_gettext
#undef gettimeofday
#define gettimeofday model_gettimeofday
#undef getuid
#define getuid model_getuid
#undef gmtime
#define gmtime model_gmtime
#undef gmtime_r
#define gmtime_r model_gmtime_r
#undef group
#define group model_group
#undef htonl
#define htonl model_htonl
#undef htons
#define htons model_htons
#undef hypot
#define hypot model_hypot
#undef if_nametoindex
#define if_nametoindex model_if_nametoindex
#undef imaxabs
#define imaxabs model_imaxabs
#undef in_addr
#define in_addr model_in_addr
#undef index
#define index model_index
#undef inet_ntoa
#define inet_ntoa model_inet_ntoa
#undef inet_ntop
#define inet_ntop model_inet_ntop
#undef inet_pton
#define inet_pton model_inet_pton
#undef ioctl
#define ioctl model_ioctl
#undef iovec
#define iovec model_iovec
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
#undef iswalnum
#define iswalnum model_iswalnum
#undef iswalpha
#define iswalpha model_iswalpha
#undef iswblank
#define iswblank model_iswblank
#undef iswcntrl
#define iswcntrl model_iswcntrl
#undef iswdigit
#define iswdigit model_iswdigit
#undef iswgraph
#define iswgraph model_iswgraph
#undef iswlower
#define iswlower model_iswlower
#undef iswprint
#define iswprint model_iswprint
#undef iswpunct
#define iswpunct model_iswpunct
#undef iswspace
#define iswspace model_iswspace
#undef iswupper
#define iswupper model_iswupper
#undef iswxdigit
#define iswxdigit model_iswxdigit
#undef isxdigit
#define isxdigit model_isxdigit
#undef kill
#define kill model_kill
#undef labs
#define labs model_labs
#undef lchown
#define lchown model_lchown
#undef lconv
#define lconv model_lconv
#undef ldexp
#define ldexp model_ldexp
#undef ldiv
#define ldiv model_ldiv
#undef ldiv_t
#define ldiv_t model_ldiv_t
#undef link
#define link model_link
#undef listen
#define listen model_listen
#undef llabs
#define llabs model_llabs
#undef lldiv
#define lldiv model_lldiv
#undef lldiv_t
#define lldiv_t model_lldiv_t
#undef llrint
#define llrint model_llrint
#undef llround
#define llround model_llround
#undef localeconv
#define localeconv model_localeconv
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
#undef lseek
#define lseek model_lseek
#undef lstat
#define lstat model_lstat
#undef lstat64
#define lstat64 model_lstat64
#undef mbrlen
#define mbrlen model_mbrlen
#undef mbrtowc
#define mbrtowc model_mbrtowc
#undef mbsinit
#define mbsinit model_mbsinit
#undef mbstowcs
#define mbstowcs model_mbstowcs
#undef mbtowc
#define mbtowc model_mbtowc
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
#undef mkdir
#define mkdir model_mkdir
#undef mkdirat
#define mkdirat model_mkdirat
#undef mkdtemp
#define mkdtemp model_mkdtemp
#undef mkfifo
#define mkfifo model_mkfifo
#undef mkstemp
#define mkstemp model_mkstemp
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
#undef ngettext
#define ngettext model_ngettext
#undef nice
#define nice model_nice
#undef nl_langinfo
#define nl_langinfo model_nl_langinfo
#undef ntohl
#define ntohl model_ntohl
#undef ntohs
#define ntohs model_ntohs
#undef open
#define open model_open
#undef openat
#define openat model_openat
#undef opendir
#define opendir model_opendir
#undef optarg
#define optarg model_optarg
#undef opterr
#define opterr model_opterr
#undef optind
#define optind model_optind
#undef option
#define option model_option
#undef optopt
#define optopt model_optopt
#undef passwd
#define passwd model_passwd
#undef pclose
#define pclose model_pclose
#undef perror
#define perror model_perror
#undef pipe
#define pipe model_pipe
#undef pipe2
#define pipe2 model_pipe2
#undef poll
#define poll model_poll
#undef pollfd
#define pollfd model_pollfd
#undef popen
#define popen model_popen
#undef posix_memalign
#define posix_memalign model_posix_memalign
#undef pow
#define pow model_pow
#undef powf
#define powf model_powf
#undef pread
#define pread model_pread
#undef printf
#define printf model_printf
#undef pthread_attr_destroy
#define pthread_attr_destroy model_pthread_attr_destroy
#undef pthread_attr_init
#define pthread_attr_init model_pthread_attr_init
#undef pthread_attr_setdetachstate
#define pthread_attr_setdetachstate model_pthread_attr_setdetachstate
#undef pthread_attr_setstacksize
#define pthread_attr_setstacksize model_pthread_attr_setstacksize
#undef pthread_cond_broadcast
#define pthread_cond_broadcast model_pthread_cond_broadcast
#undef pthread_cond_destroy
#define pthread_cond_destroy model_pthread_cond_destroy
#undef pthread_cond_init
#define pthread_cond_init model_pthread_cond_init
#undef pthread_cond_signal
#define pthread_cond_signal model_pthread_cond_signal
#undef pthread_condattr_destroy
#define pthread_condattr_destroy model_pthread_condattr_destroy
#undef pthread_condattr_init
#define pthread_condattr_init model_pthread_condattr_init
#undef pthread_condattr_setclock
#define pthread_condattr_setclock model_pthread_condattr_setclock
#undef pthread_equal
#define pthread_equal model_pthread_equal
#undef pthread_mutex_destroy
#define pthread_mutex_destroy model_pthread_mutex_destroy
#undef pthread_mutex_init
#define pthread_mutex_init model_pthread_mutex_init
#undef pthread_mutex_lock
#define pthread_mutex_lock model_pthread_mutex_lock
#undef pthread_mutex_trylock
#define pthread_mutex_trylock model_pthread_mutex_trylock
#undef pthread_mutex_unlock
#define pthread_mutex_unlock model_pthread_mutex_unlock
#undef pthread_mutexattr_destroy
#define pthread_mutexattr_destroy model_pthread_mutexattr_destroy
#undef pthread_mutexattr_init
#define pthread_mutexattr_init model_pthread_mutexattr_init
#undef pthread_mutexattr_settype
#define pthread_mutexattr_settype model_pthread_mutexattr_settype
#undef pthread_once
#define pthread_once model_pthread_once
#undef pthread_rwlock_destroy
#define pthread_rwlock_destroy model_pthread_rwlock_destroy
#undef pthread_rwlock_init
#define pthread_rwlock_init model_pthread_rwlock_init
#undef pthread_rwlock_rdlock
#define pthread_rwlock_rdlock model_pthread_rwlock_rdlock
#undef pthread_rwlock_unlock
#define pthread_rwlock_unlock model_pthread_rwlock_unlock
#undef pthread_rwlock_wrlock
#define pthread_rwlock_wrlock model_pthread_rwlock_wrlock
#undef pthread_self
#define pthread_self model_pthread_self
#undef putc
#define putc model_putc
#undef putc_unlocked
#define putc_unlocked model_putc_unlocked
#undef putchar
#define putchar model_putchar
#undef putchar_unlocked
#define putchar_unlocked model_putchar_unlocked
#undef puts
#define puts model_puts
#undef pwrite
#define pwrite model_pwrite
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
#undef readdir
#define readdir model_readdir
#undef readdir64
#define readdir64 model_readdir64
#undef readlink
#define readlink model_readlink
#undef readv
#define readv model_readv
#undef realloc
#define realloc model_realloc
#undef reallocarray
#define reallocarray model_reallocarray
#undef realpath
#define realpath model_realpath
#undef recv
#define recv model_recv
#undef recvfrom
#define recvfrom model_recvfrom
#undef regcomp
#define regcomp model_regcomp
#undef regerror
#define regerror model_regerror
#undef regexec
#define regexec model_regexec
#undef regfree
#define regfree model_regfree
#undef remainder
#define remainder model_remainder
#undef remove
#define remove model_remove
#undef rename
#define rename model_rename
#undef rewind
#define rewind model_rewind
#undef rewinddir
#define rewinddir model_rewinddir
#undef rindex
#define rindex model_rindex
#undef rint
#define rint model_rint
#undef rintf
#define rintf model_rintf
#undef rmdir
#define rmdir model_rmdir
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
#undef select
#define select model_select
#undef send
#define send model_send
#undef sendto
#define sendto model_sendto
#undef setbuf
#define setbuf model_setbuf
#undef setenv
#define setenv model_setenv
#undef setgid
#define setgid model_setgid
#undef setlocale
#define setlocale model_setlocale
#undef setpwent
#define setpwent model_setpwent
#undef setsid
#define setsid model_setsid
#undef setsockopt
#define setsockopt model_setsockopt
#undef setuid
#define setuid model_setuid
#undef setvbuf
#define setvbuf model_setvbuf
#undef shutdown
#define shutdown model_shutdown
#undef sigaddset
#define sigaddset model_sigaddset
#undef sigdelset
#define sigdelset model_sigdelset
#undef sigemptyset
#define sigemptyset model_sigemptyset
#undef sigfillset
#define sigfillset model_sigfillset
#undef sigismember
#define sigismember model_sigismember
#undef signbit
#define signbit model_signbit
#undef sigprocmask
#define sigprocmask model_sigprocmask
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
#undef socket
#define socket model_socket
#undef socketpair
#define socketpair model_socketpair
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
#undef stat
#define stat model_stat
#undef stat64
#define stat64 model_stat64
#undef statfs
#define statfs model_statfs
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
#undef strerror_r
#define strerror_r model_strerror_r
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
#undef strsignal
#define strsignal model_strsignal
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
#undef symlink
#define symlink model_symlink
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
#undef tcdrain
#define tcdrain model_tcdrain
#undef tcflush
#define tcflush model_tcflush
#undef tcgetattr
#define tcgetattr model_tcgetattr
#undef tcsetattr
#define tcsetattr model_tcsetattr
#undef textdomain
#define textdomain model_textdomain
#undef time
#define time model_time
#undef timegm
#define timegm model_timegm
#undef timespec
#define timespec model_timespec
#undef timeval
#define timeval model_timeval
#undef tm
#define tm model_tm
#undef tmpfile
#define tmpfile model_tmpfile
#undef toascii
#define toascii model_toascii
#undef tolower
#define tolower model_tolower
#undef toupper
#define toupper model_toupper
#undef towlower
#define towlower model_towlower
#undef towupper
#define towupper model_towupper
#undef trunc
#define trunc model_trunc
#undef truncate
#define truncate model_truncate
#undef truncf
#define truncf model_truncf
#undef ttyname
#define ttyname model_ttyname
#undef tzset
#define tzset model_tzset
#undef umask
#define umask model_umask
#undef uname
#define uname model_uname
#undef ungetc
#define ungetc model_ungetc
#undef unlink
#define unlink model_unlink
#undef unlinkat
#define unlinkat model_unlinkat
#undef unsetenv
#define unsetenv model_unsetenv
#undef usleep
#define usleep model_usleep
#undef utime
#define utime model_utime
#undef utimensat
#define utimensat model_utimensat
#undef utimes
#define utimes model_utimes
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
#undef wait
#define wait model_wait
#undef waitpid
#define waitpid model_waitpid
#undef wcpcpy
#define wcpcpy model_wcpcpy
#undef wcrtomb
#define wcrtomb model_wcrtomb
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
#undef wcstombs
#define wcstombs model_wcstombs
#undef wctob
#define wctob model_wctob
#undef wctomb
#define wctomb model_wctomb
#undef wcwidth
#define wcwidth model_wcwidth
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
#undef writev
#define writev model_writev
