/* Files become one GLB, by the C interface: first_use_c MODEL [MOTION]... OUTPUT */

#include <stdio.h>

#include <effigy/effigy.h>

static int say(void* user, const char* what, const char* name, size_t done, size_t total) {
    (void)user;
    fprintf(stderr, "%s %s (%lu of %lu)\n", what, name, (unsigned long)done, (unsigned long)total);
    return 1; /* 0 would cancel */
}

int main(int count, char** arguments) {
    enum { most = 16 };
    effigy_input inputs[most] = {{NULL, NULL, 0}};
    effigy_settings settings = {0};
    effigy_result* result;
    effigy_status_code status;
    int i;
    if (count < 3 || count - 2 > most) {
        puts("usage: first_use_c MODEL [MOTION]... OUTPUT");
        return EFFIGY_USAGE;
    }
    for (i = 1; i < count - 1; ++i) inputs[i - 1].path = arguments[i];
    settings.struct_size = sizeof settings;
    settings.options = "{\"lod\": 0}";
    settings.progress = say;
    result = effigy_convert(inputs, (size_t)(count - 2), arguments[count - 1], &settings);
    status = effigy_status(result);
    if (status == EFFIGY_OK) {
        printf("%s: %s\n%s\n", effigy_file_name(result, 0), effigy_text(result), effigy_findings(result));
    } else {
        fprintf(stderr, "%s\n", effigy_error(result));
    }
    effigy_free(result);
    return (int)status;
}
