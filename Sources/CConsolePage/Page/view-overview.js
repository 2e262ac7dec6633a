// What goes on: figures of the last minutes, what wants attention, bindings by use, upstreams.

import { chartTile } from './chart-view.js';
import { fill, h } from './dom.js';
import { count, milliseconds, percent, plural, rate, relative } from './format.js';
import { badge, heading, pairs } from './parts.js';
import { address } from './router.js';
import { dataTable } from './table.js';
import { total } from './metrics.js';
import { bindingColumn, figureColumns } from './view-bindings.js';
import { upstreamLook } from './view-upstreams.js';

/** Bindings that the overview shows; all of them are under Bindings. */
const bindingsMax = 12;

/** What is asked for beside the figures is renewed with every fifth of them. */
const renewEvery = 5;

/** The focus stays where nothing has changed. */
function replaceWhereChanged(place, content) {
    if ((place.firstElementChild?.outerHTML ?? '') !== (content?.outerHTML ?? '')) fill(place, content);
}

/** @type {import('./console.js').View} */
export const overviewView = {
    title: 'Overview',
    async load(context) {
        const { bindings, listen } = await context.bindings();
        const attention = h('div');
        const upstreams = h('div');
        async function renew() {
            const found = await Promise.all([attentionList(context), upstreamList(context)]);
            [attention, upstreams].forEach((place, index) => replaceWhereChanged(place, found[index]));
        }
        await renew();
        let turn = 0;
        context.onFigures(() => (turn += 1) % renewEvery === 0 && renew());
        const tiles = charts(context);
        const figures = h('dl.facts-row');
        const table = dataTable({ caption: 'Bindings by use', sorted: 'Rate', key: (binding) => binding.name,
            columns: [bindingColumn(false), ...figureColumns(context)] });
        function update() {
            for (const tile of tiles) tile.update();
            fill(figures, facts(context.history.metrics));
            table.update(busiest(bindings, context.history));
        }
        context.onFigures(update);
        update();
        return [heading('Overview', `Served at ${listen.join(', ') || 'no address'}`), attention,
            h('div.tiles', null, tiles.map((tile) => tile.element)), figures,
            h('section', { 'aria-labelledby': 'by-use' }, h('h2', { id: 'by-use' }, 'Bindings by use'), table.element,
                bindings.length > bindingsMax && h('p', null, h('a', { href: address('bindings') },
                    `All ${plural(bindings.length, 'binding')}`))), upstreams];
    },
};

function charts({ history }) {
    const recent = (name) => history.recent()?.[name] ?? null;
    const line = (name, look, pick) => ({ name, look, values: () => history.series(pick) });
    const times = () => history.times;
    return [
        chartTile({ name: 'Requests', hint: 'requests a second', times, format: rate,
            figure: () => rate(recent('rate')), lines: [line('', 'a', (figures) => figures.rate)] }),
        chartTile({ name: 'Latency', hint: '', times, format: milliseconds, figure: () => milliseconds(recent('p50')),
            lines: [line('p50', 'a', (figures) => figures.p50), line('p99', 'b', (figures) => figures.p99)] }),
        chartTile({ name: 'Errors', hint: 'answers with a 5xx status', times, format: percent,
            figure: () => percent(recent('errors')), lines: [line('', 'bad', (figures) => figures.errors)] }),
        chartTile({ name: 'Cache hits', hint: 'of the bindings with a cache', times, format: percent, ceiling: 1,
            figure: () => percent(recent('hits')), lines: [line('', 'good', (figures) => figures.hits)] }),
    ];
}

function facts(metrics) {
    if (!metrics) return null;
    const begun = total(metrics, 'sluice_start_time_seconds');
    const version = metrics.get('sluice_build_info')?.[0]?.labels.version;
    return pairs([
        ['Started', begun && relative(begun)], ['Version', version],
        ['Under way', count(total(metrics, 'sluice_exchanges'))],
        ['Client connections', count(total(metrics, 'sluice_client_connections'))],
        ['Stored answers', count(total(metrics, 'sluice_cache_entries'))],
    ]);
}

function busiest(bindings, history) {
    if (bindings.length <= bindingsMax) return bindings;
    const use = new Map(bindings.map((binding) => [binding.name, history.recent(binding.name)?.rate
        || (history.totals.get(binding.name)?.requests ?? 0) / 1e9]));
    return [...bindings].sort((one, other) => use.get(other.name) - use.get(one.name)).slice(0, bindingsMax);
}

/** What a person has to see to; nothing where all is well. */
async function attentionList(context) {
    const ask = (path) => context.api.json(path, { signal: context.signal }).catch(() => null);
    const [drift, credentials, reloads] = await Promise.all(['/drift', '/credentials', '/reloads'].map(ask));
    const items = [];
    for (const one of credentials?.credentials ?? []) {
        if (one.state === 'sign-in needed') items.push(['credentials', `Credential ${one.name} wants a sign-in`]);
        if (one.state === 'failing') items.push(['credentials', `Credential ${one.name} cannot be renewed`]);
    }
    const findings = drift?.findings ?? [];
    if (findings.length) {
        items.push(['drift', `${plural(findings.length, 'value')} of upstreams ${findings.length === 1
            ? 'has' : 'have'} drifted from their types`]);
    }
    const last = reloads?.reloads?.[0];
    if (last && !last.accepted) items.push(['reloads', `The last reload was refused ${relative(last.at)}`]);
    if (!items.length) return null;
    return h('section.attention', { 'aria-labelledby': 'attention' }, h('h2', { id: 'attention' }, 'Wants attention'),
        h('ul', null, items.map(([section, text]) => h('li', null, h('a', { href: address(section) }, text)))));
}

async function upstreamList(context) {
    const { upstreams } = await context.api.json('/upstreams', { signal: context.signal });
    if (!upstreams.length) return null;
    return h('section', { 'aria-labelledby': 'upstreams' }, h('h2', { id: 'upstreams' }, 'Upstreams'),
        h('ul.chips', null, upstreams.map((upstream) => {
            const { look, word } = upstreamLook(upstream);
            return h('li', null, h('a', { href: address('upstreams') }, upstream.name), ' ', badge(look, word));
        })));
}
