"""The keyboard, and how everything looks."""

import asyncio
import urllib.parse

from browser import CTRL, Failed
from person import SETTLED, Person, script, text_of

WIDTHS = (360, 768, 1280)
SCHEMES = ("light", "dark")


class Looks(Person):
    # The keyboard

    async def reaches(self, place):
        """The Tab key goes to everything that can be used, and one sees where it is."""
        await self.tab.look(1280, "light")
        await self.show(place)
        await self.tab.run(script("checks.js"))
        await self.tab.run("""(() => {
            getSelection().removeAllRanges();
            document.activeElement.blur();
            window.wanted = checks.focusable();
            window.reached = new Set();
            window.unseen = [];
        })(), true""")
        await self.tab.run("document.querySelector('#skip').focus(), true")
        count = await self.tab.run("wanted.length")
        for _ in range(count + 40):
            done = await self.tab.run("""(() => {
                const one = document.activeElement;
                if (reached.has(one) && one.id === 'skip' && reached.size > 1) return true;
                reached.add(one);
                const style = getComputedStyle(one);
                const isSeen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
                if (!isSeen && one !== document.body) unseen.push(checks.name(one));
                return false;
            })()""")
            if done:
                break
            await self.tab.press("Tab")
        left = await self.tab.run("wanted.filter((one) => one.isConnected && checks.focusable().includes(one) "
                                  "&& !reached.has(one)).map(checks.name)")
        unseen = await self.tab.run("unseen")
        # Rows come and go meanwhile; what stays has to be reached.
        if left:
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
        # Alone, Enter is a new line there.
        await self.click("form summary", "More")
        await self.tab.run("document.querySelector('.more-inputs textarea').focus(), true")
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
        await self.tab.until("document.querySelector('h1').innerText === 'Cache'", "the section")
        await self.tab.until("!document.querySelector('nav').checkVisibility()", "the end of the menu")
        await self.tab.look(1280, "light")

    # How it looks

    async def detail_looks(self, name):
        """The newest exchange, or a stored answer."""
        await self.ask((await self.cached_binding())["path"])
        if name == "exchange":
            places = ["inspector/" + one["id"] for one in (await self.api("/exchanges")).get("exchanges", [])]
        else:
            places = ["cache/" + one["key"] for one in (await self.api("/cache?limit=1"))["entries"]]
        if not places:
            return self.lacks(name)
        await self.looks(name, places[0])

    async def looks(self, name, place):
        wrong = []
        await self.show(place)
        if await self.tab.run("Boolean(document.querySelector('main > .problem, main > .loading'))"):
            raise Failed("it is not shown: " + await self.tab.run(text_of("main")))
        await self.tab.run(script("checks.js"))
        for scheme in SCHEMES:
            for width in WIDTHS:
                await self.tab.look(width, scheme)
                await self.tab.run(SETTLED)
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
        own = (self.base + "/", "about:", "chrome", "data:")
        foreign = [url for url in self.tab.requests if not url.startswith(own)]
        if foreign:
            raise Failed(f"it asked {foreign[:3]}")
        cookies = (await self.tab.send("Network.getCookies"))["cookies"]
        if cookies:
            raise Failed("it has cookies")
        if await self.tab.run("localStorage.length"):
            raise Failed("it keeps something beyond its tab")
        return f"{len(self.tab.requests)} requests"
