/** Webhook endpoints and their deliveries. */
import { lookAlikesOf } from '../base/address.js'
import { ask, read, send } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { time, words } from '../base/format.js'
import { address as addressOf, copier, problem } from '../base/parts.js'
import { table } from '../base/table.js'
import { causeText, verdictText } from '../verdict/change.js'

/** @import { EndpointShown, VerdictChanged } from '../../../../schema/records/service/monitoring.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/service/monitoring.ts').deliveriesAnswer>['deliveries'][number]} Delivery */
/** @typedef {Omit<Delivery, 'body'> & { endpoint: EndpointShown, change: VerdictChanged['data'] | null }} Sent */

/** Deliveries shown per endpoint, newest first. */
const SHOWN = 100
const DIRECTIONS = /** @type {const} */ ([
  ['worse,better', 'worse or better'],
  ['worse', 'worse only'],
  ['worse,better,neutral', 'any'],
])

/** The change in an event; null for a test, or an unknown type. @param {string} body */
const changeIn = (body) => {
  try {
    const event = JSON.parse(body)
    return event?.type === 'verdict.changed' ? /** @type {VerdictChanged} */ (event).data : null
  } catch {
    return null
  }
}

/**
 * Deliveries of all endpoints, newest first.
 *
 * @param {readonly (readonly [endpoint: EndpointShown, deliveries: readonly Delivery[]])[]} sent
 * @returns {Sent[]}
 */
const sentOf = (sent) =>
  sent
    .flatMap(([endpoint, deliveries]) =>
      deliveries.map(({ body, ...delivery }) => ({ ...delivery, endpoint, change: changeIn(body) })),
    )
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

/** @param {Sent} one */
const outcome = ({ state, status, reason, attempts }) =>
  state === 'delivered'
    ? 'delivered'
    : `${state === 'dead' ? 'given up' : 'waiting'}, ${attempts} attempts${status === null ? '' : `, answered ${status}`}${reason === null ? '' : `: ${reason}`}`

/** @typedef {(done: string, work: () => Promise<unknown>) => () => Promise<void>} Doing */

/** @param {readonly Sent[]} sent @param {Doing} doing */
const deliveriesTable = (sent, doing) => {
  const lookAlikes = lookAlikesOf(sent.flatMap(({ change }) => change?.address ?? []))
  const again = (/** @type {Sent} */ { endpoint, id }) =>
    h(
      'button',
      {
        type: 'button',
        onclick: doing('The event is queued again', () => ask(`/webhooks/${endpoint.id}/replay`, { ids: [id] })),
      },
      'Send again',
    )
  return table({
    caption: 'Deliveries, newest first',
    file: 'deliveries',
    empty: 'Nothing was sent in the last 30 days.',
    rows: sent,
    columns: [
      { name: 'Time', value: (one) => one.createdAt, show: (one) => time(one.createdAt) },
      {
        name: 'Address',
        value: (one) => one.change?.address ?? '',
        show: ({ change }) =>
          change
            ? addressOf(change.address, { network: change.network, lookAlikes })
            : h('span', { class: 'quiet' }, 'a test'),
      },
      { name: 'Network', value: (one) => one.change?.network ?? '' },
      {
        name: 'Change',
        value: (one) => one.change?.direction ?? '',
        show: ({ change }) => change && h('strong', {}, words(change.direction)),
      },
      { name: 'Before', value: (one) => (one.change ? verdictText(one.change.before) : '') },
      { name: 'After', value: (one) => (one.change ? verdictText(one.change.after) : '') },
      {
        name: 'Why',
        value: (one) => (one.change ? causeText(one.change) : ''),
        show: (one) => foreign(one.change ? causeText(one.change) : ''),
      },
      { name: 'Sent to', value: (one) => one.endpoint.url, show: (one) => foreign(one.endpoint.url) },
      {
        name: 'Delivery',
        value: outcome,
        show: (one) => [foreign(outcome(one)), one.state === 'dead' && [' ', again(one)]],
      },
    ],
  })
}

