// A form with typed inputs to try a binding, the line of curl that follows it, and the answer.

import { adoptAnswer } from './answer-view.js';
import { fill, freshID, h } from './dom.js';
import { jsonFault, paramControl } from './inputs.js';
import { pretty } from './json-text.js';
import { curlView, labelled } from './parts.js';
import { buildRequest, curlLine } from './request.js';

/**
 * The form.
 * @param {any} binding
 * @param {{listen: string[], types: {name: string, text: string}[]}} listing
 * @param {import('./console.js').Context} context
 */
export function tryForm(binding, listing, context) {
    const { params } = binding;
    const parts = {
        method: methodInput(binding), rest: restInput(binding), body: bodyInput(binding, params),
        query: h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'name=value&…' }),
        fields: h('textarea', { rows: 2, spellcheck: 'false', placeholder: 'Name: value' }),
    };
    const plain = h('input', { type: 'checkbox' });
    const inputs = h('div.params');
    const curl = h('span');
    const result = h('div.result');
    const types = new Map(listing.types.map((type) => [type.name, type.text]));
    let controls = [];

    function place(before = new Map()) {
        controls = params.map((param) => paramControl(param, types, plain.checked, before.get(param.name) ?? null));
        fill(inputs, controls.map((control) => control.element));
    }
    const given = () => ({
        method: parts.method.value, rest: parts.rest?.value ?? '', body: parts.body?.value ?? '',
        query: parts.query.value, fields: parts.fields.value,
        values: new Map(controls.map((control) => [control.name, control.read()]).filter(([, texts]) => texts)),
    });
    const line = () => curlLine(buildRequest(binding, given(), types), listing.listen[0] ?? 'http://127.0.0.1:8080');
    const follow = () => fill(curl, line());
    plain.addEventListener('change', () => {
        place(given().values);
        follow();
    });
    place();
    follow();

    const send = h('button.primary', { type: 'submit', 'aria-keyshortcuts': 'Control+Enter' }, 'Send');
    async function submit(event) {
        event.preventDefault();
        if (!plain.checked && !checkAll(controls, parts.body, binding)) return;
        send.disabled = true;
        const request = buildRequest(binding, given(), types);
        await adoptAnswer(result, () => context.api.try(request, context.signal), context.signal);
        send.disabled = false;
    }
    const title = freshID('try');
    return h('section.panel', { 'aria-labelledby': title }, h('h2', { id: title }, 'Try it'),
        h('form', { novalidate: true, 'aria-labelledby': title, on: { submit, input: follow, change: follow } },
            parts.method.length > 1 && labelled('Method', parts.method),
            parts.rest && labelled('Rest of the path', parts.rest), inputs,
            parts.body && bodyField(parts.body, binding), more(parts, plain), curlView(curl, line),
            h('p.row', null, send, h('span.dim.hint', null, 'Ctrl + Enter sends, too'))),
        result);
}

function more(parts, plain) {
    return h('details.more-inputs', null, h('summary', null, 'More'),
        labelled('Further query parameters', parts.query), labelled('Header fields, one a line', parts.fields),
        h('label.box', null, plain, ' Send values as plain text, unchecked by the page'));
}

/** Methods that a binding for any of them is asked with. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function methodInput(binding) {
    const methods = binding.methods.includes('ANY') ? usualMethods : binding.methods;
    return h('select', null, methods.map((method) => h('option', { value: method }, method)));
}

function restInput(binding) {
    if (!binding.path.endsWith('**')) return null;
    return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'fruits/1' });
}

/** None where parameters make the body, and where there is none. */
function bodyInput(binding, params) {
    if (params.some((param) => param.in === 'body')) return null;
    if (!binding.body && !binding.methods.includes('ANY')) return null;
    const kind = binding.body?.kind ?? 'any';
    const first = binding.body?.sample ?? '';
    return h('textarea.mono', { rows: 3, spellcheck: 'false', value: kind === 'json' ? pretty(first) : first,
        placeholder: kind === 'multipart' ? 'name=value, one a line' : '' });
}

function bodyField(input, binding) {
    const id = freshID('body');
    input.id = id;
    input.rows = Math.min(14, Math.max(3, input.value.split('\n').length));
    const message = h('p.wrong', { id: `${id}-message`, hidden: true });
    return h('div.param', null, h('label', { for: id }, h('span.name', null, 'Body'),
        binding.body && h('code.dim', null, binding.body.type ?? binding.body.kind)), input, message);
}

/** Says beside each input what is wrong, and goes to the first. */
function checkAll(controls, body, binding) {
    const wrong = controls.filter((control) => !control.check());
    const fault = body && binding.body?.kind === 'json' ? jsonFault(body.value) : '';
    if (body) tellBody(body, fault);
    if (wrong.length) wrong[0].focus();
    else if (fault) body.focus();
    return !wrong.length && !fault;
}

function tellBody(body, fault) {
    const message = document.getElementById(`${body.id}-message`);
    fill(message, fault);
    message.hidden = !fault;
    body.setAttribute('aria-invalid', String(Boolean(fault)));
    body.setAttribute('aria-describedby', message.id);
}
