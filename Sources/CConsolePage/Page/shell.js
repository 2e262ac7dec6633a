// What stands around the sections: navigation, and whether the daemon answers.

import { fill, h } from './dom.js';
import { address } from './router.js';
import { bindingView } from './view-binding.js';
import { bindingsView } from './view-bindings.js';
import { cacheView } from './view-cache.js';
import { configurationView } from './view-configuration.js';
import { credentialsView } from './view-credentials.js';
import { driftView } from './view-drift.js';
import { entryView } from './view-entry.js';
import { exchangeView } from './view-exchange.js';
import { inspectorView } from './view-inspector.js';
import { overviewView } from './view-overview.js';
import { reloadsView } from './view-reloads.js';
import { requestsView } from './view-requests.js';
import { upstreamsView } from './view-upstreams.js';

/**
 * All sections in their order; the first is shown where an address has none.
 * @type {{name: string, title: string, group: string, view: (item: string | null) => import('./console.js').View}[]}
 */
export const sections = [
    { name: '', title: 'Overview', group: 'Now', view: () => overviewView },
    { name: 'requests', title: 'Requests', group: 'Now', view: () => requestsView },
    { name: 'inspector', title: 'Inspector', group: 'Now', view: (item) => (item ? exchangeView : inspectorView) },
    { name: 'bindings', title: 'Bindings', group: 'API', view: (item) => (item ? bindingView : bindingsView) },
    { name: 'drift', title: 'Drift', group: 'API', view: () => driftView },
    { name: 'upstreams', title: 'Upstreams', group: 'Behind it', view: () => upstreamsView },
    { name: 'credentials', title: 'Credentials', group: 'Behind it', view: () => credentialsView },
    { name: 'cache', title: 'Cache', group: 'Behind it', view: (item) => (item ? entryView : cacheView) },
    { name: 'configuration', title: 'Configuration', group: 'Page', view: () => configurationView },
    { name: 'reloads', title: 'Reloads', group: 'Page', view: () => reloadsView },
];

/** Fills the navigation; at the width of a phone a button opens it. */
export function buildNavigation() {
    const place = /** @type {HTMLElement} */ (document.getElementById('sections'));
    const menu = /** @type {HTMLElement} */ (document.getElementById('menu'));
    const links = new Map(sections.map((section) => [section.name, h('a', { href: address(section.name) },
        h('span', null, section.title), h('span.count', { hidden: true }))]));
    const groups = [...new Set(sections.map((section) => section.group))];
    fill(place, groups.map((group) => h('div.group', { role: 'group', 'aria-label': group },
        h('p', { 'aria-hidden': 'true' }, group), h('ul', null,
            sections.filter((section) => section.group === group).map((section) =>
                h('li', null, links.get(section.name)))))));

    const open = (isOpen) => {
        menu.setAttribute('aria-expanded', String(isOpen));
        place.classList.toggle('is-open', isOpen);
    };
    menu.addEventListener('click', () => open(menu.getAttribute('aria-expanded') !== 'true'));
    document.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return;
        open(false);
        menu.focus();
    });
    return {
        /** @param {string} name of the section that is shown */
        mark(name) {
            open(false);
            for (const [own, link] of links) {
                if (own === name) link.setAttribute('aria-current', 'page');
                else link.removeAttribute('aria-current');
            }
        },
        /** @param {string} name @param {number} count of what wants to be looked at */
        badge(name, count) {
            const mark = links.get(name)?.querySelector('.count');
            if (!mark) return;
            mark.hidden = count === 0;
            fill(mark, count, h('span.unseen', null, ' to look at'));
        },
    };
}

const words = {
    opening: 'Connecting …', answered: 'Connected', 'daemon-gone': 'The daemon does not answer; asking again …',
    'console-gone': 'The console has ended: run sluice console again', ended: 'Session ended',
};

/** @param {keyof typeof words} link */
export function showLink(link) {
    /** @type {HTMLElement} */ (document.getElementById('link-state')).dataset.state = link;
    fill(/** @type {HTMLElement} */ (document.getElementById('link-text')), words[link]);
}
