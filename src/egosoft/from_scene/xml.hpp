#pragma once
/// A component's XML while it is changed: what says the same already stays as it is.

#include <deque>
#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "egosoft/from_scene/component.hpp"
#include "egosoft/from_scene/motions.hpp"

namespace effigy::egosoft::bridge {

class XmlEdit {
public:
    [[nodiscard]] bool changed() const noexcept { return changed_; }

    void set(pugi::xml_node node, const char* attribute, std::string_view value);
    void set(pugi::xml_node node, const char* attribute, double value);
    /// What has no name does without the attribute as well.
    void set_name(pugi::xml_node node, const std::string& name);
    /// The first child of that name, which is made where there is none.
    pugi::xml_node child(pugi::xml_node parent, const char* name);
    pugi::xml_node add(pugi::xml_node parent, const char* name);
    void remove(pugi::xml_node node);
    void remove_attribute(pugi::xml_node node, const char* attribute);
    void move(pugi::xml_node node, pugi::xml_node parent);
    /// Behind all others beside it.
    [[nodiscard]] pugi::xml_node copy(pugi::xml_node node);
    void remove_children(pugi::xml_node parent, const char* name);
    /// The <offset> of an element, as far as it differs from `old`; that of an element without one is null.
    void set_offset(pugi::xml_node parent, const Offset* old, const glm::dmat4& place);
    /// The <position> in the <offset> of an element, in the file's frame.
    void set_position(pugi::xml_node parent, const glm::dvec3& position);

private:
    void set_rotation(pugi::xml_node offset, const glm::dmat4& place);

    bool changed_ = false;
};

/// What the file had, once as the reader sees it and once as an element.
template <class Thing>
struct OldElement {
    const Thing* thing = nullptr;
    pugi::xml_node node;
    bool used = false;
};
struct OldPart;
struct OldLight : OldElement<Light> {
    const OldPart* part = nullptr;  ///< null: of a layer
    std::size_t number = 0;         ///< there
    bool is_copy = false;
};
struct OldPart : OldElement<Part> {
    const Connection* connection = nullptr;
    std::size_t number = 0;  ///< there
    std::vector<OldLight*> lights{};
    bool is_copy = false;
};
struct OldConnection : OldElement<Connection> {
    std::vector<OldPart*> parts{};
    bool is_copy = false;
};

/// The elements of that name in all lists of that name.
[[nodiscard]] std::vector<pugi::xml_node> elements(pugi::xml_node parent, const char* list, const char* name);

/// Those of one name, in the order of the file.
struct Namesakes {
    std::vector<std::size_t> places;
    std::size_t first_left = 0;  ///< all before it are used
};
using ElementPlaces = std::unordered_map<std::string, Namesakes>;

/// The connections, parts and lights that a component had, and which of them those of the scene are by their records.
/// Of what was copied in the scene the element is copied.
class OldElements {
public:
    void read(const Component& component, pugi::xml_node element);
    [[nodiscard]] Result<void> find(Context& context, Plan& plan, XmlEdit& edit);
    /// By its name in lower case.
    [[nodiscard]] bool has_part(const std::string& name) const { return known_parts_.contains(name); }
    /// Takes out what nobody has taken.
    void remove_left(XmlEdit& edit) const;

private:
    OldConnection& add(const Connection& connection, pugi::xml_node node);
    void add_lights(const std::vector<Light>& lights, const std::vector<pugi::xml_node>& parents, OldPart* part);
    [[nodiscard]] static OldPart* part_in(const OldConnection* connection, OldPart* part);
    [[nodiscard]] static OldLight* light_in(const OldPart* part, OldLight* light);
    template <class Thing>
    [[nodiscard]] Result<Thing*> take(Context& context, Thing* found, const Json& record, const std::string* name,
                                      XmlEdit& edit);
    [[nodiscard]] Result<OldConnection*> copy(Context& context, const OldConnection& from, XmlEdit& edit);
    [[nodiscard]] Result<OldPart*> copy(Context& context, const OldPart& from, XmlEdit& edit);
    [[nodiscard]] Result<OldLight*> copy(Context& context, const OldLight& from, XmlEdit& edit);
    enum class LightRule : std::uint8_t { named_at_home, at_home, any };
    [[nodiscard]] Result<void> find_lights(Context& context, Plan& plan, LightRule rule, XmlEdit& edit);
    /// What a light hangs on: a part, or null for a layer; nothing for a part that the file does not have.
    using LightHome = std::optional<const OldPart*>;
    [[nodiscard]] Result<void> find_light(Context& context, PlannedLight& planned, LightHome home, LightRule rule,
                                          XmlEdit& edit);
    [[nodiscard]] OldLight* original_light(const Json& record, const std::string& name, LightHome home);

