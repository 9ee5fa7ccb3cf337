/** The watch list, and the webhook endpoints. */
import { candidatesIn, lookAlikesOf } from '../base/address.js'
import { ask, Refusal, read } from '../base/api.js'
import { announce, fill, h } from '../base/dom.js'
import { count } from '../base/format.js'
import { address as addressOf, problem, section } from '../base/parts.js'
import { table } from '../base/table.js'
import { NETWORKS } from '../networks.js'
import { showEndpoints } from './endpoints.js'

/** @typedef {{ network: string, walletAddress: string }} Watched */

const WATCHED = ['fraud_check', 'rug_pull']
/** Addresses per request and per page, the maximum of the API. */
const PAGE = 1_000

/** Pasted addresses as API input. A CAIP-10 line determines its own network. @param {string} text @param {string} network */
export const watchedIn = (text, network) =>
  candidatesIn(text).map(({ text: walletAddress, chainId }) => ({
    network: (chainId !== undefined && NETWORKS.find((one) => one.chainId === chainId)?.code) || network,
    walletAddress,
  }))

/** @param {HTMLElement} place @param {string | null} after @param {AbortSignal} signal */
const showList = async (place, after, signal) => {
  const said = h('div', {})
  const content = h('div', {})
  const field = h('textarea', { id: 'add', rows: 3, required: true, spellcheck: 'false', autocomplete: 'off' })
  const networks = NETWORKS.filter(({ operations }) => operations.some((one) => WATCHED.includes(one)))
  const network = h('select', { id: 'network' }, ...networks.map(({ code }) => h('option', { value: code }, code)))
  /** @param {{ add?: Watched[], remove?: Watched[] }} changes */
  const change = async (changes) => {
    try {
      const { body } = await ask('/watch', changes)
      fill(said)
      await draw()
      announce(`${count(body.added)} added, ${count(body.removed)} removed`)
      return true
    } catch (error) {
      if (!signal.aborted) fill(said, problem(error))
      return false
    }
  }
  const draw = async () => {
    const query = new URLSearchParams({ limit: String(PAGE), ...(after !== null && { after }) })
    const { body } = await read(`/watch?${query}`, signal)
    const addresses = /** @type {Watched[]} */ (body.addresses)
    const lookAlikes = lookAlikesOf(addresses.map((one) => one.walletAddress))
    const remove = (/** @type {Watched} */ one) =>
      h(
        'button',
        {
          type: 'button',
          'aria-label': `Stop watching ${one.walletAddress} on ${one.network}`,
          onclick: () => change({ remove: [one] }),
        },
        'Stop watching',
      )
    fill(
      content,
      h('p', { id: 'watched' }, `You watch ${count(body.watched)} of at most ${count(body.limit)} addresses.`),
      table({
        caption: 'Watched addresses',
        file: 'watched',
        empty: 'None yet.',
        rows: addresses,
        columns: [
          {
            name: 'Address',
            value: (one) => one.walletAddress,
            show: (one) => addressOf(one.walletAddress, { network: one.network, lookAlikes }),
          },
          { name: 'Network', value: (one) => one.network },
          { name: 'Action', value: () => '', show: remove, onPageOnly: true },
        ],
      }),
      h(
        'p',
        {},
        after !== null && [h('a', { href: '/console/watch' }, 'From the beginning'), ' '],
        body.next !== null &&
          h('a', { href: `/console/watch?after=${encodeURIComponent(body.next)}` }, `The next ${count(PAGE)}`),
      ),
    )
  }
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    if (await change({ add: watchedIn(field.value, network.value) })) field.value = ''
  }
  await draw()
  fill(
    place,
    h(
      'form',
      { onsubmit: submit },
      h('label', { for: 'add' }, `Addresses, one a line, ${count(PAGE)} at most`),
      field,
      h('p', { class: 'actions' }, h('label', { for: 'network' }, 'Network'), network, h('button', {}, 'Watch these')),
    ),
    said,
    content,
  )
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { query, signal }) => {
  const [list, endpoints] = [h('div', {}), h('div', {})]
  // A failure of one part does not hide the other.
  const filled = async (/** @type {HTMLElement} */ place, /** @type {Promise<void>} */ work) => {
    try {
      await work
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) throw error
      if (!signal.aborted) fill(place, problem(error))
    }
  }
  await Promise.all([
    filled(list, showList(list, query.get('after'), signal)),
    filled(endpoints, showEndpoints(endpoints, signal)),
  ])
  fill(
    main,
    h('h1', {}, 'Watch list'),
    h(
      'p',
      {},
      'Every change for better or worse on a watched address becomes one of your ',
      h('a', { href: '/console/alerts' }, 'alerts'),
      ', and is sent to your endpoints.',
    ),
    section('list', 'Addresses', list),
    section('told', 'Webhook endpoints', endpoints),
  )
}
