// From the inputs of a form to a request, and to the line of curl that sends the same. Pure functions.

import { parseType, resolved } from './types.js';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target
 * @property {[string, string][]} fields
 * @property {string | null} body
 * @property {string} [base64] a body that is no text
 */

/**
 * @typedef {object} Given
 * @property {string} method
 * @property {Map<string, string[]>} values texts of parameters by name; those that are left out are missing
 * @property {string} rest what stands for `**`
 * @property {string} body text of the body, where the binding has one that is not made of parameters
 * @property {string} fields further fields, one `Name: value` a line
 * @property {string} query further parameters, as they stand in the target
 */

/**
 * The request of a filled form.
 * @param {any} binding as `/api/bindings` tells it
 * @param {Given} given
 * @param {Map<string, string>} types the page's own, by name
 * @returns {Request}
 */
export function buildRequest(binding, given, types) {
    const of = (place) => binding.params.filter((param) => param.in === place && given.values.has(param.name))
        .map((param) => ({ param, texts: given.values.get(param.name) ?? [] }));
    const fields = readFields(given.fields);
    for (const { param, texts } of of('header')) fields.push([param.name, texts.join(', ')]);
    const cookies = of('cookie').map(({ param, texts }) => `${param.name}=${encodeURIComponent(texts.join(','))}`);
    if (cookies.length) fields.push(['Cookie', cookies.join('; ')]);
    const { body, mediaType } = buildBody(binding, of('body'), given.body, types);
    const isTyped = fields.some(([name]) => name.toLowerCase() === 'content-type');
    if (body !== null && mediaType && !isTyped) fields.push(['Content-Type', mediaType]);
    const target = path(binding.path, given) + queryText(of('query'), given.query);
    return { method: given.method, target, fields, body };
}

function path(template, given) {
    const filled = template.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(given.values.get(name)?.[0] ?? ''));
    const rest = given.rest.replace(/^\//, '').split('/').map(encodeSegment).join('/');
    return filled.replace(/\*\*$/, () => rest);
}

/** What is encoded already stays as it is. */
function encodeSegment(text) {
    return text.split(/(%[0-9A-Fa-f]{2})/).map((part, index) => (index % 2 ? part : encodeURIComponent(part))).join('');
}

function queryText(params, more) {
    const pairs = params.flatMap(({ param, texts }) => {
        const name = encodeURIComponent(param.name);
        const values = texts.map(encodeURIComponent);
        if (param.list === 'comma') return [`${name}=${values.join(',')}`];
        return values.map((value) => `${name}${param.list === 'brackets' ? '[]' : ''}=${value}`);
    });
    const rest = more.replace(/^\?/, '').replace(/\s/g, '%20');
    const text = [...pairs, ...(rest ? [rest] : [])].join('&');
    return text ? `?${text}` : '';
}

function buildBody(binding, params, text, types) {
    const kind = binding.body?.kind ?? null;
    if (params.length && kind === 'form') {
        const pairs = params.flatMap(({ param, texts }) => texts.map((one) => [param.name, one]));
        return { body: new URLSearchParams(pairs).toString(), mediaType: 'application/x-www-form-urlencoded' };
    }
    if (kind === 'multipart') {
        return multipart(params.length ? params.flatMap(({ param, texts }) => texts.map((one) => [param.name, one]))
            : readPairs(text));
    }
    if (params.length) return { body: jsonBody(params, types), mediaType: 'application/json' };
    return { body: text === '' ? null : text, mediaType: binding.body?.media ?? null };
}

/** Texts of numbers and truth values go in as they stand: no digit is lost. */
function jsonBody(params, types) {
    const members = params.map(({ param, texts }) => {
        const type = resolved(parseType(param.type), types);
        const element = type.kind === 'array' ? type.element : type;
        const one = (text) => (!isTextType(element) && isValue(text) ? text : JSON.stringify(text));
        const value = type.kind === 'array' ? `[${texts.map(one).join(',')}]` : one(texts[0] ?? '');
        return `${JSON.stringify(param.name)}:${value}`;
    });
    return `{${members.join(',')}}`;
}

function isTextType(type) {
    if (type.kind === 'values') return !type.isConstant;
    if (type.kind !== 'scalar') return false;
    const isDate = type.name === 'Date' && !type.limits?.includes('seconds');
    return isDate || type.limits === 'string' || ['String', 'URL', 'UUID', 'Data'].includes(type.name);
}

function isValue(text) {
    try {
        JSON.parse(text);
        return true;
    } catch {
        return false;
    }
}

/** `name=value`, one a line. */
function readPairs(text) {
    return text.split('\n').filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]);
}

function multipart(pairs) {
    const boundary = 'sluice-console-boundary';
    const escaped = (name) => name.replace(/"/g, '%22').replace(/[\r\n]/g, ' ');
    const parts = pairs.map(([name, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${text}\r\n`);
    return { body: `${parts.join('')}--${boundary}--\r\n`, mediaType: `multipart/form-data; boundary=${boundary}` };
}

/**
 * Fields out of lines.
 * @param {string} text
 * @returns {[string, string][]}
 */
export function readFields(text) {
    return text.split('\n').map((line) => line.trim()).filter((line) => line.indexOf(':') > 0)
        .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
}

/**
 * The same request for a shell.
 * @param {Request} request
 * @param {string} base `http://127.0.0.1:8080`, or `unix:/run/sluice.sock`
 * @returns {string}
 */
export function curlLine(request, base) {
    const words = ['curl'];
    if (/[[\]{}]/.test(request.target)) words.push('--globoff');
    const socket = /^unix:(.*)$/.exec(base);
    if (socket) words.push('--unix-socket', quoted(socket[1]));
    const usual = request.body === null && !request.base64 ? 'GET' : 'POST';
    if (request.method === 'HEAD') words.push('--head');
    else if (request.method !== usual) words.push('-X', quoted(request.method));
    for (const [name, value] of request.fields) {
        // A field without a value takes a semicolon.
        words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
    }
    if (request.base64) words.push('--data-binary', '@-');
    // Of a text that begins with an at sign, the other options send the file.
    else if (request.body !== null) words.push('--data-raw', quoted(request.body));
    words.push(quoted(`${socket ? 'http://localhost' : base}${request.target}`));
    const line = words.join(' ');
    return request.base64 ? `base64 -d <<< ${request.base64} | ${line}` : line;
}

/** One word of a POSIX shell. @param {string} text */
export function quoted(text) {
    return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll('\'', '\'\\\'\'')}'`;
}

/** What a replay leaves to whoever sends it, and what was not kept. */
const ownFields = new Set(['host', 'content-length', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding',
    'upgrade', 'expect', 'proxy-connection']);

/**
 * An exchange as a request that can be sent again.
 * @param {any} exchange as `/api/exchanges/ID` tells it
 * @returns {{request: Request, left: string[]} | {refusal: string}} `left` names the fields whose values are not known
 */
export function replayOf(exchange) {
    const { request } = exchange;
    if (request.cut) return { refusal: 'The body was cut, so the request cannot be sent again.' };
    if (exchange.target.includes('***') || request.body?.includes('•••')) {
        return { refusal: 'It holds a credential, which is not kept, so the request cannot be sent again.' };
    }
    const isHidden = ([, value]) => value.includes('•••');
    const sent = request.fields.filter((field) => !isHidden(field) && !ownFields.has(field[0].toLowerCase()));
    return {
        request: { method: exchange.method, target: exchange.target, fields: sent, body: request.body || null,
            ...(request.base64 && { base64: request.base64 }) },
        left: request.fields.filter(isHidden).map(([name]) => name),
    };
}
