// Tables that become cards where the screen is narrow, and keep their rows when their figures change.

import { fill, h } from './dom.js';
import { keepOrder } from './panels.js';

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: Row) => unknown} cell text or a node
 * @property {string} [look] class of its cells
 * @property {boolean} [live] made anew with each update; nodes are kept else
 * @property {(row: Row) => number | string | null} [order] what it can be sorted by
 */

/**
 * Makes a table. The roles are said again, because cards are no table to a browser.
 * @template Row
 * @param {object} plan
 * @param {string} plan.caption for screen readers
 * @param {Column<Row>[]} plan.columns the first one is the head of its row
 * @param {(row: Row) => string} plan.key what a row is known by
 * @param {Row[]} [plan.rows]
 * @param {string} [plan.sorted] title of the column to begin with, largest first
 */
export function dataTable(plan) {
    let sorting = { title: plan.sorted ?? null, isDown: true };
    let rows = plan.rows ?? [];
    /** @type {Map<string, HTMLElement>} */
    let shown = new Map();
    const heads = plan.columns.map(head);
    const body = h('tbody', { role: 'rowgroup' });
    const element = h('table.data', { role: 'table' }, h('caption.unseen', null, plan.caption),
        h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)), body);

    function head(column) {
        const look = column.look ? `.${column.look}` : '';
        if (!column.order) return h(`th${look}`, { role: 'columnheader', scope: 'col' }, column.title);
        return h(`th${look}`, { role: 'columnheader', scope: 'col' }, h('button.sort', { type: 'button', on: { click() {
            sorting = { title: column.title, isDown: sorting.title === column.title ? !sorting.isDown : true };
            update(rows);
        } } }, column.title));
    }

    function tellOrder() {
        plan.columns.forEach((column, index) => {
            if (!column.order) return;
            const isSorted = sorting.title === column.title;
            heads[index].setAttribute('aria-sort', isSorted ? (sorting.isDown ? 'descending' : 'ascending') : 'none');
        });
    }

    /** @param {Row[]} list */
    function update(list) {
        rows = list;
        tellOrder();
        const next = new Map();
        for (const row of ordered(rows, plan.columns, sorting)) {
            const key = plan.key(row);
            const line = shown.get(key) ?? newRow(plan.columns);
            renew(line, row, plan.columns);
            next.set(key, line);
        }
        for (const [key, line] of shown) if (!next.has(key)) line.remove();
        keepOrder(body, next.values());
        shown = next;
    }
    update(rows);
    return { element, update };
}

function newRow(columns) {
    return h('tr', { role: 'row' }, columns.map((column, index) => h(
        `${index ? 'td' : 'th'}${column.look ? `.${column.look}` : ''}`,
        { role: index ? 'cell' : 'rowheader', scope: index ? null : 'row', 'data-label': column.title })));
}

function renew(line, row, columns) {
    columns.forEach((column, index) => {
        const place = line.children[index];
        if (place.firstChild && !column.live) return;
        const content = column.cell(row);
        if (content instanceof Node || Array.isArray(content)) fill(place, content);
        else if (place.textContent !== String(content ?? '')) place.textContent = String(content ?? '');
    });
}

function ordered(rows, columns, sorting) {
    const order = columns.find((column) => column.title === sorting.title)?.order;
    if (!order) return rows;
    const direction = sorting.isDown ? -1 : 1;
    return [...rows].sort((one, other) => {
        const [first, second] = [order(one), order(other)];
        if (first === second) return 0;
        if (first === null) return 1;
        if (second === null) return -1;
        return (first < second ? -1 : 1) * direction;
    });
}
