/** Help of commands, and errors for unknown commands. */
import type { Command } from 'commander'
import { didYouMean } from '../../platform/config/nearest.ts'
import { EXAMPLES } from './examples.ts'

/** Path of a command without the name of the program, such as `keys create`. */
export const pathOf = (command: Command): string => {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}

/** A command and all its subcommands. */
export const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]

/** Commands without subcommands. */
export const leavesOf = (program: Command): Command[] =>
  allOf(program).filter((command) => command.parent !== null && command.commands.length === 0)

/** Adds examples to the help of every command, and a hint about help to its errors. */
export const addHelp = (program: Command): void => {
  for (const command of allOf(program)) {
    const path = pathOf(command)
    const examples = EXAMPLES[path]
    if (examples) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
    command.showHelpAfterError(`See: ${['assay', path, '--help'].filter(Boolean).join(' ')}`)
  }
}

/**
 * Refuses an unknown first word, which commander would pass to the default command as an argument.
 * @param given arguments after the name of the program
 */
export const refuseUnknownCommand = (program: Command, given: readonly string[]): void => {
  const [word] = given
  if (word === undefined || word.startsWith('-')) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (names.includes(word)) return
  program.error(`error: unknown command ${word}.${didYouMean(word, names)}`, { exitCode: 1 })
}
