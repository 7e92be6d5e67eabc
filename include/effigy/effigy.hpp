#pragma once
/// What a first user needs: files of any format to others, to scenes, and to pictures.

#include "effigy/convert.hpp"
#include "effigy/image.hpp"
#include "effigy/poser.hpp"
#include "effigy/registry.hpp"
#include "effigy/render.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/version.hpp"
