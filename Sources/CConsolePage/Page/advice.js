// What to do about a problem, by its kind: the table of PROBLEMS.md in one sentence each.

/** @type {Record<string, string>} */
const advice = {
    'unknown-route': 'The path is not bound. Bindings lists what is; a “/” at the end counts.',
    'method-not-allowed': 'The path is bound for other methods: the Allow field has them.',
    'bad-parameters': 'Correct what is listed; the types stand beside the inputs.',
    'bad-body': 'The body is not as the binding declares it: the list says where.',
    'unsupported-media-type': 'Send the content type that the binding declares.',
    'host-not-served': 'Ask by a name that “hosts:” has.',
    'cross-origin': 'If this page may ask, name its origin under “cors:”.',
    unauthenticated: 'A client’s key is needed: add the field “Authorization: Bearer KEY” to the request.',
    forbidden: 'This client may not do that: look at “clients:” and at what the binding allows.',
    'connection-refused': 'Nobody listens where “url:” of the upstream points.',
    'name-not-found': 'The host of the upstream’s “url:” is not known.',
    unreachable: 'There is no way to where “url:” of the upstream points.',
    'tls-failure': 'Certificates do not fit: “tls: {ca: …}” names your own authority. Or no TLS is spoken at that port.',
    'connect-timeout': 'The upstream is slower than “timeout: {connect: …}” allows.',
    'first-byte-timeout': 'The upstream is slower than “timeout: {first-byte: …}” allows.',
    'total-timeout': 'The upstream is slower than “timeout: {total: …}” allows.',
    'upstream-error': 'The upstream refuses. With 401 or 403 look at the credential; else its answer says why.',
    'reported-error': 'The API says inside of its answer that it has failed; the detail has its own words.',
    'bad-page': 'The API’s next page cannot be followed: see “pages:” of the binding.',
    'no-bearer': 'A secret was not read, or cannot be used: the detail and the daemon’s log say why.',
    'sign-in-needed': 'Somebody has to sign in: see Credentials.',
    'credential-unavailable': 'No token can be got now: see Credentials.',
    'type-mismatch': 'The API sends something else than the type says: see Drift for a change of the type.',
    'missing-value': 'There is nothing at “parent:”. A binding without “value:” shows the whole answer.',
    'upstream-too-large': 'A limit was met; the detail names it.',
    'content-too-large': 'A limit was met; the detail names it.',
    'circuit-open': 'The upstream rests after failures and is tried again soon: see Upstreams.',
    'upstream-paused': 'The upstream asked for a pause (Retry-After); wait for its end.',
    'rate-limited': 'Too many requests: wait, or raise “rate:”.',
    overloaded: 'Too much at once: wait, or raise the limit that the detail names.',
    draining: 'The daemon is ending.',
    'not-stored': 'Nothing of that is stored any more.',
    'upstream-truncated': 'The upstream closed the connection before its answer’s end; ask again.',
    'upstream-protocol': 'What answers there does not speak HTTP as it should; is it the right port?',
    'connection-reset': 'The upstream closed the connection; ask again.',
};

/**
 * @param {string | null} kind
 * @returns {string | null}
 */
export function adviceFor(kind) {
    return (kind && advice[kind]) || null;
}
