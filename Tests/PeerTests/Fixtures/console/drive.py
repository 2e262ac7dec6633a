#!/usr/bin/env python3
"""Drives the console through each of its jobs in a headless Chromium, and looks at every section.

    drive.py URL [--binding NAME] [--set NAME=VALUE …] [--drift NAME] [--drift-set NAME=VALUE …]
             [--edit FILE OLD NEW] [--stop COMMAND --start COMMAND] [--inspector on|off] [--pictures FOLDER]

URL is what `sluice console` prints, with its link. One line is printed for each check; the exit code is 1 where one
failed. An error in the browser's console or a violation of the page's policy fails the check during which it came.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import traceback
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import CTRL, Browser, Failed, Tab  # noqa: E402

WIDTHS = (360, 768, 1280)
SCHEMES = ("light", "dark")
HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--binding", help="one to try; the first GET where none is named")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--drift", help="a binding whose answer is not of its type")
    parser.add_argument("--drift-set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--edit", nargs=3, metavar=("FILE", "OLD", "NEW"), help="what a reload is to find changed")
    parser.add_argument("--stop", help="a command that ends the daemon")
    parser.add_argument("--start", help="a command that starts it again")
    parser.add_argument("--inspector", choices=["on", "off"], default="on")
    parser.add_argument("--pictures", help="folder for pictures of all sections")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    return parser.parse_args()


def text_of(selector):
    return f"(document.querySelector({selector!r})?.innerText ?? '')"


class Driver:
    def __init__(self, tab, told):
        self.tab = tab
        self.told = told
        self.base = told.url.split("#")[0].rstrip("/")
        self.failed = 0

    async def check(self, name, work):
        """Runs one check and says what came of it."""
        self.tab.errors.clear()
        try:
            note = await work
            violations = await self.tab.run("window.violations?.splice(0) ?? []")
            wrong = self.tab.errors + [f"policy: {one}" for one in violations]
            if wrong:
                raise Failed("; ".join(wrong[:5]))
            print(f"ok    {name}{f': {note}' if isinstance(note, str) else ''}", flush=True)
        except (Failed, asyncio.TimeoutError) as error:
            self.failed += 1
            print(f"FAIL  {name}: {error or 'no answer'}", flush=True)
        except Exception:  # noqa: BLE001
            self.failed += 1
            print(f"FAIL  {name}: {traceback.format_exc()}", flush=True)

    # Ways through the page

    async def show(self, place):
        """Shows a section and waits for its content."""
        await self.tab.run(f"location.hash = '#/'; location.hash = {('#/' + place)!r}; true")
        await self.ready()

    async def ready(self):
        await self.tab.until("document.querySelector('main h1') && !document.querySelector('main > .loading')", "a section")
        await self.tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    async def click(self, selector, text=None):
        await self.tab.until(f"[...document.querySelectorAll({selector!r})].some((one) => one.checkVisibility() && "
                             f"({text!r} === 'None' || one.innerText.trim() === {text!r}))".replace("'None'", "null")
                             if text is not None else f"document.querySelector({selector!r})?.checkVisibility()",
                             f"{selector} {text or ''}")
        await self.tab.run(f"""[...document.querySelectorAll({selector!r})].find((one) => one.checkVisibility()
            && ({'true' if text is None else f'one.innerText.trim() === {text!r}'})).click(), true""")

    async def give(self, name, value):
        """Fills the input of a parameter as a person would."""
        kind = await self.tab.run(f"""(() => {{
            const label = [...document.querySelectorAll('.param .name')].find((one) => one.textContent === {name!r});
            const input = label?.closest('.param').querySelector('input, select, textarea');
            if (!input) return null;
            input.focus();
            window.input = input;
            return input.type;
        }})()""")
        if kind is None:
            raise Failed(f"there is no input for {name}")
        if kind == "checkbox":
            await self.tab.run(f"input.checked !== ({value!r} === 'true') && input.click(), true")
        elif kind == "select-one" or kind == "date":
            await self.tab.run(f"input.value = {value!r}, input.dispatchEvent(new Event('input', {{ bubbles: true }})), "
                               "input.dispatchEvent(new Event('change', { bubbles: true })), true")
        else:
            await self.tab.run("input.select(), true")
            await self.tab.type(value)

    async def fill(self, settings):
        for setting in settings:
            name, value = setting.split("=", 1)
            await self.give(name, value)

    async def api(self, path):
        return await self.tab.run(f"""fetch('/api{path}', {{ headers: {{
            authorization: `Bearer ${{sessionStorage.getItem('sluice.key')}}` }} }}).then((answer) => answer.json())""")

    async def bindings(self):
        return (await self.api("/bindings"))["bindings"]

    # Jobs

    async def opens(self):
        await self.tab.go(self.told.url)
        await self.tab.until("document.querySelector('main h1')", "the overview")
        if "link=" in await self.tab.run("location.href"):
            raise Failed("the link is still in the address bar")
        await self.tab.until("document.querySelector('#link-state').dataset.state === 'answered'", "the state")

    async def link_is_spent(self):
        link = urllib.parse.urlsplit(self.told.url).fragment.split("link=")[1]
        self.tab.failures_expected = True
        status = await self.tab.run(f"""fetch('/session', {{ method: 'POST', headers: {{ 'content-type':
            'application/json' }}, body: JSON.stringify({{ link: {link!r} }}) }}).then((answer) => answer.status)""")
        self.tab.failures_expected = False
        if status != 403:
            raise Failed(f"the link was taken twice: {status}")

    async def chosen_binding(self):
        all_bindings = await self.bindings()
        if self.told.binding:
            return self.told.binding
        return next(one["name"] for one in all_bindings if one["method"] == "GET" and "{" not in one["path"])

    async def tries(self):
        name = await self.chosen_binding()
        await self.show("bindings/" + urllib.parse.quote(name, safe=""))
        await self.tab.until("document.querySelector('form button.primary')", "the form")
        before = await self.tab.run(text_of(".curl code"))
        await self.fill(self.told.set)
        after = await self.tab.run(text_of(".curl code"))
        if self.told.set and before == after:
            raise Failed("the line of curl did not follow the inputs")
        await self.click("form button.primary", "Send")
        status = await self.tab.until(text_of(".answer .badge"), "the answer")
        if not status.startswith("2"):
            raise Failed(f"status {status}: " + await self.tab.run(text_of(".answer")))
        if not await self.tab.run("document.querySelectorAll('.answer .code span[class^=j-]').length > 0"):
            raise Failed("the JSON is not highlighted")
        if "Answer: 2" not in await self.tab.run("document.querySelector('#announcer').textContent"):
            raise Failed("nobody tells screen readers of the answer")
        return f"{name} → {status}; {after}"

    async def refuses_wrong_values(self):
        """A number out of its bounds, or no number, stays here; as plain text it goes to the gateway."""
        for one in await self.bindings():
            typed = next((param for param in one["params"] if param["type"].startswith(("Int", "UInt"))
                          and param["in"] in ("query", "path") and not param.get("fixed")), None)
            if typed:
                break
        else:
            return "no binding has a number"
        await self.show("bindings/" + urllib.parse.quote(one["name"], safe=""))
        await self.give(typed["name"], "1.5")
        sent = len(self.tab.requests)
        await self.click("form button.primary", "Send")
        await self.tab.until("document.querySelector('.wrong:not([hidden])')?.innerText", "a message beside the input")
        if any(url.endswith("/api/try") for url in self.tab.requests[sent:]):
            raise Failed("it was sent all the same")
        await self.click("form summary", "More")
        await self.tab.run("document.querySelector('.more-inputs input[type=checkbox]').click(), true")
        await self.give(typed["name"], "abc")
        await self.click("form button.primary", "Send")
        await self.tab.until("document.querySelector('.answer .problem .faults li')", "the problem with its faults")
        return await self.tab.run(text_of(".answer .problem .faults li"))

    async def sees_drift(self):
        await self.show("bindings/" + urllib.parse.quote(self.told.drift, safe=""))
        await self.fill(self.told.drift_set)
        await self.click("form button.primary", "Send")
        await self.tab.until("document.querySelector('.answer .problem')?.innerText.includes('type-mismatch')",
                             "a type mismatch")
        await self.show("drift")
        finding = await self.tab.until(text_of(".findings li"), "a finding")
        await self.tab.until("!document.querySelector('nav a[href=\"#/drift\"] .count').hidden", "the count beside Drift")
        return finding.replace("\n", " ")

    async def explains_and_purges(self):
        await self.show("cache")
        cached = next((one for one in await self.bindings() if one["cache"]), None)
        if not cached:
            return "no binding has a cache"
        await self.tab.run("document.querySelector('#explain + form input').select(), true")
        await self.tab.run("document.querySelector('#explain + form input').focus(), true")
        await self.tab.type(f"GET {cached['path']}")
        await self.click("form button", "Explain")
        told = await self.tab.until(text_of(".result .facts"), "the explanation")
        await self.tab.until("document.querySelector('table.data tbody tr')", "a stored answer")
        await self.click("table.data tbody th a")
        await self.tab.until("document.querySelector('#content')", "the stored answer")
        await self.show("cache")
        await self.click("td.act button", "Purge")
        await self.tab.until("document.querySelector('#announcer').textContent.startsWith('Purged 1')", "one purge")
        await self.click(".heading button.danger")
        await self.tab.until("document.activeElement.closest('dialog')", "the question")
        await self.tab.picture_of("purge-dialog")
        await self.tab.press("Escape")
        await self.tab.until("!document.querySelector('dialog')", "the question's end")
        await self.click(".heading button.danger")
        await self.click("dialog button.danger", "Purge")
        await self.tab.until("document.querySelector('#stored ~ div .empty')", "an empty store")
        return told.replace("\n", " ")

    async def replays(self):
        await self.show("inspector")
        if self.told.inspector == "off":
            await self.tab.until("document.querySelector('.empty')?.innerText.includes('inspect:')", "how to switch it on")
            return "off; it says how to switch it on"
        await self.click("table.data tbody th a")
        await self.tab.until("document.querySelectorAll('.waterfall li').length > 0", "the times")
        sides = await self.tab.run("document.querySelectorAll('.side').length")
        if sides < 2:
            raise Failed(f"{sides} sides")
        await self.tab.picture_of("exchange")
        if not await self.tab.run("[...document.querySelectorAll('button')].some((one) => one.innerText === 'Replay')"):
            return "not to be replayed: " + await self.tab.run(text_of("[aria-labelledby=replay] .dim"))
        await self.click("button.primary", "Replay")
        return await self.tab.until(text_of(".result > .note"), "the comparison")

    async def follows_requests(self):
        await self.show("requests")
        await asyncio.sleep(0.3)
        await self.tab.run("""fetch('/api/try', { method: 'POST', headers: { 'content-type': 'application/json',
            authorization: `Bearer ${sessionStorage.getItem('sluice.key')}` }, body: JSON.stringify(
            { method: 'GET', target: '/no/such/path', fields: [], body: null }) }).then((answer) => answer.status)""")
        return (await self.tab.until(text_of("table.data tbody tr"), "a line")).replace("\n", " ")

    async def reloads(self):
        await self.show("reloads")
        before = await self.tab.run("document.querySelectorAll('.timeline > li').length")
        if self.told.edit:
            path, old, new = self.told.edit
            with open(path, encoding="utf-8") as file:
                page = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(page.replace(old, new))
        await self.click("button.primary", "Reload now")
        await self.tab.until("document.querySelector('.result .badge')", "the verdict")
        await self.tab.until(f"document.querySelectorAll('.timeline > li').length > {before}", "the reload in the history")
        changed = await self.tab.run(text_of(".timeline > li .data tbody"))
        if self.told.edit and not changed:
            raise Failed("it does not tell what has changed")
        if not self.told.edit:
            return changed.replace("\n", " ")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page + "\nno-such-key: 1\n")
        self.tab.failures_expected = True
        await self.click("button.primary", "Reload now")
        await self.tab.until("document.querySelector('.result .badge.bad')", "the refusal")
        self.tab.failures_expected = False
        fault = await self.tab.until(text_of(".timeline > li:first-child .faults li"), "the fault in the history")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        return changed.replace("\n", " ") + "; refused: " + fault

    async def finds_settings(self):
        await self.show("configuration")
        whole = await self.tab.until("document.querySelectorAll('.yaml-line').length", "lines")
        await self.tab.press("/")
        await self.tab.until("document.activeElement.type === 'search'", "the filter to have the focus")
        await self.tab.type("timeout")
        part = await self.tab.until(f"(() => {{ const count = document.querySelectorAll('.yaml-line').length; "
                                    f"return count < {whole} && count }})()", "fewer lines")
        return f"{part} of {whole} lines"

    async def waits_for_daemon(self):
        await self.show("upstreams")
        self.tab.failures_expected = True
        subprocess.run(self.told.stop, shell=True, check=True)
        await self.tab.until("document.querySelector('#link-state').dataset.state === 'daemon-gone'", "the daemon's end", 30)
        await self.show_failing("drift")
        await self.tab.picture_of("daemon-gone")
        subprocess.run(self.told.start, shell=True, check=True)
        await self.tab.until("document.querySelector('#link-state').dataset.state === 'answered'", "the daemon", 30)
        await self.ready()
        await self.tab.until("!document.querySelector('main .problem')", "the section by itself")
        self.tab.failures_expected = False

    async def show_failing(self, place):
        await self.tab.run(f"location.hash = {('#/' + place)!r}; true")
        await self.tab.until("document.querySelector('main .problem')", "the problem")

    async def ends(self):
        """A key that is not the session's."""
        self.tab.failures_expected = True
        await self.tab.run("sessionStorage.setItem('sluice.key', 'wrong'), location.reload(), true")
        await self.tab.until("document.querySelector('main').innerText.includes('sluice console')", "what to do")
        await self.tab.picture_of("ended")
        await asyncio.sleep(0.3)
        self.tab.failures_expected = False

    # The keyboard

    async def reaches(self, place):
        """The Tab key goes to everything that can be used, and one sees where it is."""
        await self.tab.look(1280, "light")
        await self.show(place)
        await self.tab.run(open(os.path.join(HERE, "checks.js"), encoding="utf-8").read())
        await self.tab.run("""(() => {
            getSelection().removeAllRanges();
            document.activeElement.blur();
            window.wanted = checks.focusable();
            window.reached = new Set();
            window.unseen = [];
        })(), true""")
        await self.tab.run("document.querySelector('#skip').focus(), true")
        count = await self.tab.run("wanted.length")
        for _ in range(min(count + 40, 300)):
            done = await self.tab.run("""(() => {
                const one = document.activeElement;
                if (reached.has(one) && one.id === 'skip' && reached.size > 1) return true;
                reached.add(one);
                const style = getComputedStyle(one);
                if (style.outlineStyle === 'none' && style.boxShadow === 'none' && one !== document.body) unseen.push(checks.name(one));
                return false;
            })()""")
            if done:
                break
            await self.tab.press("Tab")
        left = await self.tab.run("wanted.filter((one) => one.isConnected && checks.focusable().includes(one) "
                                  "&& !reached.has(one)).map(checks.name)")
        unseen = await self.tab.run("unseen")
        # Rows come and go meanwhile; what stays has to be reached.
        if left and count < 250:
            raise Failed(f"not reached: {left[:5]}")
        if unseen:
            raise Failed(f"the focus is not seen: {unseen[:5]}")
        return f"{count} controls"

    async def skips(self):
        await self.show("bindings")
        await self.tab.run("document.querySelector('#skip').focus(), true")
        await self.tab.press("Enter")
        await self.tab.until("document.activeElement.id === 'main'", "the content to have the focus")

    async def sends_by_keyboard(self):
        name = await self.chosen_binding()
        await self.show("bindings/" + urllib.parse.quote(name, safe=""))
        await self.fill(self.told.set)
        await self.tab.run("document.querySelector('form button.primary').focus(), true")
        await self.tab.press("Enter", CTRL)
        await self.tab.until(text_of(".answer .badge"), "the answer")

    async def opens_menu(self):
        await self.tab.look(360, "light")
        await self.show("drift")
        await self.tab.run("document.querySelector('#menu').focus(), true")
        await self.tab.press("Enter")
        await self.tab.until("document.querySelector('nav').checkVisibility()", "the sections")
        await self.tab.picture_of("menu")
        await self.tab.press("Escape")
        await self.tab.until("!document.querySelector('nav').checkVisibility() && document.activeElement.id === 'menu'",
                             "the end of the menu")
        await self.tab.press("Enter")
        await self.click("nav a[href='#/cache']")
        await self.ready()
        await self.tab.until("document.querySelector('h1').innerText === 'Cache' && !document.querySelector('nav').checkVisibility()",
                             "the section")
        await self.tab.look(1280, "light")

    # How it looks

    async def looks(self, name, place):
        wrong = []
        await self.show(place)
        await asyncio.sleep(0.1)
        await self.tab.run(open(os.path.join(HERE, "checks.js"), encoding="utf-8").read())
        for scheme in SCHEMES:
            for width in WIDTHS:
                await self.tab.look(width, scheme)
                await self.tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                found = await self.tab.run("""['overflow', 'contrast', 'edges', 'structure', 'targets']
                    .flatMap((name) => checks[name]().map((one) => `${name}: ${one}`))""")
                wrong += [f"{width} px, {scheme}: {one}" for one in found]
                wrong += [f"{width} px: a {role} without a name" for role in await self.tab.unnamed()]
                if await self.tab.run("document.getAnimations().filter((one) => one.playState === 'running').length"):
                    wrong.append("something moves, though less motion is asked for")
                await self.tab.picture_of(f"{name}-{width}-{scheme}")
        await self.tab.look(1280, "light")
        if wrong:
            raise Failed("\n        ".join([f"{len(wrong)} faults"] + sorted(set(wrong))[:12]))

    async def keeps_to_itself(self):
        foreign = [url for url in self.tab.requests if not url.startswith((self.base, "about:", "chrome"))]
        if foreign:
            raise Failed(f"it asked {foreign[:3]}")
        cookies = (await self.tab.send("Network.getCookies"))["cookies"]
        if cookies:
            raise Failed("it has cookies")
        if await self.tab.run("localStorage.length"):
            raise Failed("it keeps something beyond its tab")
        return f"{len(self.tab.requests)} requests"


