// Inputs for parameters, by their types: numbers with bounds, sets to choose from, dates, lists.

import { freshID, fill, h } from './dom.js';
import { integerBounds, parseType, rangeOf, resolved } from './types.js';

/**
 * @typedef {object} Control
 * @property {string} name of the parameter
 * @property {HTMLElement} element with label and message
 * @property {() => string[] | null} read the texts to send; null is: left out
 * @property {() => boolean} check says beside the input what is wrong with it
 * @property {() => void} focus
 */

/**
 * The input of one parameter.
 * @param {any} param as `/api/bindings` tells it
 * @param {Map<string, string>} types the page's own, by name
 * @param {boolean} isPlain as text, so that anything can be sent
 * @param {string[] | null} [before] texts that it begins with; its sample where there are none
 * @returns {Control}
 */
export function paramControl(param, types, isPlain, before = null) {
    const type = resolved(parseType(param.type), types);
    const id = freshID('param');
    const texts = before ?? (param.required && param.sample !== null && param.sample !== undefined
        ? [].concat(param.sample).map(String) : []);
    const part = isPlain ? plainPart(param, type, id, texts) : typedPart(param, type, id, texts);
    const message = h('p.wrong', { id: `${id}-message`, hidden: true });
    const marks = [
        param.required && h('span.required', { title: 'required' }, '*', h('span.unseen', null, ' required')),
        h('code.dim', { id: `${id}-type` }, param.type), h('span.dim', null, param.in),
    ];
    const element = part.group
        ? h('fieldset.param', null, h('legend', null, h('span.name', null, param.name), marks), part.element, message)
        : h('div.param', null, h('label', { for: id }, h('span.name', null, param.name), marks), part.element, message);
    return {
        name: param.name, element, read: part.read, focus: () => part.input.focus(),
        check: () => tell(part, message, part.wrong?.() ?? ''),
    };
}

function tell(part, message, wrong) {
    const text = wrong || part.input.validationMessage;
    message.hidden = !text;
    fill(message, text);
    part.input.setAttribute('aria-invalid', String(Boolean(text)));
    if (text) part.input.setAttribute('aria-describedby', message.id);
    return !text;
}

/** @typedef {{element: any, input: any, read: () => string[] | null, wrong?: () => string, group?: boolean}} Part */

/** @returns {Part} */
function plainPart(param, type, id, texts) {
    if (type.kind === 'array') return linesPart(param, id, texts, 'One text a line');
    const input = h('input', { id, type: 'text', value: texts[0] ?? '', autocomplete: 'off', spellcheck: 'false',
        placeholder: defaultText(param) });
    return textPart(input, param);
}

/** @returns {Part} */
function typedPart(param, type, id, texts) {
    if (type.kind === 'array' && closed(type.element)) return choicesPart(param, type.element.values, texts);
    if (type.kind === 'array') return linesPart(param, id, texts, `One ${type.element.name ?? 'value'} a line`);
    if (type.kind === 'values' || param.values) {
        const values = (param.values ?? type.values).map(String);
        return type.isOpen ? openPart(param, values, id, texts) : choicePart(param, values, id, texts);
    }
    if (type.kind !== 'scalar') return jsonPart(param, id, texts);
    if (type.name === 'Bool') return boolPart(param, id, texts);
    if (type.name === 'JSON') return jsonPart(param, id, texts);
    return scalarPart(param, type, id, texts);
}

const closed = (type) => type.kind === 'values' && !type.isOpen;

/** What is shown where nothing is chosen. */
function defaultText(param) {
    return param.default === null || param.default === undefined ? '' : String(param.default);
}

function absentOption(param) {
    const fallback = defaultText(param);
    return h('option', { value: '' }, fallback ? `default: ${fallback}` : 'left out');
}

function textPart(input, param, wrong) {
    if (param.required) input.required = true;
    return { element: input, input, wrong, read: () => (input.value === '' && !param.required ? null : [input.value]) };
}

function choicePart(param, values, id, texts) {
    const input = h('select', { id }, !param.required && absentOption(param),
        values.map((value) => h('option', { value }, value)));
    if (texts.length) input.value = texts[0];
    return { element: input, input, read: () => (input.value === '' && !param.required ? null : [input.value]) };
}

