/// The rows that signing avatars give to the registry.

#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "effigy/arp_scene.hpp"

#include "arp/formats.hpp"
#include "core/byte_source.hpp"
#include "core/text.hpp"
#include "registry/document_row.hpp"

namespace effigy::arp {

namespace {

constexpr std::array<std::string_view, 2> avatar_extensions{"jarp", "arp"};
constexpr std::array<std::string_view, 1> container_extensions{"jar"};
constexpr std::array<std::string_view, 1> cas_extensions{"cas"};

constexpr FormatInfo avatar_format{"jarp",
                                   "signing avatar (ARP)",
                                   "arp",
                                   Role::model,
                                   avatar_extensions,
                                   "2.0 to 3.1, and what the public description reads like",
                                   true,
                                   true,
                                   true,
                                   false};
constexpr FormatInfo container_format{"jar",
                                      "container of a signing avatar",
                                      "arp",
                                      Role::model,
                                      container_extensions,
                                      "ZIP with avatardef.jarp or .arp",
                                      true,
                                      true,
                                      true,
                                      false};
constexpr FormatInfo cas_format{
    "cas", "motion of a signing avatar", "arp", Role::motion, cas_extensions, "CAS XML 2.1, CAS JSON", true, true, true,
    false};

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_container(head, name)) return &operations<ContainerFormat>();
    if (looks_like_cas(head)) return &operations<CasFormat>();
    if (looks_like_avatar(head)) return &operations<AvatarFormat>();
    return nullptr;
}

/// "anna/avatardef.jarp", taken out of its container.
bool is_unpacked(const std::filesystem::path& avatar) { return lower(avatar.stem().string()) == "avatardef"; }

/// What was in the container of an avatar that was unpacked.
std::vector<std::pair<std::string, Bytes>> companions_beside(const std::filesystem::path& avatar) {
    constexpr std::uint64_t most_bytes = 16 << 20;
    std::vector<std::pair<std::string, Bytes>> companions;
    for (const char* name : {"config.xml", "asd.xml", "nonmanuals.xml"}) {
        auto source = ByteSource::open(avatar.parent_path() / name);
        if (!source || source->size() > most_bytes) continue;
        Bytes content(static_cast<std::size_t>(source->size()));
        if (source->read(content.data(), content.size())) companions.emplace_back(name, std::move(content));
    }
    return companions;
}

/// "hello" for hello.cas.xml, too.
std::string stem_of_motion(const std::filesystem::path& path) {
    const std::filesystem::path stem = path.stem();
    return (stem.extension() == ".cas" ? stem.stem() : stem).string();
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    SceneInput input;
    for (SceneSource& source : sources) {
        Source origin{source.path.stem().string(), source.size, source.hash};
        const std::string_view id = source.document.format().id;
        if (id == avatar_format.id) {
            AvatarInput avatar{std::move(origin), std::move(source.document.as<File>()), {}, {}};
            if (is_unpacked(source.path)) {
                avatar.companions = companions_beside(source.path);
                avatar.name = source.path.parent_path().filename().string();
            }
            input.avatars.push_back(std::move(avatar));
        } else if (id == container_format.id) {
            input.avatars.push_back(avatar_from(std::move(origin), std::move(source.document.as<Container>())));
        } else {
            origin.stem = stem_of_motion(source.path);
            input.motions.push_back({std::move(origin), std::move(source.document.as<cas::File>())});
        }
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.encoding = settings.encoding;
    options.lod = settings.lod;
    options.resample = settings.resample;
    options.arm_twist = settings.arm_twist;
    return to_scene(std::move(input), options);
}

}  // namespace

const FormatInfo& AvatarFormat::format() { return avatar_format; }
const FormatInfo& ContainerFormat::format() { return container_format; }
const FormatInfo& CasFormat::format() { return cas_format; }

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        "arp",
        {&operations<AvatarFormat>(), &operations<ContainerFormat>(), &operations<CasFormat>()},
        recognize,
        sources_to_scene};
    return family;
}

}  // namespace effigy::arp
