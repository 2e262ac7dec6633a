// Geometry of charts: pure functions from figures to paths.

/** @typedef {{width: number, height: number, top: number, bottom: number}} Box */
/** @typedef {[number, number] | null} Point null where there is no figure */

/**
 * The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below a value.
 * @param {number} value
 * @returns {number}
 */
export function niceCeiling(value) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * 0.999999) ?? 10;
    return step * power;
}

/**
 * Where figures lie in a box: the latest at its right side, `room` of them over its width.
 * @param {(number | null)[]} values
 * @param {Box} box
 * @param {number} ceiling the figure at the top
 * @param {number} room how many figures have place
 * @returns {Point[]}
 */
export function points(values, box, ceiling, room) {
    const step = box.width / Math.max(1, room - 1);
    const begin = box.width - step * (values.length - 1);
    const span = box.height - box.top - box.bottom;
    return values.map((value, index) => {
        if (value === null || !Number.isFinite(value)) return null;
        const share = Math.min(1, Math.max(0, value / ceiling));
        return [rounded(begin + step * index), rounded(box.height - box.bottom - share * span)];
    });
}

const rounded = (value) => Math.round(value * 10) / 10;

/** Points that follow each other without a gap. @param {Point[]} all @returns {[number, number][][]} */
export function runs(all) {
    const found = [];
    let run = [];
    for (const point of [...all, null]) {
        if (point) {
            run.push(point);
        } else if (run.length) {
            found.push(run);
            run = [];
        }
    }
    return found;
}

/**
 * A line through the points, with gaps.
 * @param {Point[]} all
 * @returns {string}
 */
export function linePath(all) {
    const lines = runs(all).filter((run) => run.length > 1);
    return lines.map((run) => `M${run.map((one) => one.join(' ')).join('L')}`).join('');
}

/**
 * Figures that stand alone, which no line goes through: strokes without a length, for round ends to show.
 * @param {Point[]} all
 * @returns {string}
 */
export function dotsPath(all) {
    return runs(all).filter((run) => run.length === 1).map(([[x, y]]) => `M${x} ${y}h0`).join('');
}

/**
 * What lies below the line.
 * @param {Point[]} all
 * @param {number} ground
 * @returns {string}
 */
export function areaPath(all, ground) {
    return runs(all).filter((run) => run.length > 1).map((run) => {
        const [first] = run[0];
        const [last] = run[run.length - 1];
        return `M${first} ${ground}L${run.map((one) => one.join(' ')).join('L')}L${last} ${ground}Z`;
    }).join('');
}

/**
 * Which figure a place in the box belongs to.
 * @param {number} share of the width, from 0 to 1
 * @param {number} count of figures
 * @param {number} room
 * @returns {number | null} null before the first
 */
export function indexAt(share, count, room) {
    const index = Math.round(share * (room - 1)) - (room - count);
    return index >= 0 && index < count ? index : null;
}

/**
 * How many figures have place: a chart begins with a part of its span and grows, so that the first ones are seen.
 * @param {number} count
 * @param {number} most
 * @returns {number}
 */
export function roomFor(count, most) {
    return Math.min(most, Math.max(30, count));
}

/** The largest of all figures. @param {(number | null)[][]} all @returns {number} */
export function largest(all) {
    let most = 0;
    for (const values of all) for (const value of values) if (value !== null && value > most) most = value;
    return most;
}

/**
 * A chart in words, for those who do not see it.
 * @param {string} name
 * @param {(number | null)[]} values
 * @param {(value: number | null) => string} format
 * @returns {string}
 */
export function describe(name, values, format) {
    const known = /** @type {number[]} */ (values.filter((value) => value !== null));
    if (!known.length) return `${name}: no figures yet`;
    const [low, high] = known.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, 0]);
    return `${name}: ${format(known[known.length - 1])} now, from ${format(low)} to ${format(high)}`;
}
