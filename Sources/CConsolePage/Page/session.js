// The session: a link for one use becomes a key, which this tab alone keeps.

const keyName = 'sluice.key';
const signInName = 'sluice.sign-in';
/** Where the browser comes back to after a sign-in. */
export const callbackPath = '/callback';

/**
 * The key of this tab's session.
 * @returns {Promise<{key: string} | {refusal: string}>}
 */
export async function openSession() {
    const link = takeLink();
    if (link) {
        const key = await redeem(link);
        if (key) {
            sessionStorage.setItem(keyName, key);
            return { key };
        }
    }
    const kept = sessionStorage.getItem(keyName);
    if (kept) return { key: kept };
    return { refusal: link ? 'This link has been used already.' : 'This page was opened without its link.' };
}

/** Forgets the key: the server does not take it any more. */
export function endSession() {
    sessionStorage.removeItem(keyName);
}

/** The link leaves the address bar, and with it the history, before anything else is done. */
function takeLink() {
    const link = new URLSearchParams(location.hash.slice(1)).get('link');
    if (link) history.replaceState(null, '', '/#/');
    return link;
}

async function redeem(link) {
    try {
        const answer = await fetch('/session', {
            method: 'POST', headers: { 'content-type': 'application/json' }, cache: 'no-store', credentials: 'omit',
            body: JSON.stringify({ link }),
        });
        return answer.ok ? (await answer.json()).key : null;
    } catch {
        return null;
    }
}

/**
 * Notes a sign-in for the time that the browser is elsewhere.
 * @param {{name: string, id: string, state: string, issuer: string | null, needsIssuer: boolean}} pending
 */
export function keepSignIn(pending) {
    sessionStorage.setItem(signInName, JSON.stringify(pending));
}

/**
 * What the browser has come back with, once. The code leaves the address bar.
 * @returns {null | {name: string, id: string, code: string, state: string, issuer: string | null} |
 *     {name: string | null, refusal: string}}
 */
export function takeSignIn() {
    if (location.pathname !== callbackPath) return null;
    const query = new URLSearchParams(location.search);
    history.replaceState(null, '', '/#/credentials');
    const text = sessionStorage.getItem(signInName);
    sessionStorage.removeItem(signInName);
    const pending = text ? JSON.parse(text) : null;
    // RFC 6749 §10.12: an answer with another state belongs to somebody else's sign-in.
    if (!pending || query.get('state') !== pending.state) {
        return { name: pending?.name ?? null, refusal: 'This is not the answer that was waited for. Sign in again.' };
    }
    const issuer = query.get('iss');
    // RFC 9207 §2.4.
    if (issuer ? pending.issuer && issuer !== pending.issuer : pending.needsIssuer) {
        return { name: pending.name, refusal: 'The answer comes from another server.' };
    }
    const code = query.get('code');
    if (!code) {
        const reason = query.get('error_description') ?? query.get('error') ?? 'the answer has no code';
        return { name: pending.name, refusal: `Not signed in: ${reason.slice(0, 300)}` };
    }
    return { name: pending.name, id: pending.id, code, state: pending.state, issuer };
}