function openPart(param, values, id, texts) {
    const list = h('datalist', { id: `${id}-values` }, values.map((value) => h('option', { value })));
    const input = h('input', { id, type: 'text', list: list.id, value: texts[0] ?? '', autocomplete: 'off',
        placeholder: defaultText(param) || values.join(', ') });
    const part = textPart(input, param);
    return { ...part, element: h('div', null, input, list) };
}

/** Several of a set. */
function choicesPart(param, values, texts) {
    const boxes = values.map((value) => h('input', { type: 'checkbox', value, checked: texts.includes(value) }));
    const element = h('div.row.boxes', null, boxes.map((box, index) => h('label.box', null, box, values[index])));
    return { element, input: boxes[0], group: true, read() {
        const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
        return chosen.length ? chosen : null;
    } };
}

/** A box has two states: what may also be left out has three, and is a choice. */
function boolPart(param, id, texts) {
    const fallback = param.default === null || param.default === undefined ? null : String(param.default);
    if (!param.required && fallback === null) return choicePart(param, ['true', 'false'], id, texts);
    const first = texts[0] ?? fallback ?? 'false';
    const input = h('input', { id, type: 'checkbox', checked: first === 'true' });
    return { element: h('div', null, input), input, read() {
        const text = String(input.checked);
        return !param.required && text === fallback ? null : [text];
    } };
}

function linesPart(param, id, texts, hint) {
    const input = h('textarea', { id, rows: 2, spellcheck: 'false', placeholder: hint }, texts.join('\n'));
    return { element: input, input, read() {
        const lines = input.value.split('\n').map((line) => line.trim()).filter((line) => line !== '');
        return lines.length ? lines : null;
    } };
}

function jsonPart(param, id, texts) {
    const input = h('textarea', { id, rows: 3, spellcheck: 'false', placeholder: 'JSON' }, texts[0] ?? '');
    return textPart(input, param, () => jsonFault(input.value));
}

/** What keeps a text from being JSON. @param {string} text */
export function jsonFault(text) {
    if (text.trim() === '') return '';
    try {
        JSON.parse(text);
        return '';
    } catch (error) {
        return `This is no JSON: ${error instanceof Error ? error.message : error}`;
    }
}

function scalarPart(param, type, id, texts) {
    const attributes = { id, value: texts[0] ?? '', autocomplete: 'off', placeholder: defaultText(param) };
    const { min, max, isBelow } = rangeOf(type.limits);
    const bounds = integerBounds[type.name];
    if (bounds) {
        const ends = { min: min ?? bounds[0], max: max ?? bounds[1] };
        const input = h('input', { ...attributes, type: 'number', step: 1, ...ends });
        return textPart(input, param, () =>
            (isBelow ? aboveFault(input, max) : ''));
    }
    if (type.name === 'Double' || type.name === 'Decimal') {
        const input = h('input', { ...attributes, type: 'number', step: 'any', min, max });
        return textPart(input, param, () => (isBelow ? aboveFault(input, max) : ''));
    }
    if (type.name === 'Date') return datePart(param, type, attributes);
    return textPart(h('input', { ...attributes, ...textLimits(type, min, max), spellcheck: 'false' }), param);
}

/** Inputs know no end that is itself left out. */
function aboveFault(input, end) {
    return input.value !== '' && Number(input.value) >= Number(end) ? `Value must be less than ${end}.` : '';
}

function datePart(param, type, attributes) {
    if (type.limits?.includes('seconds')) {
        return textPart(h('input', { ...attributes, type: 'number', step: 1 }), param);
    }
    if (type.limits === 'local') {
        return textPart(h('input', { ...attributes, type: 'datetime-local', step: 1 }), param);
    }
    return textPart(h('input', { ...attributes, type: 'date', value: attributes.value.slice(0, 10) }), param);
}

function textLimits(type, min, max) {
    if (type.name === 'URL') return { type: 'url' };
    const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
    if (type.name === 'UUID') return { type: 'text', pattern: uuid, title: 'A UUID' };
    const source = /\/(.*)\/\s*$/s.exec(type.limits ?? '')?.[1];
    return { type: 'text', minlength: min, maxlength: max, ...(source && patternLimit(source)) };
}

/** A pattern of the gateway is found anywhere; that of an input is the whole. */
function patternLimit(source) {
    const pattern = `[\\s\\S]*(?:${source})[\\s\\S]*`;
    try {
        RegExp(pattern, 'v');
        return { pattern, title: `Has to match ${source}` };
    } catch {
        return {};
    }
}
