// One exchange: its times, both sides of the gateway, and its replay.

import { adoptAnswer } from './answer-view.js';
import { bodyView, fieldsView } from './body-view.js';
import { h, s } from './dom.js';
import { bytes, milliseconds, moment } from './format.js';
import {
    badge, bindingLabel, breakable, curlView, factRow, heading, methodLabel, statusBadge,
} from './parts.js';
import { curlLine, replayOf } from './request.js';
import { address } from './router.js';

/** @type {import('./console.js').View} */
export const exchangeView = {
    title: (place) => `Exchange ${place.item}`,
    async load(context) {
        const exchange = await context.api.json(`/exchanges/${encodeURIComponent(context.place.item)}`,
            { signal: context.signal });
        const { listen } = await context.bindings();
        return [h('p.crumb', null, h('a', { href: address('inspector') }, 'Inspector')),
            heading(h('span.binding', null, methodLabel(exchange.method), ' ', breakable(exchange.target)),
                moment(exchange.at)),
            summary(exchange), waterfall(exchange), replay(exchange, listen, context), sides(exchange)];
    },
};

function summary(exchange) {
    const rows = [
        ['Status', [statusBadge(exchange.status), exchange.problem && h('code.after', null, exchange.problem)]],
        ['Took', milliseconds(exchange.milliseconds)],
        ['Binding', exchange.binding && h('a', { href: address('bindings', exchange.binding) },
            bindingLabel(exchange.binding))],
        ['Cache', exchange.cache && badge('plain', exchange.cache)], ['Credential', exchange.credential],
        ['Trace', exchange.trace && h('code', null, exchange.trace)],
    ];
    return factRow(rows);
}

const phases = {
    queued: 'waited for its turn', connect: 'connected', send: 'sent the request', wait: 'waited for the answer',
    receive: 'received the answer', deliver: 'handed it to the client',
};

/** Bars on one scale, each a row of words with a picture. */
function waterfall(exchange) {
    if (!exchange.timing.length) return null;
    const whole = Math.max(exchange.milliseconds, ...exchange.timing.map((one) => one.start + one.milliseconds), 0.001);
    const rows = exchange.timing.toSorted((one, other) => one.start - other.start);
    return h('section.panel', { 'aria-labelledby': 'timing' }, h('h2', { id: 'timing' }, 'Timing'),
        h('ol.waterfall', null, rows.map((one) => h('li', null,
            h('span.phase', null, one.phase, one.attempt ? h('span.dim', null, ` #${one.attempt}`) : null,
                h('span.unseen', null, ` ${phases[one.phase] ?? ''}, began after ${milliseconds(one.start)}, took `)),
            s('svg', { class: 'bar-row', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
                s('rect', { class: 'lane', width: 1000, height: 10 }),
                s('rect', { class: `phase-${one.phase}`, x: (one.start / whole) * 1000, height: 10,
                    width: Math.max(3, (one.milliseconds / whole) * 1000) })),
            h('span.number', null, milliseconds(one.milliseconds))))));
}

function replay(exchange, listen, context) {
    const found = replayOf(exchange);
    const result = h('div.result');
    if ('refusal' in found) {
        return h('section.panel', { 'aria-labelledby': 'replay' }, h('h2', { id: 'replay' }, 'Replay'),
            h('p.dim', null, found.refusal));
    }
    const button = h('button.primary', { type: 'button', on: { async click() {
        button.disabled = true;
        const answer = await adoptAnswer(result, () => context.api.try(found.request, context.signal), context.signal);
        if (answer) result.prepend(comparison(exchange, answer));
        button.disabled = false;
    } } }, 'Replay');
    const line = curlLine(found.request, listen[0] ?? 'http://127.0.0.1:8080');
    return h('section.panel', { 'aria-labelledby': 'replay' }, h('h2', { id: 'replay' }, 'Replay'),
        h('p.dim', null, 'Sends the request again, as it came.', found.left.length > 0
            && ` Without ${found.left.join(', ')}, of which no value is kept.`),
        curlView(line, line), h('p.row', null, button), result);
}

function comparison(exchange, answer) {
    const differences = [];
    if (exchange.status !== answer.status) differences.push(`status ${answer.status} instead of ${exchange.status}`);
    const mayCompare = exchange.answer && !exchange.answer.cut && exchange.answer.body !== null;
    if (mayCompare && exchange.answer.body !== answer.body) differences.push('another body');
    const same = mayCompare ? 'The same answer as recorded.' : 'The same status as recorded.';
    return h('p.note', { role: 'status' }, differences.length
        ? `Differs from the recorded answer: ${differences.join(', ')}.` : same);
}

function sides(exchange) {
    return h('div.split.even', null,
        h('section.panel', { 'aria-labelledby': 'client-side' }, h('h2', { id: 'client-side' }, 'Client and Sluice'),
            side('Request', exchange.request), side('Answer', exchange.answer)),
        h('section.panel', { 'aria-labelledby': 'upstream-side' },
            h('h2', { id: 'upstream-side' }, 'Sluice and upstream'),
            exchange.upstream.length ? exchange.upstream.map((attempt, index) => attemptView(attempt, index,
                exchange.upstream.length)) : h('p.dim', null, exchange.cache === 'hit'
                ? 'The upstream was not asked: the answer was stored.' : 'The upstream was not asked.')));
}

function attemptView(attempt, index, count) {
    return h('div.attempt', null, h('p.facts', null, count > 1 && badge('plain', `Attempt ${index + 1}`),
        attempt.part && badge('plain', attempt.part),
        h('code', null, breakable(attempt.endpoint)), attempt.failure && badge('bad', attempt.failure)),
    side('Request', attempt.request),
    attempt.answer ? side('Answer', attempt.answer) : h('p.dim', null, `No answer: ${attempt.failure ?? 'unknown'}.`));
}

function side(title, message) {
    if (!message) return h('div.side', null, h('h3', null, title), h('p.dim', null, 'None.'));
    return h('div.side', null, h('h3', null, title, h('span.dim', null, ` ${bytes(message.size)}`)),
        h('p.start-line', null, h('code', null, breakable(message.line))), fieldsView(message.fields),
        message.body || message.base64 || message.size ? bodyView(message, `${title.toLowerCase()} body`) : null);
}
