// Figures and times as people read them.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});

/** What stands where there is no figure. */
export const nothing = '–';

/** @param {number | null | undefined} value @returns {string} */
export function count(value) {
    return value === null || value === undefined ? nothing : whole.format(value);
}

/** Three digits that matter. @param {number} value */
function short(value) {
    if (value === 0) return '0';
    if (value >= 100) return whole.format(value);
    return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

/** @param {number | null | undefined} value requests in a second */
export function rate(value) {
    return value === null || value === undefined ? nothing : `${short(value)}/s`;
}

/** @param {number | null | undefined} value from 0 to 1 */
export function percent(value) {
    if (value === null || value === undefined) return nothing;
    const hundredths = value * 100;
    return `${hundredths > 0 && hundredths < 10 ? Number(hundredths.toFixed(1)) : Math.round(hundredths)} %`;
}

/** @param {number | null | undefined} value */
export function milliseconds(value) {
    if (value === null || value === undefined) return nothing;
    if (value < 1) return `${Number(value.toFixed(2))} ms`;
    return value < 1000 ? `${short(value)} ms` : seconds(value / 1000);
}

/** @param {number | null | undefined} value */
export function seconds(value) {
    if (value === null || value === undefined) return nothing;
    if (value < 60) return `${short(value)} s`;
    if (value < 3600) return `${Math.floor(value / 60)} min`;
    const hours = Math.floor(value / 3600);
    return hours < 48 ? `${hours} h ${Math.floor((value % 3600) / 60)} min` : `${Math.floor(hours / 24)} days`;
}

/** @param {number | null | undefined} value */
export function bytes(value) {
    if (value === null || value === undefined) return nothing;
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let step = 0;
    let rest = value;
    while (rest >= 1024 && step < units.length - 1) {
        rest /= 1024;
        step += 1;
    }
    return `${short(rest)} ${units[step]}`;
}

/** Time of day. @param {number} value seconds since 1970 */
export function timeOfDay(value) {
    return clock.format(new Date(value * 1000));
}

/** @param {number | null | undefined} value seconds since 1970 */
export function moment(value) {
    return value === null || value === undefined ? nothing : dayAndClock.format(new Date(value * 1000));
}

/**
 * How long ago, or how long until.
 * @param {number | null | undefined} value seconds since 1970
 * @param {number} [now] seconds since 1970
 */
export function relative(value, now = Date.now() / 1000) {
    if (value === null || value === undefined) return nothing;
    const distance = Math.round(now - value);
    if (Math.abs(distance) < 2) return 'now';
    return distance > 0 ? `${seconds(distance)} ago` : `in ${seconds(-distance)}`;
}

/** `1 answer`, `2 answers`. @param {number} number @param {string} one @param {string} [many] */
export function plural(number, one, many = `${one}s`) {
    return `${count(number)} ${number === 1 ? one : many}`;
}
