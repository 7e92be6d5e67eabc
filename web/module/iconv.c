/* iconv by the code pages that every JavaScript engine has (TextDecoder), in place of the C library's, whose tables of
 * East Asian characters are a sixth of the module as it is sent, and cannot write Korean. One side is UTF-8 always, as
 * the library asks. */

#include <emscripten.h>
#include <errno.h>
#include <iconv.h>

/* clang-format off: JavaScript */
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"

/* A page of characters by bytes and of bytes by characters, made when it is first asked for; -1 where none is known. */
EM_JS(int, js_page, (const char* name), {
    const asked = UTF8ToString(name).toLowerCase().replace("//translit", "");
    const labels = { cp932: "windows-31j", cp936: "gbk", cp949: "windows-949", cp950: "big5", cp866: "ibm866", cp874: "windows-874", latin1: "iso-8859-1" };
    const wanted = labels[asked] || asked.replace(/^cp125/, "windows-125").replace(/^iso8859/, "iso-8859");
    const pages = Module["codePages"] = Module["codePages"] || [null];
    const known = pages.findIndex(page => page && page.label === wanted);
    if (known > 0) return known;
    let decoder;
    try {
        decoder = new TextDecoder(wanted, { ignoreBOM: true });
    } catch (error) {
        return -1;
    }
    const page = { label: wanted, characters: new Map(), bytes: new Map() };
    const put = (bytes, code) => {
        page.characters.set(bytes, code);
        if (!page.bytes.has(code)) page.bytes.set(code, bytes);
    };
    const isOne = character => character !== "" && character.codePointAt(0) !== 0xfffd && String.fromCodePoint(character.codePointAt(0)) === character;
    const isPrivate = code => code >= 0xe000 && code < 0xf900 && decoder.encoding !== "shift_jis";
    /* Decoders give controls for bytes that a page leaves open. Node's of this page gives them for all of 80 to 9F. */
    const windows1252 = [
        0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0,
        0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178
    ];
    const hasControls = /^(iso-8859|koi8)/.test(wanted);
    const single = byte => {
        if (wanted === "windows-1252" && byte >= 0x80 && byte < 0xa0) return String.fromCharCode(windows1252[byte - 0x80]);
        if (byte < 0x80 || /^(iso-8859-1|windows-1252)$/.test(wanted)) return String.fromCharCode(byte);
        return /ascii/.test(wanted) ? "" : decoder.decode(new Uint8Array([byte]));
    };
    for (let byte = 0; byte < 256; ++byte) {
        const character = single(byte), code = character.codePointAt(0);
        if (byte < 0x80 || (isOne(character) && !isPrivate(code) && (hasControls || code >= 0xa0))) put(byte, code);
    }
    if (/^(shift_jis|gbk|gb18030|euc-kr|euc-jp|big5)$/.test(decoder.encoding)) {
        const trails = Array.from({ length: 0xff - 0x40 }, (_, index) => 0x40 + index);
        for (let lead = 0x81; lead < 0xff; ++lead) {
            if (page.characters.has(lead)) continue;
            const row = decoder.decode(new Uint8Array(trails.flatMap(trail => [lead, trail, 10]))).split(String.fromCharCode(10));
            trails.forEach((trail, index) => {
                const character = row[index] || "";
                if (isOne(character) && !isPrivate(character.codePointAt(0))) put(lead * 256 + trail, character.codePointAt(0));
            });
        }
    }
    /* Windows' Korean page has the syllables that the older one lacks in their order, and two signs; Node's
     * decoder has the older one only. */
    if (wanted === "windows-949" || wanted === "uhc") {
        put(0xa2e6, 0x20ac);
        put(0xa2e7, 0xae);
        let syllable = 0xac00;
        for (let lead = 0x81; lead <= 0xc6; ++lead) for (let trail = 0x41; trail <= (lead < 0xa1 ? 0xfe : 0xa0); ++trail) {
            if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue;
            while (syllable <= 0xd7a3 && page.bytes.get(syllable) >= 0xb0a1) ++syllable;
            if (syllable > 0xd7a3 || page.characters.has(lead * 256 + trail)) continue;
            put(lead * 256 + trail, syllable++);
        }
    }
    return pages.push(page) - 1;
})

