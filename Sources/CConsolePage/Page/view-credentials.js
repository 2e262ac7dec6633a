// Credentials: how they are, renewals, sign-ins and sign-outs.

import { fill, h } from './dom.js';
import { moment, relative, seconds } from './format.js';
import { panelList } from './panels.js';
import {
    badge, bindingLabel, confirmed, copyButton, empty, errorView, factRow, heading, notice,
} from './parts.js';

const looks = { ready: 'good', renewing: 'plain', missing: 'warn', failing: 'bad', 'sign-in needed': 'bad' };
/** Kinds that a person may sign in for, or that are renewed. */
const renewable = new Set(['oauth2', 'command', 'aws-sigv4']);

/** @type {import('./console.js').View} */
export const credentialsView = {
    title: 'Credentials',
    async load(context) {
        const outcome = h('div.result');
        const place = h('div.stack');
        const show = panelList(place, (credential) => credential.name,
            (credential) => panel(credential, context, renew, outcome),
            () => empty('No credentials', 'The page in force has none under “credentials:”.'));
        async function renew() {
            const { credentials } = await context.api.json('/credentials', { signal: context.signal });
            context.badge('credentials', credentials.filter(wantsPerson).length);
            show(credentials);
        }
        await renew();
        context.onFigures(renew);
        return [heading('Credentials', 'What the gateway shows to upstreams. Secrets never leave the daemon.'),
            outcome, place];
    },
};

const wantsPerson = (credential) => credential.state === 'sign-in needed' || credential.state === 'failing';

/** The place below the actions is kept through updates: somebody may be reading a code there. */
function panel(credential, context, renew, outcome) {
    const place = h('div.result');
    const [state, facts, buttons] = [h('span'), h('div'), h('div')];
    const title = `credential-${encodeURIComponent(credential.name)}`;
    const element = h('section.panel', { 'aria-labelledby': title },
        h('header.row', null, h('h2', { id: title }, credential.name), state, h('span.dim', null, credential.kind)),
        facts, buttons, place);
    let last = '';
    return { element, update(now) {
        fill(facts, now.last_error && h('p.note.is-bad', null, now.last_error), factList(now));
        if (last === now.state) return;
        last = now.state;
        fill(state, badge(looks[now.state] ?? 'plain', now.state));
        fill(buttons, actions(now, context, renew, place, outcome));
    } };
}

function factList(credential) {
    const time = (seconds) => seconds && h('span', { title: moment(seconds) }, relative(seconds));
    const rows = [['Obtained', time(credential.obtained_at)], ['Expires', time(credential.expires_at)],
        ['Scope', credential.scope && h('code', null, credential.scope)], ['Last used', time(credential.last_used_at)],
        ['By', credential.last_binding && bindingLabel(credential.last_binding)], ['For', credential.last_client]];
    return rows.some(([, value]) => value) && factRow(rows);
}

function actions(credential, context, renew, place, outcome) {
    if (!renewable.has(credential.kind)) return null;
    const { name } = credential;
    const act = (text, work, look = '') => h(`button${look}`, { type: 'button', 'aria-label': `${text} ${name}`,
        on: { async click({ currentTarget: button }) {
            button.disabled = true;
            try {
                await work();
            } catch (error) {
                if (!context.signal.aborted) fill(place, errorView(error));
            }
            button.disabled = false;
        } } }, text);
    return h('p.row', null,
        act('Renew now', async () => {
            await context.api.json('/credentials/refresh', { method: 'POST', query: { name } });
            notice(`${name} is being renewed`);
            await renew();
        }),
        credential.kind === 'oauth2' && act('Sign in', () => signIn(name, context, place, renew),
            credential.state === 'sign-in needed' ? '.primary' : ''),
        credential.kind === 'oauth2' && act('Sign out', async () => {
            if (!await confirmed('Sign out', `The tokens of ${name} are given back and forgotten.`, 'Sign out')) return;
            const { told } = await context.api.json(`${path(name)}/logout`, { method: 'POST' });
            const words = told ? `; the server was told: ${told}` : '';
            fill(outcome, h('p.note', { role: 'status' }, `Signed out of ${name}${words}.`));
            await renew();
        }));
}

const path = (name) => `/credentials/${encodeURIComponent(name)}`;

/** Begins a sign-in: in a browser, by a code on another device, or without a person. */
async function signIn(name, context, place, renew) {
    const step = await context.api.json(`${path(name)}/login`, { method: 'POST' });
    switch (step.step) {
        case 'browser': return waitFor(name, step, browserNote(name, step), context, place, renew);
        case 'device': return waitFor(name, step, deviceNote(step), context, place, renew);
        default: return signedIn(name, step, place, renew);
    }
}

/** A link into a tab of its own; only the web is gone to. */
function away(address, text, look = '') {
    if (!/^https?:\/\//i.test(address)) return h('code', null, address);
    return h(`a${look}`, { href: address, target: '_blank', rel: 'noopener noreferrer' }, text,
        h('span.unseen', null, ' (in a new tab)'));
}

function browserNote(name, step) {
    return [h('p', null, 'Sign in on the server’s page and come back; this page sees when it is done.'),
        h('p.row', null, away(step.url, `Open ${hostOf(step.url)}`, '.button.primary')),
        h('p.dim', null, 'Or run ', h('code', null, `sluice login ${name}`), ' in a terminal.')];
}

function hostOf(address) {
    return URL.canParse(address) ? new URL(address).host : address;
}

function deviceNote(step) {
    return [h('p', null, 'Open ', away(step.complete_url ?? step.url, step.url), ' on any device and enter this code:'),
        h('p.user-code', null, h('code', null, step.user_code), ' ', copyButton(step.user_code, 'code')),
        h('p.dim', null, `The code ends in ${seconds(step.lifetime)}.`)];
}

/** Asks again until the person has agreed, for as long as this is on the screen. */
async function waitFor(name, step, note, context, place, renew) {
    fill(place, h('div.note', { role: 'status' }, note, h('p.dim', null, 'Waiting …')));
    place.querySelector('a')?.focus();
    let told = { step: 'pending' };
    while (told.step === 'pending' && !context.signal.aborted) {
        told = await context.api.json(`${path(name)}/login/wait`, { method: 'POST', query: { id: step.id },
            signal: context.signal });
    }
    await signedIn(name, told, place, renew);
}

async function signedIn(name, told, place, renew) {
    await renew();
    const words = [`Signed in for ${name}`, told.scope && `with the scope ${told.scope}`,
        told.expires_at && `until ${moment(told.expires_at)}`, told.is_renewable && 'renewed after that'];
    const text = `${words.filter(Boolean).join(', ')}.`;
    notice(text);
    if (place.isConnected) fill(place, h('p.note', { role: 'status' }, text));
}
