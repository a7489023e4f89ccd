"""The page of convoy trace in a headless browser."""
import os
import sys
import unittest

from browser import Browser, find_browser
from command import SUBJECT, CommandTest, main

SKIPPED = 77


class Page(CommandTest):
    def open(self, **options):
        ended = self.convoy("trace", "-o", "out", "--", SUBJECT, "copy")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        browser = Browser(**options)
        self.addCleanup(browser.__exit__)
        browser.open(self.path("out.html"))
        return browser

    @staticmethod
    def middle_of_first_bar(browser):
        """The screen position of the first step of the first track."""
        return browser.run("""(() => {
          const box = document.getElementById('tracks').getBoundingClientRect();
          const bar = tracks[0].bars[0], scale = box.width / (view.to - view.from);
          return [box.left + ((bar.from + bar.to) / 2 - view.from) * scale,
                  box.top + tops[0] + TRACK / 2];
        })()""")

    def pixels(self, browser):
        """The number of pixels in the colour of each direction."""
        return browser.run("""(() => {
          const canvas = document.getElementById('tracks'), paint = colours(), found = {};
          const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          for (const way of ['--h2d', '--d2h']) {
            const [r, g, b] = [1, 3, 5].map(i => parseInt(paint[way].slice(i, i + 2), 16));
            found[way] = 0;
            for (let i = 0; i < all.length; i += 4)
              if (all[i] === r && all[i + 1] === g && all[i + 2] === b) ++found[way];
          }
          return found;
        })()""")

    def test_labels_every_stream_and_thread(self):
        browser = self.open()
        labels = browser.run("[...document.querySelectorAll('.track')].map(e => e.textContent)")
        groups = browser.run("[...document.querySelectorAll('.group')].map(e => e.textContent)")
        self.assertEqual(groups, ["Streams", "Threads"])
        self.assertTrue(any(label.startswith("stream ") for label in labels), labels)
        self.assertGreaterEqual(len(labels), 2)
        self.assertEqual(browser.problems, [])

    def test_draws_both_directions_light_and_dark(self):
        for dark in [False, True]:
            found = self.pixels(self.open(dark=dark))
            self.assertGreater(found["--h2d"], 20, found)
            self.assertGreater(found["--d2h"], 20, found)

    def test_short_steps_show_at_both_edges(self):
        browser = self.open()
        for side in ["from: whole.from - 5000 * span, to: whole.to",
                     "from: whole.from, to: whole.to + 5000 * span"]:
            browser.run("(() => { const span = whole.to - whole.from;"
                        f" Object.assign(view, {{{side}}}); draw(); }})()")
            found = self.pixels(browser)  # the last step is painted over the others
            self.assertGreater(found["--d2h"], 20, (side, found))

    def test_screenshot_is_not_blank(self):
        browser = self.open()
        shot = browser.screenshot(os.environ.get("CONVOY_SHOT"))
        self.assertTrue(shot.startswith(b"\x89PNG"))
        self.assertGreater(len(shot), 20000)

    def test_hover_describes_the_step(self):
        browser = self.open()
        browser.hover(*self.middle_of_first_bar(browser))
        tip = browser.run("document.getElementById('tip').textContent")
        self.assertIn("batch 64", tip)
        self.assertIn("host to device", tip)
        self.assertEqual(browser.run("document.getElementById('tip').style.display"), "block")

    def test_click_shows_details_with_a_histogram(self):
        browser = self.open()
        browser.run("document.getElementById('chosen').replaceChildren()")
        browser.click(*self.middle_of_first_bar(browser))
        details = browser.run("document.getElementById('chosen').textContent")
        self.assertIn("ticket 1", details)
        self.assertIn("64 copies, 256 KiB", details)
        self.assertGreaterEqual(
            browser.run("document.querySelectorAll('#chosen svg rect').length"), 1)

    def test_wheel_and_button_zoom(self):
        browser = self.open()
        whole = browser.run("view.to - view.from")
        browser.wheel(*self.middle_of_first_bar(browser), -300)
        nearer = browser.run("view.to - view.from")
        self.assertLess(nearer, whole)
        browser.run("document.getElementById('all').click()")
        self.assertEqual(browser.run("view.to - view.from"), whole)

    def test_slowest_steps_are_listed_and_linked(self):
        browser = self.open()
        rows = browser.run("document.querySelectorAll('#slowest tr.pick').length")
        self.assertEqual(rows, 2)
        browser.run("document.querySelector('#slowest tr.pick').click()")
        self.assertLess(browser.run("(view.to - view.from) / (whole.to - whole.from)"), 1.01)
        self.assertIn("GB/s", browser.run("document.getElementById('directions').textContent"))


if __name__ == "__main__":
    if not find_browser():
        print("skipped: there is no Chromium; scripts/setup test installs one")
        sys.exit(SKIPPED)
    main()
