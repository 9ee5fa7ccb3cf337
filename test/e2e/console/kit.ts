/** One world and one browser for all tests of the console, and pages that are signed in. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Download } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { ENTERPRISE_KEY } from '../../contract/api/kit.ts'
import { type ObservedPage, openBrowser, openPage, openSharedPage, type SharedPage } from '../../kit/browser/browser.ts'
import { TRADER } from './actors.ts'
import { startWorld } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** What axe answers, as far as it is looked at. */
type Checked = { violations: { id: string; nodes: { html: string }[] }[] }
type Options = Parameters<typeof openPage>[2]

export const WALLET = `/console/ETH/${TRADER}`
/** A busy machine takes its time. */
export const SOON = { timeout: 30_000 }

/** What axe finds: each rule with what breaks it, of all rules unless some are named. */
export const found = async (page: ObservedPage['page'], only: readonly string[] = []) => {
  await page.evaluate(AXE)
  // What is in order is not described, which takes a third of the time.
  const options = { resultTypes: ['violations'], ...(only.length > 0 && { runOnly: only }) }
  const run = `axe.run(${JSON.stringify(options)})`
  const { violations } = await page.evaluate<Checked>(run)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

export const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8')

/** Starts both before the tests of a suite, and ends them after it. */
export const createConsoleKit = () => {
  let started: Awaited<ReturnType<typeof startWorld>> | undefined
  let browser: Browser | undefined
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>> | undefined
  let kept: SharedPage | undefined

  beforeAll(async () => {
    started = await startWorld()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await started?.close()
  })

  const world = () => {
    if (!started) throw new Error('The world is there once tests run.')
    return started
  }
  /** A page that nobody is signed in on. */
  const blank = async (options: Options = {}): Promise<ObservedPage> => {
    if (!browser) throw new Error('The browser is there once tests run.')
    return openPage(browser, world().origin, options)
  }
  /** Cookies of the first page, which signed in by a link as after `npm start`. */
  const signIn = async () => {
    if (cookies) return cookies
    const { page, close } = await blank()
    await page.goto(world().api.consoleLink(ENTERPRISE_KEY) ?? '')
    await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    cookies = await page.context().cookies()
    await close()
    return cookies
  }
  const goTo = async (watched: ObservedPage, at?: string): Promise<ObservedPage> => {
    if (at) {
      await watched.page.goto(at)
      await watched.page.locator('h1').waitFor()
    }
    return watched
  }
  return {
    world,
    blank,
    /** A page that is signed in, the same for one test after the other, that went to `at` if given. */
    signedIn: async ({ expected = [] }: { expected?: RegExp[] } = {}, at?: string): Promise<ObservedPage> => {
      const signed = await signIn()
      if (!browser) throw new Error('The browser is there once tests run.')
      kept ??= await openSharedPage(browser, world().origin)
      return goTo(await kept.renew(signed, expected), at)
    },
    /** The same in a profile that no other test has: for those that install a clock or scripts, or need rights. */
    signedInAlone: async (options: Options = {}, at?: string): Promise<ObservedPage> => {
      const storageState = { cookies: await signIn(), origins: [] }
      return goTo(await blank({ ...options, storageState }), at)
    },
    explained: async (walletAddress: string) =>
      (await world().ask('/fraud/explain', { network: 'ETH', walletAddress })).body,
  }
}
export type ConsoleKit = ReturnType<typeof createConsoleKit>
