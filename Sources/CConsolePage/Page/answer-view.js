// The answer to a request that was tried or replayed.

import { bodyView, fieldsView } from './body-view.js';
import { fill, h } from './dom.js';
import { bytes, milliseconds } from './format.js';
import { announce, errorView, problemView, statusBadge } from './parts.js';

/**
 * Sends, and shows what comes of it in `place`.
 * @param {HTMLElement} place
 * @param {() => Promise<any>} send
 * @param {AbortSignal} signal of the view that it belongs to
 * @returns {Promise<any>} the answer; null where there is none
 */
export async function adoptAnswer(place, send, signal) {
    fill(place, h('p.loading', null, 'Waiting for the answer …'));
    try {
        const answer = await send();
        fill(place, answerView(answer));
        announce(`Answer: ${answer.status} ${answer.reason} in ${milliseconds(answer.milliseconds)}`);
        return answer;
    } catch (error) {
        if (!signal.aborted) fill(place, errorView(error));
        return null;
    }
}

/** @param {any} answer as `/api/try` tells it */
export function answerView(answer) {
    return h('section.answer', { 'aria-label': 'Answer' },
        h('p.facts', null, statusBadge(answer.status), h('span', null, answer.reason),
            h('span', null, milliseconds(answer.milliseconds)), h('span', null, bytes(answer.size)),
            cacheStatus(answer.fields)),
        envelopeOf(answer) ?? bodyView(answer, 'answer'),
        h('details', null, h('summary', null, `Header fields (${answer.fields.length})`), fieldsView(answer.fields)));
}

function cacheStatus(fields) {
    const told = fields.find(([name]) => name.toLowerCase() === 'cache-status');
    return told && h('code.dim', { title: 'Cache-Status (RFC 9211)' }, told[1]);
}

/** A problem is told in words, with the document itself below. */
function envelopeOf(answer) {
    const type = answer.fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    if (!type.startsWith('application/problem+json') || !answer.body) return null;
    try {
        return h('div', null, problemView(JSON.parse(answer.body), answer.status),
            h('details', null, h('summary', null, 'The envelope as it was sent'), bodyView(answer, 'envelope')));
    } catch {
        return null;
    }
}
