// Recent exchanges, where the inspector is switched on.

import { fill, h } from './dom.js';
import { count, milliseconds, plural, relative, timeOfDay } from './format.js';
import {
    badge, breakable, codeRegion, copyButton, empty, filterInput, heading, labelled, methodLabel, statusBadge,
} from './parts.js';
import { address } from './router.js';
import { dataTable } from './table.js';

const howTo = 'inspect: {last: 200, bodies: 16KiB}';

/** @type {import('./console.js').View} */
export const inspectorView = {
    title: 'Inspector',
    async load(context) {
        const first = await context.api.json('/exchanges', { signal: context.signal });
        if (!first.on) return [heading('Inspector'), switchedOff()];
        const table = dataTable({ caption: 'Recent exchanges, newest first', columns, key: (exchange) => exchange.id });
        const filter = filterInput('path, status, problem …');
        const nobody = empty('Nothing recorded yet', 'Requests are recorded from the reload on that switched it on.');
        const tell = h('p.dim');
        let exchanges = first.exchanges;
        function update() {
            const found = exchanges.filter((exchange) => matches(exchange, filter.value.toLowerCase()));
            table.update(found);
            table.element.hidden = exchanges.length === 0;
            nobody.hidden = exchanges.length > 0;
            fill(tell, found.length === exchanges.length ? plural(found.length, 'exchange')
                : `${found.length} of ${plural(exchanges.length, 'exchange')}`);
        }
        filter.addEventListener('input', update);
        update();
        context.onFigures(async () => {
            exchanges = (await context.api.json('/exchanges', { signal: context.signal })).exchanges ?? [];
            update();
        });
        return [heading('Inspector', `The last ${count(first.last)} exchanges, both sides. Secrets are •••.`),
            h('div.row.tools', null, labelled('Filter', filter), tell), nobody, table.element];
    },
};

function switchedOff() {
    return empty('The inspector is off',
        'It keeps the last exchanges, with header fields and the beginnings of bodies.',
        'Add this to the configuration and reload:',
        h('div.body', null, h('div.over', null, copyButton(howTo, 'setting')), codeRegion('Setting', howTo)),
        h('p.dim', null, 'Values that are credentials are never kept, and nothing is written to a disk.'));
}

function matches(exchange, text) {
    return [exchange.method, exchange.target, exchange.status, exchange.problem, exchange.binding, exchange.cache]
        .join(' ').toLowerCase().includes(text);
}

const columns = [
    { title: 'Request', look: 'wide', cell: (exchange) => h('a.binding', { href: address('inspector', exchange.id) },
        methodLabel(exchange.method), ' ', breakable(exchange.target)) },
    { title: 'Time', cell: (exchange) => h('span', { title: relative(exchange.at) }, timeOfDay(exchange.at)) },
    { title: 'Status', cell: (exchange) => [statusBadge(exchange.status), exchange.problem && h('code.after', null,
        exchange.problem)] },
    { title: 'Took', look: 'number', cell: (exchange) => milliseconds(exchange.milliseconds) },
    { title: 'Cache', cell: (exchange) => exchange.cache && badge(exchange.cache === 'hit' ? 'good' : 'plain',
        exchange.cache) },
    { title: 'Credential', cell: (exchange) => exchange.credential ?? '–' },
];
