/** Small components shared by pages. */
import { hasFormOfAddress } from './address.js'
import { Refusal } from './api.js'
import { announce, foreign, h } from './dom.js'
import { pathOf } from './format.js'

const ICONS = new Map([
  ['Fraud', '✖'],
  ['Not Fraud', '✔'],
  ['New Address', '◌'],
])

/** A verdict as word and icon, never by colour alone. @param {string} status */
export const status = (status) =>
  h(
    'span',
    { class: `status ${status.toLowerCase().replaceAll(' ', '-')}` },
    h('span', { 'aria-hidden': 'true' }, ICONS.get(status) ?? '•'),
    ' ',
    status,
  )

/**
 * A full address, with a warning if it looks like another address of the list.
 *
 * @param {string} text @param {{ network?: string | undefined, lookAlikes?: ReadonlySet<string> }} [options]
 */
export const address = (text, { network, lookAlikes } = {}) => {
  const spelled = h('bdi', { class: 'address', translate: 'no' }, foreign(text))
  const warning = lookAlikes?.has(text) && h('strong', { class: 'warning' }, ' ⚠ looks like another address here')
  return h('span', {}, network ? h('a', { href: pathOf(network, text) }, spelled) : spelled, warning)
}

/**
 * The verdict box of a page: status, probability and details.
 *
 * @param {string} word @param {string} probability @param {string} meaning of the probability @param {...import('./dom.js').Child} more
 */
export const verdictBox = (word, probability, meaning, ...more) =>
  h(
    'div',
    { class: `verdict ${word.toLowerCase().replaceAll(' ', '-')}`, id: 'verdict' },
    h(
      'p',
      { class: 'outcome' },
      status(word),
      ' ',
      h('span', { class: 'probability' }, probability),
      ' ',
      h('span', { class: 'quiet' }, meaning),
    ),
    ...more,
  )

/** @param {string} id @param {string} title @param {...import('./dom.js').Child} content */
export const section = (id, title, ...content) =>
  h('section', { 'aria-labelledby': id }, h('h2', { id }, title), ...content)

/** A button that copies a text to the clipboard. @param {string} name @param {() => string} text */
export const copier = (name, text) =>
  h(
    'button',
    {
      type: 'button',
      onclick: async (/** @type {Event} */ { currentTarget }) => {
        const button = /** @type {HTMLButtonElement} */ (currentTarget)
        try {
          await navigator.clipboard.writeText(text())
          announce(`Copied: ${name}`)
          button.dataset.done = 'copied'
        } catch {
          button.after(h('textarea', { readonly: true, rows: 3, 'aria-label': `${name}: copy it from here` }, text()))
        }
      },
    },
    name,
  )

/** @typedef {{ title: string, next: string }} Words */
/** @type {ReadonlyMap<string, Words>} Title and advice for error codes, shown with the message of the API. */
const WORDS = new Map([
  [
    'NOT_FOUND',
    {
      title: 'No activity found',
      next: 'The address has no activity in the indexed blocks. That does not make it safe: see below how far back this server indexes.',
    },
  ],
  [
    'NOT_COVERED',
    {
      title: 'No activity found',
      next: 'The address has no activity in the indexed blocks, and its earlier activity is not known. Compute the verdict again to fetch it.',
    },
  ],
  [
    'CATCHING_UP',
    {
      title: 'This network is catching up',
      next: 'A verdict now would rest on incomplete data. The status page shows the progress.',
    },
  ],
  [
    'ANALYSIS_NOT_AVAILABLE',
    { title: 'Not available on this server', next: 'Ask the operator which networks and analyses are available.' },
  ],
  ...['KEY_MISSING', 'KEY_INVALID', 'KEY_EXPIRED'].map(
    (code) =>
      /** @type {const} */ ([
        code,
        { title: 'You are not signed in', next: 'Sign in with a valid key, then try again.' },
      ]),
  ),
  ['TIER_NOT_COVERED', { title: 'Your key does not cover this', next: 'The operation needs an enterprise key.' }],
  [
    'OPERATION_NOT_ALLOWED',
    { title: 'Your key does not cover this', next: 'The key is restricted to other operations.' },
  ],
  [
    'NETWORK_NOT_ALLOWED',
    { title: 'Your key does not cover this network', next: 'The key is restricted to other networks.' },
  ],
  ['RATE_LIMITED', { title: 'The limit of your key is used up', next: 'Wait for the time below.' }],
  ['RECALCULATION_LIMITED', { title: 'No recalculations are left', next: 'The stored verdict is still served.' }],
  ['OVERLOADED', { title: 'The server is busy', next: 'Try again in a moment.' }],
  ['INVALID_REQUEST', { title: 'Invalid request', next: 'The message says which part is wrong.' }],
  ['NO_ANSWER', { title: 'No answer', next: 'The page was not changed.' }],
])

/**
 * Shows a failed request, with what to do next.
 *
 * @param {unknown} error @param {() => void} [again]
 */
export const problem = (error, again) => {
  const refusal = error instanceof Refusal ? error : undefined
  const { title, next } = WORDS.get(refusal?.code ?? '') ?? {
    title: 'Something went wrong',
    next: 'Try again. If it keeps happening, report it.',
  }
  const message = error instanceof Error ? error.message : String(error)
  return h(
    'div',
    { class: 'problem', role: 'alert', 'data-code': refusal?.code },
    h('h2', {}, title),
    h('p', {}, foreign(message)),
    h('p', {}, next),
    refusal && refusal.retryAfter > 0 && h('p', {}, `Wait ${refusal.retryAfter} s.`),
    refusal?.requestId && h('p', { class: 'quiet' }, `Request ${refusal.requestId}`),
    again && h('button', { type: 'button', onclick: again }, 'Try again'),
  )
}

/**
 * Joins amount, unit and USD value into one text, such as `1.5 ETH (4500.00 USD)`.
 *
 * @param {object} value @returns {Record<string, unknown>}
 */
const withAmount = (value) => {
  const { amount, unit, usd, ...others } = /** @type {Record<string, unknown>} */ (value)
  if (typeof amount !== 'string' || typeof unit !== 'string') return { ...value }
  return { ...others, amount: `${amount} ${unit}${typeof usd === 'string' ? ` (${usd} USD)` : ''}` }
}

/** Renders evidence of any structure. Addresses link to their pages. @param {unknown} value @param {string} network @returns {import('./dom.js').Child} */
export const evidence = (value, network) => {
  if (value === null || value === undefined) return 'not known'
  if (Array.isArray(value)) {
    const [few, rest] = [value.slice(0, 20), value.length - 20]
    return h(
      'ul',
      {},
      ...few.map((one) => h('li', {}, evidence(one, network))),
      rest > 0 && h('li', {}, `and ${rest} more`),
    )
  }
  if (typeof value === 'object') {
    const fields = Object.entries(withAmount(value))
    const [name, inner] = fields[0] ?? []
    if (fields.length === 1 && name === 'amount') return evidence(inner, network)
    return h(
      'dl',
      {},
      ...fields.flatMap(([name, inner]) => [h('dt', {}, foreign(name)), h('dd', {}, evidence(inner, network))]),
    )
  }
  const text = String(value)
  return hasFormOfAddress(text) ? address(text, { network }) : foreign(text)
}
