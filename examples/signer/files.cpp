/// Writes asd.xml and the other texts beside the avatar.

#include "files.hpp"

#include <cmath>
#include <cstdio>
#include <functional>

#include "avatar.hpp"
#include "face.hpp"

namespace signer {

namespace {

/// Four decimals, as players' tools write them.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", std::abs(value) < 0.00005 ? 0.0 : value);
    return text;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}
std::string attribute(const char* name, std::size_t value) { return attribute(name, std::to_string(value)); }

std::string numbers(dvec3 v, const char* between) {
    return number(v.x) + between + number(v.y) + between + number(v.z);
}
std::string numbers(const dquat& q, const char* between) {
    return numbers(dvec3(q.x, q.y, q.z), between) + between + number(q.w);
}

/// A place on the skin of the T-pose.
struct SkinPoint {
    const char *bone, *name;
    dvec3 position;
};

std::vector<SkinPoint> skin_points() {
    const dvec3 eye(left_eye()), ahead(0, 0, double{eye_radius});
    const dvec3 tip = joint("RIF3").position + joint("RIF3").rotation * dvec3(joint("RIF3").length, 0, 0);
    return {{"SPI3", "T-CC", {0, 1.3, 0.115}},
            {"SPI2", "T-CA", {0, 1.16, 0.1}},
            {"ROOT", "T-CB", {0, 0.9, 0.11}},
            {"HEAD", "S-headtop-C", {0, 1.8, 0}},
            {"HEAD", "S-forehead-C", {0, 1.735, 0.085}},
            {"HEAD", "S-eyes-L", eye + ahead},
            {"HEAD", "S-eyes-R", (eye + ahead) * dvec3(-1, 1, 1)},
            {"HEAD", "S-nose-C", {0, 1.64, 0.112}},
            {"HEAD", "S-lips-C", {0, 1.6, 0.1}},
            {"HEAD", "S-chin-C", {0, 1.56, 0.08}},
            {"LWRI", "H-palm-L", joint("LMF1").position - dvec3(0.03, 0.014, 0)},
            {"RWRI", "H-palm-R", joint("RMF1").position - dvec3(-0.03, 0.014, 0)},
            {"RIF3", "H-index-tip-R", tip}};
}

std::string joint_element(std::size_t index, const Pose& pose, const std::string& indent) {
    const Joint& joint = skeleton()[index];
    std::string text = indent + "<joint" + attribute("name", joint.name) +
                       attribute("position", numbers(local_translation(index) * units_per_metre, " ")) +
                       attribute("rotation", numbers(local_rotation(pose, index), " ")) + ">\n";
    for (const SkinPoint& point : skin_points()) {
        if (joint.name != point.bone) continue;
        const dvec3 offset = glm::conjugate(joint.rotation) * (point.position - joint.position);
        text += indent + "  <feature" + attribute("name", point.name) +
                attribute("position", numbers(offset * units_per_metre, " ")) + " />\n";
    }
    for (std::size_t child = index + 1; child < skeleton().size(); ++child)
        if (skeleton()[child].parent == index) text += joint_element(child, pose, indent + "  ");
    return text + indent + "</joint>\n";
}

std::string one_morph(const char* kind, const char* name_of_kind, const char* name, const char* morph,
                      const char* amount, const char* timing) {
    return std::string("<") + kind + attribute(name_of_kind, name) + ">\n  <morph" + attribute("name", morph) +
           attribute("amount", amount) + attribute("timing", timing) + " />\n</" + kind + ">\n";
}

std::string two_morphs(const char* kind, const char* name, const char* first, const char* second, const char* amount,
                       const char* timing) {
    const auto morph = [&](const char* target) {
        return std::string("    <morph") + attribute("name", target) + attribute("amount", amount) +
               attribute("timing", timing) + " />\n";
    };
    return std::string("<") + kind + attribute("sigmlName", name) + ">\n  <parmorph>\n" + morph(first) + morph(second) +
           "  </parmorph>\n</" + kind + ">\n";
}

bool same(const dquat& a, const dquat& b) { return numbers(a, " ") == numbers(b, " "); }

/// The bones that a frame must list: all at first, then those that turn.
std::vector<std::size_t> listed_bones(const Motion& motion, std::size_t frame) {
    std::vector<std::size_t> bones;
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        const bool stays = frame != 0 && same(local_rotation(motion.frames[frame - 1].pose, i),
                                              local_rotation(motion.frames[frame].pose, i));
        if (!stays) bones.push_back(i);
    }
    return bones;
}

constexpr double frame_duration = 1000 / frames_per_second;

const char* truth(bool value) { return value ? "true" : "false"; }

std::string xml_frame(const Motion& motion, std::size_t index) {
    const Frame& frame = motion.frames[index];
    const std::vector<std::size_t> bones = listed_bones(motion, index);
    const double time = static_cast<double>(index) * frame_duration;
    std::string text = "    <frame" + attribute("index", index) + attribute("isComplete", truth(index == 0)) +
                       attribute("time", number(time)) + attribute("duration", number(frame_duration)) +
                       attribute("boneCount", bones.size()) + attribute("morphCount", frame.morphs.size()) + ">\n";
    for (const MorphAmount& morph : frame.morphs)
        text += "      <morph" + attribute("name", morph.target) + attribute("amount", number(morph.amount)) + "/>\n";
    for (const std::size_t i : bones) {
        text += "      <bone" + attribute("name", skeleton()[i].name) + attribute("index", i) + ">";
        if (index == 0) {
            const dvec3 p = local_translation(i) * units_per_metre;
            text += "<position" + attribute("x", number(p.x)) + attribute("y", number(p.y)) +
                    attribute("z", number(p.z)) + "/>";
        }
        const dquat q = local_rotation(frame.pose, i);
        text += "<qRotation" + attribute("x", number(q.x)) + attribute("y", number(q.y)) + attribute("z", number(q.z)) +
                attribute("w", number(q.w)) + "/></bone>\n";
    }
    return text + "    </frame>\n";
}

