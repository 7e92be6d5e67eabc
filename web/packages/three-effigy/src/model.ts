/// One model as it is shown: its parts, clips, morph targets, levels of detail and what is drawn over it.
import {
    Box3, Box3Helper, Color, Group, Mesh, MeshBasicMaterial, Vector3, type AnimationClip, type Bone, type Material, type Object3D,
} from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { BoneView, bonesOf } from './bones.js';
import { boxAround, mendNumbers } from './damaged.js';
import { freeMesh } from './free.js';
import { Morphs } from './morphs.js';
import type { Outside } from './outside.js';
import { Player } from './player.js';
import { materialFor, type Surface } from './surfaces.js';
import { twinOf } from './twin.js';

/// What a part of the picture is called, and what the file's records say of it.
export interface Part {
    object: Object3D;
    name: string;
    kind: 'node' | 'bone' | 'mesh' | 'light';
    node: Record<string, unknown>; // extras.effigy
    mesh: Record<string, unknown>;
}

export interface Counts {
    vertices: number;
    triangles: number;
    meshes: number;
    nodes: number;
    bones: number;
    materials: number;
    textures: number;
    morphs: number;
    clips: number;
}

type Extras = { effigy?: Record<string, unknown> };
interface Json {
    asset?: { extras?: Extras & { effigy?: { source?: { format?: string } } } };
    nodes?: { name?: string; extras?: Extras }[];
    meshes?: { name?: string; extras?: Extras }[];
}

const accent = 0xe8833a;

export class Model {
    readonly root = new Group(); // where it stands beside others
    readonly player: Player;
    readonly morphs: Morphs;
    readonly parts = new Map<Object3D, Part>();
    readonly bounds = new Box3(); // of what is visible at rest, in the model's own frame
    readonly counts: Counts;
    readonly bones: Object3D[];
    private readonly outside: Outside;
    private readonly own = new Map<Mesh, Material | Material[]>();
    private readonly hiddenInFile = new Set<Object3D>();
    private overlays: { wireframe: Mesh[]; selection: Mesh[]; bones: BoneView | null; bounds: Box3Helper | null } = {
        wireframe: [], selection: [], bones: null, bounds: null,
    };
    private level_ = 0;

    constructor(readonly name: string, private readonly gltf: GLTF) {
        this.outside = (gltf.userData.outside as Outside | undefined) ?? { levels: [], collision: [], hidden: [] };
        this.root.add(gltf.scene);
        this.root.name = name;
        this.nameParts();
        this.prepareMeshes();
        this.player = new Player(gltf.scene, gltf.animations);
        this.morphs = new Morphs(gltf.scene);
        this.bones = bonesOf(gltf.scene);
        this.counts = this.count();
        this.measure();
    }

    get scene(): Object3D {
        return this.gltf.scene;
    }

    get clips(): AnimationClip[] {
        return this.gltf.animations;
    }

    /// The format of the file that the model was made of.
    get format(): string {
        return (this.gltf.parser.json as Json).asset?.extras?.effigy?.source?.format ?? '';
    }

    /// Towards the viewer, as an angle around Y: X42's models look along -X, all others along +Z.
    get facing(): number {
        return this.format === 'x42' ? -Math.PI / 2 : 0;
    }

    get levelCount(): number {
        return 1 + Math.max(0, ...this.outside.levels.map((level) => level.level));
    }

    get level(): number {
        return this.level_;
    }

    /// Parts without that level show the coarsest one that they have, hidden parts none.
    set level(wanted: number) {
        this.level_ = wanted;
        const bases = new Map<Object3D, Outside['levels']>();
        for (const entry of this.outside.levels) bases.set(entry.base, [...(bases.get(entry.base) ?? []), entry]);
        for (const [base, entries] of bases) {
            const most = Math.min(wanted, Math.max(...entries.map((entry) => entry.level)));
            base.traverse((object) => { if ((object as Mesh).isMesh) object.layers.set(most === 0 ? 0 : 1); }); // with what is drawn over them
            for (const entry of entries) entry.object.visible = entry.level === most && base.visible;
        }
    }

    get hasCollision(): boolean {
        return this.outside.collision.length > 0;
    }

    set collision(shown: boolean) {
        for (const object of this.outside.collision) object.visible = shown;
    }

