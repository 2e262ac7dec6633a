// The last minutes of figures: what the page has seen itself, since it was opened.

import { bindingTotals, figures, noTotals, sum, total, upstreamTotals } from './metrics.js';

/**
 * @typedef {object} Interval
 * @property {number} at when it ended, in milliseconds since 1970
 * @property {import('./metrics.js').Figures} all
 * @property {Map<string, import('./metrics.js').Figures>} bindings those that were asked for
 * @property {Map<string, import('./metrics.js').Figures>} upstreams
 */

/** Figures of the last intervals, made of differences of counters. */
export class History {
    /** Intervals that are kept: five minutes at two seconds. */
    static intervalsMax = 150;

    constructor() {
        /** @type {Interval[]} */
        this.intervals = [];
        /** @type {import('./metrics.js').Metrics | null} the latest page */
        this.metrics = null;
        /** @type {Map<string, import('./metrics.js').Totals>} since the daemon began */
        this.totals = new Map();
        this.last = null;
    }

    /**
     * Takes a page of metrics.
     * @param {import('./metrics.js').Metrics} metrics
     * @param {number} now milliseconds since 1970
     */
    add(metrics, now) {
        const snapshot = {
            at: now, begun: total(metrics, 'sluice_start_time_seconds'), bindings: bindingTotals(metrics),
            upstreams: upstreamTotals(metrics),
        };
        // A daemon that was started anew counts from 0.
        if (this.last && this.last.begun === snapshot.begun && now > this.last.at) {
            this.intervals.push(interval(this.last, snapshot));
            if (this.intervals.length > History.intervalsMax) this.intervals.shift();
        }
        this.metrics = metrics;
        this.totals = snapshot.bindings;
        this.last = snapshot;
    }

    /**
     * One figure over time.
     * @param {(figures: import('./metrics.js').Figures) => number | null} pick
     * @param {string | null} [binding] of all where there is none
     * @returns {(number | null)[]}
     */
    series(pick, binding = null) {
        return this.intervals.map((interval) => {
            if (binding === null) return pick(interval.all);
            const own = interval.bindings.get(binding);
            return own ? pick(own) : pick(quiet);
        });
    }

    /** Figures of an upstream over time. @param {string} name @param {(figures: any) => number | null} pick */
    upstreamSeries(name, pick) {
        return this.intervals.map((interval) => pick(interval.upstreams.get(name) ?? quiet));
    }

    /** Times of all intervals, in milliseconds since 1970. */
    get times() {
        return this.intervals.map((interval) => interval.at);
    }

    /**
     * Figures of the last intervals together: one alone changes too fast to be read, and is often empty.
     * @param {string | null} [binding]
     * @param {number} [most] intervals
     * @returns {import('./metrics.js').Figures | null} null where nothing has been seen yet
     */
    recent(binding = null, most = 15) {
        const last = this.intervals.slice(-most);
        if (!last.length) return null;
        return mean(last.map((one) => (binding === null ? one.all : one.bindings.get(binding) ?? quiet)));
    }
}

/** @type {import('./metrics.js').Figures} */
const quiet = { rate: 0, errors: null, hits: null, p50: null, p99: null };

function interval(before, after) {
    const seconds = (after.at - before.at) / 1000;
    return {
        at: after.at,
        all: figures(sum(before.bindings.values()), sum(after.bindings.values()), seconds),
        bindings: differences(before.bindings, after.bindings, seconds),
        upstreams: differences(before.upstreams, after.upstreams, seconds),
    };
}

/** Of what was used alone: most bindings rest most of the time. */
function differences(before, after, seconds) {
    const all = new Map();
    for (const [name, totals] of after) {
        const earlier = before.get(name) ?? noTotals();
        if (totals.requests > earlier.requests) all.set(name, figures(earlier, totals, seconds));
    }
    return all;
}

/** Weighted by requests, except for the rate. */
function mean(all) {
    const rates = all.reduce((sum, one) => sum + one.rate, 0);
    const weighted = (name) => {
        const known = all.filter((one) => one[name] !== null);
        const weight = known.reduce((sum, one) => sum + one.rate, 0);
        return weight > 0 ? known.reduce((sum, one) => sum + one[name] * one.rate, 0) / weight : null;
    };
    return { rate: rates / all.length, errors: weighted('errors'), hits: weighted('hits'), p50: weighted('p50'),
        p99: weighted('p99') };
}
