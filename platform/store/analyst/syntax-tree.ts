/** The engine's syntax tree of a statement, parsed from `EXPLAIN AST`. */

/** One node of a statement. */
export type SyntaxNode = {
  /** Kind of node, such as SelectQuery or Function. */
  kind: string
  /** The text after the kind: the name of a function, table or column. */
  name: string
  children: readonly SyntaxNode[]
}

/** Only one way to match each line: otherwise a name of spaces and a line break would take hours. */
const LINE = /^( *)([A-Za-z_:]+)(?: +((?! ).+))?$/
const CHILDREN = / \(children (\d+)\)$/

type Line = { depth: number; kind: string; name: string; count: number }

const lineOf = (text: string): Line | undefined => {
  const count = CHILDREN.exec(text)?.[1] ?? '0'
  const [, indent = '', kind, name = ''] = LINE.exec(text.replace(CHILDREN, '')) ?? []
  return kind === undefined ? undefined : { depth: indent.length, kind, name, count: Number(count) }
}

/**
 * Parses the lines of a tree. Every node states the number of its children, so that a name with line breaks cannot imitate
 * nodes.
 * @returns undefined when the lines are not a tree.
 */
export const parseSyntaxTree = (lines: readonly string[]): SyntaxNode | undefined => {
  let at = 0
  const read = (depth: number): SyntaxNode | undefined => {
    const line = lineOf(lines[at] ?? '')
    if (line?.depth !== depth) return undefined
    at++
    const children: SyntaxNode[] = []
    while (children.length < line.count) {
      const child = read(depth + 1)
      if (child === undefined) return undefined
      children.push(child)
    }
    return { kind: line.kind, name: line.name, children }
  }
  const root = read(0)
  return at === lines.length ? root : undefined
}
