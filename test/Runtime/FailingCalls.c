/* Calls that fail where FAILS in the environment names them, for what no test can bring the
 * system to otherwise. Preloaded (LD_PRELOAD) it stands before the C library; as TPRT_DNNL it is a
 * oneDNN that refuses every product. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fails(const char *name) {
  const char *wanted = getenv("FAILS");
  return wanted && !strcmp(wanted, name);
}

/* Whether the program calls, not one of its libraries: of these MPI has the same calls. */
static int isOurs(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && !strstr(info.dli_fname, ".so");
}

int listen(int socket, int backlog) {
  if (fails("listen") && isOurs(__builtin_return_address(0))) {
    errno = EADDRINUSE;
    return -1;
  }
  return (int)syscall(SYS_listen, socket, backlog);
}

int pipe2(int ends[2], int flags) {
  if (fails("pipe2") && isOurs(__builtin_return_address(0))) {
    errno = EMFILE;
    return -1;
  }
  return (int)syscall(SYS_pipe2, ends, flags);
}

/* Of a file nothing behind the first 8 bytes can be read. */
ssize_t pread64(int file, void *data, size_t size, off_t offset) {
  if (fails("pread") && offset >= 8)
    return 0;
  return syscall(SYS_pread64, file, data, size, offset);
}

ssize_t pread(int file, void *data, size_t size, off_t offset) {
  return pread64(file, data, size, offset);
}

/* No file can be executed. */
int access(const char *path, int mode) {
  if (fails("access") && mode & X_OK) {
    errno = EACCES;
    return -1;
  }
  return (int)syscall(SYS_faccessat, -100 /* AT_FDCWD */, path, mode);
}

int dnnl_sgemm(void) { return 3; /* invalid arguments */ }
int dnnl_gemm_bf16bf16f32(void) { return 3; }
