/// Elements of the page. Texts are always texts: nothing from a file is ever read as HTML.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/// h('button', { class: 'wide', onclick: save, 'aria-label': 'Save' }, 'Save')
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
        else if (name in element && name !== 'list') (element as unknown as Properties)[name] = value;
        else element.setAttribute(name === 'class' ? 'class' : name, value === true ? '' : String(value));
    }
    element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
    return element;
}

export function byId(id: string): HTMLElement {
    const element = document.getElementById(id);
    if (!element) throw new Error(`The page has no #${id}.`);
    return element;
}

const paths: Record<string, string> = {
    play: 'M7 4.5v15l12-7.5z',
    pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
    loop: 'M7 7h9V4l5 4-5 4V9H7a3 3 0 0 0 0 6v2A5 5 0 0 1 7 7zm10 10H8v3l-5-4 5-4v3h9a3 3 0 0 0 0-6V7a5 5 0 0 1 0 10z',
    theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z',
    frame: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
    close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12 5 6.4z',
    eye: 'M12 6c5 0 8.5 4 9.5 6-1 2-4.5 6-9.5 6s-8.5-4-9.5-6C3.500 10 7 6 12 6zm0 2.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z',
    solo: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 2a6 6 0 1 1 0 12 6 6 0 0 1 0-12zm0 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
};

export function icon(name: string): SVGElement {
    const space = 'http://www.w3.org/2000/svg';
    const picture = document.createElementNS(space, 'svg');
    picture.setAttribute('viewBox', '0 0 24 24');
    picture.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', paths[name] ?? '');
    path.setAttribute('fill-rule', 'evenodd');
    picture.append(path);
    return picture;
}

export function select(label: string, choices: [value: string, text: string][], value: string, onchange: (value: string) => void): HTMLSelectElement {
    const element = h('select', { 'aria-label': label, onchange: () => onchange(element.value) },
        ...choices.map(([choice, text]) => h('option', { value: choice }, text)));
    element.value = value;
    return element;
}

/// A button that stays down.
export function toggle(text: string, isOn: boolean, onchange: (isOn: boolean) => void, title = text): HTMLButtonElement {
    const button = h('button', { type: 'button', class: 'toggle', title, 'aria-pressed': String(isOn), onclick: () => {
        const next = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(next));
        onchange(next);
    } }, text);
    return button;
}

export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });

export function size(bytes: number): string {
    if (bytes < 1024) return `${bytes} bytes`;
    return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

/// To the user's disk.
export function save(name: string, data: Blob): void {
    const address = URL.createObjectURL(data);
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
}
