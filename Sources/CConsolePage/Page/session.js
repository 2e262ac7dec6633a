// The session: a link for one use becomes a key, which this tab alone keeps.

const keyName = 'sluice.key';

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
