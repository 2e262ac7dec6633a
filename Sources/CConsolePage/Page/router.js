// Addresses of the page's sections: `#/bindings/GET%20%2Ffruits?try`.

/**
 * @typedef {object} Place
 * @property {string} section empty for the overview
 * @property {string | null} item
 * @property {URLSearchParams} query
 */

/**
 * Reads an address. Other fragments than those of sections are none of ours.
 * @param {string} hash
 * @returns {Place}
 */
export function readPlace(hash) {
    const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
    const [section, ...rest] = path.split('/');
    return { section, item: rest.length ? decoded(rest.join('/')) : null, query: new URLSearchParams(query) };
}

/**
 * The address of a place.
 * @param {string} section
 * @param {string | null} [item]
 * @param {Record<string, string>} [query]
 */
export function address(section, item = null, query = {}) {
    const tail = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
    return `#/${section}${item === null ? '' : `/${encodeURIComponent(item)}`}${tail ? `?${tail}` : ''}`;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
