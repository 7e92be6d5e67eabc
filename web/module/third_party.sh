#!/usr/bin/env bash
# The libraries that effigy links, compiled to WebAssembly, once: Debian's source packages of the versions that are
# installed here, with Debian's patches. Prints the folder that has them, which is named after all that it is made of.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/effigy
# Its optimiser of JavaScript needs acorn, which Debian keeps there.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
# Each call of the compiler starts Python: Debian's, not the one that a version manager has first and starts by a script.
export EMSDK_PYTHON=${EMSDK_PYTHON:-/usr/bin/python3}
flags='-O2 -fwasm-exceptions -sSUPPORT_LONGJMP=wasm -msimd128 -ffunction-sections -fdata-sections'

# What is compiled, by the package that the native build uses, so that both have the same version.
compiled=(zlib1g-dev libpng-dev libjpeg62-turbo-dev libsquish-dev libwebp-dev libgif-dev libdeflate-dev libpugixml-dev
    libmd-dev libminizip-dev libmeshoptimizer-dev libdraco-dev libqhull-dev libdouble-conversion-dev)
# What consists of headers.
headers=(tl nlohmann glm stb xxhash.h hwy CLI)

say() { printf '%s\n' "$*" >&2; }
die() { # WHY [STATUS]
    say "third_party.sh: $1"
    exit "${2:-1}"
}
readonly cannot_download=75 # a status of its own: that is no mistake of what is built

# "package source version" for each.
versions() {
    dpkg-query -W -f '${Package} ${source:Package} ${source:Version}\n' "${compiled[@]}" || die "packages are missing"
}

key() {
    {
        versions
        emcc --version | sed -n 1p # which reads to the end: an early end of a pipe is an error of emcc
        declare -p flags headers
        declare -f own compile compile_all link_headers
        cat "$here/third_party.cmake"
    } | sha256sum | cut -c 1-16
}

# ---- sources ----

# apt with a list of sources of its own, which is made of the machine's, and with its own state.
own_apt() {
    local program=apt-get
    [[ $1 != showsrc ]] || program=apt-cache
    "$program" -qq -o "Dir::Etc::SourceList=$cache/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o "Dir::State::lists=$cache/apt/lists" -o "Dir::Cache=$cache/apt/cache" -o APT::Sandbox::User= \
        -o Acquire::Retries=3 -o Acquire::Languages=none "$@"
}

update_lists() {
    mkdir -p "$cache"/apt/lists/partial "$cache"/apt/cache/archives/partial
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed=
    [[ ! -f $keyring ]] || signed="[signed-by=$keyring] "
    # The release itself first: of two places that have a version, apt asks the first.
    apt-get indextargets --format "\$(RELEASE) deb-src $signed\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
        'Created-By: Packages' 'Origin: Debian' | sort -u | cut -d ' ' -f 2- >"$cache/apt/sources.list"
    [[ -s $cache/apt/sources.list ]] || die "apt knows no sources of Debian; try apt-get update" "$cannot_download"
    own_apt update >&2 || die "the lists of Debian's sources cannot be downloaded" "$cannot_download"
}

# Mirrors keep the newest versions only, and not each has all of them: the installed one, or the newest that is there.
download() { # SOURCE VERSION
    local version
    for version in "$2" $(own_apt showsrc "$1" | sed -n 's/^Version: //p' | sort -rVu); do
        ! (cd "$cache/sources" && own_apt source --download-only "$1=$version" >&2) || return 0
    done
    die "no source package of $1 can be had" "$cannot_download"
}

newest_of() { # SOURCE
    printf '%s\n' "$cache/sources/$1"_*.dsc | sort -V | tail -n 1
}

# Debian's patches are applied by dpkg-source.
fetch() { # FOLDER
    local source version description
    mkdir -p "$1" "$cache/sources"
    while read -r source version; do
        description=$cache/sources/${source}_${version#*:}.dsc
        if [[ ! -f $description ]]; then
            ((listed++)) || update_lists
            download "$source" "$version"
        fi
        [[ -f $description ]] || description=$(newest_of "$source")
        say "unpacking $(basename "$description")"
        dpkg-source --no-check -x "$description" "$1/$source" >/dev/null
    done < <(versions | cut -d ' ' -f 2- | sort -u)
}

# ---- building ----

own() { # SOURCE [OPTION...]: by its own CMake files
    local source=$1
    shift
    compile "$source" "$work/src/$source" "$@"
}

compile() { # NAME FOLDER [OPTION...]
    local name=$1 folder=$2
    shift 2
    say "compiling $name"
    if ! { emcmake cmake -S "$folder" -B "$work/build/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_FIND_ROOT_PATH="$prefix" \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG \
        -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG -DCMAKE_POLICY_DEFAULT_CMP0077=NEW "$@" >"$work/$name.log" 2>&1 &&
        cmake --build "$work/build/$name" --target install --parallel "${EFFIGY_JOBS:-$(nproc)}" >>"$work/$name.log" 2>&1; }; then
        tail -n 30 "$work/$name.log" >&2
        die "$name could not be compiled"
    fi
}

# zlib, giflib, libdeflate, libmd, minizip and Qhull have no CMake files that cross-compile.
compile_all() {
    mkdir -p "$work/rest"
    cp "$here/third_party.cmake" "$work/rest/CMakeLists.txt"
    compile rest "$work/rest" -DSOURCES="$work/src"
    own libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF -DPNG_HARDWARE_OPTIMIZATIONS=OFF
    own libjpeg-turbo -DENABLE_SHARED=OFF -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF -DWITH_JPEG8=OFF \
        -DHAVE_SIZE_T=1 -DSIZE_T=4 -DHAVE_UNSIGNED_LONG=1 -DUNSIGNED_LONG=4 # which CMake does not find in a .wasm
    own libsquish -DBUILD_SQUISH_WITH_OPENMP=OFF -DBUILD_SQUISH_WITH_SSE2=OFF -DBUILD_SQUISH_EXTRA=OFF
    own libwebp -DWEBP_BUILD_{ANIM_UTILS,CWEBP,DWEBP,GIF2WEBP,IMG2WEBP,VWEBP,WEBPINFO,WEBPMUX,EXTRAS}=OFF \
        -DWEBP_ENABLE_SIMD=OFF -DWEBP_USE_THREAD=OFF -DWEBP_BUILD_LIBWEBPMUX=ON
    own pugixml
    own meshoptimizer -DCMAKE_CXX_FLAGS="${flags/-msimd128/}" # its vectors are written for an older compiler
    EMSCRIPTEN=/usr/share/emscripten own draco -DDRACO_TESTS=OFF -DDRACO_JS_GLUE=OFF -DDRACO_WASM=OFF
    own double-conversion -DBUILD_TESTING=OFF
}

link_headers() {
    local header
    for header in "${headers[@]}"; do
        [[ -e /usr/include/$header ]] || die "/usr/include/$header is missing"
        ln -sfn "/usr/include/$header" "$prefix/include/$header"
    done
}

main() {
    local prefix listed=0
    [[ ${1:-} != --key ]] || {
        key
        return
    }
    prefix=$cache/web/$(key)
    if [[ ! -f $prefix/complete ]]; then
        work=$(mktemp -d "${TMPDIR:-/tmp}/effigy-web.XXXXXX")
        trap 'rm -rf "$work"' EXIT
        rm -rf "$prefix"
        mkdir -p "$prefix/include"
        fetch "$work/src"
        compile_all
        link_headers
        touch "$prefix/complete"
    fi
    printf '%s\n' "$prefix"
}

main "$@"
