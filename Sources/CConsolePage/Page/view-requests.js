// Requests as they finish.

import { fill, h } from './dom.js';
import { bytes, milliseconds, plural, timeOfDay } from './format.js';
import {
    badge, bindingLabel, breakable, codeRegion, empty, errorView, filterInput, heading, labelled, methodLabel,
    statusBadge,
} from './parts.js';
import { dataTable } from './table.js';

/** Rows that are kept; older ones go. */
const rowsMax = 100;

/** @type {import('./console.js').View} */
export const requestsView = {
    title: 'Requests',
    async load(context) {
        const rows = [];
        /** @type {any[] | null} what is looked at meanwhile */
        let held = null;
        let number = 0;
        let dropped = 0;
        const table = dataTable({ caption: 'Finished requests, newest first', columns,
            key: (row) => String(row.number) });
        const filter = filterInput('path, status, problem …');
        const pause = h('button', { type: 'button', 'aria-pressed': 'false', on: { click() {
            held = held ? null : rows.slice();
            pause.setAttribute('aria-pressed', String(held !== null));
            update();
        } } }, 'Pause');
        const tell = h('p.dim');
        const fault = h('div.result');
        const nobody = empty('No request yet', 'They appear here as they finish. Try a binding in another tab, or:',
            codeRegion('Example', `curl ${(await context.bindings()).listen[0] ?? 'http://127.0.0.1:8080'}/`));
        function update() {
            const found = (held ?? rows).filter((row) => row.text.includes(filter.value.toLowerCase()));
            table.update(found);
            table.element.hidden = rows.length === 0;
            nobody.hidden = rows.length > 0;
            fill(tell, rows.length === 0 ? '' : plural(found.length, 'request'), dropped > 0
                && `; ${plural(dropped, 'more was', 'more were')} passed over, because they came too fast`);
        }
        filter.addEventListener('input', update);
        update();
        let isDrawn = true;
        follow(context, (line) => {
            if (typeof line.dropped === 'number') dropped += line.dropped;
            else rows.unshift(readRow(line, number += 1));
            rows.length = Math.min(rows.length, rowsMax);
            // Many lines in one picture are drawn once.
            if (isDrawn) requestAnimationFrame(() => {
                isDrawn = true;
                update();
            });
            isDrawn = false;
        }, (error) => {
            fill(fault, errorView(error));
            nobody.hidden = true;
        });
        return [heading('Requests', 'As they finish, on all event loops, from now on.', pause),
            h('div.row.tools', null, labelled('Filter', filter), tell), fault, nobody, table.element];
    },
};

/** The stream is opened again when it ends: the daemon may have been restarted. */
async function follow(context, take, fail) {
    while (!context.signal.aborted) {
        try {
            await context.api.lines('/requests', take, { signal: context.signal });
        } catch (error) {
            if (context.signal.aborted) return;
            if (error.status && error.status < 500) return fail(error);
        }
        await context.sleep(2000);
    }
}

/** A line has the names of the access log's. */
function readRow(line, number) {
    const row = {
        number, at: Date.parse(line.time) / 1000, method: line.method, target: line.target, status: line.status,
        problem: line.problem ?? null, binding: line.binding ?? null, cache: line.cache ?? null,
        bytes: line.bytes ?? null,
        milliseconds: typeof line.duration_us === 'number' ? line.duration_us / 1000 : null,
        attempts: line.attempts ?? null, upstream: line.upstream ?? null,
    };
    return { ...row, text: [row.method, row.target, row.status, row.problem, row.binding, row.cache, row.upstream]
        .join(' ').toLowerCase() };
}

const columns = [
    { title: 'Request', look: 'wide', cell: (row) =>
        h('span.binding', null, methodLabel(row.method), ' ', breakable(row.target)) },
    { title: 'Time', cell: (row) => timeOfDay(row.at) },
    { title: 'Status', cell: (row) => [statusBadge(row.status), row.problem && h('code.after', null, row.problem)] },
    { title: 'Took', look: 'number', cell: (row) => milliseconds(row.milliseconds) },
    { title: 'Cache', cell: (row) => row.cache && badge(row.cache === 'hit' ? 'good' : 'plain', row.cache) },
    { title: 'Size', look: 'number', cell: (row) => bytes(row.bytes) },
    { title: 'Binding', cell: (row) => (row.binding ? bindingLabel(row.binding) : '–') },
];
