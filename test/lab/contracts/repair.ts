/**
 * Makes fragments compile: corpora of injected snippets leave names undeclared. Follows the compiler's messages
 * step by step: its spelling suggestions, missing declarations, missing placeholders.
 */
import { type Compiled, compileText } from '../../kit/contracts/solidity/compile.ts'

type Problem = { message: string; line: number; column: number }

const declarationOf = (name: string, text: string, owner: string): string => {
  const escaped = name.replace(/\$/g, '\\$')
  if (
    new RegExp(
      `\\b(?:public|private|internal|external|returns\\s*\\([^)]*\\)|\\))\\s*${escaped}\\b(?!\\s*[[(=+-])`,
    ).test(text)
  ) {
    return `modifier ${name}() { require(msg.sender == ${owner}); _; }`
  }
  if (new RegExp(`\\b${escaped}\\s*\\[`).test(text)) return `mapping (address => uint256) public ${name};`
  if (new RegExp(`(?:assert|require)\\(\\s*!?${escaped}\\s*\\)`).test(text)) return `bool public ${name};`
  return `uint256 public ${name} = 100000;`
}

const at = (text: string, { line, column }: Problem): number => {
  const lines = text.split('\n')
  return lines.slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0) + column - 1
}

/** One change that fixes the first problem, or `undefined`. */
const mendOnce = (text: string, problem: Problem): string | undefined => {
  const position = at(text, problem)
  const name = /^[A-Za-z_$][\w$]*/.exec(text.slice(position))?.[0] ?? ''
  const suggestion = /Undeclared identifier\. Did you mean "([^"]+)"/.exec(problem.message)?.[1]
  if (suggestion && name) return text.replace(new RegExp(`\\b${name}\\b`, 'g'), suggestion)
  if (problem.message.startsWith('Undeclared identifier') && name) {
    const start = text.lastIndexOf('contract ', position)
    // Declared further down, by a contract that inherits this one: a separate name keeps both apart.
    if (new RegExp(`\\bmodifier\\s+${name}\\b`).test(text.slice(position))) {
      const end = text.indexOf('\n}', position)
      const body = text.slice(start, end).replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}_declared`)
      return text.slice(0, start) + body + text.slice(end)
    }
    const open = text.indexOf('{', start)
    const close = text.indexOf('\n}', position)
    const body = text.slice(open, close < 0 ? position + 4_000 : close)
    const owner = /\baddress\s+(?:public\s+|private\s+|internal\s+)?(owner\w*)\b/i.exec(body)?.[1]
    const given = owner ?? 'owner_declared'
    const extra = owner ? '' : 'address public owner_declared; '
    return `${text.slice(0, open + 1)} ${extra}${declarationOf(name, text, given)}${text.slice(open + 1)}`
  }
  if (problem.message.includes("does not contain '_'")) {
    const close = text.indexOf('}', position)
    return close < 0 ? undefined : `${text.slice(0, close)} _;${text.slice(close)}`
  }
  if (problem.message.startsWith('Type bool is not implicitly convertible to expected type uint256')) {
    const line = text.split('\n')[problem.line - 1] ?? ''
    const target = /([A-Za-z_$][\w$]*)\s*\[/.exec(line)?.[1]
    return target
      ? text.replace(
          new RegExp(`(mapping\\s*\\(\\s*address\\s*=>\\s*)uint256(\\s*\\)\\s*(?:public\\s+)?${target})`),
          '$1bool$2',
        )
      : undefined
  }
  if (problem.message.startsWith('Expected pragma') && text[position] === '}')
    return text.slice(0, position) + text.slice(position + 1)
  return undefined
}

/** Compiles, following the compiler's messages for at most twenty rounds. */
export const compileRepaired = (source: string): { contracts: Compiled[]; problem: string; rounds: number } => {
  let text = source
  for (let rounds = 0; rounds < 20; rounds++) {
    const result = compileText(text)
    const first = result.problems[0]
    if (result.contracts.length > 0 || !first)
      return { contracts: result.contracts, problem: first?.message ?? '', rounds }
    const next = mendOnce(result.text, first)
    if (!next || next === result.text) return { contracts: [], problem: first.message, rounds }
    text = next
  }
  return { contracts: [], problem: 'still broken after twenty repairs', rounds: 20 }
}
