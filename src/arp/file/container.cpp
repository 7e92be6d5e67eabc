/// The .jar around an avatar: entries unpacked, their names checked, the definition chosen, all packed again.

#include <algorithm>
#include <optional>
#include <utility>

#include "effigy/arp_codes.hpp"
#include "effigy/arp_container.hpp"

#include "arp/file/zip.hpp"
#include "core/budget.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

std::string_view file_name(std::string_view name) noexcept { return name.substr(name.rfind('/') + 1); }
std::string_view folder(std::string_view name) noexcept { return name.substr(0, name.rfind('/') + 1); }

bool is_definition(const Entry& entry) {
    const std::string name = lower(file_name(entry.name));
    return name == "avatardef.jarp" || name == "avatardef.arp";
}

bool leads_up(std::string_view name) noexcept {
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('/'), name.size());
        if (name.substr(0, end) == "..") return true;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return false;
}

bool is_drive(std::string_view name) noexcept {
    return name.size() > 1 && name[1] == ':' && lower(name[0]) >= 'a' && lower(name[0]) <= 'z';
}

/// Tools for Windows write backslashes, though ZIP wants slashes.
std::string with_slashes(std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
}

Result<void> check_name(std::string_view name) {
    const bool is_safe = !name.empty() && name.front() != '/' && !is_drive(name) && !leads_up(name) &&
                         name.find('\\') == std::string_view::npos && name.find('\0') == std::string_view::npos;
    if (is_safe) return {};
    return fail(problem_at({}, codes::container_entry_name,
                           "the name of an entry leads out of the container or is none; pack the container anew",
                           shortened(name), "folders and a name with / between them"));
}

Diagnostic memory_failure() {
    return problem_at({}, codes::limit_memory,
                      "the container unpacks to more than the memory limit allows; raise it with --limit-memory");
}

Diagnostic no_avatar(const std::vector<Entry>& entries) {
    const bool is_common = std::any_of(entries.begin(), entries.end(),
                                       [](const Entry& entry) { return lower(entry.name) == "common/config.xml"; });
    return problem_at({}, codes::container_no_avatar,
                      is_common ? "this container has no avatar, but the settings that all avatars share; name the "
                                  ".jar of an avatar"
                                : "there is no avatar in this container: any Java program may be called .jar, those of "
                                  "avatars are called as the avatar is",
                      is_common ? "COMMON/config.xml" : count_text(entries.size(), "entries"),
                      "an entry avatardef.jarp or avatardef.arp");
}

/// Unpacks everything; entries that cannot be unpacked are errors in the report and stay without content.
Result<std::vector<Entry>> read_entries(std::span<const std::byte> archive, const Limits& limits, Budget& budget,
                                        Report& report) {
    auto reader = ZipReader::open(archive, limits);
    if (!reader) return fail(std::move(reader.error()));
    std::vector<Entry> entries;
    ZipEntry listed;
    for (;;) {
        auto more = reader->next(listed);
        if (!more) return fail(std::move(more.error()));
        if (!*more) return entries;
        listed.name = with_slashes(std::move(listed.name));
        if (auto checked = check_name(listed.name); !checked) return fail(std::move(checked.error()));
        // What cannot come out is refused by unpack(), before anything is allocated.
        const std::uint64_t size = ZipReader::is_possible(listed) ? listed.size : 0;
        if (!budget.take(size) || !budget.take(listed.name.size() + 2 * sizeof(Entry))) return fail(memory_failure());
        auto content = reader->unpack(listed);
        entries.push_back({listed.name, content ? std::move(*content) : Bytes{}, content.has_value()});
        if (content) continue;
        budget.give_back(size);
        report.add(std::move(content.error()));
    }
}

/// A finding about the avatar as one about the container, where its bytes have no address.
void move_into(const Entry& entry, Diagnostic& finding) {
    finding.path = shortened(entry.name) + (finding.path.empty() ? "" : " / " + finding.path);
    finding.offset = no_offset;
    finding.length = 0;
}

/// What the container has used up is not there for the avatar.
ReadOptions options_for_avatar(ReadOptions options, const Budget& budget) {
    if (options.limits.memory != 0) {
        options.limits.memory = std::max<std::uint64_t>(1, budget.limit() - budget.used());
    }
    return options;
}

Diagnostic no_readable_avatar(const std::vector<Entry>& entries, const Report& report) {
    if (std::none_of(entries.begin(), entries.end(), is_definition)) return no_avatar(entries);
    return problem_at({}, codes::container_avatar_damaged, "the avatar in this container cannot be unpacked",
                      report.empty() ? std::string() : report.diagnostics().front().found,
                      "an entry avatardef.jarp or avatardef.arp, stored or deflated");
}

