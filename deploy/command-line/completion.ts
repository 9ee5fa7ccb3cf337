/** Shell completion scripts for commands and options, generated from the program. */
import type { Command } from 'commander'
import { didYouMean } from '../../platform/config/nearest.ts'
import { OperatorError } from '../../platform/errors.ts'
import { allOf, pathOf } from './usage.ts'

type Entry = { path: string; description: string; words: { word: string; description: string }[] }

/** Words that may follow each command. */
const entriesOf = (program: Command): Entry[] =>
  allOf(program).map((command) => ({
    path: pathOf(command),
    description: command.description(),
    words: [
      ...command.commands.map((one) => ({ word: one.name(), description: one.description() })),
      ...command.options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
      { word: '--help', description: 'display help for command' },
    ],
  }))

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Bash script. It finds the command among the typed words, without options. */
const bash = (program: Command): string => {
  const cases = entriesOf(program).map(
    ({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`,
  )
  return `# Completion for bash.
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] && continue
    case "\${path:+$path }$word" in
      ${entriesOf(program)
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* || "$words" == [a-z]* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
  [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _assay assay
`
}

// In zsh the variable `path` is tied to PATH, so it is not used here.
const zsh = (program: Command): string => {
  const described = ({ words }: Entry) =>
    words.map(({ word, description }) => quoted(`${word}:${description.replaceAll(':', '\\:')}`)).join(' ')
  const entries = entriesOf(program)
  return `#compdef assay
# Completion for zsh.
_assay() {
  local typed='' word
  local -a words_here
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && continue
    case "\${typed:+$typed }$word" in
      ${entries
        .filter(({ path }) => path !== '')
        .map(({ path }) => `(${path.replaceAll(' ', '\\ ')})`)
        .map((pattern) => pattern.slice(1, -1))
        .join('|')}) typed="\${typed:+$typed }$word" ;;
    esac
  done
  case "$typed" in
${entries.map((entry) => `    ${quoted(entry.path)}) words_here=(${described(entry)}) ;;`).join('\n')}
  esac
  _describe 'assay' words_here
  _files
}
compdef _assay assay
`
}

const fish = (program: Command): string => {
  const lines = entriesOf(program).flatMap(({ path, words }) => {
    const names = path.split(' ').filter(Boolean)
    const conditions = names.map((name) => `__fish_seen_subcommand_from ${name}`)
    const below = words.filter(({ word }) => !word.startsWith('--')).map(({ word }) => word)
    const none =
      names.length === 0
        ? '__fish_use_subcommand'
        : [...conditions, ...(below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : [])].join(
            '; and ',
          )
    return words.map(({ word, description }) =>
      word.startsWith('--')
        ? `complete -c assay${names.length > 0 ? ` -n ${quoted(conditions.join('; and '))}` : ''} -l ${word.slice(2)} -d ${quoted(description)}`
        : `complete -c assay -f -n ${quoted(none)} -a ${word} -d ${quoted(description)}`,
    )
  })
  return `# Completion for fish.\n${lines.join('\n')}\n`
}

const SHELLS: Readonly<Record<string, (program: Command) => string>> = { bash, zsh, fish }

/** @throws OperatorError ASSAY_TOOL_OPTION for an unsupported shell */
export const completionOf = (program: Command, shell: string): string => {
  const names = Object.keys(SHELLS)
  const { [shell]: script } = SHELLS
  if (script) return script(program)
  throw new OperatorError(
    'ASSAY_TOOL_OPTION',
    `There is no completion for ${shell}.${didYouMean(shell, names)} Supported shells: ${names.join(', ')}.`,
  )
}
