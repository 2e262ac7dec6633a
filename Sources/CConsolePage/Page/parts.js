// Parts that several sections show.

import { adviceFor } from './advice.js';
import { ConsoleGone, DaemonGone, Problem, problemKind } from './client.js';
import { fill, h } from './dom.js';

/** A word in a box: `well`, `refused`. @param {'good' | 'warn' | 'bad' | 'plain'} look @param {unknown} text */
export function badge(look, text) {
    return h(`span.badge.${look}`, null, text);
}

/** A status code, coloured by its class. @param {number | null | undefined} status */
export function statusBadge(status) {
    if (!status) return badge('bad', 'none');
    return badge(status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'plain' : 'good', status);
}

/** @param {string} method */
export function methodLabel(method) {
    const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
    return h(`span.method.${known.includes(method) ? method.toLowerCase() : 'other'}`, null, method);
}

/** A binding's name with its method apart; `class: path` may break at slashes. @param {string} name */
export function bindingLabel(name) {
    const blank = name.indexOf(' ');
    if (blank < 0) return h('span.binding', null, breakable(name));
    return h('span.binding', null, methodLabel(name.slice(0, blank)), ' ', breakable(name.slice(blank + 1)));
}

/** Text that may break behind slashes, dots, ampersands. @param {string} text */
export function breakable(text) {
    const runs = String(text).split(/(?<=[/&?.,_])/);
    return h('span.path', null, runs.map((run, index) => (index ? [document.createElement('wbr'), run] : run)));
}

/** @param {string | (() => string)} text what is copied @param {string} name of it */
export function copyButton(text, name) {
    const button = h('button.quiet', { type: 'button', 'aria-label': `Copy ${name}`, on: { click: copy } }, 'Copy');
    async function copy() {
        let word = 'Copied';
        try {
            await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
        } catch {
            word = 'Not allowed';
        }
        fill(button, word);
        announce(word);
        setTimeout(() => fill(button, 'Copy'), 1500);
    }
    return button;
}

/** Said by screen readers, seen by nobody. @param {string} text */
export function announce(text) {
    const announcer = document.getElementById('announcer');
    if (announcer) announcer.textContent = text;
}

/** Tells what has been done, for a while, and to screen readers. @param {string} text @param {'good' | 'bad'} [look] */
export function notice(text, look = 'good') {
    announce(text);
    const note = h(`p.notice.${look}`, null, text);
    document.getElementById('notices')?.append(note);
    setTimeout(() => note.remove(), look === 'bad' ? 9000 : 5000);
}

/** @param {string} title @param {...unknown} children */
export function empty(title, ...children) {
    return h('div.empty', null, h('p.lead', null, title), children.map((child) =>
        (child instanceof Node ? child : h('p', null, child))));
}

/**
 * What went wrong, with what to do.
 * @param {unknown} error
 * @param {(() => void) | null} [retry]
 * @returns {HTMLElement}
 */
export function errorView(error, retry = null) {
    const again = retry && h('button', { type: 'button', on: { click: retry } }, 'Try again');
    if (error instanceof DaemonGone) {
        return h('div.problem', { role: 'alert' }, h('p.lead', null, 'The daemon does not answer'),
            h('p', null, error.message), h('p.advice', null, h('strong', null, 'What to do: '), 'see whether it runs (',
                h('code', null, 'systemctl status sluice'), '), or start it with ', h('code', null, 'sluice serve'),
                '. This page goes on by itself once it answers.'), again);
    }
    if (error instanceof Problem && error.kind === 'unknown-route') {
        return h('div.problem', { role: 'alert' }, h('p.lead', null, 'The daemon does not know this'),
            h('p.advice', null, h('strong', null, 'What to do: '), 'it may be of another version than this command: ',
                'restart it after an update.'), again);
    }
    if (error instanceof Problem) return problemView(error.envelope, error.status, again);
    if (error instanceof ConsoleGone) {
        return h('div.problem', { role: 'alert' }, h('p.lead', null, 'The console does not answer'),
            h('p', null, 'Its command has ended. Run ', h('code', null, 'sluice console'),
                ' again and open the link that it prints.'), again);
    }
    return h('div.problem', { role: 'alert' }, h('p.lead', null, 'This page has a fault of its own'),
        h('p', null, error instanceof Error ? error.message : String(error)), again);
}

