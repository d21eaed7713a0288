/* A bot that tries to get out. Each line it is sent names an attack; the answer is "ok", what was seen, or the error. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void tell(int result) { puts(result >= 0 ? "ok" : strerrorname_np(errno)); }

static void show(const char *path) {
    char text[65536];
    int fd = open(path, O_RDONLY), n = fd < 0 ? -1 : (int)read(fd, text, sizeof text - 1);
    if (n < 0) { tell(-1); return; }
    for (int i = 0; i < n; i++) putchar(text[i] == '\n' || text[i] == '\0' ? ' ' : text[i]);
    putchar('\n');
    close(fd);
}

static void create(const char *path) { int fd = open(path, O_WRONLY | O_CREAT, 0666); tell(fd); if (fd >= 0) close(fd); }

static void entries(const char *path, int only_numbers) {
    DIR *dir = opendir(path);
    if (!dir) { tell(-1); return; }
    for (struct dirent *e; (e = readdir(dir));)
        if (e->d_name[0] != '.' && (!only_numbers || (e->d_name[0] >= '0' && e->d_name[0] <= '9'))) printf("%s ", e->d_name);
    putchar('\n');
    closedir(dir);
}

static void attack(const char *name, const char *arg) {
    struct rlimit limit;
    if (!strcmp(name, "remount")) tell(mount("none", arg, NULL, MS_REMOUNT | MS_BIND, NULL));
    else if (!strcmp(name, "mount")) tell(mount("none", arg, "tmpfs", 0, NULL));
    else if (!strcmp(name, "umount")) tell(umount2(arg, MNT_DETACH));
    else if (!strcmp(name, "mknod")) tell(mknod(arg, S_IFBLK | 0666, makedev(8, 0)));
    else if (!strcmp(name, "ptrace")) tell((int)ptrace(PTRACE_ATTACH, atoi(arg), NULL, NULL));
    else if (!strcmp(name, "user-namespace")) tell(unshare(CLONE_NEWUSER));
    else if (!strcmp(name, "mount-namespace")) tell(unshare(CLONE_NEWNS));
    else if (!strcmp(name, "add-key")) tell((int)syscall(SYS_add_key, "user", "left", "x", 1, KEY_SPEC_SESSION_KEYRING));
    else if (!strcmp(name, "search-keys")) tell((int)syscall(SYS_request_key, "user", "secret", NULL, 0));
    else if (!strcmp(name, "join-keys")) tell((int)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
    else if (!strcmp(name, "chroot")) tell(chroot(arg));
    else if (!strcmp(name, "setuid")) tell(setresuid(atoi(arg), atoi(arg), atoi(arg)));
    else if (!strcmp(name, "read")) show(arg);
    else if (!strcmp(name, "create")) create(arg);
    else if (!strcmp(name, "list")) entries(arg, 0);
    else if (!strcmp(name, "processes")) entries(arg, 1);
    else if (!strcmp(name, "environment")) { for (char **e = environ; *e; e++) printf("%s ", *e); putchar('\n'); }
    else if (!strcmp(name, "raise-limit")) {
        limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
        tell(setrlimit(RLIMIT_AS, &limit));
    } else if (!strcmp(name, "allocate")) {
        tell(mmap(NULL, strtoull(arg, NULL, 10), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
    } else if (!strcmp(name, "connect")) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(arg)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
        tell(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at));
    } else if (!strcmp(name, "fill")) { /* megabytes that fit into a folder, in many files */
        static char block[1 << 20];
        char path[200];
        int total = 0, fd, n = 0;
        for (; n < 10000; n++) {
            snprintf(path, sizeof path, "%s/fill%d", arg, n);
            if ((fd = open(path, O_WRONLY | O_CREAT, 0600)) < 0 || write(fd, block, sizeof block) != sizeof block) break;
            close(fd);
            total++;
        }
        printf("%d\n", total);
    } else if (!strcmp(name, "fork")) { /* processes that can be had, up to a number */
        int n = 0, most = atoi(arg);
        pid_t pids[5000];
        while (n < most && (pids[n] = fork()) >= 0) {
            if (pids[n] == 0) { pause(); _exit(0); }
            n++;
        }
        printf("%d\n", n);
        while (n > 0) kill(pids[--n], SIGKILL);
        while (wait(NULL) > 0) {}
    } else puts("?");
    fflush(stdout);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && !strcmp(argv[1], "at-once")) { /* the child runs before anybody outside has seen the parent */
        if (fork() > 0) { pause(); return 0; }
        attack("allocate", argv[2]);
        attack("raise-limit", "");
        pause();
    }
    char line[4096], *arg;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        arg = strchr(line, ' ');
        if (arg) *arg++ = '\0';
        attack(line, arg ? arg : "");
    }
}
