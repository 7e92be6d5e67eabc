// Validates JSON against a JSON Schema 2020-12: node schema.mjs SCHEMA FILE...
// One line per problem. Exit code 1 on any; 2 on wrong usage or an unreadable file.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: Ajv } = require('ajv/dist/2020');

const [schemaPath, ...paths] = process.argv.slice(2);
if (paths.length === 0) {
    console.error('usage: node schema.mjs SCHEMA FILE...');
    process.exit(2);
}

function read(path) {
    try {
        return JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
        console.error(`${path}: ${error.message ?? error}`);
        process.exit(2);
    }
}

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(read(schemaPath));
let ok = true;
for (const path of paths) {
    if (validate(read(path))) continue;
    ok = false;
    for (const { instancePath, message, params } of validate.errors.slice(0, 20)) {
        console.log(`${path}: at ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`);
    }
}
process.exit(ok ? 0 : 1);