    get materials(): Material[] {
        const all = new Set<Material>();
        for (const material of this.own.values()) for (const one of [material].flat()) all.add(one);
        return [...all];
    }

    set surface(surface: Surface) {
        const material = materialFor(surface);
        for (const [mesh, own] of this.own) if (!this.isCollision(mesh)) mesh.material = material ?? own;
    }

    set wireframe(shown: boolean) {
        this.removeTwins(this.overlays.wireframe);
        if (!shown) return;
        const material = new MeshBasicMaterial({
            color: 0x4aa8ff, wireframe: true, transparent: true, opacity: 0.35, polygonOffset: true, polygonOffsetFactor: -1,
        });
        for (const mesh of this.own.keys()) if (!this.isCollision(mesh)) this.overlays.wireframe.push(this.twin(mesh, material));
    }

    set skeleton(shown: boolean) {
        this.overlays.bones?.removeFromParent();
        this.overlays.bones?.dispose();
        this.overlays.bones = null;
        if (!shown || this.bones.length === 0) return;
        this.scene.updateMatrixWorld(true);
        this.overlays.bones = new BoneView(this.bones, accent);
    }

    set boundsShown(shown: boolean) {
        this.overlays.bounds?.removeFromParent();
        this.overlays.bounds?.dispose();
        this.overlays.bounds = null;
        if (!shown || this.bounds.isEmpty()) return;
        this.overlays.bounds = new Box3Helper(this.bounds, new Color(accent));
        this.root.add(this.overlays.bounds);
    }

    /// Bones stand in the world, so that they are not below the model.
    get bonesView(): Object3D | null {
        return this.overlays.bones;
    }

    /// Marks a part and all below it; null marks nothing.
    select(object: Object3D | null): void {
        this.removeTwins(this.overlays.selection);
        if (!object) return;
        const material = new MeshBasicMaterial({
            color: accent, transparent: true, opacity: 0.38, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2,
        });
        for (const mesh of meshesOf(object)) this.overlays.selection.push(this.twin(mesh, material));
    }

    isHidden(object: Object3D): boolean {
        return !object.visible;
    }

    setHidden(object: Object3D, hidden: boolean): void {
        object.visible = !hidden;
        if (this.outside.levels.some((level) => level.base === object)) this.level = this.level_;
    }

    /// Only this part and what is below it, at the level that is shown; null: everything as in the file.
    isolate(object: Object3D | null): void {
        const shown = object && new Set(meshesOf(object));
        for (const level of this.outside.levels) if (shown && isWithin(level.base, object)) for (const mesh of meshesOf(level.object)) shown.add(mesh);
        for (const mesh of this.own.keys()) {
            if (!this.isCollision(mesh)) mesh.visible = shown ? shown.has(mesh) : !this.hiddenInFile.has(mesh);
        }
        if (!object) this.parts.forEach((part) => { if (part.kind !== 'mesh') part.object.visible = !this.hiddenInFile.has(part.object); });
        this.level = this.level_;
        for (let up = object; up && up !== this.root; up = up.parent) up.visible = true;
    }

    partOf(object: Object3D | null): Part | null {
        for (let up = object; up; up = up.parent) {
            const part = this.parts.get(up);
            if (part) return part;
        }
        return null;
    }

    /// True while something moves.
    update(seconds: number): boolean {
        this.morphs.release();
        const moves = this.player.update(seconds);
        this.morphs.apply();
        if (this.overlays.bones) {
            this.scene.updateMatrixWorld();
            this.overlays.bones.place();
        }
        return moves;
    }

    /// To a moment of the clip.
    seek(seconds: number): void {
        this.morphs.release();
        this.player.time = seconds;
        this.update(0);
    }

    dispose(): void {
        this.player.dispose();
        this.select(null);
        this.wireframe = false;
        this.skeleton = false;
        this.boundsShown = false;
        for (const [mesh, own] of this.own) freeMesh(mesh, own);
        this.root.removeFromParent();
    }

