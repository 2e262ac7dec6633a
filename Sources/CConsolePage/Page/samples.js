// A first value for a body, made from its type, so that nobody begins with an empty box.

import { parseType, rangeOf } from './types.js';

const depthMax = 4;

/**
 * A value of a type.
 * @param {string} text the type's notation
 * @param {Map<string, string>} types the page's own, by name
 * @returns {unknown}
 */
export function sampleValue(text, types) {
    return sample(parseType(text), types, 0);
}

function sample(type, types, depth) {
    if (type.fallback !== undefined) return parsed(type.fallback);
    switch (type.kind) {
        case 'values': return type.values.length ? plainValue(type.values[0]) : '';
        case 'array': return depth < depthMax ? [sample(type.element, types, depth + 1)] : [];
        case 'dictionary': return {};
        case 'object': return objectSample(type, types, depth);
        case 'union': return sample(type.of[0], types, depth);
        case 'scalar': return scalarSample(type, types, depth);
        default: return null;
    }
}

/** What may be left out is left out. */
function objectSample(type, types, depth) {
    if (depth >= depthMax) return {};
    const wanted = type.fields.filter((field) => !field.type.isOptional);
    return Object.fromEntries(wanted.map((field) => [field.name, sample(field.type, types, depth + 1)]));
}

function scalarSample(type, types, depth) {
    const own = types.get(type.name);
    if (own !== undefined) return depth < depthMax ? sample(parseType(own), types, depth + 1) : {};
    const least = rangeOf(type.limits).min;
    if (/^U?Int\d*$|^Double$|^Decimal$/.test(type.name)) {
        const number = Number(least ?? 0);
        return type.limits === 'string' ? String(number) : number;
    }
    switch (type.name) {
        case 'Bool': return type.limits === 'string' ? 'false' : false;
        case 'Date': return type.limits?.includes('seconds') ? Math.floor(Date.now() / 1000) : today();
        case 'URL': return 'https://example.com/';
        case 'UUID': return '00000000-0000-4000-8000-000000000000';
        case 'JSON': return null;
        default: return 'x'.repeat(Math.min(64, Number(least ?? 0)));
    }
}

function today() {
    return new Date().toISOString().slice(0, 10);
}

function plainValue(text) {
    return /^-?\d+(\.\d+)?$|^true$|^false$/.test(text) ? JSON.parse(text) : text;
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}
