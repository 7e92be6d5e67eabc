#pragma once
/// A clip on its way to ambient motion or CAS: what an avatar shows of it, and what both take. Rules:
/// docs/conversion/arp.md, "From a scene".

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

inline constexpr double frames_per_second = 25;
inline constexpr double no_rotation = 1e-6;  ///< radians
/// Bytes of a bone's rotation in a CAS.
inline constexpr std::uint64_t text_of_key = 120;

/// What clips move.
struct Character {
    const Tree& tree;
    const Skeleton& skeleton;
    const Figure& figure;
    const File& file;  ///< the avatar, which has its bones already
};

/// What a frame shows.
struct PoseSample {
    std::vector<glm::dquat> rotations;  ///< local, of bones
    std::vector<glm::dvec3> places;     ///< likewise, in units of the file
    std::vector<float> amounts;         ///< of morph targets
};

/// A clip as it moves a character. (from_scene/poses.cpp)
class Motion {
public:
    Motion(const Scene& scene, const Character& character, const Clip& clip);

    [[nodiscard]] const Sampler& sampler() const noexcept { return sampler_; }
    /// In what was shown so far, bones did more than turn and move.
    [[nodiscard]] bool bends() const noexcept { return bends_; }
    /// Likewise, meshes had other amounts of targets of one name.
    [[nodiscard]] bool has_unlike_amounts() const noexcept { return has_unlike_amounts_; }
    /// Others keep their place beside their parent all the time.
    [[nodiscard]] bool turns(std::size_t bone) const { return turns_[bone]; }
    const PoseSample& at(double time);

private:
    void find_turning(const Scene& scene);
    void watch_shown();
    void place(std::size_t bone);
    void pose(std::size_t bone);

    Character character_;
    Sampler sampler_;
    std::vector<bool> turns_, shown_;  ///< of bones
    std::vector<Frame> frames_;
    PoseSample pose_;
    bool bends_ = false, has_unlike_amounts_ = false;
};

// from_scene/motion.cpp
/// For findings.
[[nodiscard]] std::string path_of(const Clip& clip);
[[nodiscard]] std::uint64_t frame_count(double seconds, double rate);
/// Memory for so many frames of a clip.
[[nodiscard]] Result<void> take_frames(Build& build, const Character& character, std::uint64_t count);
/// Adds bones that are moved, which players do not do, from bone number `first` on.
void find_moved(const Character& character, const PoseSample& pose, std::size_t first, std::vector<bool>& moved);
void report_moved(Build& build, const Character& character, const Clip& clip, const std::vector<bool>& moved,
                  const char* what);

// from_scene/ambient_motion.cpp, from_scene/cas_motion.cpp; `record`: what the clip's extras keep of the motion it was
[[nodiscard]] Result<Ambient> ambient_of(Build& build, const Character& character, const Clip& clip, const Json& record,
                                         Motion& motion);
[[nodiscard]] Result<cas::File> cas_of(Build& build, const Character& character, const Clip& clip, const Json& record,
                                       Motion& motion);

}  // namespace effigy::arp::native