/** @param {readonly EndpointShown[]} endpoints @param {Doing} doing @param {(secret: string) => void} onSecret */
const endpointsTable = (endpoints, doing, onSecret) => {
  const change = (/** @type {EndpointShown} */ { id }, /** @type {'on' | 'paused'} */ state) =>
    send('PATCH', `/webhooks/${id}`, {
      body: JSON.stringify({ state }),
      headers: { 'content-type': 'application/json' },
    })
  const button = (/** @type {string} */ name, /** @type {() => unknown} */ onclick) =>
    h('button', { type: 'button', onclick }, name)
  /** A button that asks for confirmation with its own label. */
  const careful = (/** @type {string} */ name, /** @type {() => unknown} */ work) => {
    const asked = button(name, () => {
      if (asked.dataset.asked) return work()
      asked.dataset.asked = 'yes'
      fill(asked, `${name}: are you sure?`)
    })
    return asked
  }
  const actions = (/** @type {EndpointShown} */ endpoint) => {
    const { id, state } = endpoint
    const on = state === 'on'
    return h(
      'span',
      { class: 'actions' },
      button(
        on ? 'Pause' : 'Turn on',
        doing(on ? 'Paused' : 'Turned on', () => change(endpoint, on ? 'paused' : 'on')),
      ),
      button(
        'Send a test',
        doing('A test event is queued', () => send('POST', `/webhooks/${id}/ping`)),
      ),
      careful(
        'New secret',
        doing('The secret was replaced', async () => onSecret((await ask(`/webhooks/${id}/rotate`, {})).body.secret)),
      ),
      careful(
        'Remove',
        doing('Removed', () => send('DELETE', `/webhooks/${id}`)),
      ),
    )
  }
  return table({
    caption: 'Endpoints',
    file: 'endpoints',
    empty: 'No endpoints yet.',
    rows: endpoints,
    columns: [
      { name: 'URL', value: (one) => one.url, show: (one) => foreign(one.url) },
      { name: 'Description', value: (one) => one.description, show: (one) => foreign(one.description) },
      {
        name: 'Sends',
        value: ({ directions, operations, networks }) =>
          [directions.join(', '), ...operations.map(words), ...networks].join(', '),
      },
      {
        name: 'State',
        value: (one) => one.state,
        show: (one) => [h('strong', {}, one.state), one.reason !== null && [': ', foreign(one.reason)]],
      },
      {
        name: 'Failing since',
        value: (one) => one.failingSince,
        show: (one) => one.failingSince && time(one.failingSince),
      },
      { name: 'Actions', value: () => '', show: actions, onPageOnly: true },
    ],
  })
}

/** Renders endpoints and deliveries. @param {HTMLElement} place @param {AbortSignal} signal */
export const showEndpoints = async (place, signal) => {
  const said = h('div', {})
  const secretPlace = h('div', { role: 'status' })
  const content = h('div', {})
  const url = h('input', { id: 'url', type: 'url', required: true, placeholder: 'https://example.org/hooks' })
  const description = h('input', { id: 'description', maxlength: 200 })
  const directions = h('select', { id: 'told' }, ...DIRECTIONS.map(([value, name]) => h('option', { value }, name)))
  const onSecret = (/** @type {string} */ secret) =>
    fill(
      secretPlace,
      h(
        'p',
        { class: 'banner' },
        'Events are signed with this secret. It is not shown again: ',
        h('code', {}, secret),
        ' ',
        copier('Copy secret', () => secret),
      ),
    )
  /** @type {Doing} */
  const doing = (done, work) => async () => {
    try {
      await work()
      fill(said)
      await draw()
      announce(done)
    } catch (error) {
      if (!signal.aborted) fill(said, problem(error))
    }
  }
  const draw = async () => {
    const { body } = await read('/webhooks', signal)
    const endpoints = /** @type {EndpointShown[]} */ (body.endpoints)
    const sent = await Promise.all(
      endpoints.map(async (endpoint) => {
        const { body: page } = await read(`/webhooks/${endpoint.id}/deliveries?limit=${SHOWN}`, signal)
        return /** @type {const} */ ([endpoint, /** @type {Delivery[]} */ (page.deliveries)])
      }),
    )
    fill(
      content,
      endpointsTable(endpoints, doing, onSecret),
      endpoints.length > 0 && deliveriesTable(sentOf(sent), doing),
    )
  }
  const create = doing('The endpoint was created', async () => {
    const request = { url: url.value, description: description.value, directions: directions.value.split(',') }
    onSecret((await ask('/webhooks', request)).body.secret)
    url.value = ''
    description.value = ''
  })
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    return create()
  }
  await draw()
  fill(
    place,
    h(
      'form',
      { onsubmit: submit, class: 'sign-in' },
      h('label', { for: 'url' }, 'URL'),
      url,
      h('label', { for: 'description' }, 'Description'),
      description,
      h('label', { for: 'told' }, 'Changes to send'),
      directions,
      h('button', {}, 'Add endpoint'),
    ),
    said,
    secretPlace,
    content,
    h(
      'p',
      {},
      h('button', { type: 'button', onclick: doing('Refreshed', async () => undefined) }, 'Refresh deliveries'),
    ),
  )
}
