/* Monitors: tp_before and tp_after stand around calls in the assembly of the program. They keep every
 * register that may carry an argument or a result. */
#ifdef __x86_64__
#define TP_SAVED "pushq %rbp; movq %rsp, %rbp; andq $-16, %rsp; subq $208, %rsp;" \
  "movq %rdi, (%rsp); movq %rsi, 8(%rsp); movq %rdx, 16(%rsp); movq %rcx, 24(%rsp); movq %r8, 32(%rsp);" \
  "movq %r9, 40(%rsp); movq %rax, 48(%rsp); movq %r10, 56(%rsp); movq %r11, 64(%rsp);" \
  "movups %xmm0, 80(%rsp); movups %xmm1, 96(%rsp); movups %xmm2, 112(%rsp); movups %xmm3, 128(%rsp);" \
  "movups %xmm4, 144(%rsp); movups %xmm5, 160(%rsp); movups %xmm6, 176(%rsp); movups %xmm7, 192(%rsp);"
#define TP_RESTORED "movups 80(%rsp), %xmm0; movups 96(%rsp), %xmm1; movups 112(%rsp), %xmm2; movups 128(%rsp), %xmm3;" \
  "movups 144(%rsp), %xmm4; movups 160(%rsp), %xmm5; movups 176(%rsp), %xmm6; movups 192(%rsp), %xmm7;" \
  "movq (%rsp), %rdi; movq 8(%rsp), %rsi; movq 16(%rsp), %rdx; movq 24(%rsp), %rcx; movq 32(%rsp), %r8;" \
  "movq 40(%rsp), %r9; movq 48(%rsp), %rax; movq 56(%rsp), %r10; movq 64(%rsp), %r11; movq %rbp, %rsp; popq %rbp; ret\n"
#define TP_BEFORE "movq 16(%rbp), %rdi; movq %rsp, %rsi; leaq 24(%rbp), %rdx;"
__asm__(".text\n.globl tp_before\ntp_before: " TP_SAVED TP_BEFORE "call tp_event_before;" TP_RESTORED
        ".globl tp_before_pointer\ntp_before_pointer: " TP_SAVED TP_BEFORE "call tp_event_before_pointer;" TP_RESTORED
        ".globl tp_after\ntp_after: " TP_SAVED "movq 48(%rsp), %rdi; movq 16(%rsp), %rsi; call tp_event_after;" TP_RESTORED);
#else
#define TP_SAVED "pushl %ebp; movl %esp, %ebp; andl $-16, %esp; subl $32, %esp; movl %eax, 16(%esp);" \
  "movl %ecx, 20(%esp); movl %edx, 24(%esp);"
#define TP_RESTORED "movl 16(%esp), %eax; movl 20(%esp), %ecx; movl 24(%esp), %edx; movl %ebp, %esp; popl %ebp; ret\n"
#define TP_BEFORE "movl 8(%ebp), %eax; movl %eax, (%esp); movl $0, 4(%esp); leal 12(%ebp), %eax; movl %eax, 8(%esp);"
__asm__(".text\n.globl tp_before\ntp_before: " TP_SAVED TP_BEFORE "call tp_event_before;" TP_RESTORED
        ".globl tp_before_pointer\ntp_before_pointer: " TP_SAVED TP_BEFORE "call tp_event_before_pointer;" TP_RESTORED
        ".globl tp_after\ntp_after: " TP_SAVED "movl %eax, (%esp); movl %edx, 4(%esp); call tp_event_after;" TP_RESTORED);
#endif
enum { TP_CALL, TP_RETURN, TP_EXIT_EVENT };
struct tp_frame {
  unsigned f;
  void *site;
  tp_u64 v[12];
};
static struct tp_frame tp_frames[1 << 16];
static unsigned tp_depth;
static void *tp_site;  // of the call that is an event; 0: the end of the program
QUIET static tp_u64 tp_signed(tp_u64 x, int bits) {
  return (tp_u64)((long long)(x << (64 - bits)) >> (64 - bits));
}
QUIET static tp_u64 tp_unsigned(tp_u64 x, int bits) { return x << (64 - bits) >> (64 - bits); }
__attribute__((unused)) QUIET static tp_u64 tp_unseen(void) {
  tp_end(112, "a monitor asks for a value that cannot be observed", "");
  return 0;
}