/**
 * A problem envelope (RFC 9457).
 * @param {any} envelope
 * @param {number} status
 * @param {unknown} [action]
 * @returns {HTMLElement}
 */
export function problemView(envelope, status, action = null) {
    const kind = problemKind(envelope);
    const whose = envelope.source && `the ${envelope.source}’s fault`;
    const again = { true: 'may succeed later', false: 'will fail again' }[String(envelope.retryable)];
    const advice = adviceFor(kind);
    return h('div.problem', { role: 'alert' },
        h('p.lead', null, envelope.title ?? 'The request failed'),
        h('p.facts', null, statusBadge(status), kind && h('code', null, kind), whose && h('span', null, whose),
            envelope.upstream && h('span', null, `upstream ${envelope.upstream}`), again && h('span', null, again)),
        envelope.detail && h('p', null, envelope.detail),
        Array.isArray(envelope.faults) && envelope.faults.length > 0 && faultList(envelope.faults),
        advice && h('p.advice', null, h('strong', null, 'What to do: '), advice), action);
}

function faultList(faults) {
    return h('ul.faults', null, faults.map((fault) => h('li', null,
        h('code', null, fault.name), fault.in && h('span.dim', null, ` in ${fault.in}`), ': expected ',
        h('code', null, fault.expected ?? '?'), fault.found && [', found ', h('code', null, fault.found)],
        Number.isInteger(fault.offset) && h('span.dim', null, ` at byte ${fault.offset}`),
        fault.hint && h('span', null, `; ${fault.hint}`))));
}

/**
 * Asks before something is done that cannot be taken back.
 * @param {string} title
 * @param {string} text
 * @param {string} verb on the button
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, verb) {
    return new Promise((resolve) => {
        const cancel = h('button', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel');
        const go = h('button.danger', { type: 'button', on: { click: () => dialog.close('go') } }, verb);
        const dialog = h('dialog', { 'aria-label': title, on: { close() {
            dialog.remove();
            resolve(dialog.returnValue === 'go');
        } } }, h('h2', null, title), h('p', null, text), h('p.row.end', null, cancel, go));
        document.body.append(dialog);
        dialog.showModal();
        cancel.focus();
    });
}

/**
 * Names with their values in a row.
 * @param {[name: string, value: unknown][]} rows those without a value are left out
 */
export function factRow(rows) {
    return h('dl.facts-row', null, pairs(rows));
}

/** Names with their values, one below the other. @param {[name: string, value: unknown][]} rows */
export function pairList(rows) {
    return h('dl.pairs', null, pairs(rows));
}

/** @param {[name: string, value: unknown][]} rows */
export function pairs(rows) {
    return rows.filter(([, value]) => value && !(Array.isArray(value) && !value.length)).map(([name, value]) =>
        h(value instanceof SVGElement ? 'div.sparkling' : 'div', null, h('dt', null, name), h('dd', null, value)));
}

/** An input that lists are filtered by; `/` goes to it. @param {string} hint */
export function filterInput(hint) {
    return h('input', { type: 'search', placeholder: hint, 'data-focus': '/', 'aria-keyshortcuts': '/' });
}

/** Text as it is, which scrolls by itself and so has to be reached by the keyboard. */
export function codeRegion(name, ...content) {
    return h('pre.code', { tabindex: 0, role: 'region', 'aria-label': name }, content);
}

/** A line of curl with its copy button. @param {unknown} shown @param {string | (() => string)} text */
export function curlView(shown, text) {
    return h('div.curl', null, h('pre', { tabindex: 0, role: 'region', 'aria-label': 'curl line' },
        h('code', null, shown)), copyButton(text, 'curl line'));
}

/** The head of a section. @param {string} title @param {unknown} [lead] @param {unknown} [actions] */
export function heading(title, lead = null, actions = null) {
    return h('div.heading', null, h('div', null, h('h1', { tabindex: -1 }, title), lead && h('p.dim', null, lead)),
        actions && h('div.row', null, actions));
}

/** An input with its label. @param {string} label @param {any} input @param {unknown} [after] */
export function labelled(label, input, after = null) {
    return h('label.field', null, h('span', null, label), input, after);
}