/// Joins texts with commas.
std::string list(std::size_t count, const std::function<std::string(std::size_t)>& item) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item(i);
    return "[" + text + "]";
}

std::string json_frame(const Motion& motion, std::size_t index) {
    const Frame& frame = motion.frames[index];
    const std::vector<std::size_t> bones = listed_bones(motion, index);
    const std::string morphs = list(frame.morphs.size(), [&](std::size_t i) {
        const MorphAmount& morph = frame.morphs[i];
        return "{\"id4cc\":\"" + morph.target + "\",\"amount\":" + number(morph.amount) + "}";
    });
    const std::string keys = list(bones.size(), [&](std::size_t i) {
        const std::size_t bone = bones[i];
        const std::string translation =
            index == 0 ? "\"trans\":[" + numbers(local_translation(bone) * units_per_metre, ",") + "]," : "";
        return "{\"id4cc\":\"" + skeleton()[bone].name + "\"," + translation + "\"rot\":[" +
               numbers(local_rotation(frame.pose, bone), ",") + "]}";
    });
    return "\n{\"time\":" + number(static_cast<double>(index) * frame_duration) +
           ",\"duration\":" + number(frame_duration) + ",\"morphs\":" + morphs + ",\"bones\":" + keys + "}";
}

}  // namespace

std::string static_data() {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<avatarStaticData version=\"1.0\">\n"
           "<avatar name=\"signer\" version=\"1.0\">\n<skeleton" +
           attribute("scale", number(1 / units_per_metre)) + ">\n" + joint_element(0, default_pose(), "  ") +
           "</skeleton>\n</avatar>\n</avatarStaticData>\n";
}

std::string settings() {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<config>\n"
           "  <avatargeometry forearmthickness=\"0.08\" upperarmthickness=\"0.11\" wristsize=\"0.05\" />\n"
           "</config>\n";
}

std::string nonmanuals() {
    const char *quick = "m t - m t", *held = "m t s m l";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<nonmanuals>\n" +
           one_morph("sampa", "phonemes", "aA", "aaa", "1.0", quick) +
           one_morph("sampa", "phonemes", "ei", "eee", "0.8", quick) +
           one_morph("sampa", "phonemes", "ou", "ooo", "0.9", quick) +
           one_morph("sampa", "phonemes", "pbm", "mbp", "1.0", quick) +
           one_morph("sampa", "phonemes", "fv", "fv", "1.0", quick) +
           one_morph("sampa", "phonemes", "TD", "th", "0.8", quick) +
           one_morph("sampa", "phonemes", "tdnl", "dtnl", "0.8", quick) +
           one_morph("mouth_gesture", "sigmlName", "C01", "puff", "1.0", held) +
           one_morph("mouth_gesture", "sigmlName", "L09", "kiss", "0.9", held) +
           one_morph("mouth_gesture", "sigmlName", "T01", "tngo", "1.0", held) +
           two_morphs("eye_brows", "RB", "lbru", "rbru", "1.0", held) +
           two_morphs("eye_brows", "FU", "lbrd", "rbrd", "1.0", held) +
           two_morphs("eye_lids", "CL", "eylc", "eyrc", "1.0", held) +
           two_morphs("eye_lids", "WB", "eywl", "eywr", "1.0", held) + "</nonmanuals>\n";
}

std::string cas_xml(const Motion& motion) {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CAS version=\"2.1\" avatar=\"signer\">\n  <frames" +
        attribute("count", motion.frames.size()) + attribute("signCount", motion.signs.size()) + ">\n";
    for (std::size_t i = 0; i < motion.frames.size(); ++i) {
        for (std::size_t k = 0; k < motion.signs.size(); ++k)
            if (motion.signs[k].first_frame == i)
                text += "    <signStart" + attribute("index", k) + attribute("gloss", motion.signs[k].gloss) + "/>\n";
        text += xml_frame(motion, i);
    }
    return text + "  </frames>\n</CAS>\n";
}

std::string cas_json(const Motion& motion) {
    std::string text;
    for (std::size_t k = 0; k < motion.signs.size(); ++k) {
        const std::size_t first = motion.signs[k].first_frame;
        const std::size_t end = k + 1 < motion.signs.size() ? motion.signs[k + 1].first_frame : motion.frames.size();
        text += "{\"signIndex\":" + std::to_string(k) + ",\"gloss\":\"" + motion.signs[k].gloss +
                "\",\"baseFrameIndex\":" + std::to_string(first) +
                ",\"frames\":" + list(end - first, [&](std::size_t i) { return json_frame(motion, first + i); }) +
                "}\n";
    }
    return text + "{}\n";
}

}  // namespace signer
