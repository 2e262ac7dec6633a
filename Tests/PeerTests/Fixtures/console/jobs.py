"""The console's jobs, each as a person does it."""

import asyncio
import subprocess
import urllib.parse

from browser import Failed
from person import Person, script, text_of


class Jobs(Person):
    async def modules(self):
        told = await self.tab.run(script("modules.js"))
        if told["wrong"]:
            raise Failed("\n        ".join(told["wrong"][:12]))
        return f"{told['count']} cases"

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
            return self.lacks("number")
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
        await self.tab.until("!document.querySelector('nav a[href=\"#/drift\"] .count').hidden",
                             "the count beside Drift")
        return finding.replace("\n", " ")

    async def explains_and_purges(self):
        await self.show("cache")
        cached = await self.cached_binding()
        if "name" not in cached:
            return self.lacks("cache")
        await self.ask(cached["path"])
        await self.click("#stored ~ .tools button", "Refresh")
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
        await self.choose("#stored ~ .tools label:nth-of-type(3) select", "stale")
        await self.tab.until("document.querySelector('.heading button.danger').disabled", "no purge of what is stale")
        await self.choose("#stored ~ .tools label:nth-of-type(3) select", "")
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
            await self.tab.until("document.querySelector('.empty')?.innerText.includes('inspect:')",
                                 "how to switch it on")
            return "off; it says how to switch it on"
        await self.click("table.data tbody th a")
        await self.tab.until("document.querySelectorAll('.waterfall li').length > 0", "the times")
        sides = await self.tab.run("document.querySelectorAll('.side').length")
        if sides < 2:
            raise Failed(f"{sides} sides")
        await self.tab.picture_of("exchange")
        if not await self.tab.run("[...document.querySelectorAll('button')].some((one) => one.innerText === 'Replay')"):
            raise Failed("not to be replayed: " + await self.tab.run(text_of("[aria-labelledby=replay] .dim")))
        await self.click("button.primary", "Replay")
        return await self.tab.until(text_of(".result > .note"), "the comparison")

    async def follows_requests(self):
        await self.show("requests")
        await asyncio.sleep(0.3)
        await self.ask("/no/such/path")
        row = ("[...document.querySelectorAll('table.data tbody tr')].map((one) => one.innerText)"
               ".find((one) => one.includes('/no/such/path'))")
        line = await self.tab.until(row, "a line")
        await self.click(".heading button", "Pause")
        await self.tab.run("document.querySelector('main input[type=search]').focus(), true")
        await self.tab.type("no/such")
        rows = "[...document.querySelectorAll('table.data tbody tr')]"
        await self.tab.until(f"{rows}.length > 0 && {rows}.every((one) => one.innerText.includes('/no/such'))",
                             "the filter of what is paused")
        return line.replace("\n", " ").replace("\t", " ")

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
        await self.tab.until(f"document.querySelectorAll('.timeline > li').length > {before}",
                             "the reload in the history")
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
        await self.tab.until("document.querySelector('#link-state').dataset.state === 'daemon-gone'",
                             "the daemon's end", 30)
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
        # A link that is opened in the same tab changes the fragment alone.
        await self.tab.run("location.hash = '#link=' + 'x'.repeat(20), true")
        await self.tab.until("document.querySelector('main').innerText.includes('used already')", "the new link's refusal")
        if "link=" in await self.tab.run("location.href"):
            raise Failed("the new link is still in the address bar")
        await asyncio.sleep(0.3)
        self.tab.failures_expected = False
