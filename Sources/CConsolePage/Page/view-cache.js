// What is stored, why a request would hit or miss, and purges.

import { fill, h } from './dom.js';
import { bytes, count, percent, plural, seconds } from './format.js';
import {
    badge, bindingLabel, breakable, confirmed, empty, errorView, heading, labelled, notice, pairList, pairs,
} from './parts.js';
import { tell } from './panels.js';
import { address } from './router.js';
import { dataTable } from './table.js';

/** Rows that are asked for at once. */
const pageSize = 50;

/** @type {import('./console.js').View} */
export const cacheView = {
    title: 'Cache',
    async load(context) {
        const { bindings } = await context.bindings();
        const chosen = {
            binding: h('select', null, h('option', { value: '' }, 'all bindings'), bindings.filter((one) => one.cache)
                .map((one) => h('option', { value: one.name }, one.name))),
            tag: h('input', { type: 'text', placeholder: 'any', autocomplete: 'off' }),
            state: h('select', null, ['', 'fresh', 'stale'].map((value) =>
                h('option', { value }, value || 'fresh or stale'))),
        };
        chosen.binding.value = context.place.query.get('binding') ?? '';
        const stats = h('dl.facts-row');
        const list = h('div');
        async function renewStats() {
            fill(stats, statistics(await context.api.json('/cache/stats', { signal: context.signal })));
        }
        async function renew() {
            await Promise.all([renewStats(), listEntries(list, chosen, context, renew)]);
        }
        for (const input of Object.values(chosen)) input.addEventListener('change', () => renew().catch((error) =>
            fill(list, errorView(error, renew))));
        await renew();
        context.onFigures(renewStats);
        return [heading('Cache', null, purgeAction(chosen, context, renew)), stats,
            h('section.panel', { 'aria-labelledby': 'explain' }, h('h2', { id: 'explain' }, 'Explain'),
                explainForm(bindings, context)),
            h('section', { 'aria-labelledby': 'stored' }, h('h2', { id: 'stored' }, 'Stored answers'),
                h('div.row.tools', null, labelled('Binding', chosen.binding), labelled('Tag', chosen.tag),
                    labelled('State', chosen.state),
                    h('button', { type: 'button', on: { click: () => renew().catch((error) =>
                        fill(list, errorView(error, renew))) } }, 'Refresh')), list)];
    },
};

function statistics(stats) {
    const asked = stats.hits + stats.misses;
    const used = stats.bytes_max ? `${bytes(stats.bytes)} of ${bytes(stats.bytes_max)}` : bytes(stats.bytes);
    const ratio = percent(asked ? stats.hits / asked : null);
    return pairs([['Answers', count(stats.entries)], ['Memory', used], ['Hit ratio', ratio],
        ['Hits', count(stats.hits)], ['Misses', count(stats.misses)], ['Collapsed', count(stats.collapsed)],
        ['Validated', count(stats.validated)], ['Evicted', count(stats.evictions)], ['Purges', count(stats.purges)]]);
}

let listTurn = 0;

/** The first page of the list, and a button for each next one. */
async function listEntries(place, chosen, context, renew) {
    const query = { binding: chosen.binding.value, tag: chosen.tag.value, state: chosen.state.value, limit: pageSize };
    const ask = (after) => context.api.json('/cache', { query: { ...query, after }, signal: context.signal });
    const turn = (listTurn += 1);
    const first = await ask(null);
    // The filter has been changed meanwhile.
    if (turn !== listTurn) return;
    const entries = first.entries;
    const table = dataTable({ caption: 'Stored answers', columns: columns(context, renew), key: (entry) => entry.key,
        rows: entries });
    const more = h('button.more', { type: 'button', hidden: !first.next }, 'Show more');
    let next = first.next;
    more.addEventListener('click', () => ask(next).then((page) => {
        entries.push(...page.entries);
        next = page.next;
        more.hidden = !next;
        table.update(entries);
    }).catch((error) => notice(error.message, 'bad')));
    const behind = first.behind_memory?.length > 0
        && h('p.dim', null, `Others may lie behind memory (${first.behind_memory.join(', ')}); no list shows them.`);
    fill(place, entries.length ? table.element : empty('Nothing is stored',
        'Answers of bindings with “cache:” appear here once somebody has asked for them.'), more, behind);
}

