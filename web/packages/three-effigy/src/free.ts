/// Gives back what the graphics card holds of a mesh, which three.js does only when asked.
import type { Material, Mesh, SkinnedMesh } from 'three';

export function freeMesh(mesh: Mesh, materials: Material | Material[] = mesh.material): void {
    mesh.geometry.dispose();
    (mesh as Partial<SkinnedMesh>).skeleton?.dispose();
    for (const material of [materials].flat()) {
        for (const value of Object.values(material)) if (value?.isTexture) value.dispose();
        material.dispose();
    }
}
