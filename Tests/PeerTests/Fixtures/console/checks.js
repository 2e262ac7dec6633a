// What is looked at in the page itself. Each check returns a list of what is wrong.
(() => {
    const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && element.getClientRects().length > 0;
    const name = (element) => {
        const classes = [...element.classList].map((one) => `.${one}`).join('');
        return `${element.tagName.toLowerCase()}${classes} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
    };

    function colour(text) {
        const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
        if (text.startsWith('color(srgb')) return [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1];
        return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 1];
    }
    const over = (front, back) => [0, 1, 2]
        .map((index) => front[index] * front[3] + back[index] * (1 - front[3])).concat(1);

    /** What a text is seen on. */
    function ground(element) {
        const layers = [];
        for (let one = element; one; one = one.parentElement) {
            const layer = colour(getComputedStyle(one).backgroundColor);
            if (layer[3] > 0) layers.push(layer);
            if (layer[3] === 1) break;
        }
        const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
        return layers.reverse().reduce((back, front) => over(front, back), canvas);
    }

    function luminance(rgb) {
        const [red, green, blue] = rgb.map((one) => one / 255)
            .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }

    function ratio(one, other) {
        const [low, high] = [luminance(one), luminance(other)].sort((first, second) => first - second);
        return (high + 0.05) / (low + 0.05);
    }

    function opacity(element) {
        let whole = 1;
        for (let one = element; one; one = one.parentElement) whole *= Number(getComputedStyle(one).opacity);
        return whole;
    }

    /** WCAG 1.4.3: 4.5 to 1, and 3 to 1 for large text. Controls that are disabled are exempt. */
    function contrast() {
        const found = new Map();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (!node.data.trim() || !element.checkVisibility() || !element.getClientRects().length) continue;
            if (element.closest('.unseen, :disabled, noscript, option')) continue;
            const style = getComputedStyle(element);
            const back = ground(element);
            const front = colour(style.color);
            front[3] *= opacity(element);
            const size = parseFloat(style.fontSize);
            const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
            const measured = ratio(over(front, back), back);
            if (measured < least - 0.01) found.set(name(element), `${name(element)}: ${measured.toFixed(2)} to 1`);
        }
        return [...found.values()];
    }

    /** WCAG 1.4.11: what bounds an input is seen. */
    function edges() {
        const bounded = 'input:not([type=checkbox]), select, textarea, button:not(.quiet):not(.sort)';
        return [...document.querySelectorAll(bounded)]
            .filter((one) => shown(one) && !one.disabled).filter((one) => {
                const style = getComputedStyle(one);
                const outside = ground(one.parentElement);
                return ratio(over(colour(style.borderTopColor), outside), outside) < 2.99
                    && ratio(over(colour(style.backgroundColor), outside), outside) < 2.99;
            }).map((one) => `${name(one)}: its edge is not seen`);
    }

    /** Nothing sticks out of the window, but for what scrolls by itself. */
    function overflow() {
        const width = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= width) return [];
        const out = [...document.body.querySelectorAll('*')].filter((one) => shown(one)
            && one.getBoundingClientRect().right > width + 1
            && !one.parentElement.closest('pre, .yaml, .code'));
        const end = (one) => Math.round(one.getBoundingClientRect().right);
        return out.slice(-3).map((one) => `${name(one)}: ${end(one)} of ${width} px`)
            .concat(`the page is ${document.documentElement.scrollWidth} px wide`);
    }

    /** Headings in order, one of the first level, landmarks, ids, references between elements. */
    function structure() {
        const wrong = [];
        const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
        const twice = new Set(ids.filter((one, index) => ids.indexOf(one) !== index));
        for (const id of twice) wrong.push(`id ${id} stands twice`);
        for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for', 'list']) {
            for (const one of document.querySelectorAll(`[${attribute}]`)) {
                for (const id of one.getAttribute(attribute).split(' ')) {
                    if (!document.getElementById(id)) wrong.push(`${name(one)}: ${attribute} leads to nothing`);
                }
            }
        }
        const levels = [...document.querySelectorAll('main h1, main h2, main h3, main h4')].filter(shown)
            .map((one) => Number(one.tagName[1]));
        const first = levels.filter((level) => level === 1).length;
        if (first !== 1) wrong.push(`${first} h1`);
        levels.forEach((level, index) => {
            const before = levels[index - 1];
            if (index && level > before + 1) wrong.push(`a heading of level ${level} follows one of ${before}`);
        });
        // A placeholder goes away with the first letter, and is no label.
        for (const one of document.querySelectorAll('input, select, textarea')) {
            const isNamed = one.labels.length || one.hasAttribute('aria-label') || one.hasAttribute('aria-labelledby');
            if (!isNamed) wrong.push(`${name(one)} has no label`);
        }
        for (const landmark of ['header', 'nav', 'main']) {
            if (!document.querySelector(`body ${landmark}`)) wrong.push(`no ${landmark}`);
        }
        if (document.documentElement.lang !== 'en') wrong.push('no language');
        const order = document.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])');
        if (order) wrong.push(`${name(order)} has a place of its own in the order`);
        for (const one of document.querySelectorAll('[style], style')) {
            wrong.push(`${name(one)} has a style of its own`);
        }
        return wrong;
    }

    /** WCAG 2.5.8: 24 pixels, but for links in a text. */
    function targets() {
        const controls = 'button:not(.sort), input:not([type=checkbox]), select, textarea, summary, nav a';
        return [...document.querySelectorAll(controls)]
            .filter(shown).filter((one) => {
                const { width, height } = one.getBoundingClientRect();
                return width < 23.9 || height < 23.9;
            }).map((one) => `${name(one)} is small`);
    }

    /** What the Tab key has to reach. */
    function focusable() {
        const all = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
        return [...document.querySelectorAll(all)].filter(shown);
    }

    window.checks = { contrast, edges, overflow, structure, targets, focusable, name };
    return true;
})();
