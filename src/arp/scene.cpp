/// Avatars and motions to a scene that knows what its way back would lose.

#include "effigy/arp_scene.hpp"

#include "arp/from_scene/exact.hpp"
#include "arp/to_scene/to_scene.hpp"
#include "core/guard.hpp"

namespace effigy::arp {

AvatarInput avatar_from(Source source, Container container) {
    AvatarInput input{std::move(source), std::move(container.avatar), {}, {}};
    const auto folder = [](const std::string& name) { return name.substr(0, name.rfind('/') + 1); };
    const bool is_whole = container.definition < container.entries.size();
    const std::string own = is_whole ? folder(container.entries[container.definition].name) : "";
    for (const bool is_own : {true, false}) {
        for (std::size_t index = 0; index < container.entries.size(); ++index) {
            Entry& entry = container.entries[index];
            if (index == container.definition || !entry.readable || entry.name.ends_with('/')) continue;
            if ((folder(entry.name) == own) != is_own) continue;
            input.companions.emplace_back(entry.name, std::move(entry.content));
        }
    }
    return input;
}

Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options) {
    return without_exceptions([&] {
        return bridge::build_scene(input, options).map([&](bridge::Build build) {
            // Resampled motion comes back otherwise in any case.
            const File& file = input.avatars.front().file;
            if (!(options.resample > 0)) keep_exact(build.scene, file, options.limits, build.budget);
            return Loaded<Scene>{std::move(build.scene), std::move(build.report)};
        });
    });
}

}  // namespace effigy::arp
