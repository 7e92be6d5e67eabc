#pragma once
/// Small files for the program to work on.

#include <filesystem>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::test {

/// Three nodes, a skinned triangle with a textured material and a morph target, and a second level of detail.
[[nodiscard]] xac::File soldier();
/// A rigid triangle on a node of its own below the soldier's root.
[[nodiscard]] xac::File hair();
/// Moves the soldier's root for one second.
[[nodiscard]] xsm::File walk();
/// Blends the soldier's morph target in and out.
[[nodiscard]] xpm::File smile();

/// soldier.xac and its equals body.xac and a.xac, hair.xac, walk.xsm, walk.xsmtime, face.xpm, soldier.json (a dump),
/// gfx/skin.png, models/ (soldier.xac, walk.xsm and a text), truncated.xac, unknown.xac (a chunk of an unknown kind),
/// my_mod/ (an Egosoft mod without faults) and X4 Foundations/ (a game's folder with nothing in it),
/// trader.x42 with animation.cfg and default.skin, and base/, an empty folder.
/// signer.jar (an avatar with its texture and settings) and hello.cas.xml, which moves it for 120 ms,
/// broken.xac (a triangle astray), empty.xac, foreign.xac (a later engine's actor), notes.txt.
/// shard1.jsonl and shard2.jsonl, reports of a run.
/// mod/ (an extension with small XML files), 01.cat and 02.cat, which changes one of its files and deletes another.
void fill(const std::filesystem::path& folder);

}  // namespace effigy::test
