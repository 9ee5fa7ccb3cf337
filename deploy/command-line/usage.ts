/** What the command line says of commands and options that it does not have, and where help is. */
import type { Command } from 'commander'
import { didYouMean } from '../../platform/config/nearest.ts'
import { EXAMPLES } from './examples.ts'

/** `keys create`, without the name of the program. */
export const pathOf = (command: Command): string => {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}

/** A command and all below it. */
export const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]

/** Commands that do something themselves. */
export const leavesOf = (program: Command): Command[] =>
  allOf(program).filter((command) => command.parent !== null && command.commands.length === 0)

/** Gives every command its examples and one line about where help is. */
export const addHelp = (program: Command): void => {
  for (const command of allOf(program)) {
    const path = pathOf(command)
    const examples = EXAMPLES[path]
    if (examples) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
    command.showHelpAfterError(`See: ${['assay', path, '--help'].filter(Boolean).join(' ')}`)
  }
}

/**
 * Refuses an unknown first word, which commander would take for an argument of the default command.
 * @param given what follows the name of the program
 */
export const refuseUnknownCommand = (program: Command, given: readonly string[]): void => {
  const [word] = given
  if (word === undefined || word.startsWith('-')) return
  const names = [...program.commands.map((command) => command.name()), 'help']
  if (names.includes(word)) return
  program.error(`error: there is no command ${word}.${didYouMean(word, names)}`, { exitCode: 1 })
}
