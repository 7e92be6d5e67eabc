/// Names of Risen's files, which have a head in front of the actor or motion.

#include "emfx/file/wrapper.hpp"

#include <string>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx {

Result<void> check_wrapper(const std::filesystem::path& path, bool has_wrapper) {
    const std::string extension = lower(path.extension().string());
    if (has_wrapper || (extension != "._xmac" && extension != "._xmot")) return {};
    const std::string plain = extension == "._xmac" ? ".xac" : ".xsm";
    return fail(problem_at({}, codes::emfx_wrapper,
                           "Files called " + extension + " begin with " + std::to_string(wrapper_size) +
                               " bytes of Risen's, which only its own files have. Write " + plain +
                               ", or convert one of its files to .glb, put the new model there, and convert that back.",
                           extension, plain));
}

}  // namespace effigy::emfx
