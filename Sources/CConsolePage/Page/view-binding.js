// One binding: its documentation, its figures, and a form to try it.

import { errorsCell } from './view-bindings.js';
import { fill, h } from './dom.js';
import { count, milliseconds, percent, rate } from './format.js';
import { badge, bindingLabel, breakable, empty, heading, pairList, pairs } from './parts.js';
import { address } from './router.js';
import { sparkline } from './chart-view.js';
import { dataTable } from './table.js';
import { tryForm } from './try-form.js';
import { mentioned } from './types.js';

/** @type {import('./console.js').View} */
export const bindingView = {
    title: (place) => place.item ?? 'Binding',
    async load(context) {
        const listing = await context.bindings();
        const binding = listing.bindings.find((one) => one.name === context.place.item);
        const back = h('p.crumb', null, h('a', { href: address('bindings') }, 'Bindings'));
        if (!binding) {
            return [back, heading(context.place.item ?? ''), empty('No such binding',
                'It is not on the page in force; a reload may have taken it away.')];
        }
        return [back, heading(bindingLabel(binding.name), binding.description), facts(binding, context),
            h('div.split', null, documentation(binding, listing.types), tryForm(binding, listing, context)),
            problems(binding, context)];
    },
};

function facts(binding, context) {
    const figures = h('dl.facts-row');
    function update() {
        const recent = context.history.recent(binding.name);
        const totals = context.history.totals.get(binding.name);
        fill(figures, pairs([['Rate', rate(recent?.rate)], ['p50', milliseconds(recent?.p50)],
            ['p99', milliseconds(recent?.p99)], ['Errors', errorsCell(recent?.errors)],
            ['Hits', binding.cache && percent(recent?.hits)], ['Since start', count(totals?.requests)],
            ['Last minutes', sparkline(context.history.series((one) => one.rate, binding.name))]]));
    }
    context.onFigures(update);
    update();
    return figures;
}

function documentation(binding, types) {
    const texts = new Map(types.map((type) => [type.name, type.text]));
    const rows = [
        ['Upstream', h('span', null, h('a', { href: address('upstreams') }, binding.upstream), ' ',
            h('code', null, breakable(binding.target)))],
        ['Answer', binding.value ? h('code', null, breakable(binding.value)) : 'as the upstream sends it'],
        ['Body', bodyText(binding.body)],
        ['Cache', binding.cache && h('a', { href: address('cache', null, { binding: binding.name }) }, binding.cache)],
        ['Example', binding.curl && h('code', null, breakable(binding.curl))],
        ['Credential', binding.credential && h('a', { href: address('credentials') }, binding.credential)],
    ];
    return h('section.panel', { 'aria-labelledby': 'doc' }, h('h2', { id: 'doc' }, 'Documentation'),
        pairList(rows),
        params(binding), usedTypes(binding, texts));
}

function bodyText(body) {
    if (!body) return null;
    const kind = body.kind === 'any' ? 'passes through' : body.kind;
    return h('span', null, kind, body.type && [' of ', h('code', null, breakable(body.type))]);
}

function params(binding) {
    if (!binding.params.length) return h('p.dim', null, 'It takes no parameters.');
    return [h('h3', null, 'Parameters'), dataTable({
        caption: 'Parameters', rows: binding.params, key: (param) => `${param.in} ${param.name}`, columns: [
            { title: 'Name', cell: (param) => h('span', null, h('code', null, param.name), ' ',
                param.required && badge('plain', 'required')) },
            { title: 'In', cell: (param) => param.in },
            { title: 'Type', cell: (param) => h('code', null, breakable(param.type)) },
            { title: 'Default', cell: (param) => (param.default === null || param.default === undefined
                ? '' : h('code', null, String(param.default))) },
        ] }).element];
}

/** The page's types that stand in its own, and in those. */
function usedTypes(binding, texts) {
    const open = [binding.value, binding.body?.type, ...binding.params.map((param) => param.type)].filter(Boolean);
    const found = new Set();
    for (let text = open.pop(); text !== undefined; text = open.pop()) {
        for (const name of mentioned(text, texts.keys())) {
            if (found.has(name)) continue;
            found.add(name);
            open.push(texts.get(name));
        }
    }
    if (!found.size) return null;
    return [h('h3', null, 'Types'), h('dl.types', null, [...found].map((name) => h('div', null,
        h('dt', null, h('code', null, name)), h('dd', null, h('code', null, breakable(texts.get(name)))))))];
}

/** What its requests have ended in, since the daemon began. */
function problems(binding, context) {
    const list = h('dl.facts-row');
    const section = h('section', { 'aria-labelledby': 'problems', hidden: true },
        h('h2', { id: 'problems' }, 'Problems since start'), list);
    function update() {
        const all = (context.history.metrics?.get('sluice_problems_total') ?? [])
            .filter((sample) => sample.labels.binding === binding.name);
        section.hidden = all.length === 0;
        fill(list, pairs(all.map((sample) => [sample.labels.kind, count(sample.value)])));
    }
    context.onFigures(update);
    update();
    return section;
}
