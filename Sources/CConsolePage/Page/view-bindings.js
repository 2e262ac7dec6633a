// All bindings, with what goes on at each.

import { h } from './dom.js';
import { tell } from './panels.js';
import { bindingLabel, breakable, empty, filterInput, heading, labelled } from './parts.js';
import { milliseconds, percent, plural, rate } from './format.js';
import { address } from './router.js';
import { sparkline } from './chart-view.js';
import { dataTable } from './table.js';

/** Rows that are drawn: their figures are drawn again every two seconds. */
const rowsMax = 200;

/** @type {import('./console.js').View} */
export const bindingsView = {
    title: 'Bindings',
    async load(context) {
        const { bindings, listen, types } = await context.bindings();
        if (!bindings.length) {
            return [heading('Bindings'), empty('No bindings',
                'The page in force has none. Add one under “bindings:”, and reload.')];
        }
        const columns = [bindingColumn(true), ...ownColumns, ...figureColumns(context)];
        const table = dataTable({ caption: 'Bindings', columns, key: (binding) => binding.name });
        const none = h('p.dim', { hidden: true }, 'No binding has this in its name, path, upstream or description.');
        const filter = filterInput('path, upstream, description …');
        const told = h('p.dim', { 'aria-live': 'polite' });
        function update() {
            const found = bindings.filter((binding) => matches(binding, filter.value));
            table.update(found.slice(0, rowsMax));
            none.hidden = found.length > 0;
            const words = found.length === bindings.length ? '' : `${found.length} of `;
            const rest = found.length > rowsMax ? `; the first ${rowsMax} are shown, the filter finds the others` : '';
            tell(told, `${words}${plural(bindings.length, 'binding')}${rest}`);
        }
        filter.addEventListener('input', update);
        context.onFigures(update);
        update();
        return [heading('Bindings', `Served at ${listen.join(', ')}`),
            h('div.row.tools', null, labelled('Filter', filter), told), table.element, none, typeList(types)];
    },
};

function matches(binding, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [binding.name, binding.target, binding.upstream, binding.description ?? '', binding.value ?? '']
        .join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
}

/** @param {boolean} isDescribed with its description */
export function bindingColumn(isDescribed) {
    return { title: 'Binding', look: 'wide', order: (binding) => binding.path, cell: (binding) =>
        h('div', null, h('a', { href: address('bindings', binding.name) }, bindingLabel(binding.name)),
            isDescribed && binding.description && h('p.dim', null, binding.description)) };
}

const ownColumns = [
    { title: 'Upstream', look: 'spare', cell: (binding) =>
        h('span.dim', null, breakable(`${binding.upstream} ${binding.target}`)) },
    { title: 'Value', cell: (binding) => (binding.value
        ? h('code', null, breakable(binding.value)) : h('span.dim', null, 'as it comes')) },
];

/** What goes on at a binding. @param {import('./console.js').Context} context */
export function figureColumns({ history }) {
    const recent = (binding) => history.recent(binding.name);
    const figure = (title, name, format, look = 'number') => ({ title, look, live: true,
        order: (binding) => recent(binding)?.[name] ?? null, cell: (binding) => format(recent(binding)?.[name]) });
    return [
        figure('Rate', 'rate', rate), figure('p50', 'p50', milliseconds, 'number.lesser'),
        figure('p99', 'p99', milliseconds), figure('Errors', 'errors', errorsCell),
        figure('Hits', 'hits', percent, 'number.lesser'),
        { title: 'Last minutes', look: 'sparkling', live: true, cell: (binding) =>
            sparkline(history.series((figures) => figures.rate, binding.name)) },
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
