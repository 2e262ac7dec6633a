// Elements without markup in strings: what comes from an API is only ever text.

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Makes an HTML element.
 * @param {string} tag the name, with classes behind dots: `p.note.wide`
 * @param {Record<string, unknown> | null} [attributes] `on` has listeners by event; null and false are left out
 * @param {...unknown} children nodes, text, lists of them; null and false are left out
 * @returns {any} the element
 */
export function h(tag, attributes, ...children) {
    const [name, ...classes] = tag.split('.');
    const element = document.createElement(name);
    if (classes.length) element.className = classes.join(' ');
    return furnish(element, attributes, children);
}

/**
 * Makes an SVG element. There is no `style` attribute here: the page's policy would refuse it.
 * @param {string} tag
 * @param {Record<string, unknown> | null} [attributes]
 * @param {...unknown} children
 * @returns {any}
 */
export function s(tag, attributes, ...children) {
    return furnish(document.createElementNS(svgNamespace, tag), attributes, children);
}

function furnish(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
    append(element, children);
    return element;
}

function set(element, name, value) {
    if (value === null || value === undefined || value === false) return;
    if (name === 'on') {
        for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === 'value' || name === 'checked') {
        element[name] = value;
    } else {
        element.setAttribute(name, value === true ? '' : String(value));
    }
}

/**
 * Appends nodes and text.
 * @param {Element | DocumentFragment} parent
 * @param {unknown} children
 */
export function append(parent, children) {
    if (children === null || children === undefined || children === false) return;
    if (Array.isArray(children)) {
        for (const child of children) append(parent, child);
    } else {
        parent.append(children instanceof Node ? children : String(children));
    }
}

/**
 * Puts other children into an element.
 * @param {Element} parent
 * @param {...unknown} children
 */
export function fill(parent, ...children) {
    parent.replaceChildren();
    append(parent, children);
}

let identities = 0;

/** An id that no other element of this page has. @param {string} stem */
export function freshID(stem) {
    identities += 1;
    return `${stem}-${identities}`;
}