function columns(context, renew) {
    return [
        { title: 'Target', look: 'wide', cell: (entry) => h('a', { href: address('cache', entry.key) },
            breakable(entry.target)) },
        { title: 'Binding', cell: (entry) => (entry.binding ? bindingLabel(entry.binding) : '–') },
        { title: 'State', live: true, cell: (entry) => badge(entry.state === 'fresh' ? 'good' : 'warn', entry.state) },
        { title: 'Age', look: 'number', cell: (entry) => `${seconds(entry.age)} of ${seconds(entry.lifetime)}` },
        { title: 'Size', look: 'number', cell: (entry) => bytes(entry.bytes) },
        { title: 'Uses', look: 'number.spare', cell: (entry) => count(entry.recent_hits) },
        { title: 'Tags', look: 'spare', cell: (entry) => entry.tags.map((tag) => [badge('plain', tag), ' ']) },
        { title: 'Purge', look: 'act', cell: (entry) => h('button.quiet', { type: 'button', 'aria-label':
            `Purge ${entry.target}`, on: { click: () => purge(context, { key: entry.key }, renew) } }, 'Purge') },
    ];
}

/**
 * Carries out a purge and tells how many answers went.
 * @param {import('./console.js').Context} context
 * @param {Record<string, string | boolean>} selection
 * @param {() => unknown} then
 */
export async function purge(context, selection, then) {
    try {
        const { purged } = await context.api.json('/cache', { method: 'DELETE', query: selection });
        notice(`Purged ${plural(purged, 'answer')}`);
        await then();
    } catch (error) {
        notice(error instanceof Error ? error.message : String(error), 'bad');
    }
}

/** What the filter shows, where the daemon can be told so: all, a binding's, or a tag's. */
function purgeAction(chosen, context, renew) {
    const reason = h('p.dim', { id: 'purge-reason' });
    const button = h('button.danger', { type: 'button', 'aria-describedby': reason.id, on: { async click() {
        const { text, query } = purgeable(chosen);
        if (await confirmed('Purge', `This removes ${text}. The next requests go upstream.`, 'Purge')) {
            await purge(context, query, renew);
        }
    } } }, 'Purge …');
    function update() {
        button.disabled = !purgeable(chosen);
        tell(reason, button.disabled ? 'To purge, choose a binding or a tag, or nothing.' : '');
    }
    for (const input of Object.values(chosen)) input.addEventListener('change', update);
    update();
    return [reason, button];
}

/** @returns {{text: string, query: Record<string, string | boolean>} | null} */
function purgeable(chosen) {
    const [binding, tag] = [chosen.binding.value, chosen.tag.value];
    if (chosen.state.value || (binding && tag)) return null;
    if (tag) return { text: `all answers with the tag ${tag}`, query: { tag } };
    return binding ? { text: `all answers of ${binding}`, query: { binding } }
        : { text: 'all stored answers', query: { all: true } };
}

function explainForm(bindings, context) {
    const cached = bindings.find((binding) => binding.cache && !binding.path.includes('{'));
    const input = h('input.mono', { type: 'text', value: `GET ${cached?.path ?? '/'}`, autocomplete: 'off',
        spellcheck: 'false', required: true });
    const result = h('div.result', { 'aria-live': 'polite' });
    return [h('form.row.tools', { on: { async submit(event) {
        event.preventDefault();
        const request = input.value.trim().startsWith('/') ? `GET ${input.value.trim()}` : input.value.trim();
        try {
            fill(result, explanation(await explain(request, context)));
        } catch (error) {
            if (!context.signal.aborted) fill(result, errorView(error));
        }
    } } }, labelled('Would this request hit?', input), h('button', { type: 'submit' }, 'Explain')), result];
}

/** In a field: a target may hold what stands in no log. */
function explain(request, context) {
    const field = request.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
    return context.api.json('/cache/explain', { fields: { 'explain-request': field }, signal: context.signal });
}

function explanation(told) {
    const look = { hit: 'good', miss: 'warn', pass: 'plain' }[told.outcome] ?? 'bad';
    const rows = [['Rule', h('code', null, told.rule)], ['Binding', told.binding && bindingLabel(told.binding)],
        ['Upstream target', told.upstream_target && h('code', null, breakable(told.upstream_target))],
        ['Cache-Status', told.cache_status && h('code', null, breakable(told.cache_status))],
        ['Key', told.key && h('code', null, told.key)], ['Key is made of', told.key_parts && members(told.key_parts)],
        ['Policy', told.policy && members(told.policy)],
        ['Stored', told.stored && h('a', { href: address('cache', told.stored.key) },
            `${told.stored.state}, ${seconds(told.stored.age)} of ${seconds(told.stored.lifetime)}`)],
    ];
    return [h('p.facts', null, badge(look, told.outcome), h('span', null, told.reason)), pairList(rows)];
}

/** `fresh 60 · serve stale`; what is not there is left out. */
function members(object) {
    const known = Object.entries(object).filter(([, value]) =>
        value !== null && value !== false && !(Array.isArray(value) && !value.length));
    return known.map(([name, value], index) => [index ? ' · ' : '', h('span.dim', null, name.replaceAll('_', ' ')),
        ' ', h('code', null, Array.isArray(value) ? value.join(', ') : String(value))]);
}
