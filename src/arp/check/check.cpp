/// All rules for ARP avatars in their order.
#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/arp_format.hpp"

namespace effigy::arp {

namespace {

Report check_as(const File& file, bool was_read) {
    Report report;
    Findings findings(report);
    checks::Context context{file, findings, {}, was_read};
    for (std::size_t index = 0; index < file.bones.size(); ++index)
        context.bones.try_emplace(up_to_nul(file.bones[index].name), index);
    if (file.first_missing != Part::end && !was_read) findings.add(codes::arp_missing, {}, "", "a complete file");
    if (context.has(Part::header)) checks::check_header(context);
    checks::check_meshes(context);
    if (context.has(Part::bones)) checks::check_bones(context);
    if (context.has(Part::default_pose)) checks::check_pose(context);
    if (context.has(Part::ambient)) checks::check_ambient(context);
    if (context.has(Part::texture)) checks::check_texture(context);
    locate(file, report);
    return report;
}

}  // namespace

Report check(const File& file) { return check_as(file, false); }
Report check_after_reading(const File& file) { return check_as(file, true); }

}  // namespace effigy::arp
