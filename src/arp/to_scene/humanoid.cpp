/// Names that other programs have for an avatar's bones. Rules: docs/formats/arp.md, "Bones".

#include <array>
#include <string>

#include "arp/to_scene/extras.hpp"

namespace effigy::arp::bridge {
namespace {

struct HumanBone {
    const char* human;
    const char* bone;
};

/// VRM's names for the codes, of which those of the left and the right side differ by their first letter.
constexpr std::array<HumanBone, 8> middle_bones{{{"hips", "ROOT"},
                                                 {"spine", "SPI1"},
                                                 {"chest", "SPI2"},
                                                 {"upperChest", "SPI3"},
                                                 {"neck", "NEC1"},
                                                 {"head", "HEAD"},
                                                 {"leftEye", "LEYE"},
                                                 {"rightEye", "REYE"}}};
constexpr std::array<HumanBone, 22> side_bones{
    {{"Shoulder", "CLR"},     {"UpperArm", "UPA"},        {"LowerArm", "LRA"},
     {"Hand", "WRI"},         {"UpperLeg", "THG"},        {"LowerLeg", "CLF"},
     {"Foot", "FOT"},         {"ThumbMetacarpal", "TH1"}, {"ThumbProximal", "TH2"},
     {"ThumbDistal", "TH3"},  {"IndexProximal", "IF1"},   {"IndexIntermediate", "IF2"},
     {"IndexDistal", "IF3"},  {"MiddleProximal", "MF1"},  {"MiddleIntermediate", "MF2"},
     {"MiddleDistal", "MF3"}, {"RingProximal", "RF1"},    {"RingIntermediate", "RF2"},
     {"RingDistal", "RF3"},   {"LittleProximal", "PF1"},  {"LittleIntermediate", "PF2"},
     {"LittleDistal", "PF3"}}};

}  // namespace

Json humanoid_json(const Avatar& avatar) {
    Json json = Json::object();
    const auto add = [&](const std::string& human, const std::string& bone) {
        if (avatar.find(bone) != avatar.no_bone()) json[human] = bone;
    };
    for (const HumanBone& entry : middle_bones) add(entry.human, entry.bone);
    for (const HumanBone& entry : side_bones) {
        add(std::string("left") + entry.human, std::string("L") + entry.bone);
        add(std::string("right") + entry.human, std::string("R") + entry.bone);
    }
    return json;
}

}  // namespace effigy::arp::bridge
