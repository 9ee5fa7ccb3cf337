/** Notices that what a page shows is not the newest any more, as after a reorg: the page says so and mixes nothing. */

import { h } from '../base/dom.js'

/** What a page says that is out of date, with the link that loads all of it again. @param {string} text */
export const staleBanner = (text) =>
  h(
    'p',
    { class: 'banner', role: 'status', id: 'stale' },
    text,
    ' ',
    h('a', { href: `${location.pathname}${location.search}` }, 'Show the newest'),
  )

/** Looks of a page that stays open, and the least time between two. */
const EVERY_MS = 300_000
const PAUSE_MS = 60_000

/**
 * Looks from time to time, and when somebody comes back to the tab, until something newer was found.
 *
 * @param {() => Promise<boolean>} isOld @param {() => void} tell @param {AbortSignal} signal of the page
 */
export const watchAge = (isOld, tell, signal) => {
  const done = new AbortController()
  let last = Date.now()
  const look = async () => {
    if (document.hidden || Date.now() - last < PAUSE_MS) return
    last = Date.now()
    const old = await isOld().catch(() => false)
    if (!old || done.signal.aborted) return
    stop()
    tell()
  }
  const timer = setInterval(look, EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    done.abort()
  }
  document.addEventListener('visibilitychange', look, { signal: done.signal })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
}
