/// Damaged files have numbers that are none, or far from all others: neither may hide the rest of the model.
import { Box3, Vector3, type BufferGeometry } from 'three';

const farthest = 1e15; // squares of it are still numbers

/// Numbers that cannot be drawn become 0.
export function mendNumbers(geometry: BufferGeometry): void {
    for (const attribute of Object.values(geometry.attributes)) {
        const { array } = attribute;
        if (!(array instanceof Float32Array)) continue;
        for (let index = 0; index < array.length; ++index) if (!(Math.abs(array[index]!) < farthest)) array[index] = 0;
    }
}

/// The box around points, without the outermost thousandth where these make it a hundred times as large.
export function boxAround(points: number[]): Box3 {
    const box = new Box3(), most = new Box3();
    for (const axis of [0, 1, 2] as const) {
        const values = Float64Array.from({ length: points.length / 3 }, (_, index) => points[index * 3 + axis]!).filter(Number.isFinite).sort();
        if (values.length === 0) return box;
        const out = Math.floor(values.length / 1000);
        box.min.setComponent(axis, values[0]!);
        box.max.setComponent(axis, values.at(-1)!);
        most.min.setComponent(axis, values[out]!);
        most.max.setComponent(axis, values[values.length - 1 - out]!);
    }
    const whole = box.getSize(new Vector3()).length(), usual = most.getSize(new Vector3()).length();
    return usual > 0 && whole > 100 * usual ? most : box;
}
