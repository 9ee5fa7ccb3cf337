// @ts-check
/**
 * Search and a form for each operation on the reference page. The API key stays in its field and is not stored. Texts are
 * added as text nodes, never as HTML.
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {{ [property: string]: string | number | boolean }} props @param {...(Node | string)} children
 */
const h = (tag, props, ...children) => {
  const element = document.createElement(tag)
  Object.assign(element, props)
  element.append(...children)
  return element
}

/** @typedef {{ parameters?: { name: string, in: string, required?: boolean }[], security?: object[], requestBody?: { content: Record<string, { example?: unknown }> } }} Operation */

/** The sections of the operations. @returns {HTMLElement[]} */
const sections = () => [...document.querySelectorAll('section[data-path]')].filter((one) => one instanceof HTMLElement)

const key = h('input', { type: 'password', autocomplete: 'off', spellcheck: false, id: 'key' })
const search = h('input', { type: 'search', id: 'search', placeholder: 'Search operations, fields and errors' })
const found = h('p', { className: 'quiet', role: 'status' })

const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const section of sections()) {
    const text = (section.textContent ?? '').toLowerCase()
    section.hidden = !words.every((word) => text.includes(word))
    if (!section.hidden) shown++
    for (const link of document.querySelectorAll(`nav a[href="#${section.id}"]`)) {
      if (link.parentElement) link.parentElement.hidden = section.hidden
    }
  }
  found.textContent = words.length === 0 ? '' : `${shown} operations`
}

/** @param {string} text */
const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** @param {HTMLElement} section @param {Operation} operation */
const formOf = (section, operation) => {
  const { method = 'get', path = '' } = section.dataset
  const [entry] = Object.entries(operation.requestBody?.content ?? {})
  const example = entry?.[1].example
  const body = h('textarea', {
    rows: 6,
    value: typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example, null, 2),
  })
  const fields = (operation.parameters ?? [])
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map((one) => ({ ...one, input: h('input', { type: 'text', required: one.required === true }) }))
  const output = h('pre', { hidden: true })
  const send = async () => {
    const query = new URLSearchParams()
    let url = path
    for (const { name, in: place, input } of fields) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value))
      else if (input.value !== '') query.set(name, input.value)
    }
    output.hidden = false
    output.textContent = 'Sending ...'
    try {
      const began = performance.now()
      const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
        method: method.toUpperCase(),
        credentials: 'same-origin',
        headers: {
          ...(key.value !== '' && { 'x-api-key': key.value }),
          ...(entry && { 'content-type': entry[0] }),
          ...(path.endsWith('/mcp') && { accept: 'application/json, text/event-stream' }),
        },
        ...(entry && { body: body.value }),
      })
      const text = await response.text()
      const ms = Math.round(performance.now() - began)
      output.textContent = `${response.status} in ${ms} ms · x-request-id ${response.headers.get('x-request-id')}\n\n${pretty(text)}`
    } catch (error) {
      output.textContent = `The server did not answer: ${error instanceof Error ? error.message : error}`
    }
  }
  const form = h(
    'form',
    { hidden: true },
    ...fields.map(({ name, input }) => h('label', {}, `${name} `, input)),
    ...(entry ? [h('label', {}, 'Body', body)] : []),
    h('button', { type: 'submit' }, `Send ${method.toUpperCase()} ${path}`),
    output,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  return form
}

const start = async () => {
  const tools = h(
    'form',
    {},
    h('label', { htmlFor: 'search' }, 'Search'),
    search,
    found,
    h('label', {}, 'API key for trying operations (not stored) ', key),
  )
  tools.addEventListener('submit', (event) => event.preventDefault())
  document.getElementById('tools')?.append(tools)
  search.addEventListener('input', filter)
  const response = await fetch('/openapi.json')
  /** @type {{ paths: Record<string, Record<string, Operation>> }} */
  const { paths } = await response.json()
  for (const section of sections()) {
    const { method = '', path = '' } = section.dataset
    const operation = paths[path]?.[method]
    const place = section.querySelector('.try')
    if (!operation || !place) continue
    const button = h('button', { type: 'button' }, 'Try it')
    button.setAttribute('aria-expanded', 'false')
    /** @type {HTMLFormElement | undefined} */
    let form
    button.addEventListener('click', () => {
      if (!form) {
        form = formOf(section, operation)
        place.append(form)
      }
      form.hidden = !form.hidden
      button.setAttribute('aria-expanded', String(!form.hidden))
    })
    place.append(button)
  }
}

void start()
