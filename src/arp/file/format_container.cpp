/// Containers in the registry: what they are recognised by, what `check` and `info` say about them.

#include <array>
#include <unordered_set>
#include <utility>

#include "effigy/arp_codes.hpp"
#include "effigy/files.hpp"
#include "effigy/image.hpp"

#include "arp/file/companion.hpp"
#include "arp/file/formats.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"

namespace effigy::arp {

namespace {

constexpr std::array<std::string_view, 3> companions{"asd.xml", "nonmanuals.xml", "config.xml"};

// Recognising

constexpr std::size_t local_header_size = 30;

std::uint32_t little_endian_at(std::span<const std::byte> bytes, std::size_t place, std::size_t width) noexcept {
    std::uint32_t number = 0;
    for (std::size_t index = 0; index < width; ++index) {
        number |= std::to_integer<std::uint32_t>(bytes[place + index]) << (8 * index);
    }
    return number;
}

/// Whether an entry begins here.
bool has_local_header(std::span<const std::byte> bytes) noexcept {
    return bytes.size() >= local_header_size && little_endian_at(bytes, 0, 4) == 0x0403'4B50;
}

bool is_of_avatar(std::string_view name) {
    const std::string own = lower(name.substr(name.find_last_of("/\\") + 1));
    return own == "avatardef.jarp" || own == "avatardef.arp" || own == "asd.xml" || own == "nonmanuals.xml";
}

/// Sizes often stand behind the entries, so headers are looked for instead of counted to.
bool begins_with_avatar(std::span<const std::byte> head) {
    for (; head.size() >= local_header_size; head = head.subspan(1)) {
        if (!has_local_header(head)) continue;
        const std::size_t name_size = little_endian_at(head, 26, 2);
        const auto* const name = reinterpret_cast<const char*>(head.data() + local_header_size);
        if (name_size <= head.size() - local_header_size && is_of_avatar({name, name_size})) return true;
    }
    return false;
}

// Checking

void check_texture(const Container& file, Findings& findings) {
    const Texture& texture = file.avatar.texture;
    const std::string_view named = up_to_nul(texture.name);
    const bool is_beside = texture.flags[0] == 0 && texture.embedded == 0 && !named.empty();
    if (!is_beside) return;
    const Entry* entry = find_entry(file, named.substr(named.find_last_of("/\\") + 1));
    if (entry == nullptr)
        return findings.add(codes::container_texture_missing, {}, "'" + shortened(texture.name) + "'");
    if (!entry->readable) return;
    if (const auto picture = image::decode(entry->content); !picture)
        findings.add(codes::container_texture_damaged, shortened(entry->name), picture.error().message);
}

void check_companions(const Container& file, const Limits& limits, Report& report) {
    for (const std::string_view name : companions) {
        const Entry* const entry = find_entry(file, name);
        if (entry == nullptr) {
            Findings(report).add(codes::container_file_missing, {}, std::string(name));
        } else if (entry->readable) {
            Budget budget(limits, entry->content.size());
            const auto content = companion_json(name, entry->content, budget);
            if (content) continue;
            report.add(problem_at(shortened(entry->name), codes::arp_companion, companion_message(content.error()),
                                  content.error().found));
        }
    }
}

void check_names(const Container& file, Findings& findings) {
    std::unordered_set<std::string> seen;
    for (const Entry& entry : file.entries) {
        if (!seen.insert(lower(entry.name)).second)
            findings.add(codes::container_entry_repeated, shortened(entry.name), "'" + shortened(entry.name) + "'");
    }
}

/// The avatar's findings, under the name of its entry. Its bytes have no address in the container.
Report check_avatar(const Container& file) {
    Report report = check_after_reading(file.avatar);
    const std::string name = shortened(file.entries[file.definition].name);
    for (Diagnostic& finding : report.diagnostics()) {
        finding.path = finding.path.empty() ? name : name + " / " + finding.path;
        finding.offset = no_offset;
        finding.length = 0;
    }
    return report;
}

}  // namespace

bool looks_like_container(std::span<const std::byte> head, std::string_view name) noexcept {
    if (!has_local_header(head)) return false;
    const bool is_jar = name.size() > 4 && lower(name.substr(name.size() - 4)) == ".jar";
    return is_jar || begins_with_avatar(head);
}

Result<Loaded<Container>> read_container_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path,
                             [&](ByteSource source) { return ContainerFormat::read(std::move(source), options); });
}

Result<void> ContainerFormat::write_file(const Container& file, const std::filesystem::path& path,
                                         const WriteOptions& options) {
    const auto bytes = write_container(file, options);
    if (!bytes) return fail(bytes.error());
    return write_bytes(path, *bytes, options.fsync);
}

Report ContainerFormat::check(const Container& file, const CheckContext& context) {
    Report report;
    Findings findings(report);
    check_names(file, findings);
    check_texture(file, findings);
    check_companions(file, context.limits, report);
    report.append(check_avatar(file));
    return report;
}

Json ContainerFormat::info(const Container& file, const InfoOptions& options) {
    Json json{{"format", format().id}, {"size", file.archive.size()}};
    Json entries = Json::array();
    for (const Entry& entry : file.entries) {
        Json one{{"name", to_utf8(entry.name, options.encoding)}, {"size", entry.content.size()}};
        if (!entry.readable) one["readable"] = false;
        entries.push_back(std::move(one));
    }
    json["counts"] = {{"entries", file.entries.size()}};
    json["entries"] = std::move(entries);
    json["definition"] = to_utf8(file.entries[file.definition].name, options.encoding);
    json["avatar"] = arp::info(file.avatar, options.encoding);
    return json;
}

}  // namespace effigy::arp