    std::deque<OldConnection> connections_;
    std::deque<OldPart> parts_;
    std::deque<OldLight> lights_;
    ElementPlaces connection_places_, part_places_, light_places_;
    std::map<std::pair<const OldPart*, std::string>, Namesakes> lights_at_home_;  ///< also those of copied parts
    std::unordered_set<std::string> known_parts_;
};

/// The file that components come from, once as the reader sees it and once as elements; or an empty one. They are
/// written one after the other.
class ComponentDocument {
public:
    XmlEdit edit;

    /// What the record of the component's root holds, without what the scene has no longer.
    [[nodiscard]] Result<void> open(Context& context, const Plan& plan);
    /// Whether the component goes into the file, and is not there yet.
    [[nodiscard]] bool waits_for(const Plan& plan) const;
    /// What follows is about this component, whose connections and parts learn what they are in the file.
    [[nodiscard]] Result<void> begin(Context& context, Plan& plan);
    /// Whether all have been written.
    [[nodiscard]] bool is_done() const noexcept { return left_.empty(); }
    [[nodiscard]] pugi::xml_node component() const noexcept { return component_; }
    /// Null: there was none.
    [[nodiscard]] const Component* old() const noexcept;
    /// By its name in lower case.
    [[nodiscard]] bool has_part(const std::string& name) const { return elements_.has_part(name); }
    /// Takes out what nobody has taken.
    void remove_left() { elements_.remove_left(edit); }
    /// The file as it was, if nothing was changed.
    [[nodiscard]] Bytes bytes() const;

private:
    [[nodiscard]] std::string changed_text() const;
    bool open_old(const Plan& plan, const Limits& limits);

    std::string text_;
    std::unique_ptr<pugi::xml_document> document_ = std::make_unique<pugi::xml_document>();
    ComponentFile file_;
    std::vector<pugi::xml_node> all_;    ///< components of the file that there was
    std::set<std::size_t> left_;         ///< numbers of those that are to be written
    std::optional<std::size_t> number_;  ///< of the component in the file that there was
    pugi::xml_node component_;
    OldElements elements_;
};

/// The tree as text, spelled as the text that it was read from before it was changed, but for what differs; nothing
/// where that text is not UTF-8, or cannot say the same. `unit`: what a level is indented by where the text does not
/// show it.
[[nodiscard]] std::optional<std::string> spelled_as_before(const pugi::xml_document& now, const std::string& text,
                                                           std::string_view unit);

/// In the connection. `absent`: adds meshes that the XML goes on naming though they were not there.
void write_part(Context& context, ComponentDocument& document, pugi::xml_node connection, const PlannedPart& part,
                NameList& absent);

/// Ranges of the XML whose clips are gone.
struct GoneRanges {
    std::set<PartState> all;
    std::set<PartState> left;                ///< states and ranges that are there
    std::map<PartState, std::string> names;  ///< that their clips have now, of those that are called otherwise
};
/// Without those that may never have had a state.
[[nodiscard]] Result<GoneRanges> gone_ranges(Context& context, const Plan& plan, const ani::File& animations,
                                             const Component& old);
/// The parts that a clip moves, in lower case.
[[nodiscard]] std::set<std::string> moved_parts(const Clip& clip, const Plan& plan);

/// A state of a part that may need a range, or another one than it has.
struct RangedState {
    const ani::Animation* animation = nullptr;
    bool is_new = false;  ///< its keys are; others are as long as they were
};
/// How long the states of a clip that was edited were, in frames.
struct OldLengths {
    std::int64_t longest = 0;                               ///< as the clip was
    std::unordered_map<std::string, std::int64_t> of_part;  ///< by the name that it had, in lower case
};
/// Those of a component.
struct RangedStates {
    std::unordered_map<std::string, std::vector<RangedState>> of_part;  ///< by its name in lower case
    std::unordered_map<std::string, OldLengths> old_lengths;            ///< by the state's name in lower case
    std::unordered_set<std::string> renamed, respelled;  ///< those whose clips got the name, or only another case
    std::unordered_map<std::string, std::set<std::string>> all;  ///< by the part's name, both in lower case
    GoneRanges gone;
};
/// `old`: the component as its XML has it, in which what nobody touched keeps its ranges, or has none; or null.
[[nodiscard]] Result<RangedStates> ranged_states(Context& context, const Plan& plan, const MadeAnimations& animations,
                                                 const Component* old);
void write_ranges(XmlEdit& edit, pugi::xml_node node, const Connection* old, const PlannedConnection& planned,
                  const RangedStates& states);

/// In a part or a layer: lights that are there already are changed where they differ.
void write_lights(XmlEdit& edit, Context& context, const std::vector<PlannedLight>& lights, pugi::xml_node parent);

}  // namespace effigy::egosoft::bridge
