// Where upstreams send something else than their types say, and which change of a type would take it.

import { fill, h } from './dom.js';
import { moment, plural, relative } from './format.js';
import { panelList, tell } from './panels.js';
import { bindingLabel, breakable, copyButton, empty, heading } from './parts.js';
import { address } from './router.js';

/** @type {import('./console.js').View} */
export const driftView = {
    title: 'Drift',
    async load(context) {
        const place = h('div.stack');
        const rest = h('p.dim');
        const show = panelList(place, ([name]) => name, groupPanel, () => empty('No drift',
            'Every value that was checked since the daemon began was of its declared type.'));
        async function renew() {
            const { findings, more = 0 } = await context.api.json('/drift', { signal: context.signal });
            show([...Map.groupBy(findings, (finding) => finding.binding)]);
            tell(rest, more > 0 ? `${plural(more, 'more place is', 'more places are')} not shown.` : '');
            context.badge('drift', findings.length + more);
        }
        await renew();
        context.onFigures(renew);
        return [heading('Drift', 'Values of upstreams that are not of their declared type.'), place, rest];
    },
};

function groupPanel([name]) {
    const count = h('span.dim');
    const list = h('ul.findings');
    const show = panelList(list, (finding) => `${finding.kind} ${finding.path}`, findingPanel, () => h('li'));
    const element = h('section.panel', { 'aria-label': `Drift of ${name}` },
        h('header.row', null, h('h2', null, h('a', { href: address('bindings', name) }, bindingLabel(name))), count),
        list);
    return { element, update([, findings]) {
        tell(count, plural(findings.length, 'path'));
        show(findings);
    } };
}

function findingPanel(first) {
    const count = h('span');
    const time = h('span.dim');
    const types = h('div.stack');
    let last = '';
    const element = h('li', null,
        h('p.facts', null, h('code.strong', null, breakable(first.path)), count, time), types);
    return { element, update(finding) {
        const share = finding.share === null ? '' : `, ${Math.round(finding.share * 100)} % of answers`;
        tell(count, plural(finding.count, 'value') + share);
        tell(time, `first ${relative(finding.first_at)}, last ${relative(finding.last_at)}`);
        time.title = `first ${moment(finding.first_at)}, last ${moment(finding.last_at)}`;
        const now = [finding.declared, finding.found, finding.proposal, finding.example, ...finding.cases].join('\n');
        if (now === last) return;
        last = now;
        fill(types, typesView(finding));
    } };
}

function typesView(finding) {
    return [found(finding),
        finding.proposal ? change(finding) : h('p.dim', null, 'No small change of the type would take it.')];
}

function found(finding) {
    if (finding.kind === 'new-key') return h('p', null, 'A key that the type does not name.');
    const declared = h('code', null, breakable(finding.declared || '?'));
    if (finding.kind === 'unknown-case') {
        return h('p', null, 'Not in ', declared, finding.cases.length > 0 ? `: ${finding.cases.join(', ')}.` : '.');
    }
    return h('p', null, 'Declared ', declared, ', found ', h('code', null, finding.found ?? 'something else'),
        finding.example ? [' such as ', h('code', null, breakable(finding.example))] : '', '.');
}

/** The type as it is and as it would be. */
function change(finding) {
    return h('div.change', null, h('div.diff', { role: 'group', 'aria-label': 'Proposed change of the type' },
        finding.kind === 'new-key' ? '' : h('p.minus', null, h('span.unseen', null, 'instead of '),
            h('code', null, breakable(finding.declared || '?'))),
        h('p.plus', null, h('span.unseen', null, 'say '), h('code', null, breakable(finding.proposal)))),
    copyButton(finding.proposal, `the type ${finding.proposal}`));
}
