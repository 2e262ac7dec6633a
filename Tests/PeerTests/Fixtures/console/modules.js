// The page's pure modules against tables: what goes in, what has to come out. The value is the list of differences.
(async () => {
    const [charts, json, metrics, request, types, history] = await Promise.all(
        ['charts', 'json-text', 'metrics', 'request', 'types', 'history'].map((name) => import(`/${name}.js`)));
    const wrong = [];
    let count = 0;
    const same = (what, got, wanted) => {
        count += 1;
        if (JSON.stringify(got) !== JSON.stringify(wanted)) {
            wrong.push(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
        }
    };

    // The notation of types
    const kinds = [
        ['Int(1...100)', { kind: 'scalar', name: 'Int', limits: '1...100' }],
        ['Int?', { kind: 'scalar', name: 'Int', isOptional: true }],
        ['red | green | …', { kind: 'values', values: ['red', 'green'], isOpen: true, isOptional: false }],
        ['"Red" | "1"', { kind: 'values', values: ['Red', '1'], isOpen: false, isOptional: false }],
        ['String | null', { kind: 'scalar', name: 'String', isOptional: true }],
        ['[Int](0...50)', { kind: 'array', element: { kind: 'scalar', name: 'Int' }, limits: '0...50' }],
        ['String(/^(a|b)\\)?$/, 1...4)', { kind: 'scalar', name: 'String', limits: '/^(a|b)\\)?$/, 1...4' }],
        ['Date(seconds) -> Date', { kind: 'scalar', name: 'Date' }],
        ['Int = 10', { kind: 'scalar', name: 'Int', fallback: '10' }],
        ['[String: Int]', { kind: 'dictionary', element: { kind: 'scalar', name: 'Int' } }],
        ['{a?: Int, "b c": Bool = true, "*": drop}', { kind: 'object', fields: [
            { name: 'a', type: { kind: 'scalar', name: 'Int', isOptional: true } },
            { name: 'b c', type: { kind: 'scalar', name: 'Bool', fallback: 'true' } }] }],
        ['{n: Int from meta.n = 0}', { kind: 'object', fields: [
            { name: 'n', type: { kind: 'scalar', name: 'Int', fallback: '0' } }] }],
        ['((', { kind: 'unknown' }],
    ];
    for (const [text, wanted] of kinds) same(`type ${text}`, types.parseType(text), wanted);
    const named = new Map([['Level', 'Percent'], ['Percent', 'Int(0...100)'], ['Loop', 'Loop']]);
    same('an alias of an alias', types.resolved(types.parseType('Level?'), named),
        { kind: 'scalar', name: 'Int', limits: '0...100', isOptional: true });
    same('an alias of itself', types.resolved(types.parseType('Loop'), named).name, 'Loop');
    for (const [text, min, max, isBelow] of [['1...100', '1', '100', false], ['0..<1', '0', '1', true], ['1...', '1', null, false],
        ['...9', null, '9', false], ['-5...-1', '-5', '-1', false], ['2', '2', '2', false], ['1e3...2e3', '1e3', '2e3', false],
        [undefined, null, null, false], ['/a...b/', null, null, false]]) {
        same(`range ${text}`, types.rangeOf(text), { min, max, isBelow });
    }
    same('names in a type', types.mentioned('[Fruit] | "Color" | Color2', ['Fruit', 'Color', 'Color2']), ['Fruit', 'Color2']);

    // Requests and lines of curl
    const param = (name, place, type, more) => ({ name, in: place, type, ...more });
    const given = { method: 'GET', values: new Map(), rest: '', body: '', fields: '', query: '' };
    const build = (binding, more) => request.buildRequest({ body: null, params: [], ...binding }, { ...given, ...more });
    same('a path', build({ path: '/a/{id}', params: [param('id', 'path', 'String')] }, { values: new Map([['id', ['x/y ?']]]) }).target,
        '/a/x%2Fy%20%3F');
    same('the rest of a path', build({ path: '/raw/**' }, { rest: '/a b/c%2Fd$&' }).target, '/raw/a%20b/c%2Fd%24%26');
    for (const [list, wanted] of [[undefined, '?c=r&c=g%2C'], ['comma', '?c=r,g%2C'], ['brackets', '?c[]=r&c[]=g%2C']]) {
        same(`a list, ${list}`, build({ path: '/', params: [param('c', 'query', '[String]', { list })] },
            { values: new Map([['c', ['r', 'g,']]]) }).target, `/${wanted}`);
    }
    same('further parameters', build({ path: '/' }, { query: '?a=b c' }).target, '/?a=b%20c');
    same('fields and cookies', build({ path: '/', params: [param('X-A', 'header', 'String'), param('s', 'cookie', 'String')] },
        { values: new Map([['X-A', ['1']], ['s', ['a b']]]), fields: 'Accept: text/plain\n\nno colon' }).fields,
    [['Accept', 'text/plain'], ['X-A', '1'], ['Cookie', 's=a%20b']]);
    same('a body of parameters', build({ path: '/', body: { kind: 'json' }, params: [param('n', 'body', 'Int64'),
        param('t', 'body', 'String'), param('l', 'body', '[Bool]'), param('e', 'body', 'a | b')] },
    { values: new Map([['n', ['9007199254740993']], ['t', ['1']], ['l', ['true', 'no']], ['e', ['a']]]) }).body,
    '{"n":9007199254740993,"t":"1","l":[true,"no"],"e":"a"}');
    same('a form', build({ path: '/', body: { kind: 'form' }, params: [param('a', 'body', 'String')] },
        { values: new Map([['a', ['x&y']]]) }).body, 'a=x%26y');
    same('no body', build({ path: '/', body: { kind: 'json', media: 'application/json' } }, {}), { method: 'GET', target: '/',
        fields: [], body: null });
    for (const [text, wanted] of [['a b', '\'a b\''], ['it\'s', '\'it\'\\\'\'s\''], ['a=1', 'a=1'], ['$HOME', '\'$HOME\''], ['', '\'\'']]) {
        same(`a word of a shell: ${text}`, request.quoted(text), wanted);
    }
    same('curl', request.curlLine({ method: 'POST', target: '/a', fields: [['X', '']], body: '{"a": 1}' }, 'http://h'),
        'curl -H \'X;\' --data-binary \'{"a": 1}\' http://h/a');
    same('curl over a socket', request.curlLine({ method: 'GET', target: '/?a=1', fields: [], body: null }, 'unix:/run/s.sock'),
        'curl --unix-socket /run/s.sock \'http://localhost/?a=1\'');
    const exchange = { method: 'GET', target: '/', request: { fields: [['Host', 'h'], ['Authorization', '•••'], ['Accept', '*/*']],
        body: null, cut: false } };
    same('a replay', request.replayOf(exchange), { request: { method: 'GET', target: '/', fields: [['Accept', '*/*']], body: null },
        left: ['Authorization'] });
    same('no replay', 'refusal' in request.replayOf({ ...exchange, request: { ...exchange.request, cut: true } }), true);

    // JSON as it was sent
    same('digits and escapes', json.pretty('{"a":1.50,"b":[],"c":{},"d":[12345678901234567890,"\\u00e9\\""]}'),
        '{\n  "a": 1.50,\n  "b": [],\n  "c": {},\n  "d": [\n    12345678901234567890,\n    "\\u00e9\\""\n  ]\n}');
    same('no JSON', json.pretty('{a}'), '{a}');
    same('a cut', json.layOut('[1,2,3,4]', 3).lines.length, 3);

    // Metrics
    const page = ['# HELP x', 'sluice_requests_total{binding="GET /a\\"b",method="GET",status="2xx"} 8',
        'sluice_requests_total{binding="GET /a\\"b",method="GET",status="5xx"} 2', 'sluice_unknown 5',
        'sluice_cache_requests_total{binding="GET /a\\"b",outcome="hit"} 3',
        'sluice_cache_requests_total{binding="GET /a\\"b",outcome="miss"} 1',
        'sluice_cache_requests_total{binding="GET /a\\"b",outcome="collapsed"} 1', 'sluice_start_time_seconds 100'].join('\n');
    const read = metrics.parseMetrics(page);
    same('metrics that are drawn', [...read.keys()], ['sluice_requests_total', 'sluice_cache_requests_total',
        'sluice_start_time_seconds']);
    const totals = metrics.bindingTotals(read).get('GET /a"b');
    same('totals', [totals.requests, totals.errors, totals.hits, totals.lookups], [10, 2, 3, 4]);
    const buckets = new Map([[0.1, 5], [0.2, 9], [Infinity, 10]]);
    same('quantiles', [0.5, 0.7, 0.99].map((share) => Math.round(metrics.quantile(share, buckets) * 1e6) / 1e6), [0.1, 0.15, 0.2]);
    same('no quantile', metrics.quantile(0.5, new Map([[1, 0]])), null);
    const past = new history.History();
    past.add(read, 1000);
    past.add(metrics.parseMetrics(page.replace(' 8', ' 28')), 3000);
    same('a rate', past.series((figures) => figures.rate), [10]);
    past.add(metrics.parseMetrics(page.replace('seconds 100', 'seconds 200')), 5000);
    same('a daemon that began anew', past.intervals.length, 1);
    for (let at = 7; at < 400; at += 2) past.add(metrics.parseMetrics(page.replace('seconds 100', 'seconds 200')), at * 1000);
    same('intervals that are kept', past.intervals.length, history.History.intervalsMax);

    // Geometry
    same('tops of charts', [0, 0.7, 1, 1.1, 2.2, 30, 99, 101].map(charts.niceCeiling), [1, 1, 1, 2, 2.5, 50, 100, 200]);
    const box = { width: 100, height: 50, top: 0, bottom: 0 };
    same('points', charts.points([0, null, 10], box, 10, 3), [[0, 50], null, [100, 0]]);
    same('a line with a gap', charts.linePath([[0, 1], [1, 2], null, [3, 4]]), 'M0 1L1 2M2 4H4');
    same('an area', charts.areaPath([[0, 1], [1, 2], null], 9), 'M0 9L0 1L1 2L1 9Z');
    same('what the pointer is at', [0, 0.5, 1].map((share) => charts.indexAt(share, 2, 3)), [null, 0, 1]);
    same('words', charts.describe('Rate', [null, 2, 1], (value) => `${value}/s`), 'Rate: 1/s now, from 1/s to 2/s');
    return { count, wrong };
})();
