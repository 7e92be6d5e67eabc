/// A mesh a second time, in another material: it moves with the first one, skin and morph targets included.
import { Mesh, SkinnedMesh, type Material } from 'three';

export function twinOf(mesh: Mesh, material: Material): Mesh {
    const twin = makeTwin(mesh, material);
    twin.morphTargetInfluences = mesh.morphTargetInfluences;
    twin.morphTargetDictionary = mesh.morphTargetDictionary;
    twin.userData.twin = true;
    twin.frustumCulled = false;
    twin.raycast = () => {};
    mesh.add(twin);
    return twin;
}

function makeTwin(mesh: Mesh, material: Material): Mesh {
    const skinned = mesh as SkinnedMesh;
    if (!skinned.isSkinnedMesh) return new Mesh(mesh.geometry, material);
    const twin = new SkinnedMesh(mesh.geometry, material);
    twin.bindMode = skinned.bindMode;
    twin.bind(skinned.skeleton, skinned.bindMatrix);
    return twin;
}
