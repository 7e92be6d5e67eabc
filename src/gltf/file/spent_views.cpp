/// Which buffer views of a .glb are read by whom, and giving back their memory.

#include "gltf/file/spent_views.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "gltf/file/json.hpp"

namespace effigy::gltf {
namespace {

using Value = nlohmann::json;

/// Where it costs more to count and to give back than it saves.
constexpr std::size_t least_buffer = std::size_t{1} << 20, least_view = std::size_t{1} << 16;

struct ByteRange {
    std::size_t begin = 0, end = 0;
};

/// Of the first buffer; nothing for views of others, and for what makes no sense.
std::optional<ByteRange> range_of(const Value& view, std::size_t size) {
    const auto begin = whole_member_or(view, "byteOffset", 0);
    const auto length = whole_member(view, "byteLength");
    if (whole_member(view, "buffer") != std::uint64_t{0} || !begin || !length) return std::nullopt;
    if (*begin > size || *length > size - *begin) return std::nullopt;
    return ByteRange{static_cast<std::size_t>(*begin), static_cast<std::size_t>(*begin + *length)};
}

class Counter {
public:
    Counter(const Value& root, std::size_t size) : accessors_(list_member(root, "accessors")) {
        readers_.resize(list_member(root, "bufferViews").size());
        stays_.resize(readers_.size());
        keep_small_and_shared(list_member(root, "bufferViews"), size);
        for (const Value& mesh : list_member(root, "meshes")) count(mesh);
        for (const Value& image : list_member(root, "images")) keep(whole_member(image, "bufferView"));
        for (const Value& skin : list_member(root, "skins")) keep_accessor(skin, "inverseBindMatrices");
        for (const Value& animation : list_member(root, "animations")) {
            for (const Value& sampler : list_member(animation, "samplers")) {
                keep_accessor(sampler, "input");
                keep_accessor(sampler, "output");
            }
        }
        for (const Value& accessor : accessors_) {
            if (const Value* const sparse = member(accessor, "sparse")) keep_sparse(accessor, *sparse);
        }
    }

    [[nodiscard]] std::vector<std::uint32_t> take() {
        for (std::size_t i = 0; i < readers_.size(); ++i) {
            if (stays_[i]) readers_[i] = 0;
        }
        return std::move(readers_);
    }

private:
    void keep(std::optional<std::uint64_t> view) {
        if (view && *view < stays_.size()) stays_[static_cast<std::size_t>(*view)] = true;
    }

    [[nodiscard]] std::optional<std::uint64_t> view_of(std::optional<std::uint64_t> accessor) const {
        if (!accessor || *accessor >= accessors_.size()) return std::nullopt;
        return whole_member(accessors_[static_cast<std::size_t>(*accessor)], "bufferView");
    }

    void keep_accessor(const Value& object, const char* name) { keep(view_of(whole_member(object, name))); }

    void keep_sparse(const Value& accessor, const Value& sparse) {
        keep(whole_member(accessor, "bufferView"));
        for (const char* const part : {"indices", "values"}) {
            if (const Value* const object = member(sparse, part)) keep(whole_member(*object, "bufferView"));
        }
    }

    // Compressed views are read once, and what they stand for is kept.
    void keep_small_and_shared(const Value& views, std::size_t size) {
        std::vector<std::pair<ByteRange, std::size_t>> order;
        for (std::size_t i = 0; i < views.size(); ++i) {
            const auto range = range_of(views[i], size);
            if (range) order.emplace_back(*range, i);
            const Value* const extensions = member(views[i], "extensions");
            const bool is_record = text_member(views[i], "name") == record_view_name;
            stays_[i] = !range || range->end - range->begin < least_view || extensions != nullptr || is_record;
            if (extensions == nullptr) continue;
            for (const Value& compressed : *extensions) {
                if (const auto stored = range_of(compressed, size)) order.emplace_back(*stored, i);
            }
        }
        std::ranges::sort(order, {}, [](const auto& one) { return one.first.begin; });
        std::size_t widest = 0;  // of those before, the one that ends last
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (order[i].first.begin < order[widest].first.end)
                stays_[order[i].second] = stays_[order[widest].second] = true;
            if (order[i].first.end > order[widest].first.end) widest = i;
        }
    }

    void count(const Value& mesh) {
        std::set<std::pair<std::string, std::uint64_t>> attributes;
        for (const Value& primitive : list_member(mesh, "primitives")) {
            const Value* const draco = extension_of(primitive, "KHR_draco_mesh_compression");
            if (draco != nullptr) keep(whole_member(*draco, "bufferView"));
            const Value* const list = member(primitive, "attributes");
            if (list != nullptr && list->is_object()) {
                for (const auto& [name, value] : list->items()) {
                    const auto number = whole_number(value);
                    if (number && attributes.emplace(name, *number).second) add_reader(*number, draco != nullptr);
                }
            }
            if (const auto indices = whole_member(primitive, "indices")) add_reader(*indices, draco != nullptr);
            for (const Value& target : list_member(primitive, "targets")) {
                for (const char* const name : {"POSITION", "NORMAL", "TANGENT"}) keep_accessor(target, name);
            }
        }
    }

    void add_reader(std::uint64_t accessor, bool stays) {
        const auto view = view_of(accessor);
        if (!view || *view >= readers_.size()) return;
        ++readers_[static_cast<std::size_t>(*view)];
        if (stays) keep(view);
    }

    const Value& accessors_;
    std::vector<std::uint32_t> readers_;
    std::vector<bool> stays_;
};

/// Of whole pages within.
void give_back(std::span<std::byte> bytes) noexcept {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(bytes.data()) % page) % page;
    if (bytes.size() < before + page) return;
    (void)::madvise(bytes.data() + before, (bytes.size() - before) / page * page, MADV_DONTNEED);
}

}  // namespace

SpentViews::SpentViews(const nlohmann::json& root, std::span<std::byte> binary) {
    if (binary.size() < least_buffer) return;
    root_ = &root;
    binary_ = binary;
    readers_ = Counter(root, binary.size()).take();
}

void SpentViews::read_from(std::uint64_t accessor) {
    if (root_ == nullptr) return;
    const Value& accessors = list_member(*root_, "accessors");
    if (accessor >= accessors.size()) return;
    const auto view = whole_member(accessors[static_cast<std::size_t>(accessor)], "bufferView");
    if (!view || *view >= readers_.size()) return;
    std::uint32_t& readers = readers_[static_cast<std::size_t>(*view)];
    if (readers == 0 || --readers != 0) return;
    const auto range = range_of(list_member(*root_, "bufferViews")[static_cast<std::size_t>(*view)], binary_.size());
    if (range) give_back(binary_.subspan(range->begin, range->end - range->begin));
}

}  // namespace effigy::gltf
