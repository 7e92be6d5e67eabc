#ifndef EFFIGY_H
#define EFFIGY_H
/* The C interface of effigy: everything that bindings of other languages need. C99 and later; C++ has effigy.hpp.
 *
 * Results. Each function that can fail returns a result, never NULL: its status, its findings, and what it made. Read it
 * with effigy_status() and its neighbours, and give it to effigy_free(). A result whose status is not EFFIGY_OK has no
 * text, no data, no files and no object, unless a function says otherwise.
 *
 * Ownership. What is passed in is only used during the call: texts, bytes and settings may go afterwards. What comes out
 * of a result belongs to the result and stays until effigy_free(); objects (effigy_document, effigy_scene) are taken out
 * of it with effigy_take_document() or effigy_take_scene() and freed by themselves. effigy_free() frees them all.
 *
 * Texts are UTF-8 and end with a zero byte. Paths are UTF-8 with slashes. Structured answers and options are JSON; its
 * shapes are those of the program and stand in docs/json.md. Units: seconds, degrees, bytes, pixels; scenes are in
 * glTF's frame.
 *
 * Threads. There is no global state: calls with different objects run side by side. Functions that take a const object
 * may also run side by side with the same one. Callbacks are called on the thread of the call.
 *
 * Any bytes are safe to open. No C++ exception leaves a function. A NULL where something is needed ends with
 * EFFIGY_USAGE; effigy_free(NULL) does nothing.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define EFFIGY_API
#else
#define EFFIGY_API __attribute__((visibility("default")))
#endif

/* Also the exit codes of the program. */
typedef enum effigy_status_code {
    EFFIGY_OK = 0,         /* done; the findings may say what was lost */
    EFFIGY_FAILED = 1,     /* a damaged input, a conversion or a write that failed */
    EFFIGY_USAGE = 2,      /* an argument or an option that is wrong */
    EFFIGY_UNREADABLE = 3, /* not there, or of no known format */
    EFFIGY_LIMIT = 4,      /* a limit was reached, or the caller cancelled */
    EFFIGY_NO_MEMORY = 5
} effigy_status_code;

typedef struct effigy_result effigy_result;
typedef struct effigy_document effigy_document; /* one file of any format, every byte of it */
typedef struct effigy_scene effigy_scene;       /* what files mean: nodes, meshes, skins, materials, clips */
typedef struct effigy_sink effigy_sink;         /* takes what a callback has to give */

/* A file to read. `bytes` NULL: from settings->read_file, or else from the disk. `path` says what it is called, and
 * where what goes with it is looked for. */
typedef struct effigy_input {
    const char *path;
    const void *bytes;
    size_t size;
} effigy_input;

/* How a call works. NULL, or zero in every member but `struct_size`, is the usual. */
typedef struct effigy_settings {
    size_t struct_size; /* sizeof(effigy_settings), so that later versions can add members; 0 is EFFIGY_USAGE */
    /* A JSON object of switches by name, e.g. {"lod": 0, "textures": ["gfx"], "no-textures": true}: effigy_formats()
     * lists them. Besides them: "limit-memory" (bytes; 0 is by the size of the input), and what functions name. */
    const char *options;
    void *user; /* for the callbacks */
    /* Called before each step: 0 cancels, which ends with EFFIGY_LIMIT. `what` is "reading" or the like. */
    int (*progress)(void *user, const char *what, const char *name, size_t done, size_t total);
    /* Instead of the disk: gives the bytes of a file with one effigy_put() and returns 1; 0 if there is no such file.
     * The same file may be asked for several times. */
    int (*read_file)(void *user, const char *name, effigy_sink *sink);
    /* The names of all files that read_file has, one effigy_put() each; NULL: only what is named can be found. */
    void (*list_files)(void *user, effigy_sink *sink);
    int in_memory; /* outputs stay in the result, as files, instead of going to the disk */
} effigy_settings;

/* From callbacks only. The bytes are copied. */
EFFIGY_API void effigy_put(effigy_sink *sink, const void *bytes, size_t size);

/* "0.1.0"; never freed. */
EFFIGY_API const char *effigy_version(void);
/* Text: every format with its directions and its switches (type, range, default, what for), as `effigy formats --json`
 * prints. */
EFFIGY_API effigy_result *effigy_formats(void);
/* Text: {"format": "xac"}, or {"format": null, "foreign": "..."} for relatives that are not read. `head` is the first
 * 4 KiB or the whole of a file; `name` may be NULL. */
EFFIGY_API effigy_result *effigy_recognize(const void *head, size_t size, const char *name);

/* ---- results: valid until effigy_free(result) ---- */

