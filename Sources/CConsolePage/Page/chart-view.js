// Charts on the page: SVG from the geometry of charts.js.

import { areaPath, describe, dotsPath, indexAt, largest, linePath, niceCeiling, points, roomFor } from './charts.js';
import { fill, h, s } from './dom.js';
import { nothing, timeOfDay } from './format.js';
import { History } from './history.js';

/** Of so many figures, how many have place. @param {number} count */
const roomOf = (count) => roomFor(count, History.intervalsMax);
const box = { width: 320, height: 96, top: 8, bottom: 1 };
const small = { width: 100, height: 22, top: 2, bottom: 1 };

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {string} look class of the line
 * @property {() => (number | null)[]} values
 */

/**
 * A tile with a figure and how it came about over the last minutes. Arrow keys and the pointer read single figures.
 * @param {object} chart
 * @param {string} chart.name
 * @param {string} chart.hint
 * @param {Line[]} chart.lines the first one has an area
 * @param {() => string} chart.figure
 * @param {(value: number | null) => string} chart.format
 * @param {() => number[]} chart.times
 * @param {number} [chart.ceiling] where the top is always the same
 */
export function chartTile(chart) {
    const figure = h('p.figure');
    const top = h('span.tick');
    const readout = h('p.readout');
    const cursor = s('line', { class: 'cursor', y1: 0, y2: box.height, x1: -9, x2: -9 });
    const lines = chart.lines.map((line) => s('path', { class: `line ${line.look}` }));
    const dots = chart.lines.map((line) => s('path', { class: `dots ${line.look}` }));
    const area = s('path', { class: `area ${chart.lines[0].look}` });
    const picture = s('svg', {
        class: 'chart', viewBox: `0 0 ${box.width} ${box.height}`, preserveAspectRatio: 'none', role: 'img',
        tabindex: 0,
    }, s('line', { class: 'ground', x1: 0, x2: box.width, y1: box.height - 0.5, y2: box.height - 0.5 }),
    s('line', { class: 'grid', x1: 0, x2: box.width, y1: box.top, y2: box.top }), area, lines, dots, cursor);
    let chosen = null;

    function read() {
        const times = chart.times();
        const known = chosen !== null && chosen < times.length;
        const step = box.width / (roomOf(times.length) - 1);
        const x = known ? box.width - step * (times.length - 1 - chosen) : -9;
        cursor.setAttribute('x1', x);
        cursor.setAttribute('x2', x);
        const key = (line) => h(`span.key.${line.look}`, null, chart.lines.length > 1 && line.name, ' ',
            known && chart.format(line.values()[chosen]));
        const words = known ? [timeOfDay(times[chosen] / 1000), ...chart.lines.map(key)]
            : chart.lines.length > 1 ? chart.lines.map(key) : [chart.hint];
        // What is put there again is read out again.
        if (words.map((one) => one.textContent ?? one).join('') !== readout.textContent) fill(readout, words);
    }

    // Who reads with arrow keys hears the figures; those of the pointer are seen.
    picture.addEventListener('focus', () => readout.setAttribute('aria-live', 'polite'));
    picture.addEventListener('blur', () => readout.removeAttribute('aria-live'));
    listen(picture, () => chart.times().length, () => chosen, (index) => {
        chosen = index;
        read();
    });

    function update() {
        const all = chart.lines.map((line) => line.values());
        const ceiling = chart.ceiling ?? niceCeiling(largest(all));
        const drawn = all.map((values) => points(values, box, ceiling, roomOf(values.length)));
        drawn.forEach((one, index) => {
            lines[index].setAttribute('d', linePath(one));
            dots[index].setAttribute('d', dotsPath(one));
        });
        area.setAttribute('d', areaPath(drawn[0], box.height));
        const words = chart.lines.map((line, index) =>
            describe(`${chart.name} ${line.name}`.trim(), all[index], chart.format));
        picture.setAttribute('aria-label', words.join('; '));
        fill(figure, chart.figure());
        fill(top, all.some((values) => values.some((value) => value !== null)) ? chart.format(ceiling) : nothing);
        read();
    }
    update();
    const element = h('section.tile', { 'aria-label': chart.name },
        h('header', null, h('h2', null, chart.name), figure), h('div.plot', null, top, picture), readout);
    return { element, update };
}

/** Pointer and arrow keys choose a figure. */
function listen(picture, count, chosen, choose) {
    const last = () => (count() ? count() - 1 : null);
    picture.addEventListener('pointermove', (event) => {
        const { left, width } = picture.getBoundingClientRect();
        choose(indexAt((event.clientX - left) / width, count(), roomOf(count())));
    });
    for (const end of ['pointerleave', 'blur']) picture.addEventListener(end, () => choose(null));
    picture.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step || !count()) return;
        event.preventDefault();
        const now = chosen();
        choose(now === null ? last() : Math.min(count() - 1, Math.max(0, now + step)));
    });
}

/**
 * A small line without words, beside the figure that has them.
 * @param {(number | null)[]} values
 * @param {string} [look]
 */
export function sparkline(values, look = 'a') {
    const drawn = points(values, small, niceCeiling(largest([values])), roomOf(values.length));
    return s('svg', {
        class: 'spark', viewBox: `0 0 ${small.width} ${small.height}`, preserveAspectRatio: 'none',
        'aria-hidden': 'true',
    }, s('path', { class: `area ${look}`, d: areaPath(drawn, small.height) }),
    s('path', { class: `line ${look}`, d: linePath(drawn) }));
}
