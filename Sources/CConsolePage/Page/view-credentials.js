// Credentials: how they are, renewals, sign-ins and sign-outs.

import { fill, h } from './dom.js';
import { moment, relative } from './format.js';
import { badge, bindingLabel, confirmed, copyButton, empty, errorView, heading, notice } from './parts.js';
import { callbackPath, keepSignIn } from './session.js';

const looks = { ready: 'good', renewing: 'plain', missing: 'warn', failing: 'bad', 'sign-in needed': 'bad' };
/** Kinds that a person may sign in for, or that are renewed. */
const renewable = new Set(['oauth2', 'command', 'aws-sigv4']);

/** @type {import('./console.js').View} */
export const credentialsView = {
    title: 'Credentials',
    async load(context) {
        const outcome = h('div.result');
        const place = h('div.stack');
        const panels = new Map();
        async function renew() {
            const { credentials } = await context.api.json('/credentials', { signal: context.signal });
            context.badge('credentials', credentials.filter(wantsPerson).length);
            if (!credentials.length) {
                return fill(place, empty('No credentials', 'The page in force has none under “credentials:”.'));
            }
            for (const credential of credentials) {
                if (!panels.has(credential.name)) {
                    panels.set(credential.name, panel(credential, context, renew, outcome));
                    place.append(panels.get(credential.name).element);
                }
                panels.get(credential.name).update(credential);
            }
        }
        const came = context.takeSignIn();
        if (came) await finish(came, context, outcome);
        await renew();
        context.onFigures(renew);
        return [heading('Credentials', 'What the gateway shows to upstreams. Secrets never leave the daemon.'), outcome, place];
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
    return h('dl.facts-row', null, rows.filter(([, value]) => value).map(([name, value]) =>
        h('div', null, h('dt', null, name), h('dd', null, value))));
}

function actions(credential, context, renew, place, outcome) {
    if (!renewable.has(credential.kind)) return null;
    const act = (text, work, look = '') => h(`button${look}`, { type: 'button', 'aria-label': `${text} ${credential.name}`,
        on: { async click({ currentTarget: button }) {
            button.disabled = true;
            try {
                await work();
            } catch (error) {
                if (!context.signal.aborted) fill(place, errorView(error));
            }
            button.disabled = false;
        } } }, text);
    const { name } = credential;
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
            fill(outcome, h('p.note', { role: 'status' }, `Signed out of ${name}${told ? `; the server was told: ${told}` : ''}.`));
            await renew();
        }));
}

const path = (name) => `/credentials/${encodeURIComponent(name)}`;

/** Begins a sign-in: in this tab's place, by a code on another device, or without a person. */
async function signIn(name, context, place, renew) {
    const step = await context.api.json(`${path(name)}/login`, { method: 'POST', query: {
        redirect: `${location.origin}${callbackPath}` } });
    switch (step.step) {
        case 'browser': return sendAway(name, step, place);
        case 'device': return showCode(name, step, context, place, renew);
        default: return signedIn(name, step, place, renew);
    }
}

/** Only the web is gone to: an address that runs something is none. */
function sendAway(name, step, place) {
    if (!/^https?:\/\//i.test(step.url)) throw new Error('The address of the sign-in is none of the web.');
    keepSignIn({ name, id: step.id, state: step.state, issuer: step.issuer, needsIssuer: step.needs_issuer ?? false });
    fill(place, h('div.note', { role: 'status' },
        h('p', null, 'You are sent to the server’s page, which sends you back here. If it refuses the address that it is to ',
            'send you back to, sign in by the command:'),
        h('p', null, h('code', null, `sluice login ${name}`)),
        h('p.row', null, h('button.primary', { type: 'button', on: { click: () => location.assign(step.url) } },
            `Go to ${new URL(step.url).host}`))));
    place.querySelector('button').focus();
}

async function showCode(name, step, context, place, renew) {
    const link = step.complete_url ?? step.url;
    fill(place, h('div.note', { role: 'status' }, h('p', null, 'Open ', /^https?:\/\//i.test(link)
        ? h('a', { href: link, target: '_blank', rel: 'noopener noreferrer' }, step.url) : h('code', null, step.url),
    ' on any device and enter this code:'), h('p.user-code', null, h('code', null, step.user_code), ' ',
        copyButton(step.user_code, 'code')), h('p.dim', null, `Waiting; the code ends in ${Math.round(step.lifetime / 60)} min.`)));
    let told = { step: 'pending' };
    while (told.step === 'pending') {
        told = await context.api.json(`${path(name)}/login/wait`, { method: 'POST', query: { id: step.id },
            signal: context.signal });
    }
    await signedIn(name, told, place, renew);
}

/** The browser has come back. */
async function finish(came, context, outcome) {
    if ('refusal' in came) {
        notice(came.refusal, 'bad');
        fill(outcome, h('p.note.is-bad', { role: 'alert' }, came.refusal));
        return;
    }
    const fields = { 'sluice-code': encodeURIComponent(came.code), 'sluice-state': encodeURIComponent(came.state) };
    if (came.issuer) fields['sluice-issuer'] = encodeURIComponent(came.issuer);
    try {
        const told = await context.api.json(`${path(came.name)}/login/code`, { method: 'POST', query: { id: came.id }, fields });
        await signedIn(came.name, told, outcome, () => {});
    } catch (error) {
        fill(outcome, errorView(error));
    }
}

async function signedIn(name, told, place, renew) {
    await renew();
    const scope = told.scope ? `, for ${told.scope}` : '';
    const until = told.expires_at ? `, until ${moment(told.expires_at)}${told.is_renewable ? ' and renewed after that' : ''}` : '';
    const text = `Signed in for ${name}${scope}${until}.`;
    notice(text);
    if (place.isConnected) fill(place, h('p.note', { role: 'status' }, text));
}
