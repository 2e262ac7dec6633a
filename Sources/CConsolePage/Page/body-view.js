// Bodies and header fields of requests and answers.

import { fill, h } from './dom.js';
import { bytes, plural } from './format.js';
import { isJSON, layOut } from './json-text.js';
import { codeRegion, copyButton } from './parts.js';

/** Lines that are shown before somebody asks for all of them. */
const linesMax = 200;
/** Characters of other texts, likewise. */
const charactersMax = 20_000;
/** Bytes of what is no text. */
const bytesMax = 256;

/**
 * @typedef {object} Body
 * @property {string | null} [body] text
 * @property {string | null} [base64] what is no text
 * @property {number} [size] of the whole body
 * @property {boolean} [cut] not all of it has been kept
 * @property {[string, string][]} [fields]
 */

/**
 * A body as its content wants to be read.
 * @param {Body} message
 * @param {string} name what the copy button copies
 * @returns {HTMLElement}
 */
export function bodyView(message, name = 'body') {
    if (message.base64) return hexView(message);
    const text = message.body ?? '';
    if (text === '') return h('p.dim', null, message.size ? `${bytes(message.size)} that were not kept.` : 'No body.');
    const note = message.cut && h('p.note', null, 'Cut: only the beginning is kept.');
    return h('div.body', null, h('div.over', null, copyButton(text, name)),
        isJSON(text) ? jsonView(text) : textView(text), note);
}

/** Highlighted JSON; long documents end with a button. @param {string} text */
export function jsonView(text) {
    const { lines, isCut } = layOut(text, linesMax);
    const block = codeBlock(lines.map(jsonLine));
    const frame = h('div', null, block);
    if (isCut) {
        frame.append(h('button.more', { type: 'button', on: { click() {
            const all = layOut(text);
            fill(frame, codeBlock(all.lines.map(jsonLine)));
            frame.firstElementChild.focus();
        } } }, `Show all of it (${bytes(new Blob([text]).size)})`));
    }
    return frame;
}

function jsonLine(line) {
    return ['  '.repeat(line.depth), line.tokens.map(([kind, text]) =>
        (kind === 'mark' ? text : h(`span.j-${kind}`, null, text))), '\n'];
}

function codeBlock(content) {
    return codeRegion('Body', h('code', null, content));
}

function textView(text) {
    const frame = h('div', null, codeBlock(text.slice(0, charactersMax)));
    if (text.length > charactersMax) {
        frame.append(h('button.more', { type: 'button', on: { click: () => fill(frame, codeBlock(text)) } },
            `Show all of it (${plural(text.length, 'character')})`));
    }
    return frame;
}

function hexView(message) {
    const content = atob(message.base64);
    const rows = [];
    for (let begin = 0; begin < Math.min(content.length, bytesMax); begin += 16) {
        const run = [...content.slice(begin, begin + 16)];
        const digits = run.map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
        const shown = run.map((one) => (/[\x20-\x7e]/.test(one) ? one : '·')).join('');
        rows.push(`${begin.toString(16).padStart(4, '0')}  ${digits.padEnd(48)} ${shown}\n`);
    }
    const rest = (message.size ?? content.length) - Math.min(content.length, bytesMax);
    return h('div.body', null, codeBlock(rows),
        rest > 0 && h('p.note', null, `${bytes(rest)} more, which are no text.`));
}

/**
 * Header fields in their order, with those that come twice.
 * @param {[string, string][]} fields
 */
export function fieldsView(fields) {
    if (!fields.length) return h('p.dim', null, 'No fields.');
    return h('dl.fields', null, fields.map(([name, value]) =>
        h('div', null, h('dt', null, name), h('dd', null, value))));
}
