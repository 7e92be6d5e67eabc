/// What surfaces are shown as instead of their own materials.
import {
    CanvasTexture, DoubleSide, MeshNormalMaterial, MeshStandardMaterial, RepeatWrapping, SRGBColorSpace, type Material,
    type Texture,
} from 'three';

export type Surface = 'material' | 'clay' | 'normals' | 'uv';

const made = new Map<Surface, Material>();

/// undefined: the materials of the file.
export function materialFor(surface: Surface): Material | undefined {
    if (surface === 'material') return undefined;
    let material = made.get(surface);
    if (!material) made.set(surface, (material = make(surface)));
    return material;
}

function make(surface: Surface): Material {
    if (surface === 'normals') return new MeshNormalMaterial({ side: DoubleSide });
    if (surface === 'uv') return new MeshStandardMaterial({ map: checker(), roughness: 0.9, side: DoubleSide });
    return new MeshStandardMaterial({ color: 0xb9b4ad, roughness: 0.75, side: DoubleSide });
}

/// 8 x 8 squares, each of its own colour and with its name, so that what is mirrored or turned can be read.
function checker(): Texture {
    const size = 1024, squares = 8, step = size / squares;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    const pen = canvas.getContext('2d')!;
    pen.font = `600 ${step * 0.4}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let y = 0; y < squares; ++y) {
        for (let x = 0; x < squares; ++x) {
            const dark = (x + y) % 2 === 1;
            pen.fillStyle = `hsl(${(x * 45 + y * 18) % 360} ${dark ? '45% 45%' : '40% 82%'})`;
            pen.fillRect(x * step, y * step, step, step);
            pen.fillStyle = dark ? '#fff' : '#222';
            pen.fillText('ABCDEFGH'.charAt(x) + (y + 1), (x + 0.5) * step, (y + 0.5) * step);
        }
    }
    const texture = new CanvasTexture(canvas);
    texture.flipY = false;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.colorSpace = SRGBColorSpace;
    texture.anisotropy = 8;
    return texture;
}
