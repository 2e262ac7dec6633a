// The page itself: session, sections, the daemon's figures, and whether it answers.

import { makeAPI } from './client.js';
import { h, fill } from './dom.js';
import { History } from './history.js';
import { parseMetrics } from './metrics.js';
import { announce, errorView } from './parts.js';
import { readPlace } from './router.js';
import { endSession, openSession } from './session.js';
import { buildNavigation, sections, showLink } from './shell.js';

/**
 * What a view is given.
 * @typedef {object} Context
 * @property {import('./client.js').API} api
 * @property {import('./router.js').Place} place
 * @property {AbortSignal} signal aborted when another view is shown
 * @property {History} history
 * @property {() => Promise<any>} bindings as `/api/bindings` tells them, asked for once in a view
 * @property {() => void} forgetBindings
 * @property {(renew: () => unknown) => void} onFigures called with each new page of metrics, and never twice at a time
 * @property {(milliseconds: number) => Promise<void>} sleep ends early with the view
 * @property {(hash: string) => void} go
 * @property {(section: string, count: number) => void} badge
 */

/**
 * @typedef {object} View
 * @property {string | ((place: import('./router.js').Place) => string)} title
 * @property {(context: Context) => Promise<unknown>} load
 */

/** Milliseconds between two pages of metrics; more where reading one takes long. */
const pollEvery = 2000;
/** Of all time, what reading metrics may take of the browser. */
const pollShare = 0.05;

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const history = new History();

/** @type {{link: 'opening' | 'answered' | 'daemon-gone' | 'console-gone' | 'ended', listing: Promise<any> | null,
 *     view: AbortController, listeners: Set<() => unknown>, failed: boolean}} */
const state = { link: 'opening', listing: null, view: new AbortController(), listeners: new Set(), failed: false };

const session = await openSession();
if ('refusal' in session) showEnd(session.refusal);
else begin(session.key);

function begin(key) {
    const api = makeAPI(key, told);
    const navigation = buildNavigation();
    addEventListener('hashchange', () => location.hash.startsWith('#/') && show(api, navigation, true));
    document.addEventListener('keydown', shortcuts);
    show(api, navigation, false);
    poll(api, navigation);
}

/** What came of a request, whoever made it. @param {'answered' | 'daemon-gone' | 'console-gone' | 'ended'} outcome */
function told(outcome) {
    if (state.link === 'ended' || state.link === outcome) return;
    const before = state.link;
    state.link = outcome;
    showLink(outcome);
    if (outcome === 'ended') {
        endSession();
        showEnd('The session has ended.');
    } else if (outcome === 'answered' && before !== 'opening') {
        announce('The daemon answers again.');
        // What it serves may have changed meanwhile.
        state.listing = null;
        if (state.failed) dispatchEvent(new HashChangeEvent('hashchange'));
    } else if (outcome !== 'answered') {
        announce(outcome === 'daemon-gone' ? 'The daemon does not answer.' : 'The console does not answer.');
    }
}

/** Shows the section of the address. */
async function show(api, navigation, movesFocus) {
    state.view.abort();
    state.view = new AbortController();
    state.listeners.clear();
    const { signal } = state.view;
    const place = readPlace(location.hash);
    const view = sections.find((section) => section.name === place.section)?.view(place.item) ?? sections[0].view(null);
    const title = typeof view.title === 'function' ? view.title(place) : view.title;
    document.title = `${title} · Sluice`;
    navigation.mark(place.section);
    delete main.dataset.shown;
    fill(main, h('p.loading', { role: 'status' }, 'Loading …'));
    try {
        const content = await view.load(contextFor(api, place, signal, navigation));
        if (signal.aborted) return;
        state.failed = false;
        fill(main, content);
        main.dataset.shown = location.hash;
    } catch (error) {
        if (signal.aborted || state.link === 'ended') return;
        state.failed = true;
        fill(main, h('h1', { tabindex: -1 }, title), errorView(error, () => show(api, navigation, true)));
    }
    scrollTo(0, 0);
    if (movesFocus) /** @type {HTMLElement} */ (main.querySelector('h1') ?? main).focus({ preventScroll: true });
}

/** @returns {Context} */
function contextFor(api, place, signal, navigation) {
    state.listing = null;
    return {
        api, place, signal, history,
        bindings: () => listing(api),
        forgetBindings: () => { state.listing = null; },
        onFigures: (renew) => { if (!signal.aborted) state.listeners.add(renew); },
        sleep: (milliseconds) => sleep(milliseconds, signal),
        go: (hash) => { location.hash = hash; },
        badge: navigation.badge,
    };
}

async function listing(api) {
    state.listing ??= api.json('/bindings');
    try {
        const told = await state.listing;
        fill(/** @type {HTMLElement} */ (document.getElementById('where')), told.listen[0] ?? '');
        return told;
    } catch (error) {
        state.listing = null;
        throw error;
    }
}

/** Asks for the metrics for as long as the page is open; that is also how it learns that the daemon is there again. */
async function poll(api, navigation) {
    for (;;) {
        const busy = document.visibilityState === 'visible' ? await takeFigures(api, navigation) : 0;
        if (state.link === 'ended') return;
        await sleep(Math.max(pollEvery, busy / pollShare), null);
    }
}

/** @returns {Promise<number>} milliseconds that reading them took */
async function takeFigures(api, navigation) {
    let busy = 0;
    try {
        const text = await api.text('/metrics');
        const begun = performance.now();
        history.add(parseMetrics(text), Date.now());
        busy = performance.now() - begun;
    } catch {
        // The state of the link tells it; the next turn asks again.
        return 0;
    }
    const drifted = history.metrics?.get('sluice_type_faults_total')?.length ?? 0;
    const waiting = ['sluice_credential_sign_in_needed', 'sluice_credential_failing'].map((name) =>
        (history.metrics?.get(name) ?? []).filter((sample) => sample.value === 1).length);
    navigation.badge('drift', drifted);
    navigation.badge('credentials', waiting[0] + waiting[1]);
    for (const renew of state.listeners) {
        try {
            await renew();
        } catch {
            // A request in vain, of which the state of the link tells.
        }
    }
    return busy;
}

/** @param {number} milliseconds @param {AbortSignal | null} signal @returns {Promise<void>} */
function sleep(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal?.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
        }, { once: true });
    });
}

/** `/` goes to the filter; Ctrl and Enter send the form that one is in. @param {KeyboardEvent} event */
function shortcuts(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        target.closest('form')?.requestSubmit();
        return;
    }
    const isTyping = target.matches('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || isTyping) return;
    const filter = /** @type {HTMLElement | null} */ (main.querySelector('[data-focus="/"]'));
    if (!filter) return;
    event.preventDefault();
    filter.focus();
}

/** @param {string} reason */
function showEnd(reason) {
    state.view.abort();
    showLink('ended');
    document.title = 'Session ended · Sluice';
    document.body.classList.add('is-ended');
    fill(main, h('div.empty', { role: 'alert' }, h('h1', { tabindex: -1 }, reason),
        h('p', null, 'Run ', h('code', null, 'sluice console'), ' again and open the link that it prints.'),
        h('p.dim', null, 'The link is good once, and its session for as long as that command runs.')));
}

// A new link that is opened in this tab changes the fragment alone, and the browser loads nothing.
addEventListener('hashchange', () => location.hash.includes('link=') && location.reload());

// The skip link is none of the sections.
document.getElementById('skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
});