/// A warning if there is another definition than the one that is used.
void note_others(const Container& container, Report& report) {
    const auto& entries = container.entries;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        if (index == container.definition || !is_definition(entries[index])) continue;
        return report.add(problem_at(
            shortened(entries[index].name), codes::container_avatars,
            "there is more than one avatar in the container; the first one that can be read is used, the others "
            "are kept",
            shortened(entries[index].name), shortened(entries[container.definition].name)));
    }
}

/// Reads the first definition that is an avatar. Where none is, the first one's problem is told.
Result<void> read_avatar(Container& container, const ReadOptions& options, Report& report) {
    std::optional<Diagnostic> problem;
    for (std::size_t index = 0; index < container.entries.size(); ++index) {
        const Entry& entry = container.entries[index];
        if (!entry.readable || !is_definition(entry)) continue;
        auto avatar = read(std::span<const std::byte>(entry.content), options);
        if (!avatar) {
            if (!problem) move_into(entry, problem.emplace(std::move(avatar.error())));
            if (is_limit(*problem)) break;
            continue;
        }
        for (Diagnostic& finding : avatar->report.diagnostics()) move_into(entry, finding);
        container.definition = index;
        container.avatar = std::move(avatar->value);
        note_others(container, report);
        report.append(std::move(avatar->report));
        return {};
    }
    return fail(problem ? std::move(*problem) : no_readable_avatar(container.entries, report));
}

Result<Loaded<Container>> read_packed(Bytes archive, const ReadOptions& options) {
    Loaded<Container> loaded;
    Container& container = loaded.value;
    Budget budget(options.limits, archive.size());
    if (!budget.take(archive.size())) return fail(memory_failure());
    auto entries = read_entries(archive, options.limits, budget, loaded.report);
    if (!entries) return fail(std::move(entries.error()));
    container.archive = std::move(archive);
    container.entries = std::move(*entries);
    if (auto avatar = read_avatar(container, options_for_avatar(options, budget), loaded.report); !avatar)
        return fail(std::move(avatar.error()));
    return loaded;
}

/// Whether the archive of a container holds its entries and nothing else. What is larger than the entry that it should
/// be is not unpacked.
bool holds(std::span<const std::byte> archive, const std::vector<Entry>& entries) {
    auto reader = ZipReader::open(archive, {});
    if (!reader) return false;
    ZipEntry listed;
    for (const Entry& entry : entries) {
        const auto more = reader->next(listed);
        if (!more || !*more || with_slashes(listed.name) != entry.name) return false;
        if (!entry.readable) continue;
        if (listed.size != entry.content.size()) return false;
        const auto content = reader->unpack(listed);
        if (!content || *content != entry.content) return false;
    }
    const auto more = reader->next(listed);
    return more && !*more;
}

Result<Bytes> pack(const Container& container, const Bytes& definition) {
    std::vector<ZipContent> contents;
    for (std::size_t index = 0; index < container.entries.size(); ++index) {
        const Entry& entry = container.entries[index];
        if (auto checked = check_name(entry.name); !checked) return fail(std::move(checked.error()));
        if (!entry.readable) {
            return fail(problem_at(shortened(entry.name), codes::container_entry_kept,
                                   "an entry of the container could not be unpacked, so the container cannot be packed "
                                   "anew with the changed avatar; write the avatar as .jarp"));
        }
        contents.push_back({entry.name, index == container.definition ? definition : entry.content});
    }
    return write_zip(contents);
}

}  // namespace

Result<Loaded<Container>> read_container(Bytes archive, const ReadOptions& options) {
    return without_exceptions([&] { return read_packed(std::move(archive), options); });
}

Result<Bytes> write_container(const Container& container, const WriteOptions& options) {
    return without_exceptions([&]() -> Result<Bytes> {
        if (container.definition >= container.entries.size()) return fail(no_avatar(container.entries));
        auto definition = write(container.avatar, options);
        if (!definition) return fail(std::move(definition.error()));
        const bool is_unchanged = *definition == container.entries[container.definition].content;
        if (is_unchanged && holds(container.archive, container.entries)) return container.archive;
        return pack(container, *definition);
    });
}

const Entry* find_entry(const Container& container, std::string_view name) noexcept {
    const auto is_same = [](char left, char right) { return lower(left) == lower(right); };
    const Entry* elsewhere = nullptr;
    for (std::size_t index = 0; index < container.entries.size(); ++index) {
        const Entry& entry = container.entries[index];
        const std::string_view own = file_name(entry.name);
        const bool is_named =
            !own.empty() && own.size() == name.size() && std::equal(own.begin(), own.end(), name.begin(), is_same);
        if (!is_named || index == container.definition || !entry.readable) continue;
        if (folder(entry.name) == folder(container.entries[container.definition].name)) return &entry;
        if (elsewhere == nullptr) elsewhere = &entry;
    }
    return elsewhere;
}

}  // namespace effigy::arp
