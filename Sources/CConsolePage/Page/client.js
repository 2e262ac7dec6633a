// Requests to the console's own server. Who asks shows the session's key; no cookie is set or read.

/** An answer that is no success: the gateway's problem envelope (RFC 9457), or what came in its place. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {any} envelope members of the problem, as far as there are any
     */
    constructor(status, envelope) {
        super(envelope.detail ?? envelope.title ?? `The answer has status ${status}.`);
        this.status = status;
        this.envelope = envelope;
        this.kind = problemKind(envelope);
    }
}

/** The console's server does not reach the daemon. */
export class DaemonGone extends Problem {}

/** Nobody listens at the console's address any more. */
export class ConsoleGone extends Error {
    constructor() {
        super('The console does not answer: its command has ended.');
    }
}

/**
 * The kind of a problem: `type-mismatch`.
 * @param {any} envelope
 * @returns {string | null}
 */
export function problemKind(envelope) {
    if (typeof envelope?.kind === 'string') return envelope.kind;
    return typeof envelope?.type === 'string' ? envelope.type.split(':').pop() ?? null : null;
}

/**
 * @typedef {object} Call
 * @property {string} [method]
 * @property {Record<string, string | number | boolean | null | undefined>} [query] empty values are left out
 * @property {Record<string, string>} [fields]
 * @property {unknown} [body] sent as JSON
 * @property {AbortSignal} [signal]
 */

/** @typedef {'answered' | 'daemon-gone' | 'console-gone' | 'ended'} Outcome */

/**
 * The API with the session's key.
 * @param {string} key
 * @param {(outcome: Outcome) => void} told hears what came of each request
 */
export function makeAPI(key, told) {
    /** @param {string} path @param {Call} call */
    async function send(path, call = {}) {
        const headers = { authorization: `Bearer ${key}`, ...call.fields };
        if (call.body !== undefined) headers['content-type'] = 'application/json';
        const answer = await reach(`/api${path}${query(call.query)}`, {
            method: call.method ?? 'GET', headers, signal: call.signal, cache: 'no-store', credentials: 'omit',
            body: call.body === undefined ? undefined : JSON.stringify(call.body),
        });
        if (answer.ok) {
            told('answered');
            return answer;
        }
        const problem = await readProblem(answer);
        const came = outcome(problem, path);
        told(came);
        throw came === 'daemon-gone' ? new DaemonGone(problem.status, problem.envelope) : problem;
    }

    async function reach(address, options) {
        try {
            return await fetch(address, options);
        } catch (error) {
            if (options.signal?.aborted) throw error;
            told('console-gone');
            throw new ConsoleGone();
        }
    }

    return {
        /** @param {string} path @param {Call} [call] @returns {Promise<any>} */
        json: async (path, call) => (await send(path, call)).json(),
        /** @param {string} path @param {Call} [call] @returns {Promise<string>} */
        text: async (path, call) => (await send(path, call)).text(),
        /** @param {string} path @param {(line: any) => void} take @param {Call} [call] */
        lines: async (path, take, call) => readLines(await send(path, call), take),
        /** Sends a request to the daemon's own address. @param {any} request @param {AbortSignal} [signal] */
        try: async (request, signal) => (await send('/try', { method: 'POST', body: request, signal })).json(),
    };
}

/** @typedef {ReturnType<typeof makeAPI>} API */

/** @param {Call['query']} values */
function query(values = {}) {
    const pairs = Object.entries(values).filter(([, value]) => !['', null, undefined, false].includes(value));
    return pairs.length ? `?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}` : '';
}

/** A try, and a step of a sign-in, may fail at another server than the daemon's admin socket. */
function outcome(problem, path) {
    if (problem.status === 401) return 'ended';
    const isElsewhere = path === '/try' || /\/(login|logout)\b/.test(path);
    const isGone = problem.status === 502 && ['connection-refused', 'connection-reset'].includes(problem.kind);
    return isGone && !isElsewhere ? 'daemon-gone' : 'answered';
}

async function readProblem(answer) {
    const text = await answer.text().catch(() => '');
    try {
        const envelope = JSON.parse(text);
        if (envelope && typeof envelope === 'object') return new Problem(answer.status, envelope);
    } catch {
        // Not JSON: the text itself tells what happened.
    }
    return new Problem(answer.status, { title: answer.statusText, detail: text.slice(0, 300) || undefined });
}

/** Lines of JSON as they come; the longest that is kept is 1 MiB. */
async function readLines(answer, take) {
    const lineMax = 1 << 20;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            const lines = (rest + value).split('\n');
            rest = lines.pop() ?? '';
            if (rest.length > lineMax) throw new Error('A line is too long.');
            for (const line of lines) if (line.trim()) take(JSON.parse(line));
        }
    } finally {
        // A browser has few connections for one server; one that nobody reads is given back.
        reader.cancel().catch(() => {});
    }
}
