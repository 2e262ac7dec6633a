// The notation of types (`Int(1...100)?`, `[red | green]`, `{name: String}`), read as far as a form needs it.

/**
 * @typedef {object} Type
 * @property {'scalar' | 'values' | 'array' | 'object' | 'dictionary' | 'union' | 'unknown'} kind
 * @property {string} [name] of a scalar, or of a type of the page
 * @property {string} [limits] what stands in brackets behind it: `1...100`
 * @property {string[]} [values] of a set
 * @property {boolean} [isConstant] the set has numbers or truth values, and no strings
 * @property {boolean} [isOpen] the set may have others
 * @property {Type} [element] of an array or dictionary
 * @property {{name: string, type: Type}[]} [fields]
 * @property {Type[]} [of] of a union
 * @property {boolean} [isOptional]
 * @property {string} [fallback] its default, as it is written
 */

const token = /\s*(?:("(?:[^"\\]|\\.)*")|(->|…|\.\.\.|[[\]{}|?,:=()])|([^\s[\]{}|?,:=()"…]+))/y;

/**
 * Reads a type. What is not understood is `unknown`, and may be anything.
 * @param {string} text
 * @returns {Type}
 */
export function parseType(text) {
    const reader = new Reader(text);
    try {
        return reader.type();
    } catch {
        return { kind: 'unknown' };
    }
}

/** Goes over the notation token by token. */
class Reader {
    constructor(text) {
        this.text = text;
        this.place = 0;
    }

    peek() {
        token.lastIndex = this.place;
        const found = token.exec(this.text);
        return found ? { string: found[1], mark: found[2], word: found[3], end: token.lastIndex } : null;
    }

    is(mark) {
        return this.peek()?.mark === mark;
    }

    take(mark) {
        if (!this.is(mark)) return false;
        this.place = this.peek().end;
        return true;
    }

    expect(mark) {
        if (!this.take(mark)) throw new Error(`no ${mark} at ${this.place}`);
    }

    type() {
        const parts = [this.postfix()];
        let isOpen = false;
        while (this.take('|')) {
            if (this.take('…') || this.take('...')) isOpen = true;
            else parts.push(this.postfix());
        }
        const type = joined(parts, isOpen);
        // What local clients see stands behind the arrow.
        const shown = this.take('->') ? this.postfix() : type;
        while (this.peek()?.word === 'from') this.skipSource();
        if (this.take('=')) shown.fallback = this.rest();
        return shown;
    }

    /** `from data.id`, up to what ends the field. */
    skipSource() {
        while (this.peek() && !['=', ',', '}', ']'].some((mark) => this.is(mark))) this.place = this.peek().end;
    }

    /** The default ends where its field does. */
    rest() {
        const begin = this.place;
        let depth = 0;
        for (let next = this.peek(); next; next = this.peek()) {
            if (depth === 0 && [',', '}', ']'].includes(next.mark)) break;
            if (['[', '{'].includes(next.mark)) depth += 1;
            if ([']', '}'].includes(next.mark)) depth -= 1;
            this.place = next.end;
        }
        return this.text.slice(begin, this.place).trim();
    }

    postfix() {
        const type = this.primary();
        if (this.is('(')) type.limits = this.limits();
        while (this.take('?')) type.isOptional = true;
        return type;
    }

    /** Brackets, with a pattern between slashes that may hold brackets itself. */
    limits() {
        this.expect('(');
        const begin = this.place;
        let depth = 1;
        let isPattern = false;
        while (this.place < this.text.length) {
            const character = this.text[this.place];
            if (character === '\\') this.place += 1;
            else if (character === '/') isPattern = !isPattern;
            else if (!isPattern && character === '(') depth += 1;
            else if (!isPattern && character === ')') depth -= 1;
            this.place += 1;
            if (depth === 0) return this.text.slice(begin, this.place - 1).trim();
        }
        throw new Error('brackets are open');
    }

