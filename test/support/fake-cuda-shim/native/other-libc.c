/* What stands for another C library: its dlsym knows one name more. */
#include <stddef.h>
#include <string.h>

void *dlsym(void *handle, const char *name) {
    (void)handle;
    return strcmp(name, "whoAnswers") == 0 ? (void *)42 : NULL;
}
