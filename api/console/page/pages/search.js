/** Search: looks up pasted addresses on all networks they may belong to. The API validates them. */
import { candidatesIn, isTransaction, lookAlikesOf } from '../base/address.js'
import { ask, read } from '../base/api.js'
import { fill, foreign, h } from '../base/dom.js'
import { pathOf } from '../base/format.js'
import { address, status } from '../base/parts.js'
import { table } from '../base/table.js'
import { NETWORKS } from '../networks.js'

/** @typedef {import('../base/address.js').Candidate} Candidate */
/** @typedef {{ candidate: Candidate, network: string, status: number, result: any }} Hit */

/** Maximum number of look-ups of a search. */
const MAX_LOOK_UPS = 500

/** Indexed networks that support the fraud check. @param {AbortSignal} signal */
const networksHere = async (signal) => {
  const { body } = await read('/status', signal)
  const here = new Set(body.networks.map((/** @type {{ network: string }} */ { network }) => network))
  const checked = NETWORKS.filter(({ operations }) => operations.includes('fraud_check'))
  const both = checked.filter(({ code }) => here.has(code))
  return both.length > 0 ? both : checked
}

/** @param {readonly Candidate[]} candidates @param {AbortSignal} signal @returns {Promise<Hit[]>} */
const lookUp = async (candidates, signal) => {
  const networks = await networksHere(signal)
  const asked = candidates.flatMap((candidate) =>
    networks
      .filter(
        ({ chainId, family }) => (candidate.chainId ?? chainId) === chainId && (candidate.family ?? family) === family,
      )
      .map(({ code }) => ({ candidate, network: code })),
  )
  if (asked.length === 0 || asked.length > MAX_LOOK_UPS) return []
  const wallets = asked.map(({ candidate, network }) => ({ network, walletAddress: candidate.text }))
  const { body } = await ask('/fraud/batch', { wallets }, signal)
  return asked.map((one, nth) => ({ ...one, status: body.results[nth].status, result: body.results[nth].result }))
}

/** Explains why an address has no verdict. @param {Candidate} candidate @param {readonly Hit[]} hits */
const missing = ({ text }, hits) => {
  const title = h('h3', {}, address(text))
  if (isTransaction(text))
    return h(
      'section',
      {},
      title,
      h('p', {}, 'This looks like the hash of a transaction. Look up one of its addresses.'),
    )
  if (hits.length === 0)
    return h('section', {}, title, h('p', {}, 'This server does not index the network of this address.'))
  const seen = hits.filter((hit) => hit.status !== 400)
  /** @type {Map<string, string[]>} */
  const reasons = new Map()
  for (const { network, result } of seen.length > 0 ? seen : hits) {
    const reason = result.details?.[0]?.reason ?? result.message
    reasons.set(reason, [...(reasons.get(reason) ?? []), network])
  }
  return h(
    'section',
    {},
    title,
    h('ul', {}, ...[...reasons].map(([reason, networks]) => h('li', {}, `${networks.join(', ')}: `, foreign(reason)))),
  )
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { query, signal }) => {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById('search'))
  const text = query.get('q') ?? ''
  if (text === '') {
    fill(
      main,
      h('h1', {}, 'Check a wallet'),
      h(
        'p',
        {},
        'Paste an address, a link to an explorer, a CAIP-10 id, or several of them, one a line. Press ',
        h('kbd', {}, '/'),
        ' to search from anywhere.',
      ),
      h('p', {}, 'For files with many addresses use ', h('a', { href: '/console/batch' }, 'lists'), '.'),
    )
    field.focus()
    return
  }
  const candidates = candidatesIn(text)
  const hits = await lookUp(candidates, signal)
  const found = hits.filter((hit) => hit.status === 200)
  const [only, ...others] = found
  if (candidates.length === 1 && only && others.length === 0) {
    history.replaceState(null, '', pathOf(only.network, only.candidate.text))
    dispatchEvent(new PopStateEvent('popstate'))
    return
  }
  const lookAlikes = lookAlikesOf(candidates.map((one) => one.text))
  const without = candidates.filter((candidate) => !found.some((hit) => hit.candidate === candidate))
  const tooMany = candidates.length > 0 && hits.length === 0 && candidates.length > 50
  fill(
    main,
    h('h1', {}, candidates.length === 1 ? 'Networks of this address' : `${candidates.length} addresses`),
    tooMany &&
      h(
        'p',
        {},
        'A search cannot look up that many addresses. Use ',
        h('a', { href: '/console/batch' }, 'lists'),
        ' instead.',
      ),
    found.length > 0 &&
      table({
        caption: 'Verdicts',
        file: 'verdicts',
        empty: '',
        rows: found,
        columns: [
          {
            name: 'Address',
            value: (hit) => hit.candidate.text,
            show: (hit) => address(hit.candidate.text, { network: hit.network, lookAlikes }),
          },
          { name: 'Network', value: (hit) => hit.network },
          { name: 'Verdict', value: (hit) => hit.result.status, show: (hit) => status(hit.result.status) },
          { name: 'Probability', value: (hit) => hit.result.probabilityFraud, number: true },
          { name: 'Computed', value: (hit) => hit.result.lastChecked },
        ],
      }),
    !tooMany &&
      without.length > 0 &&
      h(
        'section',
        {},
        h('h2', {}, 'Without a verdict'),
        ...without.map((candidate) =>
          missing(
            candidate,
            hits.filter((hit) => hit.candidate === candidate),
          ),
        ),
      ),
  )
}
