"""What a person does with the page, and what comes of a check."""

import asyncio
import os
import traceback

from browser import Failed

HERE = os.path.dirname(os.path.abspath(__file__))
# What has been changed is drawn.
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def script(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def text_of(selector):
    return f"(document.querySelector({selector!r})?.innerText ?? '')"


class Person:
    def __init__(self, tab, told):
        self.tab = tab
        self.told = told
        self.base = told.url.split("#")[0].rstrip("/")
        self.failed = 0
        self.is_open = False
        self.turn = 0

    async def check(self, name, work):
        """Runs one check and says what came of it."""
        if self.told.only and self.is_open and self.told.only not in name:
            work.close()
            return
        try:
            note = await work
            violations = await self.tab.run("window.violations?.splice(0) ?? []")
            # Those that came since the last check, too.
            wrong = self.tab.errors[:] + [f"policy: {one}" for one in violations]
            self.tab.errors.clear()
            if wrong:
                raise Failed("; ".join(wrong[:5]))
            print(f"ok    {name}{f': {note}' if isinstance(note, str) else ''}", flush=True)
        except (Failed, asyncio.TimeoutError) as error:
            self.failed += 1
            self.tab.errors.clear()
            print(f"FAIL  {name}: {error or 'no answer'}", flush=True)
        except Exception:  # noqa: BLE001
            self.failed += 1
            self.tab.errors.clear()
            print(f"FAIL  {name}: {traceback.format_exc()}", flush=True)

    # Ways through the page

    async def show(self, place):
        """Shows a section and waits for its content."""
        # Another query each time: the same address would change nothing.
        self.turn += 1
        address = f"#/{place}?{self.turn}"
        await self.tab.run(f"document.querySelector('main').dataset.shown = '', location.hash = {address!r}, true")
        await self.tab.until(f"document.querySelector('main').dataset.shown === {address!r}", f"#/{place}")
        await self.tab.run(SETTLED)

    async def ready(self):
        await self.tab.until("document.querySelector('main h1') && !document.querySelector('main > .loading')",
                             "a section")
        await self.tab.run(SETTLED)

    async def click(self, selector, text=None):
        """Clicks the first of these that is shown and has this text."""
        has_text = "true" if text is None else f"one.innerText.trim() === {text!r}"
        found = f"[...document.querySelectorAll({selector!r})].find((one) => one.checkVisibility() && {has_text})"
        await self.tab.until(f"Boolean({found})", f"{selector} {text or ''}")
        await self.tab.run(f"{found}.click(), true")

    async def choose(self, selector, value):
        await self.tab.run(f"""(() => {{
            const input = document.querySelector({selector!r});
            input.value = {value!r};
            for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, {{ bubbles: true }}));
        }})()""")

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
            await self.tab.run(f"""input.value = {value!r};
                for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, {{ bubbles: true }}));""")
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

    async def ask(self, target):
        """A request of somebody else."""
        return await self.tab.run(f"""fetch('/api/try', {{ method: 'POST', headers: {{ 'content-type':
            'application/json', authorization: `Bearer ${{sessionStorage.getItem('sluice.key')}}` }}, body:
            JSON.stringify({{ method: 'GET', target: {target!r}, fields: [], body: null }}) }})
            .then((answer) => answer.status)""")

    def lacks(self, thing):
        """There is nothing to be looked at, which the test has to expect."""
        if thing not in self.told.may_lack:
            raise Failed(f"there is no {thing}; say --may-lack {thing} where that is right")
        return f"there is no {thing}"

    async def cached_binding(self):
        found = (one for one in await self.bindings() if one["cache"] and "{" not in one["path"])
        return next(found, {"path": "/"})

    async def bindings(self):
        return (await self.api("/bindings"))["bindings"]

    async def chosen_binding(self):
        all_bindings = await self.bindings()
        if self.told.binding:
            return self.told.binding
        return next(one["name"] for one in all_bindings if one["method"] == "GET" and "{" not in one["path"])