/* The character of up to two bytes; its number of bytes times 2^24 is added. */
EM_JS(int, js_character, (int page, int first, int second), {
    const { characters } = Module["codePages"][page];
    if (characters.has(first)) return 0x1000000 | characters.get(first);
    return characters.has(first * 256 + second) ? 0x2000000 | characters.get(first * 256 + second) : 0;
})

EM_JS(int, js_bytes, (int page, int character), {
    const bytes = Module["codePages"][page].bytes.get(character);
    return bytes === undefined ? -1 : bytes;
})

/* clang-format on */

static int is_utf8(const char* name) {
    return (name[0] | 32) == 'u' && (name[1] | 32) == 't' && (name[2] | 32) == 'f' && name[3] == '-' && name[4] == '8';
}

/* A page's number, twice, and 1 where it is what is written; both sides UTF-8 are page 0. */
iconv_t iconv_open(const char* to, const char* from) {
    const char* other = is_utf8(to) ? from : to;
    const int page = is_utf8(other) ? 0 : js_page(other);
    if (page >= 0) return (iconv_t)(page * 2 + !is_utf8(to));
    errno = EINVAL;
    return (iconv_t)-1;
}

int iconv_close(iconv_t page) {
    (void)page;
    return 0;
}

static size_t put_utf8(unsigned character, unsigned char* out) {
    if (character < 0x80) return out[0] = (unsigned char)character, 1;
    const size_t more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    for (size_t place = more; place > 0; --place, character >>= 6) out[place] = (unsigned char)(0x80 | (character & 63));
    out[0] = (unsigned char)((0xff00U >> (more + 1) & 0xff) | character);
    return more + 1;
}

static size_t put_page(int page, unsigned character, unsigned char* out) {
    const int bytes = js_bytes(page, (int)character);
    if (bytes < 0) return 0;
    if (bytes > 255) return out[0] = (unsigned char)(bytes >> 8), out[1] = (unsigned char)bytes, 2;
    return out[0] = (unsigned char)bytes, 1;
}

/* How many bytes make the first character; 0 where they make none. */
static size_t take_utf8(const unsigned char* in, size_t left, unsigned* character) {
    const size_t more = in[0] < 0x80 ? 0 : in[0] < 0xe0 ? 1 : in[0] < 0xf0 ? 2 : 3;
    if (more >= left || (more == 0 ? 0 : in[0] < 0xc2)) return 0;
    *character = more == 0 ? in[0] : in[0] & (0x3fU >> more);
    for (size_t place = 1; place <= more; ++place) {
        if ((in[place] & 0xc0) != 0x80) return 0;
        *character = *character << 6 | (in[place] & 63U);
    }
    const int is_longer = more > 1 && *character < (more == 2 ? 0x800U : 0x10000U);
    return is_longer || *character > 0x10ffff || *character >> 11 == 0xd800 >> 11 ? 0 : more + 1;
}

static size_t take_page(int page, const unsigned char* in, size_t left, unsigned* character) {
    const int found = js_character(page, in[0], left > 1 ? in[1] : 0);
    *character = (unsigned)found & 0xffffff;
    return (size_t)(found >> 24);
}

size_t iconv(iconv_t handle, char** in, size_t* in_left, char** out, size_t* out_left) {
    const int page = (int)handle / 2, writes_page = (int)handle % 2;
    while (in != NULL && *in_left > 0) {
        unsigned character = 0;
        unsigned char made[4];
        const unsigned char* place = (const unsigned char*)*in;
        const size_t taken = page == 0 || writes_page ? take_utf8(place, *in_left, &character) : take_page(page, place, *in_left, &character);
        const size_t size = taken == 0 ? 0 : page != 0 && writes_page ? put_page(page, character, made) : put_utf8(character, made);
        if (size == 0 || size > *out_left) {
            errno = size == 0 ? EILSEQ : E2BIG;
            return (size_t)-1;
        }
        for (size_t index = 0; index < size; ++index) (*out)[index] = (char)made[index];
        *in += taken, *in_left -= taken;
        *out += size, *out_left -= size;
    }
    return 0;
}
