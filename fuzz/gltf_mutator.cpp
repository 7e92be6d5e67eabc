// Changes a .glb as what it is: values of its JSON, of the records in extras.effigy above all, or bytes of its buffer.
// Whatever comes out is a whole .glb again, so that changes reach what lies behind the chunks.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "effigy/gltf_file.hpp"

#include "check.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace effigy;
using Tree = nlohmann::json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

struct Values {
    std::vector<Tree*> all;
    std::vector<Tree*> records;  // in extras.effigy

    void collect(Tree& value, bool is_record) {
        all.push_back(&value);
        if (is_record) records.push_back(&value);
        for (auto part = value.begin(); value.is_structured() && part != value.end(); ++part) {
            collect(*part, is_record || (value.is_object() && part.key() == "effigy"));
        }
    }
    [[nodiscard]] Tree& any(Random& random) const {
        const auto& from = !records.empty() && below(random, 2) == 0 ? records : all;
        return *from[below(random, from.size())];
    }
};

Tree strange_value(Random& random) {
    const Tree values[] = {0,
                           1,
                           2,
                           3,
                           -1,
                           255,
                           256,
                           65535,
                           65536,
                           4294967295u,
                           1e300,
                           0.5,
                           -0.0,
                           1e-40,
                           true,
                           nullptr,
                           "",
                           "x",
                           "VEC3",
                           "MAT4",
                           "SCALAR",
                           5120,
                           5121,
                           5123,
                           5125,
                           5126,
                           "\xef\xbf\xbd",
                           Tree::array(),
                           Tree::object(),
                           Tree::array({0, 0, 0}),
                           Tree::array({1e39, 0}),
                           18446744073709551615u};
    return values[below(random, std::size(values))];
}

void change_number(Tree& value, Random& random) {
    const double number = value.get<double>();
    const double numbers[] = {number + 1, number - 1, number * 2, -number, number / 2, number + 1e-6};
    const double changed = numbers[below(random, std::size(numbers))];
    if (value.is_number_integer() && changed >= -9e15 && changed <= 9e15) {
        value = static_cast<std::int64_t>(changed);
    } else {
        value = changed;
    }
}

void change_text(std::string& text) {
    const std::size_t most = text.size() + 8;
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    bytes.resize(most);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), text.size(), most));
    text.assign(bytes.begin(), bytes.end());
}

void change_list(Tree& list, Random& random) {
    auto& items = list.get_ref<Tree::array_t&>();
    const std::size_t at = below(random, items.size());
    switch (below(random, 4)) {
        case 0:
            items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            std::swap(items[at], items[below(random, items.size())]);
            break;
        default: {
            const Tree copy = items[at];
            items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), 1 + below(random, 5), copy);
        }
    }
}

void change(const Values& values, Random& random) {
    Tree& victim = values.any(random);
    const std::size_t how = below(random, 8);
    if (how == 0) {
        const Tree copy = values.any(random);
        victim = copy;
    } else if (how == 1) {
        victim = strange_value(random);
    } else if (victim.is_number()) {
        change_number(victim, random);
    } else if (victim.is_string()) {
        change_text(victim.get_ref<std::string&>());
    } else if (victim.is_array() && !victim.empty()) {
        change_list(victim, random);
    } else if (victim.is_object() && !victim.empty()) {
        victim.erase(std::next(victim.begin(), static_cast<std::ptrdiff_t>(below(random, victim.size()))));
    } else {
        victim = strange_value(random);
    }
}

bool change_json(Bytes& text, Random& random) {
    const auto* const begin = reinterpret_cast<const char*>(text.data());
    Tree root = Tree::parse(begin, begin + text.size(), nullptr, false);
    if (!root.is_object()) return false;
    for (std::size_t count = 1 + below(random, 3); count != 0; --count) {
        Values values;  // anew: the change before may have taken some of them away
        values.collect(root, false);
        change(values, random);
        if (!root.is_object()) return false;
    }
    std::string changed = root.dump(-1, ' ', false, Tree::error_handler_t::replace);
    changed.resize((changed.size() + 3) / 4 * 4, ' ');
    text.resize(changed.size());
    std::memcpy(text.data(), changed.data(), changed.size());
    return true;
}

bool change_buffer(Bytes& bytes) {
    if (bytes.empty()) return false;
    auto* const begin = reinterpret_cast<std::uint8_t*>(bytes.data());
    const std::size_t size = LLVMFuzzerMutate(begin, bytes.size(), bytes.size());
    bytes.resize((std::max<std::size_t>(size, 1) + 3) / 4 * 4);
    return true;
}

bool change_chunk(gltf::File& file, Random& random) {
    if (!file.is_binary || file.chunks.empty()) return false;
    if (file.chunks.size() > 1 && below(random, 4) == 0) return change_buffer(file.chunks[1].bytes);
    return change_json(file.chunks.front().bytes, random);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    Random random(seed);
    auto read = gltf::read(fuzz::as_input(data, size), {fuzz::small_limits()});
    if (!read || below(random, 16) == 0 || !change_chunk(read->value, random))
        return LLVMFuzzerMutate(data, size, most);
    const auto written = gltf::write(read->value, {.normalize = true});
    if (!written || written->size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, written->data(), written->size());
    return written->size();
}