async def drive(told):
    browser = Browser(told.browser)
    try:
        tab = await Tab.open(browser.address)
        if told.pictures:
            os.makedirs(told.pictures, exist_ok=True)

        async def picture_of(name):
            if told.pictures:
                await tab.picture(os.path.join(told.pictures, name.replace("/", "_") + ".png"))
        tab.picture_of = picture_of
        driver = Driver(tab, told)
        await tab.look(1280, "light")
        await driver.check("the link opens the console", driver.opens())
        if driver.failed:
            return driver.failed
        await driver.check("the link is good once", driver.link_is_spent())
        await jobs(driver)
        await driver.check("asks nobody else, and keeps no cookie", driver.keeps_to_itself())
        await driver.check("a session that has ended says so", driver.ends())
        await tab.close()
        return driver.failed
    finally:
        browser.close()


async def jobs(driver):
    told = driver.told
    await driver.check("a binding is tried", driver.tries())
    await driver.check("wrong values are told beside their inputs", driver.refuses_wrong_values())
    if told.drift:
        await driver.check("drift appears", driver.sees_drift())
    await driver.check("requests are followed", driver.follows_requests())
    await driver.check("an exchange is inspected and replayed", driver.replays())
    sample = urllib.parse.quote(await driver.chosen_binding(), safe="")
    places = {"overview": "", "requests": "requests", "inspector": "inspector", "bindings": "bindings",
              "binding": "bindings/" + sample, "drift": "drift", "upstreams": "upstreams",
              "credentials": "credentials", "cache": "cache", "configuration": "configuration", "reloads": "reloads"}
    for name, place in places.items():
        await driver.check(f"{name} looks right at {len(WIDTHS)} widths, light and dark", driver.looks(name, place))
    for name in ("overview", "binding", "cache", "reloads"):
        await driver.check(f"{name} is reached by the keyboard", driver.reaches(places[name]))
    await driver.check("a link skips to the content", driver.skips())
    await driver.check("Ctrl and Enter send", driver.sends_by_keyboard())
    await driver.check("the menu of narrow windows", driver.opens_menu())
    await driver.check("answers are explained and purged", driver.explains_and_purges())
    await driver.check("a setting is found", driver.finds_settings())
    await driver.check("a reload tells what has changed", driver.reloads())
    if told.stop and told.start:
        await driver.check("the daemon goes and comes back", driver.waits_for_daemon())


if __name__ == "__main__":
    failed = asyncio.run(drive(arguments()))
    print(f"{failed} failed" if failed else "all is well")
    sys.exit(1 if failed else 0)
