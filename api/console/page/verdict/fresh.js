/** Detects that a page is out of date, for example after a reorg, and shows a banner instead of mixing old and new data. */

import { h } from '../base/dom.js'

/** The banner of an outdated page, with a link that reloads it. @param {string} text */
export const staleBanner = (text) =>
  h(
    'p',
    { class: 'banner', role: 'status', id: 'stale' },
    text,
    ' ',
    h('a', { href: `${location.pathname}${location.search}` }, 'Show the newest'),
  )

/** Interval of checks, and minimum pause between two. */
const EVERY_MS = 300_000
const PAUSE_MS = 60_000

/**
 * Checks periodically, and when the tab becomes visible, until the page is out of date.
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
