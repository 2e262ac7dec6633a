// Upstreams, their endpoints and how they are.

import { sparkline } from './chart-view.js';
import { fill, h } from './dom.js';
import { count, milliseconds, percent, rate } from './format.js';
import { panelList } from './panels.js';
import { badge, empty, heading, pairs } from './parts.js';
import { dataTable } from './table.js';

/** @type {Record<string, {look: 'good' | 'warn' | 'bad', word: string, text: string}>} */
const states = {
    well: { look: 'good', word: 'well', text: 'The next request may go there.' },
    open: { look: 'warn', word: 'circuit open', text: 'It rests after failures; one request tries it soon.' },
    down: { look: 'bad', word: 'down', text: 'Health checks find it unwell.' },
};

/** How an upstream is as a whole. @param {any} upstream */
export function upstreamLook(upstream) {
    const well = upstream.endpoints.filter((endpoint) => endpoint.state === 'well').length;
    if (well === upstream.endpoints.length) return states.well;
    if (well > 0) return { look: /** @type {const} */ ('warn'), word: `${well} of ${upstream.endpoints.length} well` };
    return states[upstream.endpoints[0]?.state] ?? states.down;
}

/** @type {import('./console.js').View} */
export const upstreamsView = {
    title: 'Upstreams',
    async load(context) {
        const place = h('div.stack');
        const show = panelList(place, (upstream) => upstream.name, (upstream) => upstreamPanel(upstream.name, context),
            () => empty('No upstreams', 'Add one under “upstreams:”.'));
        async function renew() {
            show((await context.api.json('/upstreams', { signal: context.signal })).upstreams);
        }
        await renew();
        context.onFigures(renew);
        return [heading('Upstreams', 'Each event loop finds out by itself how an endpoint is.'), place];
    },
};

function upstreamPanel(name, context) {
    const state = h('span');
    const figures = h('dl.facts-row');
    const table = dataTable({ caption: `Endpoints of ${name}`, key: (endpoint) => endpoint.address, columns: [
        { title: 'Endpoint', look: 'wide', cell: (endpoint) => h('code', null, endpoint.address) },
        { title: 'State', live: true, cell: (endpoint) => stateCell(endpoint.state) },
        { title: 'Event loops', look: 'number', live: true, cell: (endpoint) => loopsCell(endpoint) },
    ] });
    const element = h('section.panel', { 'aria-label': `Upstream ${name}` },
        h('header.row', null, h('h2', null, name), state), figures, table.element);
    return { element, update(upstream) {
        const { look, word } = upstreamLook(upstream);
        fill(state, badge(look, word));
        fill(figures, upstreamFigures(upstream, context.history));
        table.update(upstream.endpoints);
    } };
}

function stateCell(state) {
    const known = states[state];
    return known ? [badge(known.look, known.word), h('span.dim.after', null, known.text)] : badge('plain', state);
}

/** Of how many event loops it is served, where not all may send there. */
function loopsCell({ loops, loops_well: well }) {
    return well === undefined || well === loops ? count(loops) : `${count(well)} of ${count(loops)}`;
}

function upstreamFigures({ name, connections, waiting }, history) {
    const last = history.intervals[history.intervals.length - 1]?.upstreams.get(name);
    return pairs([['Attempts', rate(last?.rate ?? 0)], ['p50', milliseconds(last?.p50)],
        ['p99', milliseconds(last?.p99)], ['Failed', percent(last?.errors)],
        ['Connections', `${count(connections.busy)} busy, ${count(connections.idle)} idle`],
        ['Waiting', count(waiting)],
        ['Last minutes', sparkline(history.upstreamSeries(name, (one) => one.rate))]]);
}
