#pragma once
#include <dlfcn.h>
#include <stddef.h>

// libvips and the hundred libraries below it cost every process that links them some 50 ms at its start, and most
// commands never draw. So it is opened when the first picture is drawn. The prototypes are those of vips 8; the calls
// with "..." end in NULL and take optional arguments as pairs of name and value.

typedef struct _VipsImage VipsImage;

struct halcyon_vips {
    int (*init)(const char *);
    void (*concurrency_set)(int);
    void (*cache_set_max)(int);
    const char *(*error_buffer)(void);
    void (*error_clear)(void);
    int (*svgload_buffer)(void *, size_t, VipsImage **, ...);
    int (*extract_band)(VipsImage *, VipsImage **, int, ...);
    int (*gaussnoise)(VipsImage **, int, int, ...);
    int (*cast_short)(VipsImage *, VipsImage **, ...);
    VipsImage *(*copy_memory)(VipsImage *);
    int (*add)(VipsImage *, VipsImage *, VipsImage **, ...);
    int (*pngsave_buffer)(VipsImage *, void **, size_t *, ...);
    int (*jpegsave_buffer)(VipsImage *, void **, size_t *, ...);
    void (*unref)(void *);
    void (*free)(void *);
};

// NULL, or why the library cannot be had. It stays open for the life of the process.
static inline const char *halcyon_vips_open(struct halcyon_vips *vips) {
    void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
    const struct { const char *name; void *slot; } symbols[] = {
        {"vips_init", &vips->init},
        {"vips_concurrency_set", &vips->concurrency_set},
        {"vips_cache_set_max", &vips->cache_set_max},
        {"vips_error_buffer", &vips->error_buffer},
        {"vips_error_clear", &vips->error_clear},
        {"vips_svgload_buffer", &vips->svgload_buffer},
        {"vips_extract_band", &vips->extract_band},
        {"vips_gaussnoise", &vips->gaussnoise},
        {"vips_cast_short", &vips->cast_short},
        {"vips_image_copy_memory", &vips->copy_memory},
        {"vips_add", &vips->add},
        {"vips_pngsave_buffer", &vips->pngsave_buffer},
        {"vips_jpegsave_buffer", &vips->jpegsave_buffer},
        {"g_object_unref", &vips->unref},
        {"g_free", &vips->free},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL) return dlerror();
        *(void **)symbols[i].slot = symbol;
    }
    return NULL;
}

// Variadic calls, which Swift cannot make.

static inline int halcyon_vips_svgload(const struct halcyon_vips *vips, const void *bytes, size_t count, VipsImage **out) {
    return vips->svgload_buffer((void *)bytes, count, out, NULL);
}

static inline int halcyon_vips_drop_alpha(const struct halcyon_vips *vips, VipsImage *in, VipsImage **out) {
    return vips->extract_band(in, out, 0, "n", 3, NULL);
}

static inline int halcyon_vips_gaussnoise(
    const struct halcyon_vips *vips, int width, int height, double sigma, VipsImage **out) {
    return vips->gaussnoise(out, width, height, "mean", 0.0, "sigma", sigma, "seed", 1, NULL);
}

static inline int halcyon_vips_cast_short(const struct halcyon_vips *vips, VipsImage *in, VipsImage **out) {
    return vips->cast_short(in, out, NULL);
}

static inline int halcyon_vips_add(const struct halcyon_vips *vips, VipsImage *left, VipsImage *right, VipsImage **out) {
    return vips->add(left, right, out, NULL);
}

static inline int halcyon_vips_pngsave(const struct halcyon_vips *vips, VipsImage *in, void **bytes, size_t *count) {
    return vips->pngsave_buffer(in, bytes, count, "compression", 9, "strip", 1, NULL);
}

static inline int halcyon_vips_jpegsave(
    const struct halcyon_vips *vips, VipsImage *in, int quality, void **bytes, size_t *count) {
    return vips->jpegsave_buffer(in, bytes, count, "Q", quality, "optimize_coding", 1, "strip", 1, NULL);
}
