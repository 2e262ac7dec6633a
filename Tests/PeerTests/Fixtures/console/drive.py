#!/usr/bin/env python3
"""Drives the console through each of its jobs in a headless Chromium, and looks at every section.

    drive.py URL [--binding NAME] [--set NAME=VALUE …] [--drift NAME] [--drift-set NAME=VALUE …]
             [--may-lack THING …] [--edit FILE OLD NEW] [--stop COMMAND --start COMMAND] [--inspector on|off]
             [--only TEXT] [--pictures FOLDER]

URL is what `sluice console` prints, with its link. One line is printed for each check; the exit code is 1 where one
failed. An error in the browser's console or a violation of the page's policy fails the check during which it came.
"""

import argparse
import asyncio
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, Tab  # noqa: E402
from jobs import Jobs  # noqa: E402
from looks import WIDTHS, Looks  # noqa: E402
from stranger import visit  # noqa: E402


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
    parser.add_argument("--may-lack", action="append", default=[], choices=["cache", "number", "exchange", "entry"],
                        help="what the daemon has nothing of; else a check fails that finds none")
    parser.add_argument("--only", help="checks with this in their names, and the first")
    parser.add_argument("--pictures", help="folder for pictures of all sections")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    return parser.parse_args()


class Driver(Jobs, Looks):
    """All checks."""


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
        driver.is_open = True
        await driver.check("the link is good once", driver.link_is_spent())
        await jobs(driver)
        await driver.check("a page elsewhere gets nothing", visit(browser, driver.base))
        await driver.check("asks nobody else, and keeps no cookie", driver.keeps_to_itself())
        await driver.check("a session that has ended says so", driver.ends())
        await tab.close()
        return driver.failed
    finally:
        browser.close()


async def jobs(driver):
    told = driver.told
    await driver.check("pure modules give what tables say", driver.modules())
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
    # Those of a busy daemon are kept for a moment only.
    for name in ("exchange", "entry"):
        if name != "exchange" or told.inspector == "on":
            await driver.check(f"{name} looks right at {len(WIDTHS)} widths, light and dark", driver.detail_looks(name))
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
