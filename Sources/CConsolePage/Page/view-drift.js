// Where upstreams send something else than their types say, and which change of a type would take it.

import { fill, h } from './dom.js';
import { moment, plural, relative } from './format.js';
import { bindingLabel, breakable, copyButton, empty, heading } from './parts.js';
import { address } from './router.js';

/** @type {import('./console.js').View} */
export const driftView = {
    title: 'Drift',
    async load(context) {
        const place = h('div.stack');
        let last = '';
        async function renew() {
            const { findings, more = 0 } = await context.api.json('/drift', { signal: context.signal });
            // Only what has changed is drawn anew, or a selection would be lost with every turn.
            const now = JSON.stringify([findings, more]);
            if (now === last) return;
            last = now;
            fill(place, findings.length ? [groups(findings), more > 0 && h('p.dim', null,
                `${plural(more, 'more place is', 'more places are')} not told apart.`)] : empty('No drift',
                'Every value that was checked since the daemon began was of its declared type.'));
            context.badge('drift', findings.length);
        }
        await renew();
        context.onFigures(renew);
        return [heading('Drift', 'Values of upstreams that are not of their declared type.'), place];
    },
};

function groups(findings) {
    const byBinding = Map.groupBy(findings, (finding) => finding.binding);
    return [...byBinding].map(([name, own]) => h('section.panel', { 'aria-label': `Drift of ${name}` },
        h('header.row', null, h('h2', null, h('a', { href: address('bindings', name) }, bindingLabel(name))),
            h('span.dim', null, plural(own.length, 'path'))),
        h('ul.findings', null, own.map(findingView))));
}

function findingView(finding) {
    return h('li', null,
        h('p.facts', null, h('code.strong', null, breakable(finding.path)),
            h('span', null, plural(finding.count, 'value')),
            h('span.dim', { title: `first ${moment(finding.first_at)}, last ${moment(finding.last_at)}` },
                `first ${relative(finding.first_at)}, last ${relative(finding.last_at)}`)),
        h('p', null, 'Declared ', h('code', null, breakable(finding.declared || '?')), ', found ',
            h('code', null, finding.found ?? 'something else'), '.'),
        finding.proposal ? change(finding) : h('p.dim', null, 'No small change of the type would take it.'));
}

/** The type as it is and as it would be. */
function change(finding) {
    return h('div.change', null, h('div.diff', { role: 'group', 'aria-label': 'Proposed change of the type' },
        h('p.minus', null, h('span.unseen', null, 'instead of '), h('code', null, breakable(finding.declared || '?'))),
        h('p.plus', null, h('span.unseen', null, 'say '), h('code', null, breakable(finding.proposal)))),
    copyButton(finding.proposal, `the type ${finding.proposal}`));
}
