#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// libvips and the hundred libraries below it cost every process that links them some 50 ms at its start, and most
// commands never draw. So it is opened when the first picture is drawn. The prototypes are those of vips 8; the calls
// with "..." end in NULL and take optional arguments as pairs of name and value.

typedef struct _VipsImage VipsImage;

struct halcyon_vips {
    int (*init)(const char *);
    void (*concurrency_set)(int);
    void (*cache_set_max)(int);
    char *(*error_buffer_copy)(void);
    void (*operation_block_set)(const char *, int);
    size_t (*type_find)(const char *, const char *);
    void (*thread_shutdown)(void);
    unsigned (*log_set_handler)(const char *, int, void *, void *);
    VipsImage *(*new_from_buffer)(const void *, size_t, const char *, ...);
    int (*get_width)(const VipsImage *);
    int (*get_height)(const VipsImage *);
    int (*get_bands)(const VipsImage *);
    int (*has_alpha)(VipsImage *);
    int (*get_orientation)(VipsImage *);
    int (*get_page_height)(VipsImage *);
    int (*get_n_pages)(VipsImage *);
    size_t (*get_typeof)(const VipsImage *, const char *);
    void (*set_progress)(VipsImage *, int);
    void (*set_kill)(VipsImage *, int);
    unsigned long (*signal_connect)(void *, const char *, void *, void *, void *, int);
    void *(*array_double_new)(const double *, int);
    void (*area_unref)(void *);
    int (*thumbnail_buffer)(void *, size_t, VipsImage **, int, ...);
    int (*colourspace)(VipsImage *, VipsImage **, int, ...);
    int (*cast)(VipsImage *, VipsImage **, int, ...);
    int (*flatten)(VipsImage *, VipsImage **, ...);
    int (*extract_area)(VipsImage *, VipsImage **, int, int, int, int, ...);
    int (*arrayjoin)(VipsImage **, VipsImage **, int, ...);
    int (*replicate)(VipsImage *, VipsImage **, int, int, ...);
    int (*bandjoin2)(VipsImage *, VipsImage *, VipsImage **, ...);
    int (*multiply)(VipsImage *, VipsImage *, VipsImage **, ...);
    int (*linear1)(VipsImage *, VipsImage **, double, double, ...);
    int (*webpsave_buffer)(VipsImage *, void **, size_t *, ...);
    int (*heifsave_buffer)(VipsImage *, void **, size_t *, ...);
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
        {"vips_error_buffer_copy", &vips->error_buffer_copy},
        {"vips_operation_block_set", &vips->operation_block_set},
        {"vips_type_find", &vips->type_find},
        {"vips_thread_shutdown", &vips->thread_shutdown},
        {"g_log_set_handler", &vips->log_set_handler},
        {"vips_image_new_from_buffer", &vips->new_from_buffer},
        {"vips_image_get_width", &vips->get_width},
        {"vips_image_get_height", &vips->get_height},
        {"vips_image_get_bands", &vips->get_bands},
        {"vips_image_hasalpha", &vips->has_alpha},
        {"vips_image_get_orientation", &vips->get_orientation},
        {"vips_image_get_page_height", &vips->get_page_height},
        {"vips_image_get_n_pages", &vips->get_n_pages},
        {"vips_image_get_typeof", &vips->get_typeof},
        {"vips_image_set_progress", &vips->set_progress},
        {"vips_image_set_kill", &vips->set_kill},
        {"g_signal_connect_data", &vips->signal_connect},
        {"vips_array_double_new", &vips->array_double_new},
        {"vips_area_unref", &vips->area_unref},
        {"vips_thumbnail_buffer", &vips->thumbnail_buffer},
        {"vips_colourspace", &vips->colourspace},
        {"vips_cast", &vips->cast},
        {"vips_flatten", &vips->flatten},
        {"vips_extract_area", &vips->extract_area},
        {"vips_arrayjoin", &vips->arrayjoin},
        {"vips_replicate", &vips->replicate},
        {"vips_bandjoin2", &vips->bandjoin2},
        {"vips_multiply", &vips->multiply},
        {"vips_linear1", &vips->linear1},
        {"vips_webpsave_buffer", &vips->webpsave_buffer},
        {"vips_heifsave_buffer", &vips->heifsave_buffer},
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

static inline void halcyon_vips_ignore_message(const char *domain, int level, const char *text, void *data) {
    (void)domain; (void)level; (void)text; (void)data;
}

// Warnings would go to standard error, in the middle of the log. 1 << 4 is G_LOG_LEVEL_WARNING.
static inline void halcyon_vips_silence(const struct halcyon_vips *vips) {
    vips->log_set_handler("VIPS", 1 << 4, (void *)halcyon_vips_ignore_message, NULL);
}

// When a picture must be done, on the monotonic clock, and whether it was not.
struct halcyon_vips_deadline {
    void (*set_kill)(VipsImage *, int);
    int64_t nanoseconds;
    int has_passed;
};

static inline int64_t halcyon_vips_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void halcyon_vips_check_deadline(VipsImage *image, void *progress, void *data) {
    struct halcyon_vips_deadline *deadline = (struct halcyon_vips_deadline *)data;
    (void)progress;
    if (halcyon_vips_now() < deadline->nanoseconds) return;
    deadline->has_passed = 1;
    deadline->set_kill(image, 1);
}

// `deadline` must outlive the image.
static inline void halcyon_vips_set_deadline(
    const struct halcyon_vips *vips, VipsImage *image, struct halcyon_vips_deadline *deadline) {
    deadline->set_kill = vips->set_kill;
    vips->set_progress(image, 1);
    vips->signal_connect(image, "eval", (void *)halcyon_vips_check_deadline, deadline, NULL, 0);
}

// Variadic calls, which Swift cannot make.

// Opens the header; pixels are read when they are asked for. 1 is VIPS_ACCESS_SEQUENTIAL.
static inline VipsImage *halcyon_vips_open_image(const struct halcyon_vips *vips, const void *bytes, size_t count) {
    return vips->new_from_buffer(bytes, count, "", "access", 1, NULL);
}

// Upright and of exactly this size (3 is VIPS_SIZE_FORCE). `options` are the loader's: vips 8.14 forgets an argument
// "fail_on" on the way to it.
// Making a colour transform takes longer than a small picture: only one with a profile is asked to become sRGB here.
static inline int halcyon_vips_thumbnail(
    const struct halcyon_vips *vips, const void *bytes, size_t count, const char *options, int width, int height,
    int has_profile, VipsImage **out) {
    return vips->thumbnail_buffer(
        (void *)bytes, count, out, width, "height", height, "size", 3, "option_string", options,
        has_profile ? "export_profile" : NULL, "srgb", NULL);
}

// 22 is VIPS_INTERPRETATION_sRGB.
static inline int halcyon_vips_srgb(const struct halcyon_vips *vips, VipsImage *in, VipsImage **out) {
    return vips->colourspace(in, out, 22, NULL);
}

// 0 is VIPS_FORMAT_UCHAR.
static inline int halcyon_vips_cast_byte(const struct halcyon_vips *vips, VipsImage *in, VipsImage **out) {
    return vips->cast(in, out, 0, NULL);
}

static inline int halcyon_vips_flatten_white(const struct halcyon_vips *vips, VipsImage *in, VipsImage **out) {
    const double white = 255;
    void *background = vips->array_double_new(&white, 1);
    int status = vips->flatten(in, out, "background", background, NULL);
    vips->area_unref(background);
    return status;
}

static inline int halcyon_vips_extract_area(
    const struct halcyon_vips *vips, VipsImage *in, int left, int top, int width, int height, VipsImage **out) {
    return vips->extract_area(in, out, left, top, width, height, NULL);
}

static inline int halcyon_vips_stack(const struct halcyon_vips *vips, VipsImage **in, int count, VipsImage **out) {
    return vips->arrayjoin(in, out, count, "across", 1, NULL);
}

static inline int halcyon_vips_repeat_down(const struct halcyon_vips *vips, VipsImage *in, int count, VipsImage **out) {
    return vips->replicate(in, out, 1, count, NULL);
}

static inline int halcyon_vips_extract_bands(
    const struct halcyon_vips *vips, VipsImage *in, int first, int count, VipsImage **out) {
    return vips->extract_band(in, out, first, "n", count, NULL);
}

static inline int halcyon_vips_join_bands(
    const struct halcyon_vips *vips, VipsImage *left, VipsImage *right, VipsImage **out) {
    return vips->bandjoin2(left, right, out, NULL);
}

// left x right / 255, in bytes.
static inline int halcyon_vips_multiply_bytes(
    const struct halcyon_vips *vips, VipsImage *left, VipsImage *right, VipsImage **out) {
    VipsImage *product = NULL;
    if (vips->multiply(left, right, &product, NULL) != 0) return -1;
    int status = vips->linear1(product, out, 1.0 / 255, 0.5, "uchar", 1, NULL);
    vips->unref(product);
    return status;
}

static inline int halcyon_vips_webpsave(
    const struct halcyon_vips *vips, VipsImage *in, int quality, int page_height, void **bytes, size_t *count) {
    return vips->webpsave_buffer(in, bytes, count, "Q", quality, "strip", 1, "page_height", page_height, NULL);
}

// 4 is VIPS_FOREIGN_HEIF_COMPRESSION_AV1.
static inline int halcyon_vips_avifsave(
    const struct halcyon_vips *vips, VipsImage *in, int quality, int effort, void **bytes, size_t *count) {
    return vips->heifsave_buffer(
        in, bytes, count, "Q", quality, "compression", 4, "effort", effort, "bitdepth", 8, "strip", 1, NULL);
}

// "unlimited": a page holds more than 10 MB of pictures.
static inline int halcyon_vips_svgload(const struct halcyon_vips *vips, const void *bytes, size_t count, VipsImage **out) {
    return vips->svgload_buffer((void *)bytes, count, out, "unlimited", 1, NULL);
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

// compression 0–9
static inline int halcyon_vips_pngsave(
    const struct halcyon_vips *vips, VipsImage *in, int compression, void **bytes, size_t *count) {
    return vips->pngsave_buffer(in, bytes, count, "compression", compression, "strip", 1, NULL);
}

static inline int halcyon_vips_jpegsave(
    const struct halcyon_vips *vips, VipsImage *in, int quality, void **bytes, size_t *count) {
    return vips->jpegsave_buffer(in, bytes, count, "Q", quality, "optimize_coding", 1, "strip", 1, NULL);
}
