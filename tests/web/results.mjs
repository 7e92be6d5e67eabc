/// A reporter for node --test: "passed|failed|skipped NAME" for each case, as `./dev test` counts them.
import path from 'node:path';

export default async function* (events) {
    for await (const { type, data } of events) {
        if (type !== 'test:pass' && type !== 'test:fail') continue;
        const skipped = data.skip !== undefined;
        const holdsOthers = data.details?.type === 'suite' || /\.mjs$/.test(data.name);
        if (holdsOthers && type === 'test:pass' && !skipped) continue;
        const why = typeof data.skip === 'string' && data.skip ? ` (${data.skip})` : '';
        const file = data.file ? `${path.basename(data.file, '.test.mjs')}: ` : '';
        yield `${skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed'} ${file}${data.name}${why}\n`;
    }
}
