/*
 * A program that is not linked with CUDA. By its first argument:
 *   closed DRIVER MODULE   finds cuInit in a driver, closes that, and uses a module that calls cuInit
 *   module MODULE...       uses modules, each loaded for itself alone, and prints whether dlerror has something to say
 *   find NAME              prints what dlsym finds
 *   self NAME              the same with the handle of the program itself, and whether dlerror has something to say
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *loader_error(void) { return dlerror() == NULL ? "quiet" : "error"; }

static int use(const char *path) {
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*function)(void) = module == NULL ? NULL : (int (*)(void))dlsym(module, "use");
    return function == NULL ? -1 : function();
}

static int closed(const char *driver, const char *module) {
    void *handle = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(handle, "cuInit");
    int found = init(0);
    dlclose(handle);
    int gone = dlopen(driver, RTLD_NOW | RTLD_NOLOAD) == NULL;
    printf("%d %d %d\n", found, gone, use(module));
    return 0;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    const char *what = arguments[1];
    if (strcmp(what, "closed") == 0 && count == 4) return closed(arguments[2], arguments[3]);
    if (strcmp(what, "module") == 0) {
        for (int i = 2; i < count; i++) printf("%d ", use(arguments[i]));
        printf("%s\n", loader_error());
    } else if (strcmp(what, "find") == 0) {
        printf("%ld\n", (long)(intptr_t)dlsym(RTLD_DEFAULT, arguments[2]));
    } else {
        void *found = dlsym(dlopen(NULL, RTLD_NOW), arguments[2]);
        printf("%s %s\n", found == NULL ? "none" : "some", loader_error());
    }
    return 0;
}
