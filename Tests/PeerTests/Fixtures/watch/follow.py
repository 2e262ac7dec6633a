#!/usr/bin/env python3
"""An `EventSource` of a headless Chromium follows a watched value.

    follow.py ADDRESS [--changes COUNT] [--browser PROGRAM]

ADDRESS is a binding whose value is {"n": 1}, and which each POST makes greater by one. Every change is made once the
one before it was heard of, so that each has to be told, in its order, once. The exit code is 1 where one was not.
"""

import argparse
import asyncio
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "console"))
from browser import Browser, Failed, Tab  # noqa: E402

FOLLOW = """
(() => {
    window.seen = [];
    window.source = new EventSource(location.href);
    for (const name of ['loading', 'data', 'not-modified', 'stale', 'problem'])
        source.addEventListener(name, (event) => seen.push([name, event.data, event.lastEventId]));
})()
"""

# Changes it, and waits until the change was heard of.
CHANGE = """
(async (count, first) => {
    for (let n = first; n < first + count; n++) {
        const heard = new Promise((resolve, reject) => {
            setTimeout(() => reject(new Error(`not told of ${n}`)), 15000);
            source.addEventListener('data', function listen(event) {
                if (JSON.parse(event.data).n < n) return;
                source.removeEventListener('data', listen);
                resolve();
            });
        });
        await fetch(location.href, {method: 'POST', body: ''});
        await heard;
    }
})(%d, %d)
"""


async def follow(told):
    browser = Browser(told.browser)
    try:
        tab = await Tab.open(browser.address)
        # It asks for an icon, which nobody has.
        tab.failures_expected = True
        await tab.go(told.address)
        await tab.until("document.readyState === 'complete'", "the page")
        await tab.run(FOLLOW)
        await tab.until("seen.some(([name]) => name === 'data')", "the value now")
        # In pieces: the browser's answer to each is waited for, for a while only.
        for first in range(2, told.changes + 2, 100):
            await tab.run(CHANGE % (min(100, told.changes + 2 - first), first))
        values = await tab.run("seen.filter(([name]) => name === 'data').map(([, data]) => JSON.parse(data).n)")
        if values != list(range(1, told.changes + 2)):
            raise Failed(f"told of {values}")
        identifiers = await tab.run("seen.filter(([name]) => name === 'data').map(([, , id]) => id)")
        if len(set(identifiers)) != len(identifiers) or "" in identifiers:
            raise Failed(f"called {identifiers}")
        if tab.errors:
            raise Failed("\n".join(tab.errors))
        await tab.close()
    finally:
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--changes", type=int, default=50)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    try:
        asyncio.run(follow(parser.parse_args()))
    except Failed as fault:
        sys.exit(str(fault))
    print("all is well")
