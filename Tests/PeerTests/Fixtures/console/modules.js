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
    const named = new Map([['Level', 'Percent'], ['Percent', 'Int(0...100)'], ['Loop', 'Loop'],
        ['Name', 'String']]);
    same('an alias of an alias', types.resolved(types.parseType('Level?'), named),
        { kind: 'scalar', name: 'Int', limits: '0...100', isOptional: true });
    const nested = new Map([['Nest', '[Nest]'], ['Any', '[Any] | String']]);
    for (const name of nested.keys()) {
        same(`a type made of itself: ${name}`, typeof types.resolved(types.parseType(name), nested).kind, 'string');
    }
    same('an alias of itself', types.resolved(types.parseType('Loop'), named).name, 'Loop');
    const ranges = [
        ['1...100', '1', '100', false], ['0..<1', '0', '1', true], ['1...', '1', null, false],
        ['...9', null, '9', false], ['-5...-1', '-5', '-1', false], ['2', '2', '2', false],
        ['1e3...2e3', '1e3', '2e3', false], [undefined, null, null, false], ['/a...b/', null, null, false],
    ];
    for (const [text, min, max, isBelow] of ranges) same(`range ${text}`, types.rangeOf(text), { min, max, isBelow });
    const mentioned = types.mentioned('[Fruit] | "Color" | Color2', ['Fruit', 'Color', 'Color2']);
    same('names in a type', mentioned, ['Fruit', 'Color2']);

    // Requests and lines of curl
    const param = (name, place, type, more) => ({ name, in: place, type, ...more });
    const given = { method: 'GET', values: new Map(), rest: '', body: '', fields: '', query: '' };
    const build = (binding, more) =>
        request.buildRequest({ body: null, params: [], path: '/', ...binding }, { ...given, ...more }, named);
    const values = (object) => ({ values: new Map(Object.entries(object)) });
    const withID = { path: '/a/{id}', params: [param('id', 'path', 'String')] };
    same('a path', build(withID, values({ id: ['x/y ?'] })).target, '/a/x%2Fy%20%3F');
    same('the rest of a path', build({ path: '/raw/**' }, { rest: '/a b/c%2Fd$&' }).target, '/raw/a%20b/c%2Fd%24%26');
    const lists = [[undefined, '/?c=r&c=g%2C'], ['comma', '/?c=r,g%2C'], ['brackets', '/?c[]=r&c[]=g%2C']];
    for (const [list, wanted] of lists) {
        const binding = { params: [param('c', 'query', '[String]', { list })] };
        same(`a list, ${list}`, build(binding, values({ c: ['r', 'g,'] })).target, wanted);
    }
    same('further parameters', build({}, { query: '?a=b c' }).target, '/?a=b%20c');
    const headed = { params: [param('X-A', 'header', 'String'), param('s', 'cookie', 'String')] };
    const lines = 'Accept: text/plain\n\nno colon';
    same('fields and cookies', build(headed, { ...values({ 'X-A': ['1'], s: ['a b'] }), fields: lines }).fields,
        [['Accept', 'text/plain'], ['X-A', '1'], ['Cookie', 's=a%20b']]);
    const members = [['n', 'Int64'], ['t', 'String'], ['l', '[Bool]'], ['e', 'a | b']]
        .map(([name, type]) => param(name, 'body', type));
    const texts = values({ n: ['9007199254740993'], t: ['1'], l: ['true', 'no'], e: ['a'] });
    same('a body of parameters', build({ body: { kind: 'json' }, params: members }, texts).body,
        '{"n":9007199254740993,"t":"1","l":[true,"no"],"e":"a"}');
    const texted = { body: { kind: 'json' }, params: [param('a', 'body', 'Name'), param('b', 'body', '"1" | "2"'),
        param('c', 'body', '1 | 2'), param('d', 'body', 'Level')] };
    same('members of named types', build(texted, values({ a: ['1'], b: ['1'], c: ['1'], d: ['1'] })).body,
        '{"a":"1","b":"1","c":1,"d":1}');
    const form = { body: { kind: 'form' }, params: [param('a', 'body', 'String')] };
    same('a form', build(form, values({ a: ['x&y'] })).body, 'a=x%26y');
    const parts = build({ body: { kind: 'multipart' } }, { body: 'a=1=2\nnothing' });
    same('parts', parts.body.split('\r\n').slice(1, 4), ['Content-Disposition: form-data; name="a"', '', '1=2']);
    same('no body', build({ body: { kind: 'json', media: 'application/json' } }, {}),
        { method: 'GET', target: '/', fields: [], body: null });
    const words = [['a b', '\'a b\''], ['it\'s', '\'it\'\\\'\'s\''], ['a=1', 'a=1'], ['$HOME', '\'$HOME\''],
        ['', '\'\'']];
    for (const [text, wanted] of words) same(`a word of a shell: ${text}`, request.quoted(text), wanted);
    same('curl', request.curlLine({ method: 'POST', target: '/a', fields: [['X', '']], body: '{"a": 1}' }, 'http://h'),
        'curl -H \'X;\' --data-raw \'{"a": 1}\' http://h/a');
    same('curl with brackets', request.curlLine({ method: 'GET', target: '/?a[]=1', fields: [], body: null }, 'http://h'),
        'curl --globoff \'http://h/?a[]=1\'');
    same('curl with what looks like a file', request.curlLine(
        { method: 'POST', target: '/', fields: [], body: '@/etc/x' }, 'http://h'), 'curl --data-raw @/etc/x http://h/');
    const plain = { method: 'GET', target: '/?a=1', fields: [], body: null };
    same('curl over a socket', request.curlLine(plain, 'unix:/run/s.sock'),
        'curl --unix-socket /run/s.sock \'http://localhost/?a=1\'');
    const fields = [['Host', 'h'], ['Authorization', '•••'], ['Accept', '*/*']];
    const exchange = { method: 'GET', target: '/', request: { fields, body: null, cut: false } };
    same('a replay', request.replayOf(exchange),
        { request: { method: 'GET', target: '/', fields: [['Accept', '*/*']], body: null }, left: ['Authorization'] });
    const cut = { ...exchange, request: { ...exchange.request, cut: true } };
    same('no replay', 'refusal' in request.replayOf(cut), true);
    same('no replay of a mask', 'refusal' in request.replayOf({ ...exchange, target: '/?key=***' }), true);

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
        'sluice_cache_requests_total{binding="GET /a\\"b",outcome="collapsed"} 1',
        'sluice_start_time_seconds 100'].join('\n');
    const read = metrics.parseMetrics(page);
    same('metrics that are drawn', [...read.keys()], ['sluice_requests_total', 'sluice_cache_requests_total',
        'sluice_start_time_seconds']);
    const totals = metrics.bindingTotals(read).get('GET /a"b');
    same('totals', [totals.requests, totals.errors, totals.hits, totals.lookups], [10, 2, 3, 4]);
    const buckets = new Map([[0.1, 5], [0.2, 9], [Infinity, 10]]);
    const quantile = (share) => Math.round(metrics.quantile(share, buckets) * 1e6) / 1e6;
    same('quantiles', [0.5, 0.7, 0.99].map(quantile), [0.1, 0.15, 0.2]);
    same('no quantile', metrics.quantile(0.5, new Map([[1, 0]])), null);
    const past = new history.History();
    past.add(read, 1000);
    past.add(metrics.parseMetrics(page.replace(' 8', ' 28')), 3000);
    same('a rate', past.series((figures) => figures.rate), [10]);
    const anew = metrics.parseMetrics(page.replace('seconds 100', 'seconds 200'));
    past.add(anew, 5000);
    same('a daemon that began anew', past.intervals.length, 1);
    for (let at = 7; at < 400; at += 2) past.add(anew, at * 1000);
    same('intervals that are kept', past.intervals.length, history.History.intervalsMax);

    // Geometry
    same('tops of charts', [0, 0.7, 1, 1.1, 2.2, 30, 99, 101].map(charts.niceCeiling), [1, 1, 1, 2, 2.5, 50, 100, 200]);
    const box = { width: 100, height: 50, top: 0, bottom: 0 };
    same('points', charts.points([0, null, 10], box, 10, 3), [[0, 50], null, [100, 0]]);
    same('a line with a gap', charts.linePath([[0, 1], [1, 2], null, [3, 4]]), 'M0 1L1 2');
    same('a figure alone', charts.dotsPath([[0, 1], [1, 2], null, [3, 4]]), 'M3 4h0');
    same('an area', charts.areaPath([[0, 1], [1, 2], null], 9), 'M0 9L0 1L1 2L1 9Z');
    same('what the pointer is at', [0, 0.5, 1].map((share) => charts.indexAt(share, 2, 3)), [null, 0, 1]);
    same('words', charts.describe('Rate', [null, 2, 1], (value) => `${value}/s`), 'Rate: 1/s now, from 1/s to 2/s');
    return { count, wrong };
})();
