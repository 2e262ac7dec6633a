// What each reload has changed, and why some were refused.

import { fill, h } from './dom.js';
import { moment, plural, relative } from './format.js';
import { panelList, tell } from './panels.js';
import { badge, breakable, empty, errorView, heading, notice } from './parts.js';
import { dataTable } from './table.js';

const causes = { start: 'the daemon began', signal: 'by a signal', request: 'asked for' };

/** @type {import('./console.js').View} */
export const reloadsView = {
    title: 'Reloads',
    async load(context) {
        const place = h('ol.timeline');
        const verdict = h('div.result');
        const show = panelList(place, (reload) => JSON.stringify(reload), reloadPanel,
            () => h('li', null, empty('No reload yet', 'The daemon serves the page that it began with.')));
        async function renew() {
            show((await context.api.json('/reloads', { signal: context.signal })).reloads);
        }
        const button = h('button.primary', { type: 'button', on: { async click() {
            button.disabled = true;
            await reload(context, verdict);
            button.disabled = false;
            await renew().catch(() => {});
        } } }, 'Reload now');
        await renew();
        context.onFigures(renew);
        return [heading('Reloads', 'The newest first.', button), verdict, place];
    },
};

/** A refusal comes with status 409 and the findings, and is no problem envelope. */
async function reload(context, place) {
    try {
        const report = await context.api.json('/reload', { method: 'POST' });
        notice('Reloaded');
        fill(place, reportView(report));
        context.forgetBindings();
    } catch (error) {
        const report = error.status === 409 ? error.envelope : null;
        notice(report ? 'The reload was refused' : error.message, 'bad');
        fill(place, report?.summary ? reportView(report) : errorView(error));
    }
}

function reportView(report) {
    const look = report.accepted ? 'good' : 'bad';
    return h('div.problem', { role: 'status', class: `problem ${report.accepted ? 'is-good' : ''}` },
        h('p.facts', null, badge(look, report.accepted ? 'accepted' : 'refused'), h('span', null, report.summary)),
        report.findings?.length > 0 && h('ul.faults', null, report.findings.map((finding) => h('li', null,
            badge(finding.severity === 'error' ? 'bad' : 'warn', finding.severity), ' ',
            h('code', null, breakable(`${finding.file}:${finding.line}:${finding.column}`)), ` ${finding.message}`,
            finding.hint && h('span.dim', null, ` ${finding.hint}`)))));
}

function reloadPanel(reload) {
    const ago = h('span.dim');
    const element = h('li.panel', null,
        h('p.facts', null, badge(reload.accepted ? 'good' : 'bad', reload.accepted ? 'in force' : 'refused'),
            h('strong', null, moment(reload.at)), ago,
            h('span.dim', null, causes[reload.cause] ?? reload.cause),
            reload.changes.length > 0 && h('span', null, plural(reload.changes.length, 'change'))),
        reload.faults.length > 0 && h('ul.faults', null, reload.faults.map((fault) => h('li', null, fault))),
        reload.changes.length > 0 ? [changes(reload.changes), reload.more > 0 && h('p.dim', null,
            `${plural(reload.more, 'more change was', 'more changes were')} not kept.`)]
            : reload.accepted && reload.cause !== 'start' && h('p.dim', null, 'Nothing has changed.'));
    return { element, update: () => tell(ago, relative(reload.at)) };
}

function changes(list) {
    const shown = (value, look) => (value === null
        ? h('span.dim', null, 'nothing') : h(`code.${look}`, null, breakable(value)));
    return dataTable({ caption: 'Changes', rows: list, key: (change) => change.key, columns: [
        { title: 'Key', look: 'wide', cell: (change) => h('code', null, breakable(change.key)) },
        { title: 'Before', cell: (change) => shown(change.before, 'minus') },
        { title: 'After', cell: (change) => shown(change.after, 'plus') },
    ] }).element;
}