    private nameParts(): void {
        const json = this.gltf.parser.json as Json;
        this.scene.traverse((object) => {
            const found = this.gltf.parser.associations.get(object) as { nodes?: number; meshes?: number } | undefined;
            const node = found?.nodes === undefined ? undefined : json.nodes?.[found.nodes];
            const mesh = found?.meshes === undefined ? undefined : json.meshes?.[found.meshes];
            if (!node && !mesh) return;
            const kind = (object as Mesh).isMesh || mesh ? 'mesh' : (object as Bone).isBone ? 'bone'
                : object.children.some((child) => (child as { isLight?: boolean } & Object3D).isLight) ? 'light' : 'node';
            const name = node?.name ?? mesh?.name ?? object.name;
            this.parts.set(object, { object, name, kind, node: node?.extras?.effigy ?? {}, mesh: mesh?.extras?.effigy ?? {} });
            if (!object.visible) this.hiddenInFile.add(object);
        });
    }

    private prepareMeshes(): void {
        const shape = new MeshBasicMaterial({ color: 0x39c27f, wireframe: true, transparent: true, opacity: 0.6 });
        for (const mesh of meshesOf(this.scene)) {
            mendNumbers(mesh.geometry);
            mesh.frustumCulled = false; // skins leave their box at rest
            mesh.castShadow = mesh.receiveShadow = true;
            this.own.set(mesh, mesh.material);
            if (this.isCollision(mesh)) {
                mesh.material = shape;
                mesh.castShadow = false;
            }
        }
    }

    private isCollision(object: Object3D): boolean {
        for (let up: Object3D | null = object; up; up = up.parent) if (this.outside.collision.includes(up)) return true;
        return false;
    }

    private isLevel(object: Object3D): boolean {
        for (let up: Object3D | null = object; up; up = up.parent) {
            if (this.outside.levels.some((level) => level.object === up)) return true;
        }
        return false;
    }

    private isOutside(object: Object3D): boolean {
        if (this.isCollision(object) || this.isLevel(object)) return true;
        for (let up: Object3D | null = object; up; up = up.parent) if (this.outside.hidden.includes(up)) return true;
        return false;
    }

    private count(): Counts {
        const textures = new Set<unknown>();
        for (const material of this.materials) for (const value of Object.values(material)) if (value?.isTexture) textures.add(value.source);
        const counts = { vertices: 0, triangles: 0, meshes: 0 };
        const seen = new Set<unknown>();
        for (const mesh of this.own.keys()) {
            if (this.isOutside(mesh)) continue;
            const positions = mesh.geometry.attributes.position;
            counts.meshes += 1;
            counts.triangles += (mesh.geometry.index?.count ?? positions?.count ?? 0) / 3;
            if (positions && !seen.has(positions)) counts.vertices += positions.count;
            seen.add(positions);
        }
        return {
            ...counts, nodes: [...this.parts.keys()].filter((object) => !this.isOutside(object)).length, bones: this.bones.length, materials: this.materials.length, textures: textures.size,
            morphs: this.morphs.names.length, clips: this.clips.length,
        };
    }

    private measure(): void {
        this.root.updateMatrixWorld(true);
        const corner = new Vector3(), points: number[] = [];
        for (const mesh of this.own.keys()) {
            if (this.isOutside(mesh) || !isShown(mesh)) continue;
            const count = mesh.geometry.attributes.position?.count ?? 0;
            for (let index = 0; index < count; ++index) {
                mesh.getVertexPosition(index, corner).applyMatrix4(mesh.matrixWorld);
                points.push(corner.x, corner.y, corner.z);
            }
        }
        this.bounds.copy(boxAround(points));
        if (this.bounds.isEmpty()) for (const bone of this.bones) this.bounds.expandByPoint(bone.getWorldPosition(corner));
    }

    private twin(mesh: Mesh, material: Material): Mesh {
        const twin = twinOf(mesh, material);
        twin.layers.mask = mesh.layers.mask;
        return twin;
    }

    private removeTwins(twins: Mesh[]): void {
        for (const twin of twins.splice(0)) {
            twin.removeFromParent();
            (twin.material as Material).dispose();
        }
    }
}

function isWithin(object: Object3D, above: Object3D): boolean {
    for (let up: Object3D | null = object; up; up = up.parent) if (up === above) return true;
    return false;
}

function isShown(object: Object3D): boolean {
    for (let up: Object3D | null = object; up; up = up.parent) if (!up.visible) return false;
    return true;
}

/// Meshes at an object and below it, without what is drawn over them.
export function meshesOf(object: Object3D): Mesh[] {
    const meshes: Mesh[] = [];
    object.traverse((below) => {
        if ((below as Mesh).isMesh && !below.userData.twin) meshes.push(below as Mesh);
    });
    return meshes;
}