    primary() {
        if (this.take('[')) return this.array();
        if (this.take('{')) return this.object();
        const next = this.peek();
        if (!next || next.mark) throw new Error('no type');
        this.place = next.end;
        if (next.string) return { kind: 'values', values: [JSON.parse(next.string)] };
        if (next.word === 'null') return { kind: 'scalar', name: 'null' };
        if (/^[A-Z]/.test(next.word)) return { kind: 'scalar', name: next.word };
        const isConstant = /^(-?\d[\d.eE+-]*|true|false)$/.test(next.word) || undefined;
        return { kind: 'values', values: [next.word], isConstant };
    }

    array() {
        const element = this.type();
        if (this.take(':')) {
            const value = this.type();
            this.expect(']');
            return { kind: 'dictionary', element: value };
        }
        this.expect(']');
        return { kind: 'array', element };
    }

    object() {
        const fields = [];
        while (!this.take('}')) {
            const key = this.peek();
            this.place = key.end;
            const isOptional = this.take('?');
            this.expect(':');
            const type = this.type();
            if (isOptional) type.isOptional = true;
            fields.push({ name: key.string ? JSON.parse(key.string) : key.word, type });
            this.take(',');
        }
        if (fields.length === 1 && fields[0].name === '*') return { kind: 'dictionary', element: fields[0].type };
        return { kind: 'object', fields: fields.filter((field) => field.name !== '*') };
    }
}

function joined(parts, isOpen) {
    if (parts.length === 1 && !isOpen) return parts[0];
    const known = parts.filter((part) => part.name !== 'null');
    const isOptional = known.length < parts.length || parts.some((part) => part.isOptional);
    if (known.length && known.every((part) => part.kind === 'values')) {
        const isConstant = known.every((part) => part.isConstant) || undefined;
        return { kind: 'values', values: known.flatMap((part) => part.values), isOpen, isOptional, isConstant };
    }
    if (known.length === 1) return { ...known[0], isOptional };
    return { kind: 'union', of: known, isOptional };
}

/** Names behind a name, and lists in a list. */
const resolvedMax = 16;

/**
 * What a name of the page's types stands for; a type that is none stays.
 * @param {Type} type
 * @param {Map<string, string>} types notations by name
 * @param {number} [depth] types may be made of themselves, and lists of lists of them
 * @returns {Type}
 */
export function resolved(type, types, depth = 0) {
    let found = type;
    for (let step = 0; step < resolvedMax && found.kind === 'scalar' && types.has(found.name); step += 1) {
        found = { ...parseType(types.get(found.name)), isOptional: type.isOptional, fallback: type.fallback };
    }
    if (found.kind !== 'array' || depth >= resolvedMax) return found;
    return { ...found, element: resolved(found.element, types, depth + 1) };
}

/**
 * The ends of a range: `1...100`, `0..<1`, `1...`, `2`.
 * @param {string | undefined} limits
 * @returns {{min: string | null, max: string | null, isBelow: boolean}}
 */
export function rangeOf(limits) {
    const range = /^\s*(-?[\d.eE+-]*?)\s*(\.\.\.|\.\.<)\s*(-?[\d.eE+-]*)/.exec(limits ?? '');
    if (range) return { min: range[1] || null, max: range[3] || null, isBelow: range[2] === '..<' };
    const exact = /^\s*(\d+)\s*(?:,|$)/.exec(limits ?? '');
    return { min: exact ? exact[1] : null, max: exact ? exact[1] : null, isBelow: false };
}

/** What the fixed-width integers hold, as far as a number of JavaScript does. */
export const integerBounds = {
    Int8: ['-128', '127'], Int16: ['-32768', '32767'], Int32: ['-2147483648', '2147483647'], Int: [null, null],
    Int64: [null, null], UInt: ['0', null], UInt8: ['0', '255'], UInt16: ['0', '65535'], UInt32: ['0', '4294967295'],
    UInt64: ['0', null],
};

/**
 * The names of the page's types that a notation mentions.
 * @param {string} text
 * @param {Iterable<string>} known
 * @returns {string[]}
 */
export function mentioned(text, known) {
    const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
    return [...known].filter((name) => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(bare));
}
