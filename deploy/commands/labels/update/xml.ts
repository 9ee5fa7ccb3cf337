/**
 * Streaming reader of untrusted XML: memory holds one element, whatever the size of the document. Document types are refused,
 * because only they can declare entities that expand (billion laughs) or read files.
 */
import sax from 'sax'

/** Maximum depth of elements, above that of any published list. Limits memory. */
const MAX_DEPTH = 64
/** Maximum text length of an element, characters. */
const MAX_TEXT = 100_000

/** Handlers for elements of a document. Paths are local names below the root, joined by `/`. */
export type XmlReader<Row> = {
  /** Local name of the outermost element. */
  root: string
  open?: (path: string, attributes: Readonly<Record<string, string>>) => void
  /** Called at the end of an element, with its trimmed text. */
  close: (path: string, text: string) => void
  /** Returns the rows found since the last call. */
  take: () => Row[]
}

type Open = { path: string; text: string }

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Rows of a document, in document order.
 * @throws RangeError for a document that is not well-formed, is truncated, has a document type or another root element
 */
export const readXml = async function* <Row>(
  chunks: AsyncIterable<Uint8Array>,
  reader: XmlReader<Row>,
): AsyncGenerator<Row> {
  const parser = sax.parser(true, { position: true })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const open: Open[] = []
  let complete = false
  const broken = (why: string) => new RangeError(`line ${parser.line + 1}: ${why}`)
  let problem: Error | undefined
  const refuse = (why: string) => {
    problem ??= broken(why)
  }
  parser.onerror = ({ message }) => refuse(message.split('\n')[0] ?? 'it is not well-formed')
  parser.ondoctype = () => refuse('document types are not allowed')
  parser.onopentag = ({ name, attributes }) => {
    const local = localName(name)
    const parent = open.at(-1)
    if (!parent && local !== reader.root) refuse(`the root element is ${local.slice(0, 40)}, expected ${reader.root}`)
    if (open.length >= MAX_DEPTH) refuse(`elements are nested more than ${MAX_DEPTH} deep`)
    const path = parent ? (parent.path === '' ? local : `${parent.path}/${local}`) : ''
    open.push({ path, text: '' })
    reader.open?.(path, attributes as Record<string, string>)
  }
  const onText = (text: string) => {
    const current = open.at(-1)
    if (!current) return
    current.text += text
    if (current.text.length > MAX_TEXT) refuse(`the text of ${current.path} is longer than ${MAX_TEXT} characters`)
  }
  parser.ontext = onText
  parser.oncdata = onText
  parser.onclosetag = () => {
    const closed = open.pop()
    if (!closed || problem) return
    if (open.length === 0) complete = true
    reader.close(closed.path, closed.text.trim())
  }
  const feed = (text: string) => {
    try {
      parser.write(text)
    } catch (error) {
      // After an error the parser throws it again for every chunk.
      throw problem ?? error
    }
    if (problem) throw problem
  }
  for await (const chunk of chunks) {
    try {
      feed(decoder.decode(chunk, { stream: true }))
    } catch (error) {
      throw error instanceof TypeError ? broken('it is not UTF-8') : error
    }
    yield* reader.take()
  }
  if (!complete) throw broken('the document is truncated')
  yield* reader.take()
}
