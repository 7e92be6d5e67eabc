/// What the library advises is for its command line; on the page files are dropped instead.

const switches = /--(game|textures|materials)\b|\bas an input\b/;

export function forPage(message: string): string {
    if (!switches.test(message)) return message;
    return `${message.replace(/\.(?=$| \[[a-z0-9-]+\]$)/, '')}. On this page: drop the missing files, or a folder or ZIP with them, as well.`;
}