EFFIGY_API effigy_status_code effigy_status(const effigy_result *result);
/* What went wrong, one line for people with its code in brackets; "" if nothing did. */
EFFIGY_API const char *effigy_error(const effigy_result *result);
/* JSON: {"effigy_report": 1, "findings": [...], "suppressed": {...}}: what was noticed, and what failed as the last. */
EFFIGY_API const char *effigy_findings(const effigy_result *result);
/* The text of the answer; "" if there is none. */
EFFIGY_API const char *effigy_text(const effigy_result *result);
/* The bytes of the answer, and their number in `size` unless that is NULL; NULL if there are none. */
EFFIGY_API const void *effigy_data(const effigy_result *result, size_t *size);
/* The files of a conversion: the one that was asked for first. Bytes only with `in_memory`; "" and NULL beyond the last. */
EFFIGY_API size_t effigy_file_count(const effigy_result *result);
EFFIGY_API const char *effigy_file_name(const effigy_result *result, size_t index);
EFFIGY_API const void *effigy_file_data(const effigy_result *result, size_t index, size_t *size);
/* The object of the answer, which is the caller's from then on; NULL if there is none or it was taken. */
EFFIGY_API effigy_document *effigy_take_document(effigy_result *result);
EFFIGY_API effigy_scene *effigy_take_scene(effigy_result *result);
/* Frees a result, a document or a scene. */
EFFIGY_API void effigy_free(void *object);

/* ---- faithful files ---- */

/* A document of any format that is read. Damaged files open: the findings have errors, and the document what is left. */
EFFIGY_API effigy_result *effigy_open(const effigy_input *input, const effigy_settings *settings);
/* A document from the JSON of effigy_dump(), edited or not. Option: "normalize" (counts and lengths are made true). */
EFFIGY_API effigy_result *effigy_build(const char *dump, const effigy_settings *settings);
/* "xac"; never freed; "" for NULL. */
EFFIGY_API const char *effigy_document_format(const effigy_document *document);
/* Text: counts, names, bounds. Option: "encoding". */
EFFIGY_API effigy_result *effigy_info(const effigy_document *document, const effigy_settings *settings);
/* The findings of the answer are the check's. `model`: what a motion is meant for, or NULL. */
EFFIGY_API effigy_result *effigy_check(const effigy_document *document, const effigy_document *model,
                                       const effigy_settings *settings);
/* Text: every field with its offset, as JSON. Options: "expand" (blocks as numbers), "hex" (an annotated hex map). */
EFFIGY_API effigy_result *effigy_dump(const effigy_document *document, const effigy_settings *settings);
/* Data: the very bytes that were read, or those of what was built. Option: "normalize". */
EFFIGY_API effigy_result *effigy_write(const effigy_document *document, const effigy_settings *settings);

/* ---- scenes ---- */

/* A scene of a model, its parts, its motions and what goes with them; all switches that read. Damaged inputs fail
 * unless "allow-damaged" is given. */
EFFIGY_API effigy_result *effigy_load_scene(const effigy_input *inputs, size_t count, const effigy_settings *settings);
/* Text: {"counts": {...}, "clips": [{"name", "duration", "tracks"}]}. */
EFFIGY_API effigy_result *effigy_scene_info(const effigy_scene *scene);
/* A new scene that stands still as a clip has it at a moment. Options: "clip" (name; default: the first; "" is the rest
 * pose), "time" (seconds), "loop" (default true). The given scene stays as it is. */
EFFIGY_API effigy_result *effigy_pose(const effigy_scene *scene, const effigy_settings *settings);
/* Data: a PNG. Options: those of effigy_pose(), "width", "height" (1024), "yaw", "pitch" (35, 12 degrees), "samples" (16),
 * "threads" (0: all), "wireframe", "skeleton", "normals", "uv". EFFIGY_FAILED with "render-unavailable" without Embree. */
EFFIGY_API effigy_result *effigy_render(const effigy_scene *scene, const effigy_settings *settings);
/* Writes a copy of the scene in the format that the extension of `path` or the switch "to" says; all switches that
 * write. */
EFFIGY_API effigy_result *effigy_save_scene(const effigy_scene *scene, const char *path,
                                            const effigy_settings *settings);
/* Both halves at once. Same format to same format is byte-exact. Options: all switches. */
EFFIGY_API effigy_result *effigy_convert(const effigy_input *inputs, size_t count, const char *path,
                                         const effigy_settings *settings);
/* The findings of the answer are the differences in meaning of two files; text: {"identical": false}. */
EFFIGY_API effigy_result *effigy_diff(const effigy_input *a, const effigy_input *b, const effigy_settings *settings);
/* Text: for each model the motions that fit, best first, as `effigy match --json` prints. `models` and `motions` may be
 * in any order and number; what cannot be read is among the findings. */
EFFIGY_API effigy_result *effigy_match(const effigy_input *models, size_t model_count, const effigy_input *motions,
                                       size_t motion_count, const effigy_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
