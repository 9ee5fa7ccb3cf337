/** Plays the hours of a page that stays open: its timers are driven one by one, and the same answers come again. */
import type { Page } from 'playwright-core'

/** Runs before the scripts of the page. Keeps its timers for `played`, and repeats the first answer to each GET. */
const PLAYER = `{
  const timers = new Map()
  let next = 1
  window.setInterval = (work) => (timers.set(next, work), next++)
  window.clearInterval = (id) => timers.delete(id)
  const answers = new Map()
  const real = window.fetch
  window.fetch = async (path, request) => {
    if (request.method !== 'GET') return real(path, request)
    if (!answers.has(path)) {
      const answer = await real(path, request)
      answers.set(path, { status: answer.status, headers: [...answer.headers], text: await answer.text() })
    }
    const { status, headers, text } = answers.get(path)
    return new Response(text, { status, headers })
  }
  const { port1, port2 } = new MessageChannel()
  let turn = () => {}
  port1.onmessage = () => turn()
  const nextTurn = () => new Promise((resolve) => { turn = resolve; port2.postMessage(0) })
  const drawn = async (before, selector) => {
    while ([null, before].includes(document.querySelector(selector))) await nextTurn()
  }
  window.timers = () => timers.size
  window.played = async (rounds) => {
    for (let nth = 0; nth < rounds; nth++) {
      const before = document.querySelector('#main table')
      for (const work of timers.values()) work()
      await drawn(before, '#main table')
    }
  }
  window.visited = async (paths, rounds) => {
    for (let nth = 0; nth < rounds * paths.length; nth++) {
      const before = document.querySelector('#main h1')
      document.dispatchEvent(new CustomEvent('console:go', { detail: paths[nth % paths.length] }))
      await drawn(before, '#main h1')
    }
  }
}`

export type Held = { nodes: number; listeners: number; heap: number }

/** Installs the player in a page that is opened next. */
export const installPlayer = async (page: Page) => {
  await page.addInitScript(PLAYER)
  const devtools = await page.context().newCDPSession(page)
  return {
    /** Has every timer of the page run so often, each time until the page is drawn anew. */
    play: (rounds: number) => page.evaluate(`played(${rounds})`),
    /** Goes from page to page within the tab, so often around. */
    visit: (paths: readonly string[], rounds: number) => page.evaluate(`visited(${JSON.stringify(paths)}, ${rounds})`),
    timers: () => page.evaluate<number>('timers()'),
    /** What the page holds once everything is collected that nobody can reach. */
    held: async (): Promise<Held> => {
      await devtools.send('HeapProfiler.collectGarbage')
      await devtools.send('HeapProfiler.collectGarbage')
      const { nodes, jsEventListeners: listeners } = await devtools.send('Memory.getDOMCounters')
      const { usedSize: heap } = await devtools.send('Runtime.getHeapUsage')
      return { nodes, listeners, heap }
    },
  }
}
