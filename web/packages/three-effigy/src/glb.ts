/// GLB bytes to three.js, with all that effigy puts into them. Nothing is fetched: images come from the bytes.
import { LoadingManager, TextureLoader } from 'three';
import { GLTFLoader, type GLTF, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { OutsideNodes } from './outside.js';

export function readGlb(bytes: Uint8Array, manager = new LoadingManager()): Promise<GLTF> {
    const loader = new GLTFLoader(manager);
    loader.setMeshoptDecoder(MeshoptDecoder);
    // Images through <img>: the other way fetches Blob URLs, which a strict Content-Security-Policy forbids.
    loader.register((parser: GLTFParser) => {
        parser.textureLoader = new TextureLoader(manager);
        return { name: 'effigy_images' };
    });
    loader.register((parser: GLTFParser) => new OutsideNodes(parser));
    return loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
}
