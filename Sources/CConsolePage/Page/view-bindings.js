// All bindings, with what goes on at each.

import { fill, h } from './dom.js';
import { bindingLabel, breakable, empty, heading, labelled } from './parts.js';
import { milliseconds, percent, plural, rate } from './format.js';
import { address } from './router.js';
import { sparkline } from './chart-view.js';
import { dataTable } from './table.js';

/** @type {import('./console.js').View} */
export const bindingsView = {
    title: 'Bindings',
    async load(context) {
        const { bindings, listen, types } = await context.bindings();
        if (!bindings.length) {
            return [heading('Bindings'), empty('No bindings',
                'The page in force has none. Add one under “bindings:”, and reload.')];
        }
        const table = dataTable({ caption: 'Bindings', columns: columns(context), key: (binding) => binding.name });
        const none = h('p.dim', { hidden: true }, 'No binding has this in its name, path, upstream or description.');
        const filter = h('input', { type: 'search', placeholder: 'path, upstream, description …', 'data-focus': '/' });
        const tell = h('p.dim', { 'aria-live': 'polite' });
        function update() {
            const found = bindings.filter((binding) => matches(binding, filter.value));
            table.update(found);
            none.hidden = found.length > 0;
            fill(tell, found.length === bindings.length ? plural(found.length, 'binding')
                : `${found.length} of ${plural(bindings.length, 'binding')}`);
        }
        filter.addEventListener('input', update);
        context.onFigures(update);
        update();
        return [heading('Bindings', `Served at ${listen.join(', ')}`),
            h('div.row.tools', null, labelled('Filter', filter), tell), table.element, none, typeList(types)];
    },
};

function matches(binding, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [binding.name, binding.target, binding.upstream, binding.description ?? '', binding.value ?? '']
        .join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
}

/** @param {import('./console.js').Context} context */
export function columns(context) {
    const recent = (binding) => context.history.recent(binding.name);
    return [
        { title: 'Binding', look: 'wide', order: (binding) => binding.path, cell: (binding) =>
            h('div', null, h('a', { href: address('bindings', binding.name) }, bindingLabel(binding.name)),
                binding.description && h('p.dim', null, binding.description)) },
        { title: 'Upstream', cell: (binding) => h('span.dim', null, breakable(`${binding.upstream} ${binding.target}`)) },
        { title: 'Value', cell: (binding) => (binding.value
            ? h('code', null, breakable(binding.value)) : h('span.dim', null, 'as it comes')) },
        { title: 'Rate', look: 'number', live: true, order: (binding) => recent(binding)?.rate ?? null,
            cell: (binding) => rate(recent(binding)?.rate) },
        { title: 'p99', look: 'number', live: true, order: (binding) => recent(binding)?.p99 ?? null,
            cell: (binding) => milliseconds(recent(binding)?.p99) },
        { title: 'Errors', look: 'number', live: true, order: (binding) => recent(binding)?.errors ?? null,
            cell: (binding) => errorsCell(recent(binding)?.errors) },
        { title: 'Last minutes', look: 'sparkling', live: true, cell: (binding) =>
            sparkline(context.history.series((figures) => figures.rate, binding.name)) },
    ];
}

/** @param {number | null | undefined} value */
export function errorsCell(value) {
    return value ? h('span.is-bad', null, percent(value)) : percent(value);
}

/** @param {{name: string, text: string}[]} types */
function typeList(types) {
    if (!types.length) return null;
    return h('section', { 'aria-labelledby': 'types' }, h('h2', { id: 'types' }, 'Types'),
        h('dl.types', null, types.map((type) => h('div', { id: `type-${type.name}` },
            h('dt', null, h('code', null, type.name)), h('dd', null, h('code', null, breakable(type.text)))))));
}
