/* What the module has beside effigy.h: settings whose callbacks are functions of the JavaScript side. Calls are made
 * one after the other, so that one object is enough. */

#include <emscripten.h>

#include "effigy/effigy.h"

EM_JS(int, js_progress, (const char* what, const char* name, size_t done, size_t total),
      { return Module["progress"](UTF8ToString(what), UTF8ToString(name), done, total) ? 1 : 0; })

EM_JS(int, js_read_file, (const char* name, effigy_sink* sink),
      { return Module["readFile"](UTF8ToString(name), sink) ? 1 : 0; })

EM_JS(void, js_list_files, (effigy_sink * sink), { Module["listFiles"](sink); })

static int progress(void* user, const char* what, const char* name, size_t done, size_t total) {
    (void)user;
    return js_progress(what, name, done, total);
}

static int read_file(void* user, const char* name, effigy_sink* sink) {
    (void)user;
    return js_read_file(name, sink);
}

static void list_files(void* user, effigy_sink* sink) {
    (void)user;
    js_list_files(sink);
}

const effigy_settings* effigy_web_settings(const char* options) {
    static effigy_settings settings;
    settings.struct_size = sizeof settings;
    settings.options = options;
    settings.progress = progress;
    settings.read_file = read_file;
    settings.list_files = list_files;
    settings.in_memory = 1;
    return &settings;
}
