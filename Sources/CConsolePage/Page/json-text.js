// JSON laid out for reading. The digits of numbers and the escapes of strings stay as they were sent.

/** @typedef {[kind: 'key' | 'string' | 'number' | 'word' | 'mark', text: string]} Token */

const pattern = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * Lines of tokens, each with its depth.
 * @param {string} text valid JSON
 * @param {number} [linesMax] where the layout ends
 * @returns {{lines: {depth: number, tokens: Token[]}[], isCut: boolean}}
 */
export function layOut(text, linesMax = Infinity) {
    const lines = [{ depth: 0, tokens: [] }];
    const tokens = text.matchAll(pattern);
    let depth = 0;
    let previous = '';
    const add = (kind, token) => lines[lines.length - 1].tokens.push([kind, token]);
    const open = () => lines.push({ depth, tokens: [] });

    for (const [token] of tokens) {
        const isEmpty = (token === '}' || token === ']') && (previous === '{' || previous === '[');
        if (token === '}' || token === ']') depth -= 1;
        if (!isEmpty && (token === '}' || token === ']' || '{[,'.includes(previous)) && previous !== '') open();
        if (lines.length > linesMax) return { lines: lines.slice(0, linesMax), isCut: true };
        if (token === ':') {
            const line = lines[lines.length - 1].tokens;
            line[line.length - 1][0] = 'key';
            add('mark', ': ');
        } else {
            add(kindOf(token), token);
        }
        if (token === '{' || token === '[') depth += 1;
        previous = token;
    }
    return { lines, isCut: false };
}

/** @returns {Token[0]} */
function kindOf(token) {
    if (token.startsWith('"')) return 'string';
    if ('{}[],'.includes(token)) return 'mark';
    return /^[tfn]/.test(token) ? 'word' : 'number';
}

/**
 * The same as text.
 * @param {string} text
 * @returns {string} the text itself where it is no JSON
 */
export function pretty(text) {
    if (!isJSON(text)) return text;
    return layOut(text).lines
        .map((line) => '  '.repeat(line.depth) + line.tokens.map((token) => token[1]).join('')).join('\n');
}

/** @param {string} text */
export function isJSON(text) {
    try {
        JSON.parse(text);
        return true;
    } catch {
        return false;
    }
}
