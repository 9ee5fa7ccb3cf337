/** Times at which a browser paints a page with an empty cache. */
import type { Browser } from 'playwright-core'
import { openPage } from './browser.ts'

/** Milliseconds after navigation started. */
export type Painted = {
  /** First text or picture (first contentful paint). */
  paint: number
  /** First heading, drawn by scripts once they know the caller. */
  heading: number
}

/** Runs before the scripts of a page. */
const WATCH = `new MutationObserver((_, self) => {
  if (!document.querySelector('h1')) return
  window.headingAt = performance.now()
  self.disconnect()
}).observe(document, { childList: true, subtree: true })`

const PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint')
    if (entry) resolve(entry.startTime)
  }).observe({ type: 'paint', buffered: true }))`

/** Opens a page in a profile of its own, with nothing in its cache. Pages without a heading have none (0). */
export const paintOf = async (browser: Browser, origin: string, path: string): Promise<Painted> => {
  const { page, close } = await openPage(browser, origin)
  await page.addInitScript(WATCH)
  await page.goto(path)
  const paint = await page.evaluate<number>(PAINT)
  const isConsole = path.startsWith('/console/')
  if (isConsole) await page.locator('h1').waitFor()
  const heading = isConsole ? await page.evaluate<number>('headingAt') : 0
  await close()
  return { paint, heading }
}
