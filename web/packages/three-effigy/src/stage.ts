/// Canvas, camera, light and ground. Draws only when something changed.
import {
    AmbientLight, Box3, Color, DirectionalLight, GridHelper, Matrix4, Mesh, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
    PMREMGenerator, Raycaster, Scene, ShadowMaterial, Spherical, Timer, Vector2, Vector3, WebGLRenderer, type Object3D,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { Model } from './model.js';

export interface Colors {
    background: number;
    grid: number;
    gridCenter: number;
}

export class Stage {
    readonly canvas: HTMLCanvasElement;
    readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
    readonly models: Model[] = [];
    readonly controls: OrbitControls;
    /// Called after each picture, with true while clips are playing.
    onFrame: (playing: boolean) => void = () => {};
    autoRotate = false;
    private readonly scene = new Scene();
    private readonly renderer: WebGLRenderer;
    private readonly sun = new DirectionalLight(0xffffff, 1.7);
    private readonly ground = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.22 }));
    private readonly timer = new Timer();
    private grid = new GridHelper();
    private gridShown = true;
    private colors: Colors = { background: 0x1b1e23, grid: 0x2b3038, gridCenter: 0x3a414b };
    private bounds = new Box3();
    private isDue = false;
    private isGone = false;
    private readonly watch = new ResizeObserver(() => this.resize());

    constructor(private readonly place: HTMLElement, settings: { isTransparent?: boolean } = {}) {
        this.renderer = new WebGLRenderer({ antialias: true, alpha: settings.isTransparent ?? false, powerPreference: 'high-performance' });
        this.renderer.debug.checkShaderErrors = false; // asking waits for every shader
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.canvas = this.renderer.domElement;
        place.append(this.canvas);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener('change', () => this.invalidate());
        this.light();
        this.watch.observe(place);
        this.resize();
        setTimeout(() => { if (!this.isGone) this.mirror(); }, 100);
    }

    /// Models and the canvas as well.
    dispose(): void {
        this.isGone = true;
        this.watch.disconnect();
        for (const model of [...this.models]) this.remove(model);
        this.controls.dispose();
        this.scene.environment?.dispose();
        this.renderer.dispose();
        this.renderer.forceContextLoss();
        this.canvas.remove();
    }

    set exposure(exposure: number) {
        this.renderer.toneMappingExposure = exposure;
        this.invalidate();
    }

    setColors(colors: Colors): void {
        this.colors = colors;
        this.scene.background = new Color(colors.background);
        this.layGround();
    }

    set gridVisible(shown: boolean) {
        this.gridShown = shown;
        this.layGround();
    }

    add(model: Model): void {
        this.models.push(model);
        this.scene.add(model.root);
        this.arrange();
    }

    remove(model: Model): void {
        const index = this.models.indexOf(model);
        if (index < 0) return;
        this.models.splice(index, 1);
        model.bonesView?.removeFromParent();
        model.dispose();
        this.arrange();
    }

    /// Overlays that stand in the world.
    refresh(): void {
        for (const model of this.models) if (model.bonesView && !model.bonesView.parent) this.scene.add(model.bonesView);
        this.invalidate();
    }

    /// The whole of it, or one part, from the front.
    frame(part: Object3D | null = null, yaw = 0.5, pitch = 0.2): void {
        const box = part ? new Box3().setFromObject(part) : this.bounds;
        if (box.isEmpty()) return;
        const center = box.getCenter(new Vector3());
        const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
        const half = (this.camera.fov * Math.PI) / 360;
        const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
        const distance = this.fitting(box, center, yaw, pitch) ?? radius / Math.sin(narrow);
        this.controls.target.copy(center);
        this.camera.position.setFromSpherical(new Spherical(distance, Math.PI / 2 - pitch, yaw)).add(center);
        this.camera.near = radius / 200;
        this.camera.far = Math.max(distance, this.bounds.getSize(new Vector3()).length()) * 20;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.invalidate();
    }

    /// Around the target, in radians.
    orbit(yaw: number, pitch: number, closer = 1): void {
        const offset = this.camera.position.clone().sub(this.controls.target);
        const at = new Spherical().setFromVector3(offset);
        at.theta += yaw;
        at.phi = Math.min(Math.max(at.phi - pitch, 0.02), Math.PI - 0.02);
        at.radius /= closer;
        this.camera.position.setFromSpherical(at).add(this.controls.target);
        this.controls.update();
        this.invalidate();
    }

    /// The mesh at a point of the page, if any.
    pick(clientX: number, clientY: number): { model: Model; object: Object3D } | null {
        const area = this.canvas.getBoundingClientRect();
        const point = new Vector2(((clientX - area.left) / area.width) * 2 - 1, 1 - ((clientY - area.top) / area.height) * 2);
        const ray = new Raycaster();
        ray.setFromCamera(point, this.camera);
        for (const hit of ray.intersectObjects(this.models.map((model) => model.root), true)) {
            const model = this.models.find((one) => one.partOf(hit.object));
            if (model && isVisible(hit.object)) return { model, object: hit.object };
        }
        return null;
    }

    /// The view as a picture, without the grid if the background is transparent.
    async snapshot(type: 'image/png' | 'image/webp', size?: { width: number; height: number }): Promise<Blob> {
        if (size) this.setSize(size.width, size.height, 1);
        this.draw();
        const picture = await new Promise<Blob | null>((done) => this.canvas.toBlob(done, type, 0.9));
        if (size) this.resize();
        if (!picture) throw new Error('The browser made no picture.');
        return picture;
    }

    invalidate(): void {
        if (this.isDue || this.isGone) return;
        this.isDue = true;
        requestAnimationFrame(() => this.tick());
    }

    draw(): void {
        this.renderer.render(this.scene, this.camera);
    }

    private tick(): void {
        this.isDue = false;
        if (this.isGone) return;
        this.timer.update();
        const seconds = Math.min(this.timer.getDelta(), 0.1);
        let playing = false;
        for (const model of this.models) playing = model.update(seconds) || playing;
        if (this.autoRotate && this.models.length > 0) {
            this.orbit(-seconds * 0.6, 0);
            playing = true;
        }
        this.draw();
        this.onFrame(playing);
        if (playing) this.invalidate();
    }

    private light(): void {
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.radius = 5;
        this.sun.shadow.normalBias = 0.02;
        this.scene.add(this.sun, this.sun.target, new AmbientLight(0xffffff, 0.25), this.ground);
        this.ground.rotation.x = -Math.PI / 2;
        this.ground.receiveShadow = true;
        this.ground.raycast = () => {};
    }

    /// What surfaces mirror. Without a GPU it takes a while, so that whatever else is on the page comes first.
    private mirror(): void {
        const generator = new PMREMGenerator(this.renderer);
        this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04, 0.1, 100, { size: 64 }).texture;
        this.scene.environmentIntensity = 0.75;
        generator.dispose();
        this.invalidate();
    }

    /// Side by side along X, on one ground, all with the face towards the viewer.
    private arrange(): void {
        const boxes = this.models.map((model) => model.bounds.clone().applyMatrix4(new Matrix4().makeRotationY(-model.facing)));
        const widths = boxes.map((box) => Math.max(box.max.x - box.min.x, 0));
        const gap = Math.max(0, ...widths) * 0.25;
        const total = widths.reduce((sum, width) => sum + width + gap, -gap);
        let x = -total / 2;
        this.bounds.makeEmpty();
        for (const [index, model] of this.models.entries()) {
            const box = boxes[index]!;
            if (box.isEmpty()) continue;
            model.root.rotation.y = -model.facing;
            const isAlone = this.models.length === 1;
            model.root.position.set(isAlone ? 0 : x - box.min.x, isAlone ? 0 : -box.min.y, 0);
            x += (widths[index] ?? 0) + gap;
            this.bounds.union(box.translate(model.root.position));
        }
        this.layGround();
        this.invalidate();
    }

    private layGround(): void {
        this.grid.removeFromParent();
        this.grid.dispose();
        const size = this.bounds.isEmpty() ? new Vector3(2, 2, 2) : this.bounds.getSize(new Vector3());
        const center = this.bounds.isEmpty() ? new Vector3() : this.bounds.getCenter(new Vector3());
        const extent = Math.max(size.x, size.y * 0.6, size.z);
        const step = 10 ** Math.floor(Math.log10(extent / 1.5));
        const cells = Math.max(4, 2 * Math.ceil((extent * 1.6) / step));
        this.grid = new GridHelper(cells * step, cells, this.colors.gridCenter, this.colors.grid);
        const floor = (this.bounds.isEmpty() ? 0 : this.bounds.min.y) - extent * 0.001;
        this.grid.position.set(Math.round(center.x / step) * step, floor, Math.round(center.z / step) * step);
        this.grid.visible = this.gridShown && this.models.length > 0;
        this.grid.raycast = () => {};
        this.scene.add(this.grid);
        this.ground.position.set(center.x, floor, center.z);
        this.ground.scale.setScalar(extent * 8);
        this.ground.visible = this.gridShown && this.models.length > 0;
        this.shine(center, size.length() / 2);
        this.invalidate();
    }

    private shine(center: Vector3, radius: number): void {
        this.sun.target.position.copy(center);
        this.sun.position.setFromSpherical(new Spherical(radius * 3, 0.7, 0.9)).add(center);
        const camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -radius * 1.4;
        camera.right = camera.top = radius * 1.4;
        camera.near = radius * 0.5;
        camera.far = radius * 6;
        this.sun.shadow.normalBias = radius * 0.01;
        camera.updateProjectionMatrix();
    }

    /// How far away all corners of a box are in the picture, with some room around.
    private fitting(box: Box3, center: Vector3, theta: number, pitch: number): number | null {
        const back = new Vector3().setFromSpherical(new Spherical(1, Math.PI / 2 - pitch, theta));
        const right = new Vector3(0, 1, 0).cross(back).normalize();
        const up = back.clone().cross(right);
        const tall = Math.tan((this.camera.fov * Math.PI) / 360) * 0.86, wide = tall * this.camera.aspect;
        let distance = 0;
        for (let corner = 0; corner < 8; ++corner) {
            const at = new Vector3(corner & 1 ? box.min.x : box.max.x, corner & 2 ? box.min.y : box.max.y, corner & 4 ? box.min.z : box.max.z);
            at.sub(center);
            const depth = at.dot(back);
            distance = Math.max(distance, depth + Math.abs(at.dot(right)) / wide, depth + Math.abs(at.dot(up)) / tall);
        }
        return distance > 0 ? distance : null;
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.place;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.setSize(clientWidth, clientHeight, Math.min(devicePixelRatio, 2));
        this.draw();
        this.invalidate();
    }

    private setSize(width: number, height: number, ratio: number): void {
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }
}

function isVisible(object: Object3D): boolean {
    for (let up: Object3D | null = object; up; up = up.parent) if (!up.visible) return false;
    return true;
}
