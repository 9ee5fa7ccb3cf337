/**
 * Reads XML of strangers as a stream: memory holds one element, whatever the size of the document. A document type is
 * refused, because only there can entities be declared that grow when they are read (billion laughs) or reach files.
 */
import sax from 'sax'

/** Deeper than any published list; deeper documents are made to exhaust memory. */
const MAX_DEPTH = 64
/** Longest text of an element, in characters. */
const MAX_TEXT = 100_000

/** What is done with the elements of a document. Paths are local names below the root, joined by `/`. */
export type XmlReader<Row> = {
  /** Local name of the outermost element. */
  root: string
  open?: (path: string, attributes: Readonly<Record<string, string>>) => void
  /** `text` is what stands in the element itself, trimmed. */
  close: (path: string, text: string) => void
  /** Rows found since it was last called. */
  take: () => Row[]
}

type Open = { path: string; text: string }

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Rows of a document, in the order in which the reader finds them.
 * @throws RangeError when it is not well-formed, ends early, has a document type, or is no document of this kind.
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
  parser.ondoctype = () => refuse('it declares a document type, which no published list does')
  parser.onopentag = ({ name, attributes }) => {
    const local = localName(name)
    const parent = open.at(-1)
    if (!parent && local !== reader.root) refuse(`it begins with ${local.slice(0, 40)}, not with ${reader.root}`)
    if (open.length >= MAX_DEPTH) refuse(`elements lie in each other more than ${MAX_DEPTH} deep`)
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
      // What the parser threw at an earlier error it throws again with every piece.
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
  if (!complete) throw broken('it ends before its outermost element does')
  yield* reader.take()
}
