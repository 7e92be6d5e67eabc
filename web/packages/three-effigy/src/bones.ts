/// Bones as they stand at a moment, drawn on top of the model: one slim octahedron from each joint to its parent.
import {
    BufferGeometry, Float32BufferAttribute, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3,
    type Bone, type ColorRepresentation, type Mesh, type Object3D,
} from 'three';

const shape = [[0, 0, 0], [0.09, 0.14, 0], [0, 0.14, 0.09], [-0.09, 0.14, 0], [0, 0.14, -0.09], [0, 1, 0]];
const faces = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4];

/// Joints; of a motion without a model everything that it has.
export function bonesOf(root: Object3D): Object3D[] {
    const bones: Object3D[] = [], nodes: Object3D[] = [];
    let hasMesh = false;
    root.traverse((object) => {
        hasMesh ||= (object as Mesh).isMesh;
        if ((object as Bone).isBone) bones.push(object);
        if (object !== root) nodes.push(object);
    });
    return bones.length > 0 || hasMesh ? bones : nodes;
}

export class BoneView extends InstancedMesh {
    private readonly pairs: [Object3D, Object3D][];

    constructor(bones: Object3D[], color: ColorRepresentation) {
        const known = new Set(bones);
        const pairs = bones.filter((bone) => bone.parent && known.has(bone.parent)).map((bone): [Object3D, Object3D] => [bone.parent!, bone]);
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new Float32BufferAttribute(shape.flat(), 3));
        geometry.setIndex(faces);
        const material = new MeshBasicMaterial({ color, wireframe: true, depthTest: false, transparent: true, opacity: 0.95 });
        super(geometry, material, Math.max(pairs.length, 1));
        this.count = pairs.length;
        this.pairs = pairs;
        this.frustumCulled = false;
        this.renderOrder = 10;
        this.raycast = () => {};
        this.place();
    }

    /// To where the joints are now.
    place(): void {
        const from = new Vector3(), to = new Vector3(), up = new Vector3(0, 1, 0), turn = new Quaternion(), matrix = new Matrix4();
        for (const [index, [parent, bone]] of this.pairs.entries()) {
            from.setFromMatrixPosition(parent.matrixWorld);
            to.setFromMatrixPosition(bone.matrixWorld).sub(from);
            const length = to.length();
            if (length > 0) turn.setFromUnitVectors(up, to.clone().divideScalar(length));
            this.setMatrixAt(index, matrix.compose(from, turn, new Vector3(length, length, length)));
        }
        this.instanceMatrix.needsUpdate = true;
    }
}
