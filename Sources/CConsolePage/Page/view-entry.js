// One stored answer with everything that decisions are made by.

import { bodyView, fieldsView } from './body-view.js';
import { h } from './dom.js';
import { bytes, count, seconds } from './format.js';
import { badge, bindingLabel, breakable, codeRegion, factRow, heading, statusBadge } from './parts.js';
import { address } from './router.js';
import { purge } from './view-cache.js';

/** @type {import('./console.js').View} */
export const entryView = {
    title: 'Stored answer',
    async load(context) {
        const { entries } = await context.api.json('/cache/entry',
            { query: { key: context.place.item }, signal: context.signal });
        const back = h('p.crumb', null, h('a', { href: address('cache') }, 'Cache'));
        return [back, entries.map((entry) => entryPanels(entry, context))];
    },
};

function entryPanels(entry, context) {
    const away = h('button.danger', { type: 'button', on: { click: () =>
        purge(context, { key: entry.key }, () => context.go(address('cache'))) } }, 'Purge');
    return [heading(breakable(entry.target), null, away), facts(entry),
        h('section.panel', { 'aria-labelledby': 'fields' }, h('h2', { id: 'fields' }, 'Header fields'),
            fieldsView(entry.fields)),
        h('section.panel', { 'aria-labelledby': 'content' }, h('h2', { id: 'content' }, 'Content'), content(entry))];
}

function facts(entry) {
    const rows = [['State', badge(entry.state === 'fresh' ? 'good' : 'warn', entry.state)],
        ['Status', statusBadge(entry.status)], ['Binding', entry.binding && bindingLabel(entry.binding)],
        ['Age', seconds(entry.age)], ['Lifetime', `${seconds(entry.lifetime)}, from ${entry.lifetime_from}`],
        ['Stale while revalidated', entry.stale_while_revalidate ? seconds(entry.stale_while_revalidate) : null],
        ['Stale if error', entry.stale_if_error ? seconds(entry.stale_if_error) : null],
        ['Uses', count(entry.recent_hits)], ['Size', bytes(entry.bytes)],
        ['Asked again with', Object.entries(entry.validators ?? {}).map(([name, value]) =>
            [h('span.dim', null, name), ' ', h('code', null, value), ' '])],
        ['Tags', entry.tags.map((tag) => [badge('plain', tag), ' '])],
        ['Said by the upstream', [entry.no_cache && badge('plain', 'no-cache'), entry.must_revalidate
            && badge('plain', 'must-revalidate')].filter(Boolean)],
        ['Purged softly', entry.soft_purged && 'yes'], ['Key', h('code', null, breakable(entry.key))],
    ];
    return factRow(rows);
}

function content(entry) {
    if (entry.body_hex) return codeRegion('Body', entry.body_hex);
    return bodyView({ body: entry.body, size: entry.bytes, cut: new Blob([entry.body ?? '']).size < entry.bytes });
}
