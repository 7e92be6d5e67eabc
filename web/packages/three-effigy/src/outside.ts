/// A plugin of GLTFLoader for nodes that stand in no scene: levels of detail (MSFT_lod), collision meshes, wrecks. They are
/// added to the scene, hidden, where they move with what they belong to.
import type { Object3D } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';

export interface Outside {
    /// Levels of detail, from 1, of the node that is level 0.
    levels: { base: Object3D; level: number; object: Object3D }[];
    collision: Object3D[];
    hidden: Object3D[]; // wrecks and what else is not seen
}

interface NodeJson {
    children?: number[];
    extensions?: { MSFT_lod?: { ids?: number[] } };
    extras?: { effigy?: { collision?: boolean; kind?: string; hidden?: boolean; level_of?: object; follows?: { node?: number } } };
}

export class OutsideNodes implements GLTFLoaderPlugin {
    readonly name = 'effigy_outside';
    private readonly nodes: NodeJson[];
    private readonly inScene = new Set<number>();

    constructor(private readonly parser: GLTFParser) {
        const json = parser.json as { nodes?: NodeJson[]; scenes?: { nodes?: number[] }[] };
        this.nodes = json.nodes ?? [];
        for (const scene of json.scenes ?? []) this.walk(scene.nodes ?? []);
    }

    async afterRoot(gltf: GLTF): Promise<void> {
        const outside: Outside = { levels: [], collision: [], hidden: [] };
        gltf.scene.updateMatrixWorld(true);
        for (const [index, node] of this.nodes.entries()) {
            for (const [place, id] of (node.extensions?.MSFT_lod?.ids ?? []).entries()) {
                await this.addLevel(outside, index, id, place + 1);
            }
        }
        for (const [index, node] of this.nodes.entries()) {
            const record = node.extras?.effigy;
            if (!record || this.inScene.has(index) || record.level_of) continue;
            if (record.collision || record.kind === 'collision') outside.collision.push(await this.add(gltf.scene, index, record.follows?.node));
            else if (record.hidden) outside.hidden.push(await this.add(gltf.scene, index, record.follows?.node));
        }
        gltf.userData.outside = outside;
    }

    private walk(indices: number[]): void {
        for (const index of indices) {
            if (this.inScene.has(index)) continue;
            this.inScene.add(index);
            this.walk(this.nodes[index]?.children ?? []);
        }
    }

    private node(index: number): Promise<Object3D> {
        return this.parser.getDependency('node', index) as Promise<Object3D>;
    }

    private async addLevel(outside: Outside, baseIndex: number, index: number, level: number): Promise<void> {
        if (this.inScene.has(index) || !this.inScene.has(baseIndex)) return;
        const [base, object] = await Promise.all([this.node(baseIndex), this.node(index)]);
        object.visible = false;
        base.parent?.add(object);
        outside.levels.push({ base, level, object });
    }

    private async add(scene: Object3D, index: number, follows?: number): Promise<Object3D> {
        const object = await this.node(index);
        object.visible = false;
        scene.add(object);
        object.updateMatrixWorld(true);
        // It stands in the world, and moves with its node from there on.
        if (follows !== undefined && this.inScene.has(follows)) (await this.node(follows)).attach(object);
        return object;
    }
}
