// The configuration in force, with all defaults.

import { fill, h } from './dom.js';
import { plural } from './format.js';
import { copyButton, filterInput, heading, labelled } from './parts.js';

/** Lines that are drawn at once; the rest has a button. */
const linesMax = 1500;

/** @type {import('./console.js').View} */
export const configurationView = {
    title: 'Configuration',
    async load(context) {
        const text = await context.api.text('/configuration', { signal: context.signal });
        const lines = text.replace(/\n$/, '').split('\n').map((line, index) => ({ line, number: index + 1 }));
        const code = h('div.yaml', { tabindex: 0, role: 'region', 'aria-label': 'Configuration' });
        const more = h('button.more', { type: 'button', hidden: true }, '');
        const tell = h('p.dim', { 'aria-live': 'polite' });
        const filter = filterInput('key or value');
        const jump = h('select', null, h('option', { value: '' }, 'top'),
            lines.filter(({ line }) => /^[\w-]+:/.test(line))
                .map(({ line, number }) => h('option', { value: number }, line.split(':')[0])));
        let most = linesMax;
        function update() {
            const found = filter.value ? matching(lines, filter.value.toLowerCase()) : lines;
            fill(code, found.slice(0, most).map(lineView));
            more.hidden = found.length <= most;
            fill(more, `Show all ${plural(found.length, 'line')}`);
            fill(tell, filter.value ? `${found.length} of ${plural(lines.length, 'line')}, with the keys above them`
                : plural(lines.length, 'line'));
        }
        more.addEventListener('click', () => {
            most = Infinity;
            update();
            code.focus();
        });
        filter.addEventListener('input', update);
        jump.addEventListener('change', () => {
            [filter.value, most] = ['', Infinity];
            update();
            code.children[Number(jump.value || 1) - 1]?.scrollIntoView({ block: 'start' });
        });
        update();
        return [heading('Configuration', 'The page in force, with every default.', copyButton(text, 'configuration')),
            h('div.row.tools', null, labelled('Filter', filter), labelled('Go to', jump), tell), code, more];
    },
};

const indentation = (line) => line.length - line.trimStart().length;

/** Lines that hold a text, and the keys that they stand under. */
function matching(lines, text) {
    const chosen = new Set();
    lines.forEach(({ line }, index) => {
        if (!line.toLowerCase().includes(text)) return;
        let depth = indentation(line);
        chosen.add(index);
        for (let above = index - 1; above >= 0 && depth > 0; above -= 1) {
            const own = indentation(lines[above].line);
            if (lines[above].line.trim() === '' || own >= depth) continue;
            chosen.add(above);
            depth = own;
        }
    });
    return lines.filter((_, index) => chosen.has(index));
}

function lineView({ line, number }) {
    return h('div.yaml-line', null, h('span.line-number', { 'aria-hidden': 'true' }, number),
        h('code', null, tokens(line)));
}

/** Keys, comments and what is quoted; a colour too few does no harm. */
function tokens(line) {
    const found = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"{[][^#]*?)(:)(\s.*|)$/.exec(line);
    if (!found) return valueTokens(line);
    return [found[1], h('span.j-key', null, found[2]), ':', valueTokens(found[4])];
}

/** What is quoted, comments, words that are values, numbers with their units. */
const valuePattern = new RegExp([
    /("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/, /((?:^|\s)#.*$)/, /((?<=[\s[{,]|^)(?:true|false|null|off)(?=[\s,\]}]|$))/,
    /((?<=[\s[{,]|^)-?\d[\w.]*(?=[\s,\]}]|$))/,
].map((one) => one.source).join('|'), 'g');

function valueTokens(text) {
    const parts = [];
    let place = 0;
    for (const found of text.matchAll(valuePattern)) {
        const look = found[1] ? 'j-string' : found[2] ? 'j-note' : found[3] ? 'j-word' : 'j-number';
        parts.push(text.slice(place, found.index), h(`span.${look}`, null, found[0]));
        place = found.index + found[0].length;
    }
    parts.push(text.slice(place));
    return parts;
}
