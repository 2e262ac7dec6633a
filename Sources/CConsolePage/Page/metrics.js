// The daemon's metrics as a scraper reads them (Prometheus text format 0.0.4), and the figures of two of them.

/** @typedef {{labels: Record<string, string>, value: number}} Sample */
/** @typedef {Map<string, Sample[]>} Metrics */

/** What the page draws; everything else is passed over unread. */
const wanted = new Set([
    'sluice_requests_total', 'sluice_problems_total', 'sluice_request_duration_seconds_bucket',
    'sluice_cache_requests_total', 'sluice_cache_entries', 'sluice_cache_memory_bytes',
    'sluice_cache_memory_limit_bytes', 'sluice_exchanges', 'sluice_client_connections', 'sluice_bindings',
    'sluice_upstream_attempts_total', 'sluice_upstream_attempt_duration_seconds_bucket',
    'sluice_upstream_connections', 'sluice_upstream_waiting_requests', 'sluice_type_faults_total', 'sluice_build_info',
    'sluice_start_time_seconds', 'sluice_credential_sign_in_needed', 'sluice_credential_failing',
    'sluice_endpoint_loops', 'sluice_endpoint_loops_well',
]);

/**
 * Reads a page of metrics.
 * @param {string} text
 * @returns {Metrics}
 */
export function parseMetrics(text) {
    const metrics = new Map();
    for (const line of text.split('\n')) {
        if (line === '' || line.startsWith('#')) continue;
        const brace = line.indexOf('{');
        const end = brace < 0 ? line.indexOf(' ') : brace;
        const name = line.slice(0, end);
        if (!wanted.has(name)) continue;
        const close = brace < 0 ? end : line.lastIndexOf('}') + 1;
        const value = Number(line.slice(close).trim().split(' ')[0].replace('+Inf', 'Infinity'));
        const samples = metrics.get(name) ?? [];
        samples.push({ labels: brace < 0 ? {} : parseLabels(line.slice(brace + 1, close - 1)), value });
        metrics.set(name, samples);
    }
    return metrics;
}

function parseLabels(text) {
    const labels = {};
    for (const [, name, value] of text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
        labels[name] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
    }
    return labels;
}

/**
 * The sum of a metric over all its labels.
 * @param {Metrics} metrics
 * @param {string} name
 * @param {(labels: Record<string, string>) => boolean} [chosen]
 * @returns {number | null} null where there is none
 */
export function total(metrics, name, chosen = () => true) {
    const samples = metrics.get(name)?.filter((sample) => chosen(sample.labels));
    return samples?.length ? samples.reduce((sum, sample) => sum + sample.value, 0) : null;
}

/**
 * Counters of one binding, or of all.
 * @typedef {object} Totals
 * @property {number} requests
 * @property {number} errors answers with a 5xx status
 * @property {number} hits
 * @property {number} lookups
 * @property {Map<number, number>} buckets how many took at most so many seconds
 */

/** @returns {Totals} */
export function noTotals() {
    return { requests: 0, errors: 0, hits: 0, lookups: 0, buckets: new Map() };
}

/**
 * Counters by binding.
 * @param {Metrics} metrics
 * @returns {Map<string, Totals>}
 */
export function bindingTotals(metrics) {
    const all = new Map();
    const of = (labels) => {
        if (!all.has(labels.binding)) all.set(labels.binding, noTotals());
        return all.get(labels.binding);
    };
    for (const { labels, value } of metrics.get('sluice_requests_total') ?? []) {
        const totals = of(labels);
        totals.requests += value;
        if (labels.status === '5xx') totals.errors += value;
    }
    for (const { labels, value } of metrics.get('sluice_cache_requests_total') ?? []) {
        // A collapsed request is counted under its reason, too.
        if (labels.outcome === 'collapsed') continue;
        const totals = of(labels);
        totals.lookups += value;
        if (labels.outcome === 'hit') totals.hits += value;
    }
    for (const { labels, value } of metrics.get('sluice_request_duration_seconds_bucket') ?? []) {
        addBucket(of(labels), labels, value);
    }
    return all;
}

/**
 * Counters by upstream: attempts, those that brought no answer below 500, and their times.
 * @param {Metrics} metrics
 * @returns {Map<string, Totals>}
 */
export function upstreamTotals(metrics) {
    const all = new Map();
    const of = (labels) => {
        if (!all.has(labels.upstream)) all.set(labels.upstream, noTotals());
        return all.get(labels.upstream);
    };
    for (const { labels, value } of metrics.get('sluice_upstream_attempts_total') ?? []) {
        const totals = of(labels);
        totals.requests += value;
        if (!/^[1-4]xx$/.test(labels.outcome)) totals.errors += value;
    }
    for (const { labels, value } of metrics.get('sluice_upstream_attempt_duration_seconds_bucket') ?? []) {
        addBucket(of(labels), labels, value);
    }
    return all;
}

function addBucket(totals, labels, value) {
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
    totals.buckets.set(bound, (totals.buckets.get(bound) ?? 0) + value);
}

/**
 * Adds counters up.
 * @param {Iterable<Totals>} parts
 * @returns {Totals}
 */
export function sum(parts) {
    const whole = noTotals();
    for (const part of parts) {
        for (const name of ['requests', 'errors', 'hits', 'lookups']) whole[name] += part[name];
        for (const [bound, value] of part.buckets) whole.buckets.set(bound, (whole.buckets.get(bound) ?? 0) + value);
    }
    return whole;
}

/**
 * What happened in an interval.
 * @typedef {object} Figures
 * @property {number} rate requests in a second
 * @property {number | null} errors from 0 to 1; null where nothing was asked
 * @property {number | null} hits from 0 to 1; null where no cache was asked
 * @property {number | null} p50 milliseconds
 * @property {number | null} p99 milliseconds
 */

/**
 * The difference of counters.
 * @param {Totals} before
 * @param {Totals} after
 * @param {number} seconds between them
 * @returns {Figures}
 */
export function figures(before, after, seconds) {
    const requests = Math.max(0, after.requests - before.requests);
    const lookups = Math.max(0, after.lookups - before.lookups);
    const counts = new Map([...after.buckets].map(([bound, value]) =>
        [bound, value - (before.buckets.get(bound) ?? 0)]));
    return {
        rate: requests / seconds,
        errors: requests ? Math.max(0, after.errors - before.errors) / requests : null,
        hits: lookups ? Math.max(0, after.hits - before.hits) / lookups : null,
        p50: scaled(quantile(0.5, counts)),
        p99: scaled(quantile(0.99, counts)),
    };
}

const scaled = (seconds) => (seconds === null ? null : seconds * 1000);

/**
 * A quantile of a histogram, between the bounds of its bucket in a straight line, as Prometheus' `histogram_quantile`
 * does it.
 * @param {number} share from 0 to 1
 * @param {Map<number, number>} cumulative counts by upper bound in seconds
 * @returns {number | null} seconds; null where nothing was measured
 */
export function quantile(share, cumulative) {
    const bounds = [...cumulative.keys()].sort((one, other) => one - other);
    const all = bounds.length ? cumulative.get(bounds[bounds.length - 1]) ?? 0 : 0;
    if (all <= 0) return null;
    const rank = share * all;
    let below = 0;
    let lower = 0;
    for (const bound of bounds) {
        const inside = cumulative.get(bound) ?? 0;
        if (inside >= rank && inside > below) {
            return bound === Infinity ? lower : lower + (bound - lower) * ((rank - below) / (inside - below));
        }
        [below, lower] = [inside, bound];
    }
    return lower;
}
