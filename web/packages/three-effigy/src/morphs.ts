/// Morph targets of a model by name, of all of its meshes at once. What is set here wins over clips.
import type { Mesh, Object3D } from 'three';

export class Morphs {
    readonly names: string[];
    private readonly meshes: Mesh[] = [];
    private readonly set = new Map<string, number>();
    private fromClips: number[][] = [];

    constructor(root: Object3D) {
        const names = new Set<string>();
        root.traverse((object) => {
            const mesh = object as Mesh;
            if (!mesh.isMesh || !mesh.morphTargetDictionary || !mesh.morphTargetInfluences) return;
            this.meshes.push(mesh);
            for (const name of Object.keys(mesh.morphTargetDictionary)) names.add(name);
        });
        this.names = [...names];
    }

    value(name: string): number {
        const set = this.set.get(name);
        if (set !== undefined) return set;
        for (const mesh of this.meshes) {
            const index = mesh.morphTargetDictionary?.[name];
            if (index !== undefined) return mesh.morphTargetInfluences?.[index] ?? 0;
        }
        return 0;
    }

    setValue(name: string, value: number): void {
        this.release();
        this.set.set(name, value);
        this.apply();
    }

    reset(): void {
        this.release();
        this.set.clear();
    }

    /// Before clips are played: they find their own values again.
    release(): void {
        for (const [index, values] of this.fromClips.entries()) {
            const influences = this.meshes[index]?.morphTargetInfluences;
            if (influences) for (const [target, value] of values.entries()) influences[target] = value;
        }
        this.fromClips = [];
    }

    /// After clips were played.
    apply(): void {
        if (this.set.size === 0) return;
        this.fromClips = this.meshes.map((mesh) => [...(mesh.morphTargetInfluences ?? [])]);
        for (const mesh of this.meshes) {
            for (const [name, value] of this.set) {
                const index = mesh.morphTargetDictionary?.[name];
                if (index !== undefined && mesh.morphTargetInfluences) mesh.morphTargetInfluences[index] = value;
            }
        }
    }
}
