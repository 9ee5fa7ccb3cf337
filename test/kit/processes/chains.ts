/** Local chains on this machine (Linux only), including those of other processes. */
import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of anvils whose arguments or environment contain a text, e.g. the data folder of the starting process. */
export const chainsWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // An ended process has no environment, even before its parent has noticed.
        return (
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'anvil' &&
          ['cmdline', 'environ'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').includes(text))
        )
      } catch {
        return false
      }
    })
