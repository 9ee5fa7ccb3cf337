/**
 * Creates elements. Text always becomes text nodes: data from chains, lists or files is never parsed as HTML.
 *
 * @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child
 * @typedef {string | number | boolean | null | undefined | ((event: any) => unknown)} Prop
 * @typedef {{ [name: string]: Prop }} Props `on...` are event listeners, the others attributes; `true` sets an empty attribute, `false` none
 */

const SVG = 'http://www.w3.org/2000/svg'

/** @param {Node} node @param {readonly Child[]} children */
const append = (node, children) => {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) append(node, child)
    else node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/** @param {Element} element @param {Props} props */
const dress = (element, props) => {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value))
  }
}

/**
 * An HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, props = {}, ...children) => {
  const element = document.createElement(tag)
  dress(element, props)
  append(element, children)
  return element
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const svg = (tag, props = {}, ...children) => {
  const element = document.createElementNS(SVG, tag)
  dress(element, props)
  append(element, children)
  return element
}

/** Replaces the content of an element. @param {Element} element @param {...Child} children */
export const fill = (element, ...children) => {
  element.replaceChildren()
  append(element, children)
}

/** Invisible characters, and characters that change how others are displayed. */
const UNSEEN = /([\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}])/u

/**
 * Untrusted text, such as the name of a token: isolated from the direction of the surrounding text, with invisible characters
 * shown as code points.
 *
 * @param {string} text
 */
export const foreign = (text) =>
  h(
    'bdi',
    { class: 'foreign' },
    text
      .split(UNSEEN)
      .map((part, nth) =>
        nth % 2 === 0
          ? part
          : h(
              'span',
              { class: 'unseen-character' },
              `U+${part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`,
            ),
      ),
  )

/** Announces a text to screen readers. @param {string} text */
export const announce = (text) => {
  const announcer = document.getElementById('announcer')
  if (announcer) announcer.textContent = text
}
