// Panels that stay while what they show changes: the focus, a selection and a text that somebody reads are kept.

/**
 * @template Item
 * @typedef {{element: HTMLElement, update: (item: Item) => void}} Panel
 */

/**
 * A list of panels in the order of their items.
 * @template Item
 * @param {HTMLElement} place
 * @param {(item: Item) => string} key what an item is known by
 * @param {(item: Item) => Panel<Item>} make
 * @param {() => HTMLElement} nothing what stands there while there is no item
 * @returns {(items: Item[]) => void} shows these: new ones are made, those that are gone are removed
 */
export function panelList(place, key, make, nothing) {
    /** @type {Map<string, Panel<Item>>} */
    let shown = new Map();
    let none = null;
    return (items) => {
        const next = new Map();
        for (const item of items) {
            const name = uniqueName(key(item), next);
            const panel = shown.get(name) ?? make(item);
            panel.update(item);
            next.set(name, panel);
        }
        for (const [name, panel] of shown) if (!next.has(name)) panel.element.remove();
        none?.remove();
        none = items.length ? null : nothing();
        if (none) place.append(none);
        keepOrder(place, [...next.values()].map((panel) => panel.element));
        shown = next;
    };
}

function uniqueName(name, taken) {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
    return free;
}

/**
 * Puts elements in order; those that are in their places are not moved, and keep the focus.
 * @param {Element} place
 * @param {Iterable<Element>} elements
 */
export function keepOrder(place, elements) {
    let next = place.firstElementChild;
    for (const element of elements) {
        if (element === next) next = next.nextElementSibling;
        else place.insertBefore(element, next);
    }
}

/** Changes a text where it differs: what is put there again is read out again. */
export function tell(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
