// Runs the Khronos glTF validator: node validate.mjs [--json] FILE...
// One line per file, or with --json one array of all reports. Exit code 1 on any error or warning, and on any lesser
// issue whose code is not in allowed.json; 2 on wrong usage or an unreadable file.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// With GLTF_VALIDATOR the package may be installed in another folder.
const require = createRequire(process.env.GLTF_VALIDATOR ? join(process.env.GLTF_VALIDATOR, 'x.js') : import.meta.url);
const validator = require('gltf-validator');

const allowed = JSON.parse(readFileSync(new URL('allowed.json', import.meta.url), 'utf8'));
const severityNames = ['error', 'warning', 'info', 'hint'];

const asJson = process.argv.includes('--json');
const paths = process.argv.slice(2).filter((argument) => argument !== '--json');
if (paths.length === 0) {
    console.error('usage: node validate.mjs [--json] FILE...');
    process.exit(2);
}

async function validate(path) {
    const bytes = new Uint8Array(await readFile(path));
    const report = await validator.validateBytes(bytes, {
        uri: path,
        maxIssues: 1000,
        externalResourceFunction: async (uri) =>
            new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri)))),
    });
    const rejected = report.issues.messages.filter((issue) => issue.severity < 2 || !(issue.code in allowed));
    return { path, ok: rejected.length === 0 && !report.issues.truncated, rejected, report };
}

const results = [];
for (const path of paths) {
    try {
        results.push(await validate(path));
    } catch (error) {
        console.error(`${path}: ${error.message ?? error}`);
        process.exit(2);
    }
}
if (asJson) {
    console.log(JSON.stringify(results, null, 2));
} else {
    for (const { path, ok, rejected, report } of results) {
        const { numErrors, numWarnings, numInfos, numHints } = report.issues;
        console.log(`${path}: ${ok ? 'ok' : 'rejected'}: ${numErrors} errors, ${numWarnings} warnings, ` +
            `${numInfos} infos, ${numHints} hints`);
        for (const issue of rejected.slice(0, 20)) {
            console.log(`  ${severityNames[issue.severity]} ${issue.code} at ${issue.pointer ?? issue.offset}: ` +
                issue.message);
        }
    }
}
process.exit(results.every((result) => result.ok) ? 0 : 1);
